"""Colours of the field: Okabe-Ito classes with a shape each, and the two themes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Rgb: TypeAlias = tuple[int, int, int]
Shape: TypeAlias = Literal["circle", "square", "triangle", "diamond", "plus", "cross", "star", "pentagon"]
Role: TypeAlias = Literal["text", "muted", "accent", "line", "ground"]
Ink: TypeAlias = int | Role
"""What to draw with: a class's own colour by its index, or a colour of the theme by its role."""


@dataclass(frozen=True)
class ClassStyle:
    """How the points of a class look."""

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
    """How much of a class's colour a region has at full confidence."""

    def colour(self, ink: Ink) -> Rgb:
        """The colour of a role, or of a class (more than eight start again)."""
        if isinstance(ink, str):
            return getattr(self, ink)  # type: ignore[no-any-return]
        return CLASSES[ink % len(CLASSES)].colour if ink >= 0 else self.muted


LIGHT = Theme(
    name="light",
    ground=(0xFF, 0xFF, 0xFF),
    chrome=(0xF5, 0xF6, 0xF8),
    line=(0xD9, 0xDC, 0xE1),
    text=(0x1B, 0x1F, 0x24),
    muted=(0x5B, 0x64, 0x70),
    accent=(0x2F, 0x5F, 0xD0),
    tint=0.32,
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
)
