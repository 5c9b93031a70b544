"""Kernels k(x, x') = <phi(x), phi(x')>: their values, their gradients and the fields of their sums."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from operator import iadd
from typing import Any, ClassVar, NamedTuple

import numpy as np

from vizml.field import Field, Raster, pointwise
from vizml.field.arrays import Floats, Ints
from vizml.field.cancellation import check_cancelled
from vizml.field.distances import expanded_distances
from vizml.field.kernels import gaussian_field, gaussian_nodes, laplace_field
from vizml.field.polynomial import polynomial_through
from vizml.field.raster import Section
from vizml.field.tiles import smooth_field
from vizml.learn.params import choice, integer, real
from vizml.learn.training_data import CannotLearn

MOST_NODES = 150
"""Nodes along an axis up to which a sum on an oblique plane is a polynomial through its values at them."""
CHUNK = 1 << 18
"""Kernel values at a time: two megabytes, which stay in the cache."""


class KernelSums(NamedTuple):
    """The functions f_p(x) = sum_j weights_pj k(x, centres_j) + bias_p."""

    centres: Floats
    """(m, d)"""
    weights: Floats
    """(P, m)"""
    bias: Floats
    """(P,)"""


@dataclass(frozen=True)
class KernelFunction(ABC):
    """A kernel with its parameters, for any number of inputs."""

    @abstractmethod
    def __call__(self, A: Floats, B: Floats) -> Floats:
        """Return the values (n, m) between points (n, d) and (m, d)."""

    @abstractmethod
    def gradient(self, A: Floats, B: Floats, weights: Floats) -> Floats:
        """Return the gradients (n, d) of sum_j weights_j k(x, B_j) at points A (n, d)."""

    @abstractmethod
    def diagonal(self, A: Floats) -> Floats:
        """Return k(x, x) (n,) at each point."""

    def values(self, X: Floats, sums: KernelSums) -> Floats:
        """Return sums (n, P) at points (n, d)."""
        out, rows = np.empty((len(X), len(sums.weights))), max(CHUNK // max(len(sums.centres), 1), 1)
        for start in range(0, len(X), rows):
            check_cancelled()
            part = slice(start, start + rows)
            out[part] = self(X[part], sums.centres) @ sums.weights.T
        return out + sums.bias

    def field(self, raster: Raster, section: Section, sums: KernelSums) -> Field:
        """Return sums (P, H, W) on a plane of the input space."""
        return pointwise(lambda u: self.values(section.lift(u), sums), raster, len(sums.bias))


@dataclass(frozen=True)
class InnerProductKernel(KernelFunction):
    """A function of u = gamma x . x' + coef0"""

    gamma: float
    coef0: float

    @abstractmethod
    def value(self, u: Floats) -> Floats:
        """Return the kernel."""

    @abstractmethod
    def slope(self, u: Floats) -> Floats:
        """Return its derivative by u."""

    def __call__(self, A: Floats, B: Floats) -> Floats:
        return self.value(self.gamma * (A @ B.T) + self.coef0)

    def gradient(self, A: Floats, B: Floats, weights: Floats) -> Floats:
        slope = self.slope(self.gamma * (A @ B.T) + self.coef0)
        return np.asarray(self.gamma * (slope * weights) @ B)

    def diagonal(self, A: Floats) -> Floats:
        return self.value(self.gamma * (A * A).sum(axis=1) + self.coef0)


@dataclass(frozen=True)
class PolynomialKernel(InnerProductKernel):
    """(gamma x . x' + coef0)^degree"""

    degree: int

    def value(self, u: Floats) -> Floats:
        return np.asarray(u**self.degree)

    def slope(self, u: Floats) -> Floats:
        return np.asarray(self.degree * u ** (self.degree - 1))

    def field(self, raster: Raster, section: Section, sums: KernelSums) -> Field:
        return polynomial_through(lambda u: self.values(section.lift(u), sums), raster, self.degree)


@dataclass(frozen=True)
class LinearKernel(PolynomialKernel):
    """x . x'"""

    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 1

    def values(self, X: Floats, sums: KernelSums) -> Floats:
        return np.asarray(X @ (sums.weights @ sums.centres).T + sums.bias)


class SigmoidKernel(InnerProductKernel):
    """tanh(gamma x . x' + coef0), which is no inner product: its dual may have several minima"""

    def value(self, u: Floats) -> Floats:
        return np.asarray(np.tanh(u))

    def slope(self, u: Floats) -> Floats:
        return np.asarray(1.0 - np.tanh(u) ** 2)

    def field(self, raster: Raster, section: Section, sums: KernelSums) -> Field:
        def plane(own: Floats, offset: Floats) -> Field:
            held = KernelSums(sums.centres[own != 0.0], own[None, own != 0.0], offset)
            return smooth_field(lambda u: self.values(section.lift(u), held), raster, 1)

        return np.concatenate([plane(*each) for each in zip(sums.weights, sums.bias[:, None])])


@dataclass(frozen=True)
class DistanceKernel(KernelFunction):
    """exp(-gamma sum_j part(x_j - x'_j))"""

    gamma: float
    part: ClassVar[np.ufunc]

    @abstractmethod
    def slope(self, apart: Floats) -> Floats:
        """Return the derivative of `part`."""

    def total(self, A: Floats, B: Floats) -> Floats:
        """Return the sum (n, m) of `part` over all inputs."""
        return reduce(iadd, (self.part(apart, out=apart) for apart in _differences(A, B)))

    def __call__(self, A: Floats, B: Floats) -> Floats:
        total = self.total(A, B)
        total *= -self.gamma
        return np.asarray(np.exp(total, out=total))

    def gradient(self, A: Floats, B: Floats, weights: Floats) -> Floats:
        outer = -self.gamma * self(A, B) * weights
        return np.stack([(outer * self.slope(apart)).sum(axis=1) for apart in _differences(A, B)], axis=1)

    def diagonal(self, A: Floats) -> Floats:
        return np.ones(len(A))


class GaussianKernel(DistanceKernel):
    """exp(-gamma |x - x'|^2)"""

    part = np.square

    total = staticmethod(expanded_distances)

    def slope(self, apart: Floats) -> Floats:
        return 2.0 * apart

    def field(self, raster: Raster, section: Section, sums: KernelSums) -> Field:
        """Weigh each centre by the kernel of its distance to the plane: on it the sum stays separable."""
        centres, weights, bias = sums
        if section.skew:
            degree = max(gaussian_nodes(raster, self.gamma)) - 1
            field = super().field if degree > MOST_NODES else partial(self._polynomial, degree)
            return field(raster, section, sums)
        if not section.whole:
            apart = centres - section.origin
            feet = apart @ section.basis.T / (section.basis**2).sum(axis=1)
            aside = ((apart - feet @ section.basis) ** 2).sum(axis=1)
            centres, weights = feet, weights * np.exp(-self.gamma * aside)
        return gaussian_field(raster, centres, weights, self.gamma, bias)

    def _polynomial(self, degree: int, raster: Raster, section: Section, sums: KernelSums) -> Field:
        return polynomial_through(lambda u: self.values(section.lift(u), sums), raster, degree)


class LaplaceKernel(DistanceKernel):
    """exp(-gamma |x - x'|_1)"""

    part = np.absolute

    def slope(self, apart: Floats) -> Floats:
        return np.asarray(np.sign(apart))

    def field(self, raster: Raster, section: Section, sums: KernelSums) -> Field:
        shown = section.basis.any(axis=0)
        if shown.sum() > 2 or not np.isin(section.basis, (0.0, 1.0)).all():  # not along two inputs
            return super().field(raster, section, sums)
        centres, weights, bias = sums
        aside = np.abs(centres - section.origin)[:, ~shown].sum(axis=1)
        places = (centres - section.origin) @ section.basis.T
        return laplace_field(raster, places, weights * np.exp(-self.gamma * aside), self.gamma, bias)


def _differences(A: Floats, B: Floats) -> Iterator[Floats]:
    """Yield the differences (n, m) along each axis."""
    return (np.subtract.outer(a, b) for a, b in zip(A.T, B.T))


CURVATURE = 1e-12
"""Smallest curvature along a pair: two points on one spot have none."""
WHOLE = 600
"""Number of points up to which the matrix is computed at once: a regression with 500 points, which needs most
columns, takes 3.8 ms so and 6 with columns on demand."""
BUDGET = 256 << 20
"""Size of the cache of columns in bytes; cached distances would take as much again."""


class KernelColumns:
    """Columns of the kernel matrix; the least recently used ones are dropped.

    Where no value changes by `error` they are rounded to single precision, as LIBSVM keeps them: the solver
    then takes the same steps.
    """

    column: Callable[[int], Floats]
    """Returns k(x_i, .)."""
    distances: Callable[[int], Floats]
    """Returns |phi(x_i) - phi(.)|, at least the root of CURVATURE."""

    def __init__(self, kernel: KernelFunction, points: Floats, error: float = 0.0) -> None:
        self.diagonal = kernel.diagonal(points)
        largest = float(np.abs(self.diagonal).max())
        if not math.isfinite(largest):
            raise CannotLearn("kernel values are too large for these data: lower gamma or the degree")
        values = partial(_values, kernel, points, rounded=largest * 2.0**-24 < error)
        kept, whole = lru_cache(max(BUDGET // (8 * len(points)), 2)), len(points) <= WHOLE
        self.column = list(values(slice(None))).__getitem__ if whole else kept(values)
        distances = partial(_distances, self.diagonal, self.column)
        self.distances = kept(distances) if whole else distances

    def rows(self, some: Ints) -> Floats:
        """Return the columns of some points as rows (m, n)."""
        return np.array([self.column(i) for i in some.tolist()])


def _values(kernel: KernelFunction, points: Floats, some: int | slice, *, rounded: bool) -> Floats:
    """Return a column of the kernel matrix, or several as rows."""
    values = kernel(np.atleast_2d(points[some]), points)
    if rounded:
        values[:] = values.astype(np.float32)
    return values if isinstance(some, slice) else values[0]


def _distances(diagonal: Floats, column: Callable[[int], Floats], i: int) -> Floats:
    squares = column(i) * -2.0
    squares += diagonal
    squares += diagonal.item(i)
    return np.asarray(np.sqrt(np.maximum(squares, CURVATURE, out=squares), out=squares))


KERNELS = {
    "linear": "linear", "poly": "polynomial", "rbf": "Gaussian (RBF)", "laplace": "Laplacian",
    "sigmoid": "sigmoid",
}  # fmt: skip
KERNEL: Any = choice(
    "rbf", tuple(KERNELS), symbol="k", labels=KERNELS,
    help="Kernel function: similarity of two points. The sigmoid kernel is not positive semidefinite in"
    " general: Mercer's condition fails, and the dual may have several optima.",
)  # fmt: skip
GAMMA: Any = real(
    "scale", 1e-6, 1e6, log=True, words=("scale",), symbol="γ", when={"kernel": tuple(KERNELS)[1:]},
    help="Kernel coefficient. Higher values make the kernel narrower. 'scale' uses 1 / (d × variance of"
    " the d inputs).",
)  # fmt: skip
DEGREE: Any = integer(
    3, 1, 10, symbol="d", when={"kernel": ("poly",)}, help="Degree of the polynomial kernel (γ x·x' + r)^d."
)
COEF0: Any = real(
    0.0, -10.0, 10.0, symbol="r", title="constant", when={"kernel": ("poly", "sigmoid")},
    help="Constant added to γ x·x'. With 1 the polynomial kernel includes all powers up to its degree.",
)  # fmt: skip


def chosen_kernel(name: str, gamma: float | str, degree: int, coef0: float, X: Floats) -> KernelFunction:
    """Return the kernel that these parameters choose; gamma 'scale' is 1 where inputs do not vary."""
    if isinstance(gamma, str):
        variance = X.shape[1] * float(X.var())
        gamma = 1.0 / variance if variance > 0 else 1.0
    match name:
        case "linear":
            return LinearKernel()
        case "poly":
            return PolynomialKernel(gamma, coef0, degree)
        case "sigmoid":
            return SigmoidKernel(gamma, coef0)
        case "rbf":
            return GaussianKernel(gamma)
        case _:
            return LaplaceKernel(gamma)
