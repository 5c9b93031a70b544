"""Texts that several parts of the window write alike: counts, durations, sentences."""

from __future__ import annotations

from vizml.data import Dataset


def unlabelled(dataset: Dataset) -> str:
    """A number of points without a class, where others have one; else an empty text."""
    without = int((dataset.labels < 0).sum())
    return f"{without:,} without a class" if 0 < without < len(dataset) else ""


def duration(seconds: float) -> str:
    """A time in the unit that suits its rounded value."""
    if seconds < 0.9995e-3:
        return f"{1e6 * seconds:.0f} µs"
    if seconds < 0.9995:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def capitalised(text: str) -> str:
    """A text with a capital first letter, unless it begins with a symbol: x, k and ρ stay as they are."""
    is_word = (len(text) > 1 and text[:2].isascii() and text[:2].isalpha()) or text.startswith("a ")
    return f"{text[:1].upper()}{text[1:]}" if is_word else text
