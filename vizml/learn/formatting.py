"""Texts of states: typeset when they are read, shortened in representations; reasons, shares."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any

import numpy as np

from vizml.scene.typesetting import typeset

BRIEF = reprlib.Repr()
BRIEF.maxstring = BRIEF.maxother = 60


class LazyText:
    """A text, typeset when it is read; a function of the state that gives it is called at the first time."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, state: object, owner: type) -> str:
        if state is None:
            return ""
        text = state.__dict__[self.name]
        if callable(text):
            text = state.__dict__[self.name] = text(state)
        return typeset(text)

    def __set__(self, state: object, text: str | Callable[[Any], str]) -> None:
        state.__dict__[self.name] = text


def brief(value: object) -> str:
    """Return a value on one short line, an array by its type and shape."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}"
    return " ".join(BRIEF.repr(value).split())


def shortfall(requested: int, found: int, nouns: str) -> str:
    """Explain why there are fewer groups than requested, as a parenthesis that ends a note.

    >>> shortfall(4, 2, "clusters")
    ' (4 clusters requested, but there are only 2 distinct points)'
    >>> shortfall(2, 2, "clusters")
    ''
    """
    if found >= requested:
        return ""
    reason = "all points coincide" if found == 1 else f"there are only {found} distinct points"
    return f" ({requested} {nouns} requested, but {reason})"


def explained_share(rss: float, tss: float) -> float:
    """Return R², 1 - RSS / TSS, without the rounding error of 1e-16 where it is 0.

    >>> explained_share(0.3, 0.1 + 0.2), explained_share(1.0, 4.0)
    (0.0, 0.75)
    """
    return round(1.0 - rss / tss, 12)


def percent(share: float) -> str:
    """Format a share in per cent; 0 % and 100 % only where it is exact.

    >>> percent(0.123), percent(0.999)
    ('12 %', '> 99 %')
    """
    if 0.995 <= share < 1.0:
        return "> 99 %"
    if 0.0 < share <= 0.005:
        return "< 1 %"
    return f"{100 * share:.0f} %"
