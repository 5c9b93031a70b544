"""Bases for curves, f(x) = sum_j w_j phi_j(x): scaled to the data's range."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial import chebyshev as cheb
from numpy.typing import ArrayLike

from vizml.learn.state import Floats

LABELS = {
    "polynomial": "polynomial",
    "fourier": "sines and cosines",
    "bumps": "Gaussian bumps",
    "pieces": "line pieces",
}
NAMES = tuple(LABELS)


@dataclass(frozen=True)
class Basis(ABC):
    """Functions of u = (x - middle) / half, which runs over -1..1 in the data's range."""

    degree: int
    middle: float = 0.0
    half: float = 1.0

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of functions, the constant with them."""

    @abstractmethod
    def columns(self, u: Floats) -> Floats:
        """Their values (n, size)."""

    def design(self, x: Floats) -> Floats:
        """Their values (n, size) at x (n,)."""
        return self.columns(self.scaled(x))

    def scaled(self, x: Floats) -> Floats:
        """u of x."""
        return (x - self.middle) / self.half


class PolynomialBasis(Basis):
    """Chebyshev polynomials: the span of 1, x, ..., x^degree with columns that are far from parallel."""

    @property
    def size(self) -> int:
        return self.degree + 1

    def columns(self, u: Floats) -> Floats:
        return np.asarray(cheb.chebvander(u, self.degree), dtype=np.float64)

    def powers(self, weights: Floats) -> Floats:
        """The coefficients of 1, u, ..., u^degree."""
        return padded(cheb.cheb2poly(weights), self.size)

    def coefficients(self, weights: Floats) -> Floats:
        """The coefficients of 1, x, ..., x^degree, in data units."""
        inner = Polynomial([-self.middle / self.half, 1 / self.half])
        return padded(Polynomial(self.powers(weights))(inner).coef, self.size)

    def conversion(self) -> Floats:
        """The matrix that makes these of weights: T_(k+1) = 2 u T_k - T_(k-1), as powers of x."""
        out = np.zeros((self.size, self.size))
        out[0, 0] = 1.0
        for k in range(self.degree):
            times_u = -self.middle / self.half * out[:, k]
            times_u[1:] += out[:-1, k] / self.half
            out[:, k + 1] = 2 * times_u - out[:, k - 1] if k else times_u
        return out


class FourierBasis(Basis):
    """1, cos(pi j u), sin(pi j u) for j = 1..degree: the data's range is one period."""

    @property
    def size(self) -> int:
        return 2 * self.degree + 1

    def columns(self, u: Floats) -> Floats:
        angles = np.pi * u[:, None] * np.arange(1, self.degree + 1)
        return np.concatenate([np.ones((len(u), 1)), np.cos(angles), np.sin(angles)], axis=1)


class BumpBasis(Basis):
    """1 and `degree` Gaussians at even distances, each as wide as the distance to the next."""

    @property
    def size(self) -> int:
        return self.degree + 1

    @property
    def centres(self) -> Floats:
        """Where they peak."""
        return np.linspace(-1, 1, self.degree) if self.degree > 1 else np.zeros(1)

    @property
    def width(self) -> float:
        """Their deviation."""
        return 2 / max(self.degree - 1, 2)

    def columns(self, u: Floats) -> Floats:
        bumps = np.exp(-0.5 * ((u[:, None] - self.centres) / self.width) ** 2)
        return np.concatenate([np.ones((len(u), 1)), bumps], axis=1)


class PieceBasis(Basis):
    """Hats over `degree` equal pieces: a broken line, whose end pieces go on for ever."""

    @property
    def size(self) -> int:
        return self.degree + 1

    def columns(self, u: Floats) -> Floats:
        along = (u + 1) * (self.degree / 2)
        piece = np.clip(np.floor(along), 0, self.degree - 1).astype(np.int64)
        out = np.zeros((len(u), self.size))
        rows = np.arange(len(u))
        out[rows, piece] = 1 - (along - piece)
        out[rows, piece + 1] = along - piece
        return out


KINDS: dict[str, type[Basis]] = {
    "polynomial": PolynomialBasis,
    "fourier": FourierBasis,
    "bumps": BumpBasis,
    "pieces": PieceBasis,
}


def basis_over(name: str, degree: int, x: Floats) -> Basis:
    """A basis over the range of x; equal x have the range of 1 around them."""
    low, high = float(x.min()), float(x.max())
    half = (high - low) / 2
    return KINDS[name](degree, low + half, half if half > 0 else 1.0)


def padded(values: ArrayLike, size: int) -> Floats:
    """So many values, those beyond the given ones 0."""
    out = np.zeros(size)
    out[: np.size(values)] = values
    return out
