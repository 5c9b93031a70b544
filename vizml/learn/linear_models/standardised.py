"""Least squares on standardised terms: every term and y have mean 0 and variance 1.

Standardising costs no digits: it is done on the well-conditioned functions of the basis, of which each
term is a sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.linear_models.basis import Basis

CUT = 1e-14
"""Singular values below this share of the largest are taken for zero."""
BLOCK = 128
"""Rows of a tall matrix that are reduced at a time."""


@dataclass(frozen=True, eq=False)
class StandardisedTerms:
    """The terms of a basis, t_j = (term_j - mean) / deviation over given X."""

    basis: Basis
    lift: Floats
    """The weights (size, p) on the basis that make each standardised term, up to a constant."""
    deviation: Floats
    """The standard deviation of each term, in units of `basis.units`."""
    middle: Floats
    """The mean of each function of the basis."""

    @classmethod
    def over(cls, basis: Basis, X: Floats) -> StandardisedTerms:
        """Return the terms standardised over X."""
        design, lift = basis.design(X), basis.lift
        middle = design.mean(axis=0)
        centred = (design - middle) @ lift
        spread = np.sqrt(np.einsum("np,np->p", centred, centred) / len(X))
        deviation = np.where(spread > 1e-14 * np.abs(lift).max(axis=0), spread, np.inf)
        return cls(basis, lift / deviation, deviation, middle)

    def columns(self, X: Floats) -> Floats:
        """Return the values (n, p) of the standardised terms."""
        return np.asarray((self.basis.design(X) - self.middle) @ self.lift)

    def weights(self, slopes: Floats, mean: float | Floats) -> Floats:
        """Return the weights (..., size) on the basis of mean + sum_j slope_j t_j, for slopes (..., p)."""
        weights = slopes @ self.lift.T
        return np.asarray(weights + np.multiply.outer(mean - weights @ self.middle, self.basis.constant))

    @cached_property
    def scale(self) -> Floats:
        """The deviations in data units: a slope divided by its scale is a coefficient."""
        return np.asarray(self.deviation * self.basis.units)

    def coefficients(self, slopes: Floats, mean: float) -> Floats:
        """Return the intercept and the coefficient of each term in data units: zero where the slope is."""
        if self.basis.has_powers:
            intercept = (self.basis.conversion() @ self.weights(slopes, mean))[0]
        else:
            intercept = mean - self.middle @ self.lift @ slopes
        return np.concatenate([[intercept], slopes / self.scale])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each term."""
        return self.basis.term_names()


@dataclass(frozen=True, eq=False)
class StandardisedProblem:
    """The terms T (n, p) by the triangle R of T / sqrt(n) = Q R, and y by a = Q'y / sqrt(n).

    Half the mean squared residual of slopes b is 1/2 |a - R b|^2 + rest.
    """

    terms: StandardisedTerms
    n: int
    mean: float
    """The mean of y."""
    deviation: float
    """The standard deviation of y."""
    R: Floats
    a: Floats
    rest: float
    """The share that no slopes explain of half the mean square of y, in units of its variance."""
    penalty_scale: Floats
    """What penalties multiply each slope by: 1, or what makes it a coefficient in data units."""

    @classmethod
    def over(cls, basis: Basis, X: Floats, y: Floats, *, standardise: bool) -> StandardisedProblem:
        """Return the problem of the data; `standardise` is about the coefficients that penalties see."""
        terms, n, mean = StandardisedTerms.over(basis, X), len(X), float(y.mean())
        centred = y - mean
        deviation = math.sqrt(float(centred @ centred) / n)
        deviation = deviation if deviation > 1e-14 * abs(mean) else 0.0
        target = centred / deviation if deviation else np.zeros(n)
        R, a, rest = qr_reduced(terms.columns(X) / math.sqrt(n), target / math.sqrt(n))
        scale = np.ones(R.shape[1]) if standardise else 1.0 / terms.scale
        return cls(terms, n, mean, deviation or 1.0, R, a, rest / 2, scale)

    @cached_property
    def gram(self) -> Floats:
        """R'R: the correlations of the terms."""
        return np.asarray(self.R.T @ self.R)

    @cached_property
    def correlations(self) -> Floats:
        """R'a: the correlation of each term with y."""
        return np.asarray(self.R.T @ self.a)

    @property
    def size(self) -> int:
        """The number of terms."""
        return len(self.penalty_scale)

    def weights(self, slopes: Floats) -> Floats:
        """Return the weights (..., size) on the basis for slopes (..., p)."""
        return self.terms.weights(slopes * self.deviation, self.mean)

    def coefficients(self, slopes: Floats) -> Floats:
        """Return the intercept and the coefficient of each term in data units."""
        return self.terms.coefficients(slopes * self.deviation, self.mean)

    def predict(self, X: Floats, slopes: Floats) -> Floats:
        """Return the predictions (n, ...) at X for slopes (..., p)."""
        return np.asarray(self.mean + self.terms.columns(X) @ (slopes * self.deviation).T)

    def ridge_operator(self, squares: Floats, active: Floats | None = None) -> Floats:
        """Return D (..., p, k): b = D a minimises |a - R b|^2 + sum_j squares_j b_j^2, squares (..., p)."""
        R = self.R if active is None else self.R * active
        below = np.sqrt(squares)[..., None] * np.eye(self.size)
        above = np.broadcast_to(R, (*below.shape[:-2], *R.shape))
        stacked = np.concatenate([above, below], axis=-2)
        return np.asarray(np.linalg.pinv(stacked, rcond=CUT)[..., : len(R)])

    def half_error(self, slopes: Floats) -> Floats:
        """Return 1/2 |a - R b|^2 for slopes (..., p)."""
        errors = self.a - slopes @ self.R.T
        return np.asarray(0.5 * (errors * errors).sum(axis=-1))


def qr_triangle(matrix: Floats) -> Floats:
    """Return R (min(n, p), p) of A = Q R, so that A'A = R'R, by blocks of rows.

    One call for a tall matrix would wake the threads of the linear algebra, which costs more than the
    work wherever others use the processor too.
    """
    while len(matrix) > 2 * max(BLOCK, matrix.shape[1]):
        count, width = -(-len(matrix) // BLOCK), matrix.shape[1]
        padded = np.zeros((count * BLOCK, width))
        padded[: len(matrix)] = matrix
        triangles = np.linalg.qr(padded.reshape(count, BLOCK, width), mode="r")
        matrix = np.asarray(triangles, dtype=np.float64).reshape(-1, width)
    return np.asarray(np.linalg.qr(matrix, mode="r"), dtype=np.float64)


def qr_reduced(design: Floats, y: Floats) -> tuple[Floats, Floats, float]:
    """Return R, a and the rest with |y - D w|^2 = |a - R w|^2 + rest for every w."""
    p = design.shape[1]
    triangle = qr_triangle(np.column_stack([design, y]))
    rest = float(triangle[p, p]) ** 2 if len(triangle) > p else 0.0
    return triangle[:p, :p], triangle[:p, p], rest
