"""How the posterior of a Gaussian process on a line is had: through nodes, in one go, or block by block."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.learn.gaussian_processes.covariances import Sum
from vizml.learn.gaussian_processes.featured import AT_ONCE, Featured, enough
from vizml.learn.gaussian_processes.regression import Exact, Process
from vizml.learn.gaussian_processes.triangular import inverted
from vizml.learn.state import Floats

WORK, LEAST, LARGEST = 100_000_000, 24, 240
"""Of a block beside k points: its points times k^2, which takes about 15 ms; its fewest and most points."""


def learned(covariance: Sum, noise: float, x: Floats, t: Floats, count: int | None) -> Iterator[Process]:
    """The posterior, through so many nodes if that will do; where it takes long, of more and more points."""
    if count is not None:
        yield Featured.of(covariance, noise, x, t, count)
    elif len(x) <= AT_ONCE:
        yield Exact.of(covariance, noise, x, t)
    else:
        yield from grown(covariance, noise, x, t)


def posterior(covariance: Sum, noise: float, x: Floats, t: Floats) -> Process | None:
    """The posterior in one go; None where that would take long."""
    count = enough(covariance, noise, x)
    if count is not None:
        return Featured.of(covariance, noise, x, t, count)
    return Exact.of(covariance, noise, x, t) if len(x) <= AT_ONCE else None


def grown(covariance: Sum, noise: float, x: Floats, t: Floats) -> Iterator[Exact]:
    """The exact posterior after the first points, then after a block more at a time.

    The inverse of a factor of more points has that of fewer as its corner: moments share one matrix.
    """
    n, known = len(x), Exact.of(covariance, noise, x[:AT_ONCE], t[:AT_ONCE])
    yield known
    K, half = np.empty((n, n)), np.zeros((n, n))
    done = len(known.x)
    K[:done, :done] = covariance.between(x[:done], x[:done])
    half[:done, :done] = known.half
    while done < n:
        more = min(done + int(np.clip(WORK // done**2, LEAST, LARGEST)), n)
        if not _extended(covariance, noise + known.jitter, x[:more], K, half, done):
            yield Exact.of(covariance, noise, x, t)
            return
        done = more
        yield _settled(
            covariance, noise, x[:done], t[:done], K[:done, :done], half[:done, :done], known.jitter
        )


def _extended(covariance: Sum, noise: float, x: Floats, K: Floats, half: Floats, done: int) -> bool:
    """Fill in the rows of K and L^-1 beyond the first ones; False where rounding leaves no factor."""
    before, new = half[:done, :done], slice(done, len(x))
    K[new, : len(x)] = covariance.between(x[new], x)
    left = K[new, :done] @ before.T
    rest = K[new, new] - left @ left.T
    rest[np.diag_indices_from(rest)] += noise
    try:
        half[new, new] = inverted(np.asarray(np.linalg.cholesky(rest)))
    except np.linalg.LinAlgError:
        return False
    half[new, :done] = -half[new, new] @ (left @ before)
    K[:done, new] = K[new, :done].T
    return True


def _settled(
    covariance: Sum, noise: float, x: Floats, t: Floats, K: Floats, half: Floats, jitter: float
) -> Exact:
    weights = half.T @ (half @ t)
    # a second round takes out what the inverse lost to rounding
    weights = weights + half.T @ (half @ (t - K @ weights - (noise + jitter) * weights))
    return Exact.with_factor(covariance, noise, x, t, weights, jitter, half)
