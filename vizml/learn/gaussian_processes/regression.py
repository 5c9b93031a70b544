"""Gaussian process regression, y = f(x) + noise, C = K + noise I, a = C^-1 y.

Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), chapter 2.
The log marginal likelihood is -y'C^-1 y / 2 - ln |C| / 2 - n ln(2 pi) / 2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.gaussian_processes.covariance import Covariance
from vizml.learn.gaussian_processes.posterior import (
    EXACT,
    MOST_INDUCING,
    ExactPosterior,
    Posterior,
    Span,
    cholesky_solve,
    root_of,
)

AT_ONCE = 500
"""Points of which one Cholesky factor takes some milliseconds, however rough the kernel is."""
GROWTH = 1.4
"""Factor by which the points grow from one step to the next, where there are more."""
SLACK = 1e-14
"""Share of the largest variance that inducing points leave unexplained: less is rounding."""
FIRM = (1e6, 2e7)
"""Largest ratio of the variance of all points to the noise for inducing points, up to `AT_ONCE` points and
beyond: with less noise too many digits are lost, but the exact posterior of many points takes long.
"""
TRIES = 12
"""Sizes of jitter that are tried."""


@dataclass(frozen=True, eq=False)
class RegressionFit:
    """The posterior of f given targets y (n,) at X (n, d)."""

    posterior: Posterior
    noise: float
    X: Floats
    y: Floats
    evidence: float
    """Log marginal likelihood."""
    jitter: float = 0.0
    """Variance that was added to the noise because rounding left C without a Cholesky factor."""
    span: Span | None = None
    """The inducing points, where the posterior is theirs."""

    @classmethod
    def prior(cls, covariance: Covariance, noise: float, inputs: int) -> RegressionFit:
        """Return the prior over a number of inputs."""
        X, none = np.empty((0, inputs)), np.empty(0)
        return cls(ExactPosterior(covariance, X, none, none), noise, X, none, 0.0)

    @classmethod
    def exact(cls, covariance: Covariance, noise: float, X: Floats, y: Floats) -> RegressionFit:
        """Condition on all points by the Cholesky factor of C.

        >>> X, y = np.array([[0.0], [1.0]]), np.array([1.0, -1.0])
        >>> fit = RegressionFit.exact(Covariance(("rbf",), 1.0, 1.0), 0.1, X, y)
        >>> fit.posterior.mean(X).round(4), round(fit.evidence, 4)
        (array([ 0.7974, -0.7974]), -3.7784)
        """
        L, jitter = _factor(covariance(X, X), noise)
        a = cholesky_solve(L, y)
        logs = 2.0 * float(np.log(L.diagonal()).sum()) + len(X) * math.log(2.0 * math.pi)
        roots = np.full(len(X), 1.0 / math.sqrt(noise + jitter))
        posterior = ExactPosterior(covariance, X, a, roots)
        return cls(posterior, noise, X, y, -0.5 * (float(y @ a) + logs), jitter)

    @classmethod
    def spanned(cls, span: Span, noise: float, X: Floats, y: Floats) -> RegressionFit:
        """Condition on all points through inducing points: ridge regression on their features."""
        P = span.precision(np.full(len(X), 1.0 / noise))
        w = np.asarray(np.linalg.solve(P, span.features.T @ y) / noise, dtype=np.float64)
        left = y - span.features @ w
        logs = float(np.linalg.slogdet(P)[1]) + len(X) * math.log(2.0 * math.pi * noise)
        evidence = -0.5 * (float(left @ left) / noise + float(w @ w) + logs)
        return cls(span.posterior(w, P), noise, X, y, evidence, span=span)

    @property
    def covariance(self) -> Covariance:
        """Covariance function of the prior."""
        return self.posterior.covariance

    @property
    def logs(self) -> Floats:
        """Logarithms of the hyperparameters, the noise last."""
        return np.append(self.covariance.logs, math.log(self.noise))

    def with_logs(self, logs: Floats) -> RegressionFit:
        """Return the fit under other hyperparameters; its evidence is -inf where it would take long."""
        found = fit_at_once(self.covariance.with_logs(logs[:-1]), math.exp(logs[-1]), self.X, self.y)
        return replace(self, evidence=-math.inf) if found is None else found

    def gradient(self) -> Floats:
        """Return the derivatives of the evidence by `logs`."""
        if not math.isfinite(self.evidence):
            return np.zeros(len(self.logs))
        return self._exact_gradient() if self.span is None else self._spanned_gradient(self.span)

    def _exact_gradient(self) -> Floats:
        """Half the trace of (a a' - C^-1) dC."""
        H, a = root_of(self.posterior), self.posterior.a
        pull = np.outer(a, a) - H @ H.T
        found = [0.5 * float((pull * change).sum()) for change in self.covariance.gradients(self.X, self.X)]
        return np.array([*found, 0.5 * self.noise * float(np.trace(pull))])

    def _spanned_gradient(self, span: Span) -> Floats:
        """The same for K = A k(Z, X), A = k(X, Z) k(Z, Z)^-1 = F L^-1, with the inducing points Z held."""
        a, noise, F = self.posterior.a, self.noise, span.features
        full = (self.y - self.posterior.mean(self.X)) / noise
        covariance_of_w = np.linalg.inv(span.precision(np.full(len(F), 1.0 / noise)))
        inner = covariance_of_w @ span.inverse / noise
        H = root_of(self.posterior)
        known, pull = H @ H.T, np.outer(full, a) - F @ inner
        changes = zip(
            self.covariance.gradients(self.X, span.inducing),
            self.covariance.gradients(span.inducing, span.inducing),
        )
        found = [
            float((pull * off).sum()) - 0.5 * float(a @ own @ a) + 0.5 * float((known * own).sum())
            for off, own in changes
        ]
        free = len(F) - len(a) + float(np.trace(covariance_of_w))
        return np.array([*found, 0.5 * (noise * float(full @ full) - free)])


def fits(covariance: Covariance, noise: float, X: Floats, y: Floats) -> Iterator[RegressionFit]:
    """Yield the fit to all points; where that takes long, to more and more of them."""
    whole = fit_at_once(covariance, noise, X, y)
    if whole is not None:
        yield whole
        return
    count = AT_ONCE
    while count < len(X):
        yield RegressionFit.exact(covariance, noise, X[:count], y[:count])
        count = int(GROWTH * count)
    yield RegressionFit.exact(covariance, noise, X, y)


def fit_at_once(covariance: Covariance, noise: float, X: Floats, y: Floats) -> RegressionFit | None:
    """Return the fit to all points; None where that takes long."""
    span = regression_span(covariance, noise, X)
    if span is not None:
        return RegressionFit.spanned(span, noise, X, y)
    return RegressionFit.exact(covariance, noise, X, y) if len(X) <= AT_ONCE else None


def regression_span(covariance: Covariance, noise: float, X: Floats) -> Span | None:
    """Return inducing points that explain nearly all variance; None where they do not pay."""
    variance = float(covariance.diagonal(X).max())
    if len(X) <= EXACT or len(X) * variance > FIRM[len(X) > AT_ONCE] * noise:
        return None
    return Span.of(covariance, X, SLACK * variance, min(MOST_INDUCING, len(X) // 3))


def _factor(K: Floats, noise: float) -> tuple[Floats, float]:
    """Return the Cholesky factor of K + noise I, and the jitter that it took."""
    size = float(K.diagonal().max(initial=0.0)) or 1.0
    for attempt in range(TRIES + 1):
        jitter = size * 10.0 ** (attempt - 15) if attempt else 0.0
        C = K.copy()
        C[np.diag_indices_from(C)] += noise + jitter
        try:
            return np.asarray(np.linalg.cholesky(C), dtype=np.float64), jitter
        except np.linalg.LinAlgError:
            continue
    raise np.linalg.LinAlgError("no jitter makes the covariance positive definite")
