"""Basis functions: of linear regression, f(x) = sum_j w_j phi_j(x), and polynomial features of d inputs.

Both are scaled to the data, so that their columns are well-conditioned.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import ClassVar, Self

import numpy as np
from numpy.polynomial import chebyshev as cheb

from vizml.field.arrays import Floats

LABELS = {
    "polynomial": "polynomials", "fourier": "sines and cosines",
    "bumps": "Gaussian bumps", "pieces": "linear splines",
}  # fmt: skip
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def input_names(d: int) -> tuple[str, ...]:
    """Return the names of d inputs in formulas: x; x and y; x0, x1, x2, ...

    >>> input_names(3)
    ('x0', 'x1', 'x2')
    """
    return ("x", "y")[:d] if d <= 2 else tuple(f"x{j}" for j in range(d))


class Basis(ABC):
    """Functions phi (n, size) of the inputs, and the terms that penalties and selection are about.

    Each term is a sum of basis functions: the powers of x of Chebyshev polynomials, else the functions
    themselves without the constant.
    """

    has_powers: bool = False
    """Whether coefficients are those of powers of the inputs."""
    size: int
    """The number of functions, the constant included."""

    @abstractmethod
    def design(self, X: Floats) -> Floats:
        """Return the values (n, size) at X, (n,) or (n, d)."""

    @abstractmethod
    def term_names(self) -> tuple[str, ...]:
        """Return the name of each term, without the constant."""

    @property
    def lift(self) -> Floats:
        """The weights (size, p) on the basis that make each term, up to a constant and `units`."""
        return np.eye(self.size)[:, 1:]

    @property
    def units(self) -> Floats:
        """The factors (p,) by which terms are larger in data units than those of `lift`."""
        return np.ones(self.lift.shape[1])

    @property
    def constant(self) -> Floats:
        """The weights (size,) that make the function 1."""
        return np.asarray(np.eye(self.size)[0])

    def conversion(self) -> Floats:
        """Return the matrix from weights to the intercept and the coefficients in data units."""
        return np.eye(self.size)


@dataclass(frozen=True)
class UnivariateBasis(Basis):
    """Functions of u = (x - middle) / half of one input, which runs over -1..1 in the range of the data."""

    per_degree: ClassVar[int] = 1
    term: ClassVar[str]
    degree: int
    middle: float = 0.0
    half: float = 1.0
    input: str = "x"

    @property
    def size(self) -> int:  # type: ignore[override]
        return 1 + self.per_degree * self.degree

    @abstractmethod
    def columns(self, u: Floats) -> Floats:
        """Return the values (n, size) at u (n,)."""

    def design(self, X: Floats) -> Floats:
        return self.columns((X.ravel() - self.middle) / self.half)

    def term_names(self) -> tuple[str, ...]:
        return self._numbered(self.term, self.lift.shape[1])

    def _numbered(self, term: str, count: int) -> tuple[str, ...]:
        suffix = "" if self.input == "x" else f" of {self.input}"
        return tuple(f"{term} {j}{suffix}" for j in range(1, count + 1))


class PolynomialBasis(UnivariateBasis):
    """Chebyshev polynomials: the span of 1, x, ..., x^degree by well-conditioned columns."""

    has_powers = True

    def columns(self, u: Floats) -> Floats:
        return np.asarray(cheb.chebvander(u, self.degree), dtype=np.float64)

    def term_names(self) -> tuple[str, ...]:
        return tuple(power(self.input, j) for j in range(1, self.degree + 1))

    @property
    def lift(self) -> Floats:
        """(shift + factor u)^j for j = 1..degree as sums of Chebyshev polynomials, without cancellation.

        Of the powers of u that contain T_k every other one does, so that powers of the shift have one sign.
        """
        shift, factor = self.middle / self._unit, self.half / self._unit
        j = np.arange(self.degree + 1)
        rows = _binomials(self.degree) * shift ** np.maximum(j[:, None] - j, 0) * factor**j
        return np.asarray((rows @ _chebyshev_of_powers(self.degree)).T[:, 1:])

    @property
    def units(self) -> Floats:
        return np.asarray(self._unit ** np.arange(1.0, self.degree + 1))

    @property
    def _unit(self) -> float:
        """The unit of x that keeps its powers in range."""
        return abs(self.middle) + self.half

    def conversion(self) -> Floats:
        """By the recurrence T_(k+1) = 2 u T_k - T_(k-1) in powers of x."""
        out = np.zeros((self.size, self.size))
        out[0, 0] = 1.0
        for k in range(self.degree):
            times_u = -self.middle / self.half * out[:, k]
            times_u[1:] += out[:-1, k] / self.half
            out[:, k + 1] = 2 * times_u - out[:, k - 1] if k else times_u
        return out


class FourierBasis(UnivariateBasis):
    """1, cos(pi j u), sin(pi j u) for j = 1..degree: the range of the data is one period."""

    per_degree = 2

    def columns(self, u: Floats) -> Floats:
        angles = np.pi * u[:, None] * np.arange(1, self.degree + 1)
        return np.concatenate([np.ones((len(u), 1)), np.cos(angles), np.sin(angles)], axis=1)

    def term_names(self) -> tuple[str, ...]:
        return self._numbered("cos", self.degree) + self._numbered("sin", self.degree)


class BumpBasis(UnivariateBasis):
    """1 and `degree` Gaussians at even distances, each as wide as the distance to the next."""

    term = "bump"

    @property
    def centres(self) -> Floats:
        """The centres of the Gaussians."""
        return np.linspace(-1, 1, self.degree) if self.degree > 1 else np.zeros(1)

    @property
    def width(self) -> float:
        """The standard deviation of the Gaussians."""
        return 2 / max(self.degree - 1, 2)

    def columns(self, u: Floats) -> Floats:
        bumps = np.exp(-0.5 * ((u[:, None] - self.centres) / self.width) ** 2)
        return np.concatenate([np.ones((len(u), 1)), bumps], axis=1)


class PieceBasis(UnivariateBasis):
    """Hat functions over `degree` equal pieces: a linear spline that extrapolates its end pieces."""

    term = "knot"

    def columns(self, u: Floats) -> Floats:
        along = (u + 1) * (self.degree / 2)
        piece = np.clip(np.floor(along), 0, self.degree - 1).astype(np.int64)
        out, rows = np.zeros((len(u), self.size)), np.arange(len(u))
        out[rows, piece] = 1 - (along - piece)
        out[rows, piece + 1] = along - piece
        return out

    @property
    def lift(self) -> Floats:
        return np.eye(self.size)

    @property
    def constant(self) -> Floats:
        return np.ones(self.size)


@dataclass(frozen=True)
class AdditiveBasis(Basis):
    """A constant and, for each of several inputs, the other functions of its univariate basis."""

    parts: tuple[UnivariateBasis, ...]

    @property
    def size(self) -> int:  # type: ignore[override]
        return 1 + sum(part.size - 1 for part in self.parts)

    @property
    def has_powers(self) -> bool:  # type: ignore[override]
        return self.parts[0].has_powers

    def design(self, X: Floats) -> Floats:
        columns = [part.design(column)[:, 1:] for part, column in zip(self.parts, X.T, strict=True)]
        return np.concatenate([np.ones((len(X), 1)), *columns], axis=1)

    def term_names(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.term_names()[1 - part.size :])

    @property
    def lift(self) -> Floats:
        blocks = [part.lift[1:, 1 - part.size :] for part in self.parts]
        return np.concatenate([np.zeros((1, self.size - 1)), _block_diagonal(blocks)])

    @property
    def units(self) -> Floats:
        return np.concatenate([part.units[1 - part.size :] for part in self.parts])

    def conversion(self) -> Floats:
        own = [part.conversion() for part in self.parts]
        out = _block_diagonal([np.ones((1, 1)), *(matrix[1:, 1:] for matrix in own)])
        out[0, 1:] = np.concatenate([matrix[0, 1:] for matrix in own])
        return out


KINDS: dict[str, type[UnivariateBasis]] = {
    "polynomial": PolynomialBasis, "fourier": FourierBasis, "bumps": BumpBasis, "pieces": PieceBasis
}  # fmt: skip


def basis_over(name: str, degree: int, X: Floats) -> Basis:
    """Return a basis over the range of each column of X (n, d), or of X (n,); that of equal values is 2."""
    columns = X.reshape(len(X), -1).T
    low, high = columns.min(axis=1), columns.max(axis=1)
    half = np.where(high > low, (high - low) / 2, 1.0)
    spans = zip((low + (high - low) / 2).tolist(), half.tolist(), input_names(len(columns)))
    parts = [KINDS[name](degree, *span) for span in spans]
    return parts[0] if len(parts) == 1 else AdditiveBasis(tuple(parts))


def power(variable: str, exponent: int) -> str:
    """Return 'x' or 'x²'."""
    return variable + (str(exponent).translate(SUPERSCRIPTS) if exponent > 1 else "")


def _block_diagonal(blocks: list[Floats]) -> Floats:
    out = np.zeros((sum(len(b) for b in blocks), sum(b.shape[1] for b in blocks)))
    row = column = 0
    for block in blocks:
        out[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return out


@cache
def _binomials(degree: int) -> Floats:
    """Return the coefficient of u^i in (1 + u)^j, at (j, i)."""
    size = range(degree + 1)
    return np.array([[math.comb(j, i) for i in size] for j in size], dtype=np.float64)


@cache
def _chebyshev_of_powers(degree: int) -> Floats:
    """Return the coefficient of T_k in u^i, at (i, k)."""
    out = np.zeros((degree + 1, degree + 1))
    for i in range(degree + 1):
        out[i, : i + 1] = cheb.poly2cheb(np.eye(degree + 1)[i, : i + 1])
    return out


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
