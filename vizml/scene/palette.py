"""Palettes: the Okabe-Ito colours of the classes with a shape each, and the two themes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

Rgb: TypeAlias = tuple[int, int, int]
Shape: TypeAlias = Literal[
    "circle", "square", "triangle", "diamond", "plus", "cross", "star", "pentagon", "wedge", "hexagon"
]
Role: TypeAlias = Literal["text", "muted", "accent", "line", "ground"]
SHADES = 51
"""Number of shades among which one with sufficient contrast is searched."""


@dataclass(frozen=True)
class FoldInk:
    """The colour of a fold, counted from 0."""

    number: int


Ink: TypeAlias = int | Role | FoldInk
"""Colour of a class by its index, of a fold, or of the theme by its role."""


@dataclass(frozen=True)
class ClassStyle:
    """Colour and shape of the points of a class."""

    colour: Rgb
    shape: Shape


CLASSES: tuple[ClassStyle, ...] = (
    ClassStyle((0x00, 0x72, 0xB2), "circle"),
    ClassStyle((0xD5, 0x5E, 0x00), "square"),
    ClassStyle((0x00, 0x9E, 0x73), "triangle"),
    ClassStyle((0xCC, 0x79, 0xA7), "diamond"),
    ClassStyle((0xE6, 0x9F, 0x00), "plus"),
    ClassStyle((0x56, 0xB4, 0xE9), "cross"),
    ClassStyle((0xF0, 0xE4, 0x42), "star"),
    ClassStyle((0x77, 0x77, 0x77), "pentagon"),
)

FOLDS: tuple[ClassStyle, ...] = (
    ClassStyle((0x88, 0x00, 0x22), "wedge"),
    ClassStyle((0x66, 0x77, 0x00), "hexagon"),
    ClassStyle((0x77, 0x00, 0x77), "wedge"),
    ClassStyle((0x88, 0xDD, 0x66), "hexagon"),
    ClassStyle((0xFF, 0xAA, 0x88), "wedge"),
    ClassStyle((0xDD, 0x88, 0xFF), "hexagon"),
    ClassStyle((0x88, 0x55, 0x22), "wedge"),
    ClassStyle((0xCC, 0xCC, 0x88), "hexagon"),
    ClassStyle((0xFF, 0x55, 0x77), "wedge"),
    ClassStyle((0x55, 0xDD, 0xDD), "hexagon"),
)
"""Ten folds: their colours are far from those of the classes and from each other (CIELAB, at least 34)."""


def style_of_ink(ink: Ink) -> ClassStyle | None:
    """Return the style of a class or a fold; classes repeat after eight, folds after ten."""
    if isinstance(ink, FoldInk):
        return FOLDS[ink.number % len(FOLDS)]
    return None if isinstance(ink, str) or ink < 0 else CLASSES[ink % len(CLASSES)]


def _stroke(theme: Theme, ink: Ink) -> Rgb:
    own = theme.colour(ink)
    if style_of_ink(ink) is None:
        return own
    region = mixed(theme.ground, own, theme.tint)
    shades = (mixed(own, theme.text, share / (SHADES - 1)) for share in range(SHADES))
    return next((shade for shade in shades if contrast(shade, region) >= theme.apart), theme.text)


@dataclass(frozen=True)
class Theme:
    """The colours of a theme by their role."""

    name: str
    ground: Rgb
    chrome: Rgb
    line: Rgb
    text: Rgb
    muted: Rgb
    accent: Rgb
    tint: float
    """Share of a class's colour in its region at full confidence."""
    apart: float
    """Least contrast of a line with the regions of its own class. With more, lines of orange and vermillion
    would look the same to colour-blind people."""

    def colour(self, ink: Ink) -> Rgb:
        """Return the colour of a role, a class or a fold."""
        if style := style_of_ink(ink):
            return style.colour
        return getattr(self, ink) if isinstance(ink, str) else self.muted

    stroke = cache(_stroke)
    """The colour of thin lines for an ink: that of a class, mixed with the text colour for contrast."""


LIGHT = Theme(
    name="light",
    ground=(0xFF, 0xFF, 0xFF),
    chrome=(0xF5, 0xF6, 0xF8),
    line=(0xD9, 0xDC, 0xE1),
    text=(0x1B, 0x1F, 0x24),
    muted=(0x5B, 0x64, 0x70),
    accent=(0x2F, 0x5F, 0xD0),
    tint=0.32,
    apart=2.2,
)
DARK = Theme(
    name="dark",
    ground=(0x14, 0x17, 0x1B),
    chrome=(0x1C, 0x20, 0x26),
    line=(0x2E, 0x34, 0x3C),
    text=(0xE8, 0xEA, 0xED),
    muted=(0x9A, 0xA3, 0xAF),
    accent=(0x7A, 0xA2, 0xF7),
    tint=0.42,
    apart=2.8,
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """Interpolate between two colours."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other))
    return red, green, blue


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio as WCAG defines it, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(rgb: Rgb) -> float:
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
