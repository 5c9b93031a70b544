"""What a penalised fit needs of its data, in units where every term and y have mean 0 and variance 1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.linear_models.basis import Basis
from vizml.learn.linear_models.tall import reduced
from vizml.learn.linear_models.terms import Terms
from vizml.learn.state import Floats

CUT = 1e-14
"""Singular values below this share of the largest are taken for zero."""


@dataclass(frozen=True, eq=False)
class Sums:
    """The terms T (n, p) as the triangle R of T / sqrt(n) = Q R, y as a = Q'y / sqrt(n).

    Half the mean squared residual of slopes b is 1/2 |a - R b|^2 and a constant.
    """

    terms: Terms
    n: int
    mean: float
    spread: float
    """Mean and deviation of y."""
    triangle: Floats
    answer: Floats
    rest: float
    """What no slopes can explain of half the mean square of y, in units of its variance."""
    price: Floats
    """What a penalty multiplies each slope by: 1, or what turns it into a coefficient in data units."""

    @classmethod
    def over(cls, basis: Basis, x: Floats, y: Floats, *, standardise: bool) -> Sums:
        """Those of points, with the terms standardised over them."""
        return cls.with_columns(basis, x, y, standardise=standardise)[0]

    @classmethod
    def with_columns(cls, basis: Basis, x: Floats, y: Floats, *, standardise: bool) -> tuple[Sums, Floats]:
        """Those of points, and the values (n, p) of the standardised terms there."""
        (terms, columns), n, mean = Terms.with_columns(basis, x), len(x), float(y.mean())
        apart = y - mean
        spread = math.sqrt(float(apart @ apart) / n)
        spread = spread if spread > 1e-14 * abs(mean) else 0.0
        target = apart / spread if spread else np.zeros(n)
        triangle, answer, rest = reduced(columns / math.sqrt(n), target / math.sqrt(n))
        price = np.ones(triangle.shape[1]) if standardise else 1.0 / terms.scale
        return cls(terms, n, mean, spread or 1.0, triangle, answer, rest / 2, price), columns

    @cached_property
    def gram(self) -> Floats:
        """R'R: the correlations of the terms."""
        return np.asarray(self.triangle.T @ self.triangle)

    @cached_property
    def pull(self) -> Floats:
        """R'a: the correlation of each term with y."""
        return np.asarray(self.triangle.T @ self.answer)

    @property
    def size(self) -> int:
        """The number of terms."""
        return len(self.price)

    def damping(self, squares: Floats, active: Floats | None = None) -> Floats:
        """D (..., p, k): b = D a makes |a - R b|^2 + sum_j squares_j b_j^2 least, for squares (..., p)."""
        triangle = self.triangle if active is None else self.triangle * active
        eye = np.eye(self.size)
        below = np.sqrt(squares)[..., None] * eye
        above = np.broadcast_to(triangle, (*below.shape[:-2], *triangle.shape))
        stacked = np.concatenate([above, below], axis=-2)
        return np.asarray(np.linalg.pinv(stacked, rcond=CUT)[..., : len(triangle)])

    def half_error(self, slopes: Floats) -> Floats:
        """1/2 |a - R b|^2 for slopes (..., p)."""
        apart = self.answer - slopes @ self.triangle.T
        return np.asarray(0.5 * (apart * apart).sum(axis=-1))
