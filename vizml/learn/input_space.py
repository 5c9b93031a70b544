"""Input spaces: names of the inputs of a state, and their values where a section does not show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vizml.field.arrays import Floats
from vizml.field.section import Section


@dataclass(frozen=True, eq=False)
class InputSpace:
    """Names of the d inputs and their medians (d,) in the training data."""

    names: tuple[str, ...]
    medians: tuple[float, ...]

    @classmethod
    def unnamed(cls, count: int) -> InputSpace:
        """Return inputs of which nothing is known but their number."""
        names = ("x", "y")[:count] if count <= 2 else tuple(f"x{number}" for number in range(count))
        return cls(names, (0.0,) * count)

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: int | str) -> int:
        """Return the position of an input given by its name or its index."""
        if isinstance(name, str):
            if name not in self.names:
                raise ValueError(f"there is no input '{name}'; there are {', '.join(self.names)}")
            return self.names.index(name)
        if not -len(self) <= name < len(self):
            raise ValueError(f"there is no input {name}: there are {len(self)}, counted from 0")
        return name % len(self)

    def section(
        self, axes: Sequence[int | str] | None = None, at: Mapping[int | str, float] | None = None
    ) -> Section:
        """Return the section along some axes, with every other input at its value in `at` or its median."""
        if axes is None and not at and len(self) <= 2:
            return Section.whole_space(len(self))
        shown = [self.index(axis) for axis in (range(min(len(self), 2)) if axes is None else axes)]
        if not 1 <= len(shown) <= 2 or len(set(shown)) != len(shown):
            raise ValueError(f"axes must be one or two different inputs, not {axes!r}")
        held = np.array(self.medians)
        for name, value in (at or {}).items():
            held[self.index(name)] = value
        return Section.along(shown, held)

    def matrix(self, X: ArrayLike) -> Floats:
        """Return inputs as a matrix (m, d); one row of m values serves where there is a single input."""
        found = np.asarray(X, dtype=np.float64)
        if found.ndim == 1 and len(self) == 1:
            found = found[:, None]
        if found.ndim != 2 or found.shape[1] != len(self):
            raise ValueError(f"X must have the shape (n, {len(self)}), not {found.shape}")
        return found
