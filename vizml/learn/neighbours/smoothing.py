"""Kernel-weighted means and lines: at each x, least squares with the weights K((x - x_i) / h)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from vizml.learn.state import Floats, Ints

CHUNK = 1 << 17
"""Weights at a time: a megabyte, which stays in the cache."""
SLACK = 1e-12
"""By how much rounding may move the edge of a reach, as a share of it or of x."""
GROUP = 1 << 15
"""To leave out far points does not pay for fewer weights than this."""
FLAT = 1e-10
"""Points that spread over less than this share of the bandwidth have a mean, but no line."""


FAINT = (40.0, 110.0)
"""Weights below e^-40 of the largest do not count in a mean; the slope of a line is told by smaller ones."""


class Shape(NamedTuple):
    """A kernel of t = |x - x_i| / h; where it is an exponential, as the exponent, which never vanishes.

    `reach` is how far it goes beside a point at t: what is farther counts less than e^-faint of that one.
    """

    value: Callable[[Floats], Floats]
    exponential: bool = False
    reach: Callable[[Floats, float], Floats] = lambda t, _: np.maximum(t, 1.0)


def _gaussian(t: Floats) -> Floats:
    square = t * t
    square *= -0.5
    return square


SHAPES = {
    "gaussian": Shape(_gaussian, exponential=True, reach=lambda t, faint: np.sqrt(t * t + 2 * faint)),
    "laplace": Shape(np.negative, exponential=True, reach=lambda t, faint: t + faint),
    "epanechnikov": Shape(lambda t: np.maximum(1 - t * t, 0.0)),
    "tricube": Shape(lambda t: np.maximum(1 - t**3, 0.0) ** 3),
    "box": Shape(lambda t: (t <= 1).astype(np.float64)),
}


class Smoother(NamedTuple):
    """How points are smoothed."""

    x: Floats
    y: Floats
    kernel: str
    bandwidth: float
    order: int

    def at(self, x: Floats, without: Ints | None = None) -> Floats:
        """The smooth at each x; with rows to leave out, one for each x, without that point."""
        out, middle = np.empty(len(x)), float(self.y.mean())
        rows, order = np.argsort(self.x, kind="stable"), np.argsort(x, kind="stable")
        points, y, places = self.x[rows], self.y[rows] - middle, x[order]
        own = None if without is None else np.argsort(rows)[without][order]
        for part, near in self._groups(points, places, own):
            some = self._replace(x=points[near], y=y[near])
            out[order[part]] = some.from_all(places[part], None if own is None else own[part] - near.start)
        return out + middle

    def weights(self, x: Floats, without: Ints | None = None) -> Floats:
        """The share (n, m) of each point at each x; where none is near enough the nearest has it all."""
        weight, total = self._weights(x, without)
        weight /= total[:, None]
        return weight

    def _groups(self, points: Floats, places: Floats, own: Ints | None) -> Iterator[tuple[slice, slice]]:
        """Places that are near each other, and the points that count at one of them; all are sorted."""
        near = _second(points, places) / self.bandwidth
        reach = self.bandwidth * SHAPES[self.kernel].reach(near, FAINT[self.order])
        reach += SLACK * (reach + np.abs(places))
        first = np.searchsorted(points, places - reach, side="left")
        last = np.searchsorted(points, places + reach, side="right")
        if own is not None:
            first, last = np.minimum(first, own), np.maximum(last, own + 1)
        ends = np.searchsorted(places, places + reach / 2, side="right")
        start = 0
        while start < len(places):
            room = max(CHUNK // int(last[start] - first[start]), 1)
            part = slice(start, start + min(max(int(ends[start]) - start, GROUP // len(points)), room))
            yield part, slice(int(first[part].min()), int(last[part].max()))
            start = part.stop

    def _weights(self, x: Floats, without: Ints | None) -> tuple[Floats, Floats]:
        """What each point counts (n, m) at each x, and all of them together."""
        away = np.abs(x[:, None] - self.x)
        if without is not None:
            away[np.arange(len(x)), without] = np.inf
        away /= self.bandwidth
        shape = SHAPES[self.kernel]
        weight = shape.value(away)
        if shape.exponential:
            weight -= weight.max(axis=1, keepdims=True)
            np.exp(weight, out=weight)
        total = weight.sum(axis=1)
        lonely = np.flatnonzero(total <= 0)
        if len(lonely):
            near = away[lonely]
            weight[lonely] = near == near.min(axis=1, keepdims=True)
            total[lonely] = weight[lonely].sum(axis=1)
        return weight, total

    def from_all(self, x: Floats, without: Ints | None) -> Floats:
        """The smooth of these points at each x."""
        weight, total = self._weights(x, without)
        mean = weight @ self.y / total
        if self.order == 1:
            weight /= total[:, None]
            slope, beyond = self._lines(x, weight)
            mean += slope * beyond
        return np.asarray(mean)

    def lines(self, x: Floats, share: Floats) -> Floats:
        """The slope at each x of the line through the weighted points; 0 where they have one x."""
        return self._lines(x, share)[0]

    def _lines(self, x: Floats, share: Floats) -> tuple[Floats, Floats]:
        """The slope of the line at each x, and how far x is from the weighted mean of the points.

        Beside the point with the largest share, which then adds no rounding to what far smaller ones tell.
        """
        nearest = self.x[share.argmax(axis=1)]
        apart = self.x - nearest[:, None]
        leaning = share * apart
        centre, y = leaning.sum(axis=1), self.y - self.y.mean()
        spread = np.einsum("ij,ij->i", leaning, apart) - centre**2
        with_y = leaning @ y - centre * (share @ y)
        known = spread > (FLAT * self.bandwidth) ** 2
        slope = np.divide(with_y, spread, out=np.zeros(len(x)), where=known)
        return slope, x - nearest - centre


def _second(points: Floats, places: Floats) -> Floats:
    """A distance from each place within which there are two points, or all there are; all are sorted."""
    beside = np.searchsorted(points, places)[:, None] + np.arange(-2, 2)
    there = (beside >= 0) & (beside < len(points))
    away = np.abs(points[np.clip(beside, 0, len(points) - 1)] - places[:, None])
    return np.asarray(np.partition(np.where(there, away, np.inf), 1, axis=1)[:, 1])
