"""Laplace's approximation: a normal distribution around the mode of ln p(y | f) - f' K^-1 f / 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.kernel.covariance import Covariance
from vizml.learn.kernel.triangular import inverted, solved
from vizml.learn.state import Floats

STEPS = 100
HALVINGS = 20
STILL = 1e-11
"""A step that lifts the objective by less than this share of it is the last."""


@dataclass(frozen=True, eq=False)
class Mode:
    """f = K a at the points, on the way to the mode; y is 0 or 1."""

    a: Floats
    f: Floats
    y: Floats
    K: Floats

    @cached_property
    def chances(self) -> Floats:
        """1 / (1 + e^-f)."""
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * self.f))

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
        return float(-np.logaddexp(0.0, np.where(self.y > 0, -self.f, self.f)).sum() - 0.5 * self.a @ self.f)

    @cached_property
    def evidence(self) -> float:
        """The log of the marginal likelihood, as approximated around f."""
        return self.height - float(np.log(self.factor.diagonal()).sum())

    def step(self) -> Mode:
        """Where the objective's parabola has its peak, or as far towards it as the objective rises."""
        roots = self.roots
        b = roots * roots * self.f + self.y - self.chances
        a = b - roots * solved(self.factor, roots * (self.K @ b))
        f = self.K @ a
        for halving in range(HALVINGS):
            t = 0.5**halving
            there = Mode(self.a + t * (a - self.a), self.f + t * (f - self.f), self.y, self.K)
            if there.height >= self.height:
                return there
        return self

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
    mode = start.under(K, y) if start else nowhere(K, y)
    yield mode
    for _ in range(STEPS):
        before, mode = mode, mode.step()
        if mode is not before:
            yield mode
        if mode.height - before.height <= STILL * (1.0 + abs(mode.height)):
            return
