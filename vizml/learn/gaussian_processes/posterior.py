"""Posteriors of Gaussian processes: mean k(x)'a and covariance k(x, z) - k(x)'H H'k(z).

The exact posterior has all training points in k(x). Where the covariance matrix K has a low numerical rank,
pivoted Cholesky selects r inducing points Z with K = F F', F = k(X, Z) L^-T, L L' = k(Z, Z), and f = F w with
w ~ N(0, I) replaces f ~ N(0, K): the cost grows with n r^2 instead of n^3.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.field.cancellation import check_cancelled
from vizml.learn.gaussian_processes.covariance import SMOOTH, Covariance
from vizml.learn.recent import keep_recent

TRIANGLE = 48
"""Size up to which a triangular matrix is inverted or solved as a whole."""
PAIRS = 1 << 21
"""Covariances between points and places at a time."""
ROOTS = 8
"""Posteriors whose H is kept, one for each class of the state on view: a recording has hundreds of states."""
EXACT = 200
"""Up to so many points the exact posterior is the fastest."""
MOST_INDUCING = 450
"""Largest number of inducing points."""
SAMPLE, WORST, ROUNDS = 2000, 500, 4
"""Inducing points are selected among so many points; the worst explained others join them, so many times."""
REPORT = 100
"""Pivots between two reports of progress."""
TRIAL, EXCESS = 32, 1.5
"""Pivots between two forecasts of their number, which has to be so many times too large to end the search."""
BLOCK = 1 << 19
"""Covariances of inducing points, or features, at a time."""


@dataclass(frozen=True, eq=False)
class Posterior(ABC):
    """A Gaussian process given data: `a` (m,) are the weights of the covariances with `points` (m, d)."""

    covariance: Covariance
    points: Floats
    a: Floats

    @abstractmethod
    def root(self) -> Floats:
        """Compute H (m, r)."""

    def mean(self, X: Floats) -> Floats:
        """Return the mean (n,) of f at X (n, d)."""
        found = np.empty(len(X))
        for part, near in self._covariances(X):
            found[part] = near @ self.a
        return found

    def moments(self, X: Floats) -> tuple[Floats, Floats]:
        """Return the mean and the variance of f at X (n, d)."""
        H, mean, variance = root_of(self), np.empty(len(X)), self.covariance.diagonal(X)
        for part, near in self._covariances(X):
            mean[part] = near @ self.a
            explained = near @ H
            variance[part] -= np.einsum("nr,nr->n", explained, explained)
        return mean, np.maximum(variance, 0.0)

    def between(self, X: Floats, Z: Floats) -> Floats:
        """Return the posterior covariance (n, m) of f at X and at Z."""
        at_x, at_z = (self.covariance(places, self.points) @ root_of(self) for places in (X, Z))
        return np.asarray(self.covariance(X, Z) - at_x @ at_z.T)

    def samples(self, X: Floats, normals: Floats) -> Floats:
        """Draw f at X: one row for each row of standard normal numbers (s, n)."""
        sizes, axes = np.linalg.eigh(self.between(X, X))
        # the symmetric root: samples change smoothly with the kernel
        root = (axes * np.sqrt(np.maximum(sizes, 0.0))) @ axes.T
        return np.asarray(self.mean(X) + normals @ root)

    def _covariances(self, X: Floats) -> Iterator[tuple[slice, Floats]]:
        rows = max(PAIRS // max(len(self.points), 1), 1)
        for start in range(0, len(X), rows):
            check_cancelled()
            part = slice(start, start + rows)
            yield part, self.covariance(X[part], self.points)


@keep_recent(ROOTS)
def root_of(posterior: Posterior) -> Floats:
    """Return H of a posterior, from a cache for the most recent ones."""
    root = posterior.root()
    root.flags.writeable = False
    return root


@dataclass(frozen=True, eq=False)
class ExactPosterior(Posterior):
    """Conditioned on one Gaussian term for each point, of precision w_i = roots_i^2."""

    roots: Floats

    def root(self) -> Floats:
        """H = W^1/2 L^-T, L L' = I + W^1/2 K W^1/2."""
        K = self.covariance(self.points, self.points)
        return np.asarray((triangular_inverse(factor(K, self.roots)) * self.roots).T)


@dataclass(frozen=True, eq=False)
class SpannedPosterior(Posterior):
    """Conditioned in the span of inducing points, which are its `points`."""

    inverse: Floats
    """L^-1."""
    precision: Floats
    """Posterior precision P (r, r) of w."""

    def root(self) -> Floats:
        """H = L^-T (I - P^-1)^1/2."""
        sizes, axes = np.linalg.eigh(self.precision)
        return np.asarray(self.inverse.T @ (axes * np.sqrt(1.0 - 1.0 / np.maximum(sizes, 1.0))))


@dataclass(frozen=True, eq=False)
class Span:
    """Inducing points (r, d), the inverse of L, and the features F (n, r) of all points."""

    covariance: Covariance
    inducing: Floats
    inverse: Floats
    features: Floats

    @classmethod
    def of(cls, covariance: Covariance, X: Floats, slack: float, most: int) -> Span | None:
        """Search without reports of progress."""
        search = cls.search(covariance, X, slack, most)
        while True:
            try:
                next(search)
            except StopIteration as end:
                found: Span | None = end.value
                return found

    @classmethod
    def search(
        cls, covariance: Covariance, X: Floats, slack: float, most: int
    ) -> Generator[int, None, Span | None]:
        """Find a span that leaves at most 4 `slack` of any variance unexplained; None where it takes more.

        Yields the number of inducing points found so far.
        """
        if not set(covariance.names) <= SMOOTH:
            return None
        rows = np.arange(0, len(X), -(-len(X) // SAMPLE))
        for _ in range(ROUNDS):
            pivots = rows[(yield from _pivots(covariance, X[rows], slack, most))]
            if len(pivots) > most:
                return None
            inducing = X[pivots]
            try:
                L = np.linalg.cholesky(covariance(inducing, inducing))
            except np.linalg.LinAlgError:
                return None
            inverse = triangular_inverse(np.asarray(L))
            features = yield from _features(covariance, X, inducing, inverse)
            left = covariance.diagonal(X) - np.einsum("nr,nr->n", features, features)
            if left.max() <= 4.0 * slack:
                return cls(covariance, inducing, inverse, features)
            rows = np.union1d(rows, np.argsort(-left)[:WORST])
        return None

    def precision(self, weights: Floats) -> Floats:
        """Return P = I + F' W F."""
        found, step = np.eye(self.features.shape[1]), max(BLOCK // (2 * len(self.inducing)), 1)
        for start in range(0, len(self.features), step):
            part = np.sqrt(weights[start : start + step, None]) * self.features[start : start + step]
            found += part.T @ part
        return found

    def posterior(self, w: Floats, precision: Floats) -> SpannedPosterior:
        """Return the posterior from the mean of w and its precision."""
        a = self.inverse.T @ w
        return SpannedPosterior(self.covariance, self.inducing, a, self.inverse, precision)


def factor(K: Floats, roots: Floats) -> Floats:
    """Return L where L L' = I + W^1/2 K W^1/2, whose smallest eigenvalue is at least 1."""
    B = K * roots
    B *= roots[:, None]
    B[np.diag_indices_from(B)] += 1.0
    return np.asarray(np.linalg.cholesky(B), dtype=np.float64)


def triangular_inverse(L: Floats) -> Floats:
    """Invert a lower triangular matrix by halves: ((A, 0), (C, D)) has -D^-1 C A^-1 below the diagonal."""
    n, half = len(L), len(L) // 2
    if n <= TRIANGLE:
        return np.asarray(np.tril(np.linalg.inv(L)))
    out = np.zeros_like(L)
    upper = out[:half, :half] = triangular_inverse(L[:half, :half])
    lower = out[half:, half:] = triangular_inverse(L[half:, half:])
    out[half:, :half] = -lower @ (L[half:, :half] @ upper)
    return out


def cholesky_solve(L: Floats, b: Floats) -> Floats:
    """Return (L L')^-1 b by block-wise forward and back substitution."""
    x = b.copy()
    blocks = [slice(start, start + TRIANGLE) for start in range(0, len(L), TRIANGLE)]
    for block in blocks:
        x[block] = np.linalg.solve(L[block, block], x[block] - L[block, : block.start] @ x[: block.start])
    for block in reversed(blocks):
        x[block] = np.linalg.solve(L[block, block].T, x[block] - x[block.stop :] @ L[block.stop :, block])
    return x


def _pivots(covariance: Covariance, X: Floats, slack: float, most: int) -> Generator[int, None, Ints]:
    """Select rows by pivoted Cholesky: always the point with the largest unexplained variance.

    There are more than `most` where it takes more, also where the share explained so far foretells that.
    """
    left = covariance.diagonal(X)
    total = float(left.sum())
    columns = np.empty((most + 1, len(X)))
    rows: list[int] = []
    while left.max() > slack and len(rows) <= most:
        row, count = int(left.argmax()), len(rows)
        column = covariance(X[row : row + 1], X)[0]
        column -= columns[:count, row] @ columns[:count]
        columns[count] = column / np.sqrt(left[row])
        left -= columns[count] ** 2
        left[row] = 0.0
        rows.append(row)
        if len(rows) % REPORT == 0:
            yield len(rows)
        if len(rows) % TRIAL == 0 and len(rows) * total > EXCESS * most * (total - float(left.sum())):
            return np.arange(most + 1)
    return np.array(rows, dtype=np.int64)


def _features(
    covariance: Covariance, X: Floats, inducing: Floats, inverse: Floats
) -> Generator[int, None, Floats]:
    """Return F = k(X, inducing) L^-T."""
    out = np.empty((len(X), len(inducing)))
    step = max(BLOCK // len(inducing), 1)
    for start in range(0, len(X), step):
        part = slice(start, start + step)
        np.matmul(covariance(X[part], inducing), inverse.T, out=out[part])
        yield len(inducing)
    return out


RATES = (0.41, 0.4, 0.37, 0.44, 0.39)
WEIGHTS = (-1854.8214151, 3516.89893646, 221.29346712, 128.12323805, -2010.49422654)
"""1 / (1 + e^-f) is close to 1/2 + sum_j w_j erf(l_j f) / 2 (Williams and Barber 1998, appendix A)."""
SATURATED = 6.0
"""erf is 1 to the last bit beyond this."""
KNOTS = 4096
"""Knots in a unit of the table of erf: the third term of its Taylor series is then below 1e-12."""


def mean_logistic(mean: Floats, variance: Floats) -> Floats:
    """Return E[1 / (1 + e^-f)] by the five error functions that scikit-learn uses.

    >>> mean_logistic(np.array([0.0, 2.0]), np.array([1.0, 4.0])).round(4)
    array([0.5   , 0.7752])
    """
    total = np.full(np.shape(mean), 0.5 * sum(WEIGHTS))
    for rate, weight in zip(RATES, WEIGHTS, strict=True):
        total += (0.5 * weight) * erf(rate * mean / np.sqrt(1.0 + 2.0 * rate * rate * variance))
    return np.asarray(np.clip(total, 0.0, 1.0))


def erf(x: Floats) -> Floats:
    """Return the error function to 1e-12 by its Taylor series at the nearest knot: numpy has none."""
    values, slopes = _table()
    size = np.minimum(np.abs(x), SATURATED)
    knot = (size * KNOTS + 0.5).astype(np.int64)
    a = knot * (1.0 / KNOTS)
    d = size - a
    return np.asarray(np.copysign(values[knot] + slopes[knot] * (d * (1.0 - a * d)), x))


@cache
def _table() -> tuple[Floats, Floats]:
    """Return erf and its derivative at the knots."""
    knots = np.arange(int(SATURATED * KNOTS) + 1) / KNOTS
    return np.array([math.erf(a) for a in knots.tolist()]), 2.0 / math.sqrt(math.pi) * np.exp(-knots * knots)
