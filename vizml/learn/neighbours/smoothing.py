"""Kernel regression: at each x, a weighted mean or least-squares plane with the weights K(|x - x_i| / h)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.field.distances import METRICS

CHUNK = 1 << 17
"""Weights computed at a time: a megabyte, which stays in the cache."""
ROUNDING = 1e-12
"""Relative error that rounding may cause in the radius of a kernel or in x."""
SMALLEST_GROUP = 1 << 15
"""For fewer weights than this, leaving out distant points does not pay."""
FLAT = 1e-10
"""Points that spread over less than this share of the bandwidth determine a mean but no slope."""
NEGLIGIBLE = (40.0, 110.0)
"""Weights below e^-40 of the largest do not change a mean; those that change a slope are far smaller."""


class KernelShape(NamedTuple):
    """A kernel of t = |x - x_i| / h, or its exponent where it is exponential (which never vanishes).

    `radius` is the distance beyond which points weigh less than e^-c of a point at distance t.
    """

    value: Callable[[Floats], Floats]
    exponential: bool = False
    radius: Callable[[Floats, float], Floats] = lambda t, _: np.maximum(t, 1.0)


def _gaussian(t: Floats) -> Floats:
    square = t * t
    square *= -0.5
    return square


KERNELS = {
    "gaussian": KernelShape(_gaussian, exponential=True, radius=lambda t, c: np.sqrt(t * t + 2 * c)),
    "laplace": KernelShape(np.negative, exponential=True, radius=lambda t, c: t + c),
    "epanechnikov": KernelShape(lambda t: np.maximum(1 - t * t, 0.0)),
    "tricube": KernelShape(lambda t: np.maximum(1 - t**3, 0.0) ** 3),
    "box": KernelShape(lambda t: (t <= 1).astype(np.float64)),
}


class Smoother(NamedTuple):
    """Points X (n, d) with targets y (n,), and the kernel; order 0 fits means, order 1 planes."""

    X: Floats
    y: Floats
    kernel: str
    bandwidth: float
    order: int

    def predict(self, X: Floats, without: Ints | None = None) -> Floats:
        """The estimate at each query (m, d); `without` gives a point to leave out for each of them.

        >>> Smoother(np.array([[0.0], [1.0]]), np.array([2.0, 4.0]), "box", 2.0, 0).predict(np.array([[0.3]]))
        array([3.])
        """
        out, level = np.empty(len(X)), float(self.y.mean())
        rows, order = (np.argsort(each[:, 0], kind="stable") for each in (self.X, X))
        points, y, queries = self.X[rows], self.y[rows] - level, X[order]
        own = None if without is None else np.argsort(rows)[without][order]
        for part, near in self._groups(points, queries, own):
            some = self._replace(X=points[near], y=y[near])
            out[order[part]] = some.estimate(queries[part], None if own is None else own[part] - near.start)
        return out + level

    def weights(self, X: Floats) -> Floats:
        """The normalised weights (m, n); where the kernel reaches no point, the nearest has all weight."""
        weight, total = self._weights(X, None)
        weight /= total[:, None]
        return weight

    def slopes(self, X: Floats, weights: Floats) -> Floats:
        """The slopes (m, d) of weighted least-squares planes; 0 where the points do not determine them."""
        return self._planes(X, weights)[0]

    def _groups(self, points: Floats, queries: Floats, own: Ints | None) -> Iterator[tuple[slice, slice]]:
        """Groups of consecutive queries and the points that matter to them; both are sorted by input 0."""
        first_inputs, at = points[:, 0], queries[:, 0]
        near = _second_distance(points, queries) / self.bandwidth
        reach = self.bandwidth * KERNELS[self.kernel].radius(near, NEGLIGIBLE[self.order])
        reach += ROUNDING * (reach + np.abs(at))
        first = np.searchsorted(first_inputs, at - reach, side="left")
        last = np.searchsorted(first_inputs, at + reach, side="right")
        if own is not None:
            first, last = np.minimum(first, own), np.maximum(last, own + 1)
        ends = np.searchsorted(at, at + reach / 2, side="right")
        start = 0
        while start < len(at):
            most = max(CHUNK // (int(last[start] - first[start]) * points.shape[1]), 1)
            size = min(max(int(ends[start]) - start, SMALLEST_GROUP // len(points)), most)
            part = slice(start, start + size)
            yield part, slice(int(first[part].min()), int(last[part].max()))
            start = part.stop

    def _weights(self, X: Floats, without: Ints | None) -> tuple[Floats, Floats]:
        """The weights (m, n), scaled freely in each row, and their sums."""
        away = _distances(X, self.X)
        if without is not None:
            away[np.arange(len(X)), without] = np.inf
        away /= self.bandwidth
        shape = KERNELS[self.kernel]
        weight = shape.value(away)
        if shape.exponential:
            weight -= weight.max(axis=1, keepdims=True)
            np.exp(weight, out=weight)
        total = weight.sum(axis=1)
        alone = np.flatnonzero(total <= 0)
        if len(alone):
            near = away[alone]
            weight[alone] = near == near.min(axis=1, keepdims=True)
            total[alone] = weight[alone].sum(axis=1)
        return weight, total

    def estimate(self, X: Floats, without: Ints | None) -> Floats:
        """The same from all points, without a search for those that matter."""
        weight, total = self._weights(X, without)
        mean = weight @ self.y / total
        if self.order == 1:
            weight /= total[:, None]
            slopes, offset = self._planes(X, weight)
            mean += (slopes * offset).sum(axis=1)
        return np.asarray(mean)

    def _planes(self, X: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """The slopes (m, d) at each x, and the offset (m, d) of x from the weighted mean of the points.

        Coordinates are relative to the point with the largest weight: otherwise rounding would hide the small
        weights that determine the slope.
        """
        nearest = self.X[weights.argmax(axis=1)]
        apart = self.X - nearest[:, None]
        weighted = (weights[:, :, None] * apart).transpose(0, 2, 1)
        centre, y = (weights[:, None] @ apart)[:, 0], self.y - self.y.mean()
        spread = weighted @ apart - centre[:, :, None] * centre[:, None]
        with_y = weighted @ y - centre * (weights @ y)[:, None]
        values, axes = np.linalg.eigh(spread)
        along = (with_y[:, None] @ axes)[:, 0]
        known = values > (FLAT * self.bandwidth) ** 2
        along = np.divide(along, values, out=np.zeros_like(along), where=known)
        return (axes @ along[:, :, None])[:, :, 0], X - nearest - centre


def _distances(X: Floats, points: Floats) -> Floats:
    """Euclidean distances (m, n)."""
    if points.shape[1] == 1:
        return np.abs(X - points.T)
    metric = METRICS["l2"]
    return metric.length(metric.ranks(X, points))


def _second_distance(points: Floats, queries: Floats) -> Floats:
    """A radius around each query that holds two points, or all of them; both are sorted by input 0."""
    beside = np.searchsorted(points[:, 0], queries[:, 0])[:, None] + np.arange(-2, 2)
    exists = (beside >= 0) & (beside < len(points))
    away = np.linalg.norm(points[np.clip(beside, 0, len(points) - 1)] - queries[:, None], axis=2)
    return np.asarray(np.partition(np.where(exists, away, np.inf), 1, axis=1)[:, 1])
