"""Polynomial features u^i v^j, 1 <= i + j <= degree, of centred and scaled coordinates u and v."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Self

import numpy as np

from vizml.field import Field, Raster
from vizml.field.linear import affine_plane
from vizml.field.polynomial import polynomial_plane, powers
from vizml.learn.state import Floats


@dataclass(frozen=True, eq=False)
class Features:
    """u = (x - centre) / scale, v alike; all products of their powers up to a degree."""

    degree: int
    centre: Floats
    scale: Floats

    @classmethod
    def over(cls, points: Floats, degree: int, *, centred: bool = True) -> Self:
        """With the middle and the spread of some points; not centred, each feature is one term in x and y."""
        columns, n = np.ascontiguousarray(points.T), max(len(points), 1)
        centre = columns.sum(axis=1) / n if centred else np.zeros(2)
        away = columns - centre[:, None]
        scale = np.sqrt(np.multiply(away, away, out=away).sum(axis=1) / n)
        scale[scale <= 1e-12 * np.abs(centre)] = 1.0
        for array in (centre, scale):
            array.flags.writeable = False
        return cls(degree, centre, scale)

    @property
    def exponents(self) -> list[tuple[int, int]]:
        """(i, j) of each feature: x, y, x^2, xy, y^2, ..."""
        return [(total - j, j) for total in range(1, self.degree + 1) for j in range(total + 1)]

    @property
    def names(self) -> list[str]:
        """What the features are called."""
        return [_power("x", i) + _power("y", j) for i, j in self.exponents]

    def design(self, points: Floats) -> Floats:
        """1 and the features (n, 1 + d)."""
        out = np.empty((1 + self.degree * (self.degree + 3) // 2, len(points)))
        out[0] = 1.0
        inside = np.subtract(points.T, self.centre[:, None], out=out[1:3])
        inside /= self.scale[:, None]
        if self.degree > 1:
            u, v = (powers(row, self.degree) for row in inside)
            for row, (i, j) in zip(out[3:], self.exponents[2:]):
                np.multiply(u[i], v[j], out=row)
        return out.T

    def data_units(self) -> Floats:
        """The matrix (1 + d, 1 + d) from coefficients of 1, u, v, ... to those of 1, x, y, ..."""
        terms = [(0, 0), *self.exponents]
        place = {term: row for row, term in enumerate(terms)}
        out = np.zeros((len(terms), len(terms)))
        across, up = (
            [_expanded(power, centre, scale) for power in range(self.degree + 1)]
            for centre, scale in zip(self.centre.tolist(), self.scale.tolist())
        )
        for column, (i, j) in enumerate(terms):
            for a, alpha in enumerate(across[i]):
                for b, beta in enumerate(up[j]):
                    out[place[a, b], column] = alpha * beta
        return out

    def paint(self, weights: Floats, raster: Raster, out: Field) -> None:
        """Write the weighted sum of 1 and the features into a plane (H, W)."""
        if self.degree == 1:
            affine_plane(weights[1:] / self.scale, float(weights[0]), raster, out, self.centre)
            return
        table = np.zeros((self.degree + 1, self.degree + 1))
        for weight, term in zip(weights, [(0, 0), *self.exponents]):
            table[term] = weight
        polynomial_plane(table, raster, out, self.centre, self.scale)


def _expanded(power: int, centre: float, scale: float) -> list[float]:
    """The coefficients of 1, x, ..., x^power in ((x - centre) / scale)^power."""
    return [comb(power, a) * (-centre) ** (power - a) / scale**power for a in range(power + 1)]


def _power(name: str, exponent: int) -> str:
    return "" if not exponent else name if exponent == 1 else f"{name}^{exponent}"
