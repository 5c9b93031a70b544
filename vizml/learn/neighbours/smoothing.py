"""Kernel-weighted means and lines: at each x, least squares with the weights K((x - x_i) / h)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from vizml.learn.state import Floats, Ints

CHUNK = 1 << 17
"""Weights at a time: a megabyte, which stays in the cache."""
FLAT = 1e-10
"""Points that spread over less than this share of the bandwidth have a mean, but no line."""


class Shape(NamedTuple):
    """A kernel of t = |x - x_i| / h; where it is an exponential, as the exponent, which never vanishes."""

    value: Callable[[Floats], Floats]
    exponential: bool = False


def _gaussian(t: Floats) -> Floats:
    return np.asarray(-0.5 * t * t)


SHAPES = {
    "gaussian": Shape(_gaussian, exponential=True),
    "laplace": Shape(np.negative, exponential=True),
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
        out, size = np.empty(len(x)), max(CHUNK // len(self.x), 1)
        for start in range(0, len(x), size):
            part = slice(start, start + size)
            out[part] = self._part(x[part], None if without is None else without[part])
        return out

    def weights(self, x: Floats, without: Ints | None = None) -> Floats:
        """The share (n, m) of each point at each x; where none is near enough the nearest has it all."""
        away = np.abs(x[:, None] - self.x)
        if without is not None:
            away[np.arange(len(x)), without] = np.inf
        away /= self.bandwidth
        shape = SHAPES[self.kernel]
        weight = shape.value(away)
        if shape.exponential:
            weight -= weight.max(axis=1, keepdims=True)
            np.exp(weight, out=weight)
        total = weight.sum(axis=1, keepdims=True)
        lonely = np.flatnonzero(total[:, 0] <= 0)
        if len(lonely):
            near = away[lonely]
            weight[lonely] = near == near.min(axis=1, keepdims=True)
            total[lonely] = weight[lonely].sum(axis=1, keepdims=True)
        weight /= total
        return weight

    def _part(self, x: Floats, without: Ints | None) -> Floats:
        share, middle = self.weights(x, without), float(self.y.mean())
        mean = share @ (self.y - middle)
        if self.order == 1:
            mean += self.lines(x, share) * (x - share @ (self.x - self.x[0]) - self.x[0])
        return np.asarray(mean + middle)

    def lines(self, x: Floats, share: Floats) -> Floats:
        """The slope at each x of the line through the weighted points; 0 where they have one x."""
        centre = share @ (self.x - self.x[0]) + self.x[0]
        apart = self.x - centre[:, None]
        leaning = share * apart
        spread = np.einsum("ij,ij->i", leaning, apart)
        with_y = leaning @ (self.y - self.y.mean())
        known = spread > (FLAT * self.bandwidth) ** 2
        return np.asarray(np.divide(with_y, spread, out=np.zeros(len(x)), where=known))
