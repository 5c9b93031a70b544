"""Laplace's approximation: a normal distribution around the mode of ln p(y | f) - f' K^-1 f / 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.gaussian_processes.covariance import Covariance
from vizml.learn.gaussian_processes.hill import Hillside, climbed
from vizml.learn.gaussian_processes.triangular import inverted, solved
from vizml.learn.state import Floats


@dataclass(frozen=True, eq=False)
class Mode(Hillside):
    """f = K a at the points, on the way to the mode; y is 0 or 1."""

    a: Floats
    f: Floats
    y: Floats
    K: Floats

    @cached_property
    def roots(self) -> Floats:
        """The square roots of the curvatures p (1 - p) of -ln p(y | f)."""
        return np.asarray(0.5 / np.cosh(0.5 * np.clip(self.f, -700.0, 700.0)))

    @cached_property
    def factor(self) -> Floats:
        """L where L L' = I + W^1/2 K W^1/2."""
        return factor(self.K, self.roots)

    @cached_property
    def height(self) -> float:
        """ln p(y | f) - f' K^-1 f / 2, which Newton's method climbs."""
        return self.likelihood - 0.5 * float(self.a @ self.f)

    @cached_property
    def evidence(self) -> float:
        """The log of the marginal likelihood, as approximated around f."""
        return self.height - float(np.log(self.factor.diagonal()).sum())

    def peak(self) -> Mode:
        """Where the objective's parabola around here is highest."""
        roots = self.roots
        b = roots * roots * self.f + self.y - self.chances
        a = b - roots * solved(self.factor, roots * (self.K @ b))
        return Mode(a, self.K @ a, self.y, self.K)

    def towards(self, other: Mode, share: float) -> Mode:
        """A share of the way to another place."""
        a, f = self.a + share * (other.a - self.a), self.f + share * (other.f - self.f)
        return Mode(a, f, self.y, self.K)

    def under(self, K: Floats, y: Floats) -> Mode:
        """With other labels, or the same a under another covariance."""
        there = Mode(self.a, K @ self.a, y, K)
        if K is self.K:
            there.__dict__["factor"] = self.factor  # the labels do not bend the likelihood
        return there

    def slopes(self, covariance: Covariance, squares: Floats) -> Floats:
        """The evidence's by ln l and ln v; the mode moves with them, which the last term accounts for."""
        inner = inverted(self.factor) * self.roots
        R = inner.T @ inner
        apart = self.y - self.chances
        C = inner @ self.K
        skew = self.roots**2 * (1.0 - 2.0 * self.chances)
        turn = -0.5 * (self.K.diagonal() - (C * C).sum(axis=0)) * skew
        found = []
        for change in (covariance.by_length(squares), self.K):
            direct = 0.5 * self.a @ change @ self.a - 0.5 * float((R * change).sum())
            b = change @ apart
            found.append(float(direct + turn @ (b - self.K @ (R @ b))))
        return np.array(found)


def factor(K: Floats, roots: Floats) -> Floats:
    """L where L L' = I + W^1/2 K W^1/2, whose least eigenvalue is 1."""
    B = K * roots
    B *= roots[:, None]
    B[np.diag_indices_from(B)] += 1.0
    return np.asarray(np.linalg.cholesky(B), dtype=np.float64)


def inverse_factor(K: Floats, roots: Floats) -> Floats:
    """L^-1."""
    return inverted(factor(K, roots))


def nowhere(K: Floats, y: Floats) -> Mode:
    """f = 0 at all points."""
    return Mode(np.zeros(len(y)), np.zeros(len(y)), y, K)


def newton(K: Floats, y: Floats, start: Mode | None = None) -> Iterator[Mode]:
    """Modes from f = 0, or from where another covariance ended, to the peak."""
    return climbed(start.under(K, y) if start else nowhere(K, y))
