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
from vizml.scene.typesetting import without_rounding

CUT = 1e-14
"""Singular values below this share of the largest are taken for zero."""
MAGNIFIED = 100.0
"""How much larger than those of a sum the rounding errors of slopes of nearly collinear terms may be."""
BLOCK = 128
"""Rows of a tall matrix that are reduced at a time."""


def without_noise(slopes: Floats) -> Floats:
    """Return slopes of standardised terms with 0 for rounding errors, which collinear terms magnify.

    They are in units of the deviation of y: those of a constant y have nothing but errors.
    """
    return without_rounding(slopes, np.append(MAGNIFIED * slopes, 1.0))


@dataclass(frozen=True, eq=False)
class StandardisedProblem:
    """The terms t_j = (term_j - mean) / deviation of a basis over given X, and y in units of its deviation.

    T (n, p) is reduced to the triangle R of T / sqrt(n) = Q R, y to a = Q'y / sqrt(n). Half the mean squared
    residual of slopes b is 1/2 |a - R b|^2 + rest.
    """

    basis: Basis
    lift: Floats
    """The weights (size, p) on the basis that make each standardised term, up to a constant."""
    scale: Floats
    """The standard deviation (p,) of each term in data units: a slope divided by it is a coefficient."""
    middle: Floats
    """The mean (size,) of each function of the basis."""
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
    """Factor of each slope in a penalty: 1, or the one that makes it a coefficient in data units."""

    @classmethod
    def over(cls, basis: Basis, X: Floats, y: Floats, *, standardise: bool = True) -> StandardisedProblem:
        """Return the problem of the data; `standardise` is about the coefficients that penalties see."""
        design, lift, n = basis.design(X), basis.lift, len(X)
        middle = design.mean(axis=0)
        centred = (design - middle) @ lift
        spread = np.sqrt(np.einsum("np,np->p", centred, centred) / n)
        spread = np.where(spread > 1e-14 * np.abs(lift).max(axis=0), spread, np.inf)
        mean, scale = float(y.mean()), spread * basis.units
        deviation = math.sqrt(float((y - mean) @ (y - mean)) / n)
        deviation = deviation if deviation > 1e-14 * abs(mean) else 0.0
        target = (y - mean) / deviation if deviation else np.zeros(n)
        R, a, rest = qr_reduced(centred / spread / math.sqrt(n), target / math.sqrt(n))
        penalised = np.zeros(len(scale), dtype=bool) if standardise else np.isfinite(scale)
        penalty_scale = np.divide(1.0, scale, out=np.ones(len(scale)), where=penalised)
        return cls(
            basis, lift / spread, scale, middle, n, mean, deviation or 1.0, R, a, rest / 2, penalty_scale
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each term."""
        return self.basis.term_names()

    def columns(self, X: Floats) -> Floats:
        """Return the values (m, p) of the standardised terms."""
        return np.asarray((self.basis.design(X) - self.middle) @ self.lift)

    def weights(self, slopes: Floats, shift: float = 0.0) -> Floats:
        """Return the weights (size,) on the basis for slopes (p,), with a shift of the mean of y."""
        weights = self.lift @ (slopes * self.deviation)
        return np.asarray(weights + (self.mean + shift - weights @ self.middle) * self.basis.constant)

    def coefficients(self, slopes: Floats, shift: float = 0.0) -> Floats:
        """Return the intercept and the coefficient of each term in data units: zero where the slope is."""
        if self.basis.has_powers:
            terms = self.basis.conversion()[0] * self.weights(slopes, shift)
        else:
            terms = np.append(-self.middle * (self.lift @ (slopes * self.deviation)), self.mean + shift)
        intercept = without_rounding(terms.sum(keepdims=True), np.append(terms, self.deviation))
        return np.concatenate([intercept, without_noise(slopes) * self.deviation / self.scale])

    def squared_errors(self, X: Floats, y: Floats, slopes: Floats) -> Floats:
        """Return the squared errors (m, L) at other X and y of slopes (L, p)."""
        predictions = self.mean + self.columns(X) @ (slopes * self.deviation).T
        return np.asarray((y[:, None] - predictions) ** 2)

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
    width = matrix.shape[1]
    block = max(BLOCK, 2 * width)  # so that each round leaves fewer rows
    while len(matrix) > 2 * block:
        count = -(-len(matrix) // block)
        padded = np.zeros((count * block, width))
        padded[: len(matrix)] = matrix
        triangles = np.linalg.qr(padded.reshape(count, block, width), mode="r")
        matrix = np.asarray(triangles, dtype=np.float64).reshape(-1, width)
    return np.asarray(np.linalg.qr(matrix, mode="r"), dtype=np.float64)


def qr_reduced(design: Floats, y: Floats) -> tuple[Floats, Floats, float]:
    """Return R, a and the rest with |y - D w|^2 = |a - R w|^2 + rest for every w."""
    p = design.shape[1]
    triangle = qr_triangle(np.column_stack([design, y]))
    rest = float(triangle[p, p]) ** 2 if len(triangle) > p else 0.0
    return triangle[:p, :p], triangle[:p, p], rest
