"""Basis functions of linear regression, f(x) = sum_j w_j phi_j(x).

They are scaled to the data, so that their columns are well-conditioned.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations
from typing import ClassVar

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

    @property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """The terms that the hierarchy principle includes together with each term."""
        return tuple(() for _ in range(self.lift.shape[1]))

    def conversion(self) -> Floats:
        """Return the matrix from weights to the intercept and the coefficients in data units."""
        return np.eye(self.size)

    def mixed_slope(self, weights: Floats, axes: tuple[int, ...]) -> float:
        """Return the second derivative along two inputs, which is constant."""
        del weights, axes
        return 0.0


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

    @property
    def unit(self) -> float:
        """The unit of the input that keeps its powers in range."""
        return abs(self.middle) + self.half

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
        shift, factor = self.middle / self.unit, self.half / self.unit
        j = np.arange(self.degree + 1)
        rows = _binomials(self.degree) * shift ** np.maximum(j[:, None] - j, 0) * factor**j
        return np.asarray((rows @ _chebyshev_of_powers(self.degree)).T[:, 1:])

    @property
    def units(self) -> Floats:
        return np.asarray(self.unit ** np.arange(1.0, self.degree + 1))

    @property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        return ((), *((j,) for j in range(self.degree - 1)))

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
    """A constant, for each of several inputs the other functions of its univariate basis, and interactions.

    An interaction is the product of two inputs, whose function is the product u_i u_j of their first ones.
    """

    parts: tuple[UnivariateBasis, ...]
    pairs: tuple[tuple[int, int], ...] = ()
    """The inputs of each interaction, which have polynomials as their functions."""

    @property
    def size(self) -> int:  # type: ignore[override]
        return self._first[-1] + len(self.pairs)

    @property
    def has_powers(self) -> bool:  # type: ignore[override]
        return all(part.has_powers for part in self.parts)

    @property
    def degree(self) -> int:
        """Degree of a sum of the functions as a polynomial, where they are powers."""
        return max([2 * bool(self.pairs), *(part.degree for part in self.parts)])

    @property
    def _first(self) -> tuple[int, ...]:
        """Position of the first function of each input, then that of the first interaction."""
        return tuple(accumulate((part.size - 1 for part in self.parts), initial=1))

    def design(self, X: Floats) -> Floats:
        if self.parts and self.has_powers and self._first[-1] == len(self.parts) + 1:  # of degree 1
            middles, halves = np.array([(part.middle, part.half) for part in self.parts]).T
            columns = list(((X - middles) / halves).T[:, :, None])
        else:
            columns = [part.design(column)[:, 1:] for part, column in zip(self.parts, X.T, strict=True)]
        products = [columns[i][:, :1] * columns[j][:, :1] for i, j in self.pairs]
        return np.concatenate([np.ones((len(X), 1)), *columns, *products], axis=1)

    def term_names(self) -> tuple[str, ...]:
        names = [name for part in self.parts for name in part.term_names()[1 - part.size :]]
        return (*names, *(f"{self.parts[i].input} × {self.parts[j].input}" for i, j in self.pairs))

    @property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        own = [
            tuple(first - 1 + k for k in above)
            for first, part in zip(self._first, self.parts) for above in part.parents[1 - part.size :]
        ]  # fmt: skip
        return (*own, *((self._first[i] - 1, self._first[j] - 1) for i, j in self.pairs))

    @property
    def lift(self) -> Floats:
        blocks = [part.lift[1:, 1 - part.size :] for part in self.parts]
        out = _block_diagonal([np.zeros((1, 0)), *blocks, np.zeros((len(self.pairs), len(self.pairs)))])
        for at, i, j in self._interactions():
            a, b = self.parts[i], self.parts[j]
            rows = [self._first[i], self._first[j], at]
            out[rows, at - 1] = b.middle * a.half, a.middle * b.half, a.half * b.half
            out[rows, at - 1] /= a.unit * b.unit
        return out

    @property
    def units(self) -> Floats:
        own = [part.units[1 - part.size :] for part in self.parts]
        return np.concatenate([*own, [self.parts[i].unit * self.parts[j].unit for i, j in self.pairs]])

    def conversion(self) -> Floats:
        own = [part.conversion() for part in self.parts]
        products = np.diag([1 / self._area(pair) for pair in self.pairs])
        out = _block_diagonal([np.ones((1, 1)), *(matrix[1:, 1:] for matrix in own), products])
        out[0, 1 : self._first[-1]] = np.concatenate([np.empty(0), *(matrix[0, 1:] for matrix in own)])
        for at, i, j in self._interactions():
            a, b = self.parts[i].middle, self.parts[j].middle
            out[[0, self._first[i], self._first[j]], at] = np.array([a * b, -b, -a]) / self._area((i, j))
        return out

    def mixed_slope(self, weights: Floats, axes: tuple[int, ...]) -> float:
        return sum(
            float(weights[at]) / self._area((i, j))
            for at, i, j in self._interactions() if {i, j} == set(axes)
        )  # fmt: skip

    def _interactions(self) -> Iterator[tuple[int, int, int]]:
        """Yield the position of each interaction and its inputs."""
        return ((at, i, j) for at, (i, j) in enumerate(self.pairs, start=self._first[-1]))

    def _area(self, pair: tuple[int, int]) -> float:
        return self.parts[pair[0]].half * self.parts[pair[1]].half


KINDS: dict[str, type[UnivariateBasis]] = {
    "polynomial": PolynomialBasis, "fourier": FourierBasis, "bumps": BumpBasis, "pieces": PieceBasis
}  # fmt: skip


def basis_over(
    name: str, degree: int, X: Floats, names: Sequence[str] = (), *, interactions: bool = False
) -> Basis:
    """Return a basis over the range of each column of X (n, d), or of X (n,); that of equal values is 2.

    Of several inputs, one of two values, as an indicator of a category has, is a function of degree 1.
    """
    columns = X.reshape(len(X), -1).T
    names = names or input_names(len(columns))
    if len(columns) == 1:
        return _part(KINDS[name], degree, columns[0], names[0])
    low, high = X.min(axis=0), X.max(axis=0)
    two_valued = (np.equal(X, low) | np.equal(X, high)).all(axis=0).tolist()
    parts = tuple(
        _part(PolynomialBasis, 1, x, own) if short else _part(KINDS[name], degree, x, own)
        for x, own, short in zip(columns, names, two_valued)
    )
    pairs = combinations(range(len(parts)), 2) if interactions else ()
    varied = (
        (i, j) for i, j in pairs
        if not (two_valued[i] and two_valued[j]) or len(np.unique(columns[[i, j]], axis=1).T) == 4
    )  # fmt: skip
    return AdditiveBasis(parts, tuple(varied))


def _part(kind: type[UnivariateBasis], degree: int, x: Floats, name: str) -> UnivariateBasis:
    """Return a basis over the range of x (n,)."""
    low, high = float(x.min()), float(x.max())
    return kind(degree, low + (high - low) / 2, (high - low) / 2 if high > low else 1.0, name)


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
