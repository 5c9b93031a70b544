"""Information measures: cross-entropy and divergences of distributions, mutual information of a table.

Cross-entropy is H(p, q) = -sum p ln q, and KL(p || q) = H(p, q) - H(p). All results are in nats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.distribution import DiscreteDistribution, Distribution
from vizml.learn.gaussians import entropy

LEVELS = 1 / (1 + np.exp(-np.linspace(-34.0, 34.0, 257)))
"""Probabilities between whose quantiles densities are integrated, dense towards 0 and 1."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)


@dataclass(frozen=True)
class Divergences:
    """Entropies and divergences of two distributions p and q; infinite beyond the other's support."""

    p_entropy: float
    q_entropy: float
    cross_pq: float
    cross_qp: float
    kl_pq: float
    kl_qp: float
    js: float


def divergences(p: Distribution, q: Distribution) -> Divergences:
    """Compare two discrete or two continuous distributions."""
    h = p.moments.entropy, q.moments.entropy
    if isinstance(p, DiscreteDistribution) != isinstance(q, DiscreteDistribution):
        return Divergences(*h, math.inf, math.inf, math.inf, math.inf, math.log(2))
    points, weights = _rule(p, q)
    logs = p.log_density(points), q.log_density(points)
    mixed = np.logaddexp(*logs) - math.log(2)
    kl_pq, kl_qp = _divergence(weights, *logs), _divergence(weights, *logs[::-1])
    js = (_divergence(weights, logs[0], mixed) + _divergence(weights, logs[1], mixed)) / 2
    return Divergences(*h, h[0] + kl_pq, h[1] + kl_qp, kl_pq, kl_qp, min(js, math.log(2)))


def _rule(p: Distribution, q: Distribution) -> tuple[Floats, Floats]:
    """Return points and weights by which a sum or an integral over both supports is computed."""
    if isinstance(p, DiscreteDistribution) and isinstance(q, DiscreteDistribution):
        points = np.union1d(p.atoms[0], q.atoms[0])
        return points, np.ones(len(points))
    edges = np.unique(np.concatenate([each.quantile(LEVELS) for each in (p, q)]))
    edges = edges[np.isfinite(edges)]
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (NODES + 1)).ravel(), (half * WEIGHTS).ravel()


def _divergence(weights: Floats, log_p: Floats, log_q: Floats) -> float:
    """Return the sum of p (ln p - ln q) with some weights; 0 ln 0 is 0."""
    seen = np.isfinite(log_p)
    if not np.isfinite(log_q[seen]).all():
        return math.inf
    return max(float(weights[seen] @ (np.exp(log_p[seen]) * (log_p[seen] - log_q[seen]))), 0.0)


@dataclass(frozen=True, eq=False)
class TableInformation:
    """Mutual information of the rows x and the columns y of a table of counts."""

    counts: Floats

    @property
    def joint(self) -> Floats:
        """The relative frequencies p(x, y)."""
        return np.asarray(self.counts / self.counts.sum())

    @property
    def entropies(self) -> tuple[float, float, float]:
        """H(X), H(Y) and H(X, Y)."""
        joint = self.joint
        return entropy(joint.sum(axis=1)), entropy(joint.sum(axis=0)), entropy(joint.ravel())

    @property
    def mutual(self) -> float:
        """I(X; Y) = H(X) + H(Y) - H(X, Y), which is 0 for independent variables."""
        x, y, both = self.entropies
        return max(x + y - both, 0.0)

    @property
    def pointwise(self) -> Floats:
        """PMI(x, y) = ln p(x, y) / (p(x) p(y)) of each cell; -inf where a cell is empty."""
        joint = self.joint
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(joint / np.outer(joint.sum(axis=1), joint.sum(axis=0))))
