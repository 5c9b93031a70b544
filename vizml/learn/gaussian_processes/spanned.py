"""Gaussian processes of very many points by a few that span them: K = F F', F = k(points, few) L^-T, L L' = K
of the few. With f = F w and w ~ N(0, I), Newton's steps are those of a logistic regression on F.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.gaussian_processes.covariance import Covariance, squared_distances
from vizml.learn.gaussian_processes.hill import Hillside, climbed
from vizml.learn.gaussian_processes.posterior import Process
from vizml.learn.gaussian_processes.triangular import inverted
from vizml.learn.state import Floats, Ints

SLACK = 1e-7
"""What the few leave unexplained of any point's variance, as a share of it."""
WIDEST = 450
"""More of them are not few: sharp or creased covariances are not spanned."""
SAMPLE, WORST, ROUNDS = 2000, 500, 4
"""The few are chosen among so many points; those told worst join them, so many times."""
PIECE, OFTEN = 1 << 19, 100
"""Covariances, and points that are chosen, in a piece of the work."""
NEAR = 1 << 18
"""Features that stay in the cache."""


@dataclass(frozen=True, eq=False)
class Span:
    """The few (r, 2), the inverse of L, and the features F (n, r) of all points."""

    covariance: Covariance
    few: Floats
    inverse: Floats
    features: Floats

    @cached_property
    def unbent(self) -> Floats:
        """I + F' F / 4, the inverse covariance of w at f = 0."""
        return _precision(self.features, np.full(len(self.features), 0.25))

    @classmethod
    def of(cls, covariance: Covariance, points: Floats) -> Span | None:
        """None where it takes more than a few."""
        search = cls.search(covariance, points)
        while True:
            try:
                next(search)
            except StopIteration as end:
                found: Span | None = end.value
                return found

    @classmethod
    def search(cls, covariance: Covariance, points: Floats) -> Generator[int, None, Span | None]:
        """The same, and between two pieces of work how many there are so far."""
        asked = np.arange(0, len(points), -(-len(points) // SAMPLE))
        for _ in range(ROUNDS):
            rows = asked[(yield from _pivots(covariance, points[asked]))]
            if len(rows) > WIDEST:
                return None
            few = points[rows]
            lower = np.asarray(np.linalg.cholesky(covariance.of(squared_distances(few, few))), np.float64)
            inverse = inverted(lower)
            features = yield from _features(covariance, points, few, inverse)
            left = covariance.variance - np.einsum("nr,nr->n", features, features)
            if left.max() <= 4.0 * SLACK * covariance.variance:
                return cls(covariance, few, inverse, features)
            asked = np.union1d(asked, np.argsort(-left)[:WORST])
        return None


@dataclass(frozen=True, eq=False)
class Weights(Hillside):
    """w on the way to the mode; y is 0 or 1."""

    span: Span
    w: Floats
    f: Floats
    y: Floats

    @cached_property
    def precision(self) -> Floats:
        """I + F' W F, the inverse covariance of w around here."""
        if not self.f.any():
            return self.span.unbent
        return _precision(self.span.features, self.chances * (1.0 - self.chances))

    @cached_property
    def height(self) -> float:
        """ln p(y | f) - |w|^2 / 2, which Newton's method climbs."""
        return self.likelihood - 0.5 * float(self.w @ self.w)

    @cached_property
    def evidence(self) -> float:
        """The log of the marginal likelihood, as approximated around here."""
        return self.height - 0.5 * float(np.linalg.slogdet(self.precision)[1])

    def peak(self) -> Weights:
        """Where the objective's parabola around here is highest."""
        F, p = self.span.features, self.chances
        pull = F.T @ (p * (1.0 - p) * self.f + self.y - p)
        w = np.asarray(np.linalg.solve(self.precision, pull), dtype=np.float64)
        return Weights(self.span, w, F @ w, self.y)

    def towards(self, other: Weights, share: float) -> Weights:
        """A share of the way to another place."""
        w, f = self.w + share * (other.w - self.w), self.f + share * (other.f - self.f)
        return Weights(self.span, w, f, self.y)

    def process(self) -> SpannedProcess:
        """What it says off the points."""
        span = self.span
        return SpannedProcess(
            span.covariance, span.few, span.inverse.T @ self.w, np.empty(0), span.inverse, self.precision
        )


@dataclass(frozen=True, eq=False)
class SpannedProcess(Process):
    """A process whose points are the few."""

    inverse: Floats
    precision: Floats

    def telling(self) -> Floats:
        """L^-T (I - precision^-1)^1/2: what the prior of w knows less than its posterior."""
        sizes, ways = np.linalg.eigh(self.precision)
        return np.asarray(self.inverse.T @ (ways * np.sqrt(1.0 - 1.0 / np.maximum(sizes, 1.0))))


def newton_in_span(span: Span, y: Floats) -> Iterator[Weights]:
    """From f = 0 to the peak."""
    return climbed(Weights(span, np.zeros(span.features.shape[1]), np.zeros(len(y)), y))


def _precision(F: Floats, bends: Floats) -> Floats:
    """I + F' W F, from pieces that stay in the cache."""
    found, step = np.eye(F.shape[1]), max(NEAR // F.shape[1], 1)
    for start in range(0, len(F), step):
        part = np.sqrt(bends[start : start + step, None]) * F[start : start + step]
        found += part.T @ part
    return found


def _pivots(covariance: Covariance, points: Floats) -> Generator[int, None, Ints]:
    """The rows that Cholesky's decomposition takes when it always takes the one least explained so far."""
    left = np.full(len(points), covariance.variance)
    columns = np.empty((WIDEST + 1, len(points)))
    rows: list[int] = []
    while left.max() > SLACK * covariance.variance and len(rows) <= WIDEST:
        row, count = int(left.argmax()), len(rows)
        column = covariance.of(squared_distances(points[row : row + 1], points))[0]
        column -= columns[:count, row] @ columns[:count]
        columns[count] = column / np.sqrt(left[row])
        left -= columns[count] ** 2
        left[row] = 0.0
        rows.append(row)
        if len(rows) % OFTEN == 0:
            yield len(rows)
    return np.array(rows, dtype=np.int64)


def _features(
    covariance: Covariance, points: Floats, few: Floats, inverse: Floats
) -> Generator[int, None, Floats]:
    out = np.empty((len(points), len(few)))
    step = max(PIECE // len(few), 1)
    for start in range(0, len(points), step):
        part = points[start : start + step]
        np.matmul(covariance.of(squared_distances(part, few)), inverse.T, out=out[start : start + step])
        yield len(few)
    return out
