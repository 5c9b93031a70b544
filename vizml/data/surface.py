"""Surfaces f(w1, w2) that optimisers descend: a formula with the rectangle, start and minima that suit it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from vizml.data.formula import Formula

Place: TypeAlias = tuple[float, float]
BOUNDS = (-3.0, 3.0, -3.0, 3.0)
"""Left, right, bottom and top of a surface that has no other."""
AXES = "w1", "w2"
"""Names of the columns of starts."""


@dataclass(frozen=True)
class Surface:
    """A function of two weights, with facts for its picture."""

    formula: Formula
    bounds: tuple[float, float, float, float] = BOUNDS
    """Rectangle that shows its features."""
    start: Place = (-2.0, 1.5)
    """Start of optimisers where there are no points."""
    minima: tuple[Place, ...] = ()
    """Global minima, where they are known."""

    def plain(self) -> dict[str, object]:
        """Return it as plain values."""
        return {
            "formula": self.formula.text, "bounds": self.bounds, "start": self.start, "minima": self.minima,
        }  # fmt: skip
