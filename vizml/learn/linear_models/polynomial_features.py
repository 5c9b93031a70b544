"""Polynomial features of d inputs: all products of up to a degree, scaled to the data so that they are
well-conditioned.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Self

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.linear_models.basis import input_names


@dataclass(frozen=True, eq=False)
class PolynomialFeatures:
    """All products of up to `degree` of the scaled inputs u_j = (x_j - centre_j) / scale_j.

    >>> features = PolynomialFeatures(2, centre=np.zeros(2), scale=np.ones(2))
    >>> features.names
    ['x', 'y', 'x^2', 'xy', 'y^2']
    >>> features.design(np.array([[2.0, 3.0]]))
    array([[1., 2., 3., 4., 6., 9.]])
    """

    degree: int
    centre: Floats
    scale: Floats

    @classmethod
    def over(cls, X: Floats, degree: int, *, centred: bool = True) -> Self:
        """Scale by mean and standard deviation; not centred, each feature is one term in data units."""
        columns, n = np.ascontiguousarray(X.T), max(len(X), 1)
        centre = columns.sum(axis=1) / n if centred else np.zeros(len(columns))
        deviations = columns - centre[:, None]
        scale = np.sqrt(np.multiply(deviations, deviations, out=deviations).sum(axis=1) / n)
        scale[scale <= 1e-12 * np.abs(centre)] = 1.0
        for array in (centre, scale):
            array.flags.writeable = False
        return cls(degree, centre, scale)

    @cached_property
    def products(self) -> list[tuple[int, ...]]:
        """The inputs that each feature multiplies, as scikit-learn orders them; the constant is ()."""
        inputs, degrees = range(len(self.centre)), range(self.degree + 1)
        return [product for total in degrees for product in combinations_with_replacement(inputs, total)]

    @property
    def exponents(self) -> list[tuple[int, ...]]:
        """The exponent of each input in each term, the constant included."""
        return [tuple(product.count(j) for j in range(len(self.centre))) for product in self.products]

    @property
    def names(self) -> list[str]:
        """The names of the features, without the constant: x, y, x^2, xy, y^2, ..."""
        inputs = input_names(len(self.centre))
        powers = [Counter(inputs[j] for j in product).items() for product in self.products[1:]]
        return ["".join(name if e == 1 else f"{name}^{e}" for name, e in power) for power in powers]

    def design(self, X: Floats) -> Floats:
        """Return 1 and the features (n, 1 + p) of X (n, d)."""
        d, row_of = len(self.centre), {product: row for row, product in enumerate(self.products)}
        out = np.empty((len(self.products), len(X)))
        out[0] = 1.0
        inside = np.subtract(X.T, self.centre[:, None], out=out[1 : 1 + d])
        inside /= self.scale[:, None]
        for row, product in enumerate(self.products[1 + d :], start=1 + d):
            np.multiply(out[row_of[product[:-1]]], inside[product[-1]], out=out[row])
        return out.T

    def data_units(self) -> Floats:
        """Return the matrix (1 + p, 1 + p) from coefficients of 1, u_1, ... to those of 1, x_1, ..."""
        row_of = {product: row for row, product in enumerate(self.products)}
        out = np.zeros((len(row_of), len(row_of)))
        out[0, 0] = 1.0
        for column, product in enumerate(self.products[1:], start=1):
            j, parent = product[-1], out[:, row_of[product[:-1]]]
            for row in np.flatnonzero(parent).tolist():
                raised = row_of[tuple(sorted((*self.products[row], j)))]
                out[raised, column] += parent[row] / self.scale[j]
                out[row, column] -= parent[row] * (self.centre[j] / self.scale[j])
        return out
