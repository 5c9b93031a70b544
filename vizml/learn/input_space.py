"""Input spaces: names of the inputs of a state, and their values where a section does not show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vizml.data.wording import described, quoted
from vizml.field.arrays import Floats
from vizml.field.section import Section

LARGEST = 1e18
"""Largest coordinate: views hold squares of distances in single precision."""


@dataclass(frozen=True, eq=False)
class InputSpace:
    """Names of the d inputs, and their values (n, d) in the training data."""

    names: tuple[str, ...]
    X: Floats

    def index(self, name: int | str) -> int:
        """Return the position of an input given by its name or its index."""
        if isinstance(name, str):
            if name not in self.names:
                raise ValueError(f"there is no input {quoted(name)}; there are {', '.join(self.names)}")
            return self.names.index(name)
        if not -len(self.names) <= name < len(self.names):
            raise ValueError(f"there is no input {name}: there are {len(self.names)}, counted from 0")
        return name % len(self.names)

    def section(
        self, axes: Sequence[int | str] | None = None, at: Mapping[int | str, float] | None = None
    ) -> Section:
        """Return the section along some axes, with every other input at its value in `at` or its median."""
        if axes is None and not at and len(self.names) <= 2:
            return Section.whole_space(len(self.names))
        shown = [self.index(axis) for axis in (range(min(len(self.names), 2)) if axes is None else axes)]
        if not 1 <= len(shown) <= 2 or len(set(shown)) != len(shown):
            raise ValueError(f"axes must be one or two different inputs, not {axes!r}")
        held = np.median(self.X, axis=0) if len(self.X) else np.zeros(len(self.names))
        for name, value in (at or {}).items():
            held[self.index(name)] = value
        return Section.along(shown, held)

    def matrix(self, X: ArrayLike) -> Floats:
        """Return inputs as a matrix (m, d); one row of m values serves where there is a single input."""
        found = numbers(X, "X")
        if found.ndim == 1 and len(self.names) == 1:
            found = found[:, None]
        if found.ndim != 2 or found.shape[1] != len(self.names):
            raise ValueError(f"X must have the shape (n, {len(self.names)}), not {found.shape}")
        if not (np.abs(found) <= LARGEST).all():
            raise ValueError(f"X must hold finite numbers of at most {LARGEST:g}")
        return found


def numbers(given: ArrayLike, name: str) -> Floats:
    """Return numbers as an array, masked ones as NaN; ValueError for anything that is not a real number."""
    try:
        raw = np.asanyarray(given)
        if raw.dtype.kind not in "biufOUS":
            raise TypeError
        found = raw.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an array of real numbers, not {described(given)}") from None
    return np.ma.filled(found, np.nan) if isinstance(found, np.ma.MaskedArray) else found
