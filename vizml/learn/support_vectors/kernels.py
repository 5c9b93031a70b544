"""Kernels k(x, x') = <phi(x), phi(x')>: their values, their slopes and the fields of their sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from vizml.field import Field, Floats, Raster
from vizml.field.cancellation import check_cancelled
from vizml.field.chebyshev import polynomial_through, smooth_field
from vizml.field.kernels import gaussian_field, laplace_field

CHUNK = 1 << 18
"""Kernel values at a time: two megabytes, which stay in the cache."""


@dataclass(frozen=True)
class Kernel(ABC):
    """A kernel with its parameters."""

    @abstractmethod
    def __call__(self, A: Floats, B: Floats) -> Floats:
        """The values (n, m) between points (n, 2) and (m, 2), or (n, 1) and (m, 1) on a line."""

    @abstractmethod
    def slopes(self, A: Floats, B: Floats) -> tuple[Floats, Floats]:
        """The partial derivatives (n, m) along both axes of A."""

    @abstractmethod
    def field(self, raster: Raster, centres: Floats, weights: Floats, bias: Floats) -> Field:
        """The sums over centres (m, 2) with weights (P, m), plus bias (P,), on a raster."""

    @abstractmethod
    def diagonal(self, A: Floats) -> Floats:
        """k(x, x) at each point."""

    def sums(self, X: Floats, centres: Floats, weights: Floats, bias: Floats) -> Floats:
        """The same sums (n, P) at points (n, 2)."""
        out = np.empty((len(X), len(weights)))
        size = max(CHUNK // max(len(centres), 1), 1)
        for start in range(0, len(X), size):
            check_cancelled()
            part = slice(start, start + size)
            out[part] = self(X[part], centres) @ weights.T
        return out + bias

    def gradient(self, X: Floats, centres: Floats, weights: Floats) -> Floats:
        """The gradient (n, 2) of one sum, weights (m,)."""
        size = max(CHUNK // max(len(centres), 1), 1)
        out = np.empty((len(X), 2))
        for start in range(0, len(X), size):
            part = slice(start, start + size)
            out[part] = np.column_stack([slope @ weights for slope in self.slopes(X[part], centres)])
        return out


@dataclass(frozen=True)
class Linear(Kernel):
    """x . x'"""

    def __call__(self, A: Floats, B: Floats) -> Floats:
        return _dot(A, B)

    def slopes(self, A: Floats, B: Floats) -> tuple[Floats, Floats]:
        flat = np.ones((len(A), 1))
        return flat * B[:, 0], flat * B[:, 1]

    def field(self, raster: Raster, centres: Floats, weights: Floats, bias: Floats) -> Field:
        normal = (weights @ centres).T
        return polynomial_through(lambda X: np.asarray(X @ normal + bias), raster, 1)

    def diagonal(self, A: Floats) -> Floats:
        return np.asarray((A * A).sum(axis=1))

    def sums(self, X: Floats, centres: Floats, weights: Floats, bias: Floats) -> Floats:
        return np.asarray(X @ (weights @ centres).T + bias)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(gamma x . x' + coef0)^degree"""

    gamma: float
    coef0: float
    degree: int

    def __call__(self, A: Floats, B: Floats) -> Floats:
        return np.asarray((self.gamma * _dot(A, B) + self.coef0) ** self.degree)

    def slopes(self, A: Floats, B: Floats) -> tuple[Floats, Floats]:
        outer = self.degree * self.gamma * (self.gamma * _dot(A, B) + self.coef0) ** (self.degree - 1)
        return outer * B[:, 0], outer * B[:, 1]

    def field(self, raster: Raster, centres: Floats, weights: Floats, bias: Floats) -> Field:
        return polynomial_through(lambda X: self.sums(X, centres, weights, bias), raster, self.degree)

    def diagonal(self, A: Floats) -> Floats:
        return np.asarray((self.gamma * (A * A).sum(axis=1) + self.coef0) ** self.degree)


@dataclass(frozen=True)
class Gaussian(Kernel):
    """exp(-gamma |x - x'|^2)"""

    gamma: float

    def __call__(self, A: Floats, B: Floats) -> Floats:
        total, *others = _differences(A, B)
        total *= total
        for apart in others:
            total += np.multiply(apart, apart, out=apart)
        total *= -self.gamma
        return np.exp(total, out=total)

    def slopes(self, A: Floats, B: Floats) -> tuple[Floats, Floats]:
        outer = -2.0 * self.gamma * self(A, B)
        dx, dy = _differences(A, B)
        return outer * dx, outer * dy

    def field(self, raster: Raster, centres: Floats, weights: Floats, bias: Floats) -> Field:
        return gaussian_field(raster, centres, weights, self.gamma, bias)

    def diagonal(self, A: Floats) -> Floats:
        return np.ones(len(A))


@dataclass(frozen=True)
class Laplace(Kernel):
    """exp(-gamma |x - x'|_1)"""

    gamma: float

    def __call__(self, A: Floats, B: Floats) -> Floats:
        total, *others = _differences(A, B)
        np.abs(total, out=total)
        for apart in others:
            total += np.abs(apart, out=apart)
        total *= -self.gamma
        return np.exp(total, out=total)

    def slopes(self, A: Floats, B: Floats) -> tuple[Floats, Floats]:
        outer = -self.gamma * self(A, B)
        dx, dy = _differences(A, B)
        return outer * np.sign(dx), outer * np.sign(dy)

    def field(self, raster: Raster, centres: Floats, weights: Floats, bias: Floats) -> Field:
        return laplace_field(raster, centres, weights, self.gamma, bias)

    def diagonal(self, A: Floats) -> Floats:
        return np.ones(len(A))


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """tanh(gamma x . x' + coef0), which is no inner product: its dual may have more than one minimum"""

    gamma: float
    coef0: float

    def __call__(self, A: Floats, B: Floats) -> Floats:
        return np.asarray(np.tanh(self.gamma * _dot(A, B) + self.coef0))

    def slopes(self, A: Floats, B: Floats) -> tuple[Floats, Floats]:
        value = self(A, B)
        outer = self.gamma * (1.0 - value * value)
        return outer * B[:, 0], outer * B[:, 1]

    def field(self, raster: Raster, centres: Floats, weights: Floats, bias: Floats) -> Field:
        return np.concatenate([self._sum_field(raster, centres, *own) for own in zip(weights, bias)])

    def _sum_field(self, raster: Raster, centres: Floats, weights: Floats, bias: float) -> Field:
        held = weights != 0.0
        centres, weights, offset = centres[held], weights[None, held], np.array([bias])
        return smooth_field(lambda X: self.sums(X, centres, weights, offset), raster, 1)

    def diagonal(self, A: Floats) -> Floats:
        return np.asarray(np.tanh(self.gamma * (A * A).sum(axis=1) + self.coef0))


def _dot(A: Floats, B: Floats) -> Floats:
    return np.asarray(A @ B.T)


def _differences(A: Floats, B: Floats) -> list[Floats]:
    return [A[:, k : k + 1] - B[:, k] for k in range(A.shape[1])]
