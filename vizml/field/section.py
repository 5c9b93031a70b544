"""Sections: affine lines and planes through the input space of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from vizml.field.arrays import Floats


@dataclass(frozen=True, eq=False)
class Section:
    """The points origin + sum_i u_i basis[i] of a d-dimensional input space, by their coordinates u (k,)."""

    origin: Floats
    """A point (d,) of the input space."""
    basis: Floats
    """Directions (k, d): one for a line, two for a plane."""
    dimensions: int = field(init=False)
    """Number of coordinates of its points."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimensions", len(self.basis))

    @classmethod
    def whole_space(cls, dimensions: int) -> Section:
        """Return the section that is the whole input space of one or two dimensions."""
        return cls(np.zeros(dimensions), np.eye(dimensions))

    @classmethod
    def along(cls, axes: Sequence[int], held: Floats) -> Section:
        """Return the section along some inputs, with the others at the values of a point (d,)."""
        origin = np.array(held, dtype=np.float64)
        origin[list(axes)] = 0.0
        return cls(origin, np.eye(len(origin))[list(axes)])

    @cached_property
    def whole(self) -> bool:
        """Whether it is the whole input space, with the inputs as coordinates in their order."""
        inputs = len(self.origin)
        return (
            self.dimensions == inputs and not self.origin.any() and bool((self.basis == np.eye(inputs)).all())
        )

    @property
    def key(self) -> tuple[bytes, bytes]:
        """A value that is equal for equal sections."""
        return self.origin.tobytes(), self.basis.tobytes()

    @cached_property
    def axes(self) -> tuple[int, ...] | None:
        """Inputs that are its coordinates; None for an oblique section."""
        axes = self.basis.argmax(axis=1)
        aligned = (self.basis == np.eye(len(self.origin))[axes]).all() and not self.origin[axes].any()
        return tuple(axes.tolist()) if aligned else None

    def project(self, X: Floats) -> tuple[Floats, Floats]:
        """Return the coordinates (n, k) of inputs on the section and their squared distances from it (n,).

        The basis must be orthonormal.
        """
        if self.whole:
            return X, np.zeros(len(X))
        away = X - self.origin
        points = away @ self.basis.T
        beside = away - points @ self.basis
        return points, np.asarray((beside * beside).sum(axis=1))

    def lift(self, points: Floats) -> Floats:
        """Return points (m, k) of the section as inputs (m, d)."""
        return points if self.whole else self.origin + points @ self.basis
