"""Laplace's approximation of Gaussian process classifiers (Rasmussen and Williams 2006, ch. 3.4 and 5.5).

Newton's method climbs ln p(y | f) - f'K^-1 f / 2, with p(y = 1 | f) = 1 / (1 + e^-f). The coefficients c are
a = K^-1 f for the exact posterior, and w with f = F w in a span of inducing points.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, TypeVar

import numpy as np

from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn.gaussian_processes.covariance import Covariance
from vizml.learn.gaussian_processes.posterior import (
    ExactPosterior,
    Posterior,
    Span,
    cholesky_solve,
    factor,
    triangular_inverse,
)

MOST_STEPS, HALVINGS = 100, 20
CONVERGED = 1e-11
"""A relative rise of the objective below this ends Newton's method."""


@dataclass(frozen=True, eq=False)
class Mode(ABC):
    """An iterate of Newton's method for targets y (0 or 1): the coefficients c, and f at the points."""

    y: Floats
    c: Floats
    f: Floats

    @cached_property
    def probabilities(self) -> Floats:
        """1 / (1 + e^-f)."""
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * self.f))

    @cached_property
    def roots(self) -> Floats:
        """Square roots of the curvatures W = p (1 - p) of -ln p(y | f)."""
        return np.asarray(0.5 / np.cosh(0.5 * np.clip(self.f, -700.0, 700.0)))

    @cached_property
    def objective(self) -> float:
        """ln p(y | f) - f'K^-1 f / 2."""
        likelihood = -np.logaddexp(0.0, np.where(self.y > 0, -self.f, self.f)).sum()
        return float(likelihood) - 0.5 * self.penalty

    @property
    def evidence(self) -> float:
        """The approximate log marginal likelihood around f."""
        return self.objective - 0.5 * self.log_determinant

    @property
    @abstractmethod
    def penalty(self) -> float:
        """f'K^-1 f."""

    @property
    @abstractmethod
    def log_determinant(self) -> float:
        """ln |I + K W|."""

    @abstractmethod
    def maximum(self) -> Self:
        """Return the maximum of the quadratic approximation of the objective."""

    @abstractmethod
    def posterior(self) -> Posterior:
        """Return the Gaussian approximation of the posterior."""

    def step(self) -> Self:
        """Take Newton's step, halved until the objective does not fall."""
        full = self.maximum()
        for halving in range(HALVINGS):
            share = 0.5**halving
            there = replace(self, c=self.c + share * (full.c - self.c), f=self.f + share * (full.f - self.f))
            if there.objective >= self.objective:
                return there
        return self


@dataclass(frozen=True, eq=False)
class ExactMode(Mode):
    """An iterate for all points X with their covariance matrix K."""

    covariance: Covariance
    X: Floats
    K: Floats

    @classmethod
    def start(cls, covariance: Covariance, X: Floats, K: Floats, y: Floats, a: Floats | None = None) -> Self:
        """Start at f = 0, or with the coefficients of a similar problem."""
        a = np.zeros(len(y)) if a is None else a
        return cls(y, a, K @ a, covariance, X, K)

    @cached_property
    def factor(self) -> Floats:
        """L where L L' = I + W^1/2 K W^1/2."""
        return factor(self.K, self.roots)

    @property
    def penalty(self) -> float:
        return float(self.c @ self.f)

    @property
    def log_determinant(self) -> float:
        return 2.0 * float(np.log(self.factor.diagonal()).sum())

    def maximum(self) -> Self:
        b = self.roots**2 * self.f + self.y - self.probabilities
        a = b - self.roots * cholesky_solve(self.factor, self.roots * (self.K @ b))
        return replace(self, c=a, f=self.K @ a)

    def posterior(self) -> ExactPosterior:
        return ExactPosterior(self.covariance, self.X, self.c, self.roots)

    def gradient(self) -> Floats:
        """Return the derivatives of the evidence by the logs of the covariance; the mode moves with them."""
        inner = triangular_inverse(self.factor) * self.roots
        R = inner.T @ inner
        C = inner @ self.K
        skew = self.roots**2 * (1.0 - 2.0 * self.probabilities)
        by_f = -0.5 * (self.K.diagonal() - (C * C).sum(axis=0)) * skew
        found = []
        for change in self.covariance.gradients(self.X, self.X):
            direct = 0.5 * self.c @ change @ self.c - 0.5 * float((R * change).sum())
            b = change @ (self.y - self.probabilities)
            found.append(float(direct + by_f @ (b - self.K @ (R @ b))))
        return np.array(found)


@dataclass(frozen=True, eq=False)
class SpannedMode(Mode):
    """An iterate in a span of inducing points: a logistic regression on its features."""

    span: Span

    @classmethod
    def start(cls, span: Span, y: Floats) -> Self:
        """Start at f = 0."""
        return cls(y, np.zeros(span.features.shape[1]), np.zeros(len(y)), span)

    @cached_property
    def precision(self) -> Floats:
        """P = I + F' W F."""
        return self.span.precision(self.probabilities * (1.0 - self.probabilities))

    @property
    def penalty(self) -> float:
        return float(self.c @ self.c)

    @property
    def log_determinant(self) -> float:
        return float(np.linalg.slogdet(self.precision)[1])

    def maximum(self) -> Self:
        F, p = self.span.features, self.probabilities
        pull = F.T @ (p * (1.0 - p) * self.f + self.y - p)
        w = np.asarray(np.linalg.solve(self.precision, pull), dtype=np.float64)
        return replace(self, c=w, f=F @ w)

    def posterior(self) -> Posterior:
        return self.span.posterior(self.c, self.precision)


M = TypeVar("M", bound=Mode)


def newton(mode: M) -> Iterator[M]:
    """Yield the iterates from a start to the mode.

    >>> X, y = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    >>> covariance = Covariance(("rbf",), 1.0, 1.0)
    >>> *_, last = newton(ExactMode.start(covariance, X, covariance(X, X), y))
    >>> last.f.round(4), round(last.evidence, 4)
    (array([-0.1792,  0.1792]), -1.511)
    """
    yield mode
    for _ in range(MOST_STEPS):
        check_cancelled()
        before, mode = mode, mode.step()
        if mode is not before:
            yield mode
        if mode.objective - before.objective <= CONVERGED * (1.0 + abs(mode.objective)):
            return
