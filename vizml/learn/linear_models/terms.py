"""The terms that a penalty or a choice is about: powers of x, or the functions of another basis.

Each is centred and scaled to variance 1, t_j = (term_j - mean) / deviation, which costs no digits: it is done
on the well-conditioned functions of the basis, of which each term is a sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.polynomial import chebyshev as cheb

from vizml.learn.linear_models.basis import Basis, PieceBasis, PolynomialBasis, padded
from vizml.learn.linear_models.equation import power
from vizml.learn.state import Floats

WORDS = {"FourierBasis": "wave", "BumpBasis": "bump", "PieceBasis": "knot"}


@dataclass(frozen=True, eq=False)
class Terms:
    """What of a basis is standardised, and by how much, for given x."""

    basis: Basis
    lift: Floats
    """The weights (size, p) on the basis that make each standardised term, up to a constant."""
    deviation: Floats
    """By how much each was divided; in units of `unit`^power for a polynomial."""
    middle: Floats
    """The mean of each function of the basis."""
    unit: float

    @classmethod
    def over(cls, basis: Basis, x: Floats) -> Terms:
        """The terms of a basis, standardised over x."""
        return cls.with_columns(basis, x)[0]

    @classmethod
    def with_columns(cls, basis: Basis, x: Floats) -> tuple[Terms, Floats]:
        """The terms of a basis, standardised over x, and their values (n, p) there."""
        design = basis.design(x)
        middle = design.mean(axis=0)
        lift, unit = _lift(basis)
        centred = (design - middle) @ lift
        spread = np.sqrt(np.einsum("np,np->p", centred, centred) / len(x))
        deviation = np.where(spread > 1e-14 * np.abs(lift).max(axis=0), spread, np.inf)
        return cls(basis, lift / deviation, deviation, middle, unit), centred / deviation

    def columns(self, x: Floats) -> Floats:
        """The standardised terms (n, p) at x."""
        return np.asarray((self.basis.design(x) - self.middle) @ self.lift)

    def weights(self, slopes: Floats, mean: float | Floats) -> Floats:
        """The weights (..., size) on the basis of mean + sum_j slope_j t_j, for slopes (..., p)."""
        weights = slopes @ self.lift.T
        return np.asarray(weights + np.multiply.outer(mean - weights @ self.middle, self.constant))

    @cached_property
    def constant(self) -> Floats:
        """The weights that make the function 1."""
        if isinstance(self.basis, PieceBasis):
            return np.ones(self.basis.size)
        out = np.zeros(self.basis.size)
        out[0] = 1.0
        return out

    @cached_property
    def scale(self) -> Floats:
        """By how much a slope is divided to be a coefficient in data units."""
        if not isinstance(self.basis, PolynomialBasis):
            return self.deviation
        return np.asarray(self.deviation * self.unit ** np.arange(1.0, len(self.deviation) + 1))

    def coefficients(self, slopes: Floats, mean: float) -> Floats:
        """The intercept and the coefficient of each term, in data units: zero where the slope is."""
        if isinstance(self.basis, PolynomialBasis):
            intercept = self.basis.coefficients(self.weights(slopes, mean))[0]
        else:
            intercept = mean - self.middle @ self.lift @ slopes
        return np.concatenate([[intercept], slopes / self.scale])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each term is called."""
        return term_names(self.basis)


def term_names(basis: Basis) -> tuple[str, ...]:
    """What the terms of a basis are called, the constant not among them."""
    if isinstance(basis, PolynomialBasis):
        return tuple(power("x", j) for j in range(1, basis.degree + 1))
    if basis.size == 2 * basis.degree + 1:
        return tuple(f"{wave} {j}" for wave in ("cos", "sin") for j in range(1, basis.degree + 1))
    count = basis.size if isinstance(basis, PieceBasis) else basis.size - 1
    return tuple(f"{WORDS[type(basis).__name__]} {j}" for j in range(1, count + 1))


def _lift(basis: Basis) -> tuple[Floats, float]:
    """Each term as weights on the basis, and the unit of x that keeps its powers in range."""
    if isinstance(basis, PolynomialBasis):
        unit = abs(basis.middle) + basis.half
        return _powers(basis.degree, basis.middle / unit, basis.half / unit), unit
    every = np.eye(basis.size)
    return (every if isinstance(basis, PieceBasis) else every[:, 1:]), 1.0


def _powers(degree: int, shift: float, factor: float) -> Floats:
    """(shift + factor u)^j for j = 1..degree as sums of Chebyshev polynomials: no two parts cancel.

    Of the powers of u that hold T_k every other one has it, so that powers of the shift have one sign.
    """
    power = np.arange(degree + 1)
    rows = _binomials(degree) * shift ** np.maximum(power[:, None] - power, 0) * factor**power
    return np.asarray((rows @ _chebyshev(degree)).T[:, 1:])


@cache
def _binomials(degree: int) -> Floats:
    """How often u^i is in (1 + u)^j, at (j, i)."""
    size = range(degree + 1)
    return np.array([[math.comb(j, i) for i in size] for j in size], dtype=np.float64)


@cache
def _chebyshev(degree: int) -> Floats:
    """How much of T_k is in u^i, at (i, k)."""
    rows = [padded(cheb.poly2cheb(np.eye(degree + 1)[i]), degree + 1) for i in range(degree + 1)]
    return np.array(rows, dtype=np.float64)
