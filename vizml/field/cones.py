"""Logs of sums of exp(-rate |c_i - x|), the Laplace kernel by Euclidean distance, tile by tile.

It is no product over the axes, and each centre is a crease: in a tile the near centres are summed pixel by
pixel. The sum of those farther away than twice its width is smooth there, a polynomial through a few nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from vizml.field.cancellation import check_cancelled
from vizml.field.logsums import Plane
from vizml.field.raster import Floats, Raster

EDGES = (24, 64)
"""The least and the most pixels along a tile."""
NODES, TAIL = 12, 2
"""Chebyshev nodes along a tile, and how many of the last coefficients must be negligible."""
NEGLIGIBLE = 1e-7
FAR = 3.0
"""Half the width of what is near, in halves of a tile."""
WIDE = 2.0
"""Widths of the kernel along a tile; of a narrower kernel few centres matter, and these are summed up."""
DIGITS = 17.0
"""Of terms smaller than exp(-DIGITS) / n beside the largest nothing is seen in single precision."""
CHUNK = 1 << 18
"""Pairs of a pixel and a centre at a time."""
PLACES = np.cos((np.arange(NODES) + 0.5) * (np.pi / NODES))
TO_SERIES = np.cos(np.outer(np.arange(NODES), (np.arange(NODES) + 0.5) * (np.pi / NODES))) * (2.0 / NODES)
TO_SERIES[0] /= 2.0


def cone_logs(raster: Raster, centres: Floats, rate: float) -> Plane:
    """log sum_i exp(-rate |c_i - x|) at each pixel."""
    out = np.empty(raster.shape, dtype=np.float32)
    if not out.size:
        return out
    scaled, places = Raster(raster.x * rate, raster.y * rate), centres * rate
    edge = min(_edge(scaled.x), _edge(scaled.y))
    smooth = edge >= EDGES[0]
    columns, rows = (_cuts(axis, edge if smooth else EDGES[1]) for axis in (scaled.x, scaled.y))
    drop = DIGITS + np.log(len(places))
    for row in rows:
        for column in columns:
            check_cancelled()
            _fill(out[row.span, column.span], column, row, places, drop, smooth=smooth)
    return out


@dataclass(frozen=True, eq=False)
class Cut:
    """A piece of an axis: its pixels, middle and half its width."""

    span: slice
    at: Floats
    middle: float
    half: float

    @property
    def nodes(self) -> Floats:
        """The Chebyshev nodes over it."""
        return np.asarray(self.middle + self.half * PLACES)

    @property
    def series(self) -> Floats:
        """The Chebyshev polynomials at its pixels."""
        return np.asarray(chebvander((self.at - self.middle) / (self.half or 1.0), NODES - 1))


def _edge(axis: Floats) -> int:
    """How many pixels of an axis are as wide as a tile may be."""
    pixel = float(np.ptp(axis)) / max(len(axis) - 1, 1)
    return int(min(WIDE / pixel, EDGES[1])) if pixel > 0 else EDGES[1]


def _cuts(axis: Floats, edge: int) -> list[Cut]:
    count = -(-len(axis) // edge)
    found = []
    for first, last in pairwise(np.linspace(0, len(axis), count + 1).astype(int).tolist()):
        at = axis[first:last]
        low, high = float(at.min()), float(at.max())
        found.append(Cut(slice(first, last), at, (low + high) / 2, (high - low) / 2))
    return found


def _fill(out: Plane, column: Cut, row: Cut, centres: Floats, drop: float, *, smooth: bool) -> None:
    """One tile: distances from its middle say which centres matter, and which of them are near."""
    across, down = np.abs(centres[:, 0] - column.middle), np.abs(centres[:, 1] - row.middle)
    distance = np.hypot(across, down)
    least, reach = float(distance.min()), float(np.hypot(column.half, row.half))
    matter = distance <= least + 2 * reach + drop
    near = matter & (across <= FAR * column.half) & (down <= FAR * row.half)
    far = matter & ~near
    sums = _smooth(column, row, centres[far], least) if smooth and far.any() else None
    if sums is None:
        out[:] = _summed_logs(column, row, centres[matter])
        return
    for part in _parted(centres[near], out.size):
        power = _distances(column.at, row.at, part)
        np.subtract(np.float32(least), power, out=power)
        sums += np.exp(power, out=power).sum(axis=0)
    np.log(sums, out=out)
    out -= np.float32(least)


def _summed_logs(column: Cut, row: Cut, centres: Floats) -> Plane:
    """The same pixel by pixel, each with its own nearest centre for the scale."""
    found: Plane | None = None
    for part in _parted(centres, len(column.at) * len(row.at)):
        power = _distances(column.at, row.at, part)
        least = power.min(axis=0)
        np.subtract(least, power, out=power)
        logs = np.log(np.exp(power, out=power).sum(axis=0)) - least
        found = logs if found is None else np.logaddexp(found, logs)
    return np.asarray(found)


def _parted(centres: Floats, pixels: int) -> list[Floats]:
    step = max(CHUNK // pixels, 1)
    return [centres[start : start + step] for start in range(0, len(centres), step)]


def _distances(x: Floats, y: Floats, centres: Floats) -> Plane:
    """|c - x| (n, H, W); squares are taken in double precision."""
    across = ((x - centres[:, :1]) ** 2).astype(np.float32)
    down = ((y - centres[:, 1:]) ** 2).astype(np.float32)
    square = down[:, :, None] + across[:, None, :]
    np.sqrt(square, out=square)
    return square


def _smooth(column: Cut, row: Cut, centres: Floats, least: float) -> Plane | None:
    """The sum of far centres from its values at the nodes; None where these do not say all of it."""
    power = _distances(column.nodes, row.nodes, centres)
    values = np.exp(np.float32(least) - power).sum(axis=0, dtype=np.float64)
    series = TO_SERIES @ values @ TO_SERIES.T
    tail = max(np.abs(series[-TAIL:]).max(), np.abs(series[:, -TAIL:]).max())
    if tail > NEGLIGIBLE * values.min():
        return None
    across = column.series.T.astype(np.float32)
    return np.asarray((row.series @ series).astype(np.float32) @ across)
