"""EM for a mixture of Gaussians: log L = sum_i log sum_k w_k N(x_i | mu_k, S_k) rises with each round.

E: r_ik = w_k N_ik / sum_j w_j N_ij. M: n_k = sum_i r_ik, w_k = n_k / n, mu_k = sum_i r_ik x_i / n_k, and
S_k = sum_i r_ik (x_i - mu_k)(x_i - mu_k)' / n_k + reg.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from vizml.learn.clusters.lloyd import lloyd
from vizml.learn.clusters.seeding import chosen
from vizml.learn.frame import Frame
from vizml.learn.mixtures.gaussians import Gaussians, monomials, smallest_variances
from vizml.learn.state import Floats

ROUNDS = 500
LEAST = 1e-10
"""The least variance in the frame that double precision can tell from none."""
NOBODY = 10 * np.finfo(float).eps
SLIP = 1e-11
"""How far rounding may let the log-likelihood of a point fall."""
FREE = {"full": 3, "diag": 2, "spherical": 1}
"""Free numbers in a covariance of each kind."""

Shape = Callable[[Floats, Floats], Floats]
"""Of covariances (K, 2, 2) and counts (K,): the covariances that a kind allows."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Half:
    """A half-step: the Gaussians, the responsibilities, and log L of these Gaussians."""

    kind: str
    turn: int
    mixture: Gaussians
    shares: Floats
    likelihood: float
    gain: float = 0.0
    held: bool = False
    """Whether it ended because the variance that is added would lower the likelihood."""
    done: bool = False


class Expectation:
    """E-steps and M-steps on some points."""

    def __init__(self, points: Floats, frame: Frame, kind: str, reg: float) -> None:
        self.frame = frame
        self.points = points
        self.basis = monomials(points)
        self.shape = SHAPES[kind]
        self.reg = max(reg / frame.spread**2, LEAST)

    def expect(self, mixture: Gaussians) -> tuple[Floats, float]:
        """The responsibilities (n, K), and log L of the data in their own units."""
        joint = self.basis @ mixture.terms
        best = joint.max(axis=1)
        shares = np.exp(joint - best[:, None])
        total = shares.sum(axis=1)
        shares /= total[:, None]
        return shares, float((np.log(total) + best).sum()) - len(best) * mixture.unit

    def maximise(self, shares: Floats) -> Gaussians:
        """The Gaussians that suit responsibilities best."""
        sums = shares.T @ self.basis
        counts = sums[:, 0] + NOBODY
        x, y, xx, xy, yy = sums[:, 1:].T / counts
        spreads = np.stack([xx - x * x, xy - x * y, xy - x * y, yy - y * y], axis=1).reshape(-1, 2, 2)
        return Gaussians(
            frame=self.frame,
            weights=counts / counts.sum(),
            centres=np.stack([x, y], axis=1),
            spreads=self.shape(spreads, counts) + self.reg * np.eye(2),
        )

    def troubles(self, mixture: Gaussians) -> str:
        """What to say of components that have no extent of their own."""
        found = []
        least = smallest_variances(mixture.spreads)
        for k in np.flatnonzero(least <= 2 * self.reg):
            if mixture.weights[k] * len(self.points) < 1e-3:
                found.append(f"component {k + 1} has lost its points")
                continue
            where = "one place" if np.trace(mixture.spreads[k]) <= 4 * self.reg else "a line"
            found.append(f"component {k + 1} has collapsed onto {where}, its variance is what is added")
        return "".join(f"; {each}" for each in found[:2]) + ("; ..." if len(found) > 2 else "")


def em(task: Expectation, start: Gaussians, tol: float) -> Iterator[Half]:
    """E and M by turns, until a round gains less than tol for each point."""
    n = len(task.points)
    shares, likelihood = task.expect(start)
    half = Half(kind="start", turn=0, mixture=start, shares=shares, likelihood=likelihood)
    yield half
    for turn in range(1, ROUNDS + 1):
        yield replace(half, kind="E", turn=turn, shares=shares)
        mixture = task.maximise(shares)
        after, found = task.expect(mixture)
        gain = found - likelihood
        if falls(likelihood, found, n):
            yield replace(half, kind="E", turn=turn, shares=shares, held=True, done=True)
            return
        done = gain < tol * n or turn == ROUNDS
        likelihood = max(found, likelihood)
        half = Half(
            kind="M", turn=turn, mixture=mixture, shares=shares, likelihood=likelihood, gain=gain, done=done
        )
        yield half
        shares = after
        if done:
            return


def falls(before: float, after: float, n: int) -> bool:
    """Whether the log-likelihood of n points is lower by more than rounding."""
    return after < before - SLIP * max(n, abs(before))


def started(task: Expectation, k: int, init: str, rng: Generator) -> Gaussians:
    """Gaussians to start from: those of k-means' clusters, or the spread of the data at points by chance."""
    points = task.points
    if init == "random":
        return at_places(task, chosen(points, k, "random", rng))
    first = chosen(points, k, "kmeans++", rng)
    *_, last = lloyd(points, first, 1.0)
    return task.maximise((last.labels[:, None] == np.arange(len(first))).astype(float))


def at_places(task: Expectation, centres: Floats) -> Gaussians:
    """Gaussians at places (k, 2) in the frame, each as wide as the data."""
    whole = task.maximise(np.ones((len(task.points), 1)))
    k = len(centres)
    return replace(
        whole, weights=np.full(k, 1 / k), centres=centres, spreads=np.repeat(whole.spreads, k, axis=0)
    )


def free_parameters(k: int, kind: str) -> int:
    """How many numbers a mixture has that are free: what AIC and BIC charge for."""
    return 3 * k - 1 + (FREE["full"] if kind == "tied" else FREE[kind] * k)


def _full(spreads: Floats, counts: Floats) -> Floats:
    del counts
    return spreads


def _tied(spreads: Floats, counts: Floats) -> Floats:
    shared = np.tensordot(counts / counts.sum(), spreads, axes=1)
    return np.repeat(shared[None], len(spreads), axis=0)


def _diagonal(spreads: Floats, counts: Floats) -> Floats:
    del counts
    return spreads * np.eye(2)


def _spherical(spreads: Floats, counts: Floats) -> Floats:
    del counts
    variance = np.trace(spreads, axis1=1, axis2=2) / 2
    return np.asarray(variance[:, None, None] * np.eye(2))


SHAPES: Mapping[str, Shape] = {"full": _full, "tied": _tied, "diag": _diagonal, "spherical": _spherical}
