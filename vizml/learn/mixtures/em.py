"""EM algorithm for Gaussian mixtures: each iteration raises log L = sum_i log sum_k pi_k N(x_i | mu_k, S_k).

E-step: r_ik = pi_k N(x_i | mu_k, S_k) / sum_j w_j N(x_i | mu_j, S_j).
M-step: n_k = sum_i r_ik, pi_k = n_k / n, mu_k = sum_i r_ik x_i / n_k,
S_k = sum_i r_ik (x_i - mu_k)(x_i - mu_k)' / n_k + reg I.
Both steps raise F = Q + H, which is at most log L and equal to it after an E-step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.gaussians import GaussianComponents, constrained, least_variances, log_sum_exp

MAX_ITERATIONS = 500
"""Guard: EM may gain a little more than the tolerance for very long."""
MIN_COUNT = 10 * np.finfo(float).eps
"""Added to the size of each component, as in scikit-learn, so that empty ones divide by something."""
ROUNDING = 1e-11
"""Decrease of the log-likelihood per point that rounding may cause."""


class EMStep(NamedTuple):
    """Components, their log-likelihood and the responsibilities after the start, an E-step or an M-step."""

    phase: str
    iteration: int
    components: GaussianComponents
    responsibilities: Floats
    log_likelihood: float
    expanded_at: GaussianComponents
    """Components that the responsibilities were computed from."""
    converged: bool = False
    rejected: bool = False
    """Whether the M-step was discarded: the variance `reg` it adds would lower the log-likelihood."""


def em(X: Floats, start: GaussianComponents, covariance: str, reg: float, tol: float) -> Iterator[EMStep]:
    """Alternate E-steps and M-steps until an iteration gains less than `tol` per point.

    >>> X = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> start = m_step(X, np.repeat(np.eye(2), 2, axis=0), "full", least=np.full(1, 1e-6))
    >>> *_, last = em(X, start, "full", reg=1e-6, tol=1e-4)
    >>> last.components.means[:, 0].round(6).tolist(), last.components.covariances[0].round(6).tolist()
    ([0.5, 9.5], [[0.250001]])
    """
    n, least = len(X), least_variances(X, reg)
    responsibilities, log_likelihood = e_step(X, start)
    step = EMStep("start", 0, start, responsibilities, log_likelihood, start)
    yield step
    for t in range(1, MAX_ITERATIONS + 1):
        here = step.components
        step = step._replace(phase="E", iteration=t, responsibilities=responsibilities, expanded_at=here)
        yield step
        components = m_step(X, responsibilities, covariance, least)
        following, found = e_step(X, components)
        if decreases(log_likelihood, found, n):
            yield step._replace(converged=True, rejected=True)
            return
        converged = found - log_likelihood < tol * n or t == MAX_ITERATIONS
        log_likelihood = max(found, log_likelihood)
        step = EMStep("M", t, components, responsibilities, log_likelihood, here, converged)
        yield step
        if converged:
            return
        responsibilities = following


def e_step(X: Floats, components: GaussianComponents) -> tuple[Floats, float]:
    """Responsibilities (n, K) and the log-likelihood of the data."""
    log_joint = components.log_joint(X)
    log_density = log_sum_exp(log_joint)
    return np.exp(log_joint - log_density[:, None]), float(log_density.sum())


def m_step(X: Floats, responsibilities: Floats, covariance: str, least: Floats) -> GaussianComponents:
    """Components that maximise Q under the responsibilities (n, K), with `least` (d,) added to variances."""
    centre, counts = X.mean(axis=0), responsibilities.sum(axis=0) + MIN_COUNT
    means = centre + responsibilities.T @ (X - centre) / counts[:, None]
    deviations = np.swapaxes(X - means[:, None], 1, 2)
    scatter = (deviations * responsibilities.T[:, None]) @ np.swapaxes(deviations, 1, 2)
    covariances = constrained(scatter / counts[:, None, None], counts, covariance)
    covariances += np.diag(least)
    return GaussianComponents(weights=counts / counts.sum(), means=means, covariances=covariances)


def expected_log_likelihood(X: Floats, responsibilities: Floats, components: GaussianComponents) -> float:
    """Q = sum_ik r_ik log(pi_k N(x_i | mu_k, S_k)): the log-likelihood of data and components, expected."""
    logs = components.log_joint(X)
    return float(np.where(responsibilities > 0, responsibilities * logs, 0.0).sum())


def decreases(before: float, after: float, n: int) -> bool:
    """Whether the log-likelihood of n points falls by more than rounding."""
    return after < before - ROUNDING * max(n, abs(before))
