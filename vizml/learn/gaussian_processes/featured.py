"""A Gaussian process with a smooth kernel: K = P k(nodes, nodes) P', at a cost that grows with n alone.

What the nodes miss of K is far below the noise, so that this is the exact posterior to many digits. With
L L' = k(nodes, nodes) and B = L'P'P L + noise I: C^-1 = (I - P L B^-1 L'P') / noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.field.chebyshev import nodes
from vizml.learn.gaussian_processes.covariances import Sum
from vizml.learn.gaussian_processes.nodes import Nodes, interpolation
from vizml.learn.gaussian_processes.regression import Process
from vizml.learn.gaussian_processes.triangular import inverted
from vizml.learn.state import Floats

SMOOTH = frozenset({"rbf", "periodic", "linear"})
COUNTS = (24, 32, 48, 64, 96, 128, 160, 224)
"""Nodes that are tried."""
PAYS = 3
"""With fewer points than this for each node they are not worth their while."""
PROBES = 24
MISSED = 1e-6
"""What nodes may miss of the covariance of all points, as a share of the noise."""
AT_ONCE = 500
"""So many points are learned from by one factor in some milliseconds, however rough the kernel is."""
FIRM = (1e6, 2e7)
"""How much more variance than noise all points may have: beyond, differences lose too many digits. It is more
where one factor would take long.
"""
RIDGE = 1e-14
"""Keeps the kernel at the nodes positive, for each node and as a share of its largest value."""


@dataclass(frozen=True, eq=False)
class Featured(Process):
    """What is known of f from all points, by weights P' C^-1 t of the nodes."""

    nodes: Nodes
    known: Floats
    """P' C^-1 P."""
    slope_of_noise: float

    @classmethod
    def of(cls, covariance: Sum, noise: float, x: Floats, t: Floats, count: int) -> Self:
        """The posterior by so many nodes."""
        data = Nodes.over(x, t, count)
        K = covariance.between(data.at, data.at)
        K[np.diag_indices_from(K)] += RIDGE * count * float(K.diagonal().max())
        L = np.linalg.cholesky(K)
        seen, answer = data.squares @ L, L.T @ data.pull
        B = L.T @ seen
        B[np.diag_indices_from(B)] += noise
        root = inverted(np.linalg.cholesky(B))
        w = root.T @ (root @ answer)
        Y = root @ seen.T
        known, weights = (data.squares - Y.T @ Y) / noise, (data.pull - seen @ w) / noise
        known.flags.writeable = weights.flags.writeable = False
        left, n = data.size - float(w @ answer), len(x)
        logs = (n - count) * math.log(noise) - 2.0 * float(np.log(root.diagonal()).sum())
        evidence = -0.5 * (left / noise + logs + n * math.log(2.0 * math.pi))
        free = (n - count) / noise + float((root * root).sum())
        slope = 0.5 * noise * ((left - noise * float(w @ w)) / noise**2 - free)
        return cls(covariance, noise, x, t, weights, 0.0, evidence, data, known, slope)

    def mean(self, x: Floats) -> Floats:
        return np.asarray(self.covariance.between(x, self.nodes.at) @ self.weights)

    def variance(self, x: Floats) -> Floats:
        near = self.covariance.between(x, self.nodes.at)
        return np.asarray(self.covariance.at(x) - np.einsum("nm,nm->n", near @ self.known, near))

    def between(self, x: Floats, z: Floats) -> Floats:
        at_x, at_z = (self.covariance.between(place, self.nodes.at) for place in (x, z))
        return np.asarray(self.covariance.between(x, z) - at_x @ self.known @ at_z.T)

    def slopes(self) -> Floats:
        q = self.weights
        changes = self.covariance.slopes(self.nodes.at, self.nodes.at)
        found = [0.5 * (float(q @ change @ q) - float((self.known * change).sum())) for change in changes]
        return np.array([*found, self.slope_of_noise])


def enough(covariance: Sum, noise: float, x: Floats) -> int | None:
    """How many nodes say all there is to say of a kernel over x; None where that would not pay."""
    if not set(covariance.names) <= SMOOTH or len(x) < PAYS * COUNTS[0] or np.ptp(x) <= 0:
        return None
    largest = float(covariance.at(x[[int(x.argmin()), int(x.argmax())]]).max())
    if len(x) * largest > FIRM[len(x) > AT_ONCE] * noise:
        return None
    worth = (count for count in COUNTS if len(x) >= PAYS * count)
    return next((m for m in worth if len(x) * _missed(covariance, x, m) <= MISSED * noise), None)


def _missed(covariance: Sum, x: Floats, count: int) -> float:
    """The most that interpolation is off the kernel between some x and the nodes."""
    at = nodes(x, count)
    some = np.linspace(x.min(), x.max(), PROBES)
    there = interpolation(some, x, count) @ covariance.between(at, at)
    return float(np.abs(there - covariance.between(some, at)).max())
