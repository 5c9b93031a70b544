"""Logs of kernel sums, log sum_i k(c_i - x), exact however far x is from all centres."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, TypeAlias

import numpy as np
from numpy.polynomial.chebyshev import chebvander
from numpy.typing import NDArray

from vizml.field.cancellation import check_cancelled
from vizml.field.raster import Floats, Raster

Plane: TypeAlias = NDArray[np.float32]
Real: TypeAlias = NDArray[np.floating[Any]]
Exponent = Callable[[Real], Real]
"""Of squared distances, which it may overwrite: what the kernel is the exponential of, negated."""

NODES, TAIL = 14, 2
"""Chebyshev nodes along a tile, and how many of the last coefficients must be negligible."""
WIDE, LARGEST = 0.9, 96
"""A tile is so many widths of the kernel wide, but has no more pixels than that along its edge."""
PART = 64
"""Pixels along a part of the raster where tiles do not pay."""
DIGITS = 17.0
"""Of terms smaller than exp(-DIGITS) / n beside the largest nothing is seen in single precision."""
NEGLIGIBLE = 1e-8
TO_SERIES = np.cos(np.outer(np.arange(NODES), (np.arange(NODES) + 0.5) * (np.pi / NODES))) * (2.0 / NODES)
TO_SERIES[0] /= 2.0
CHUNK = 1 << 17
"""Pairs of a pixel and a centre at a time."""
DROPPED, TRUSTED = -340.0, -300.0
"""Factors with exponents below are left out; sums with logs above have lost nothing by that."""


def gaussian_logs(raster: Raster, centres: Floats, gamma: float) -> Plane:
    """log sum_i exp(-gamma |c_i - x|^2) at each pixel.

    In a small tile the sum is a polynomial through a few nodes, exact beside its least value there; tiles in
    which it is not are summed.
    """
    out = np.empty(raster.shape, dtype=np.float32)
    if not out.size:
        return out
    size = min(_tile(axis, gamma) for axis in (raster.x, raster.y))
    if size < 2 * NODES:
        _by_parts(out, raster, centres, gamma)
        return out
    tiles = Tiles(Cuts.of(raster.x, size), Cuts.of(raster.y, size))
    sums = _factors(tiles.y.nodes, centres[:, 1], gamma) @ _factors(tiles.x.nodes, centres[:, 0], gamma).T
    values = tiles.parted(sums)
    coefficients = TO_SERIES @ values @ TO_SERIES.T
    tail = np.maximum(
        np.abs(coefficients[:, :, -TAIL:]).max(axis=(2, 3)),
        np.abs(coefficients[:, :, :, -TAIL:]).max(axis=(2, 3)),
    )
    least = values.min(axis=(2, 3))
    smooth = (tail <= NEGLIGIBLE * least) & (least > np.exp(TRUSTED))
    for j, rows in enumerate(tiles.y.spans):
        down = tiles.y.series[rows] @ coefficients[j]
        for i, columns in enumerate(tiles.x.spans):
            if smooth[j, i]:
                np.log(down[i] @ tiles.x.series[columns].T, out=out[rows, columns], casting="same_kind")
            else:
                out[rows, columns] = _part_logs(raster, rows, columns, centres, gamma)
    return out


def _by_parts(out: Plane, raster: Raster, centres: Floats, gamma: float) -> None:
    """Where the kernel is narrow few centres matter in a part of the raster, and these are summed up."""
    for top, left in product(*(range(0, length, PART) for length in raster.shape)):
        rows, columns = slice(top, top + PART), slice(left, left + PART)
        out[rows, columns] = _part_logs(raster, rows, columns, centres, gamma)


def _part_logs(raster: Raster, rows: slice, columns: slice, centres: Floats, gamma: float) -> Plane:
    """Those of some rows and columns."""
    check_cancelled()
    part = Raster(raster.x[columns], raster.y[rows])
    return _summed_logs(part, centres[_seen(part, centres, gamma)], gamma)


def _seen(raster: Raster, centres: Floats, gamma: float) -> NDArray[np.bool_]:
    """The centres that show in single precision, beside the nearest one, somewhere on a raster."""
    low, high = (np.array([pick(raster.x), pick(raster.y)]) for pick in (np.min, np.max))
    reach = float(np.hypot(*(high - low))) / 2
    distance = np.hypot(*(centres - (low + high) / 2).T)
    farthest = float(distance.min()) + reach
    return np.asarray(distance <= np.sqrt(farthest**2 + (DIGITS + np.log(len(centres))) / gamma) + reach)


def _tile(axis: Floats, gamma: float) -> int:
    """How many pixels a tile may have along an axis."""
    pixel = float(np.ptp(axis)) / max(len(axis) - 1, 1)
    width = WIDE / np.sqrt(gamma)
    return LARGEST if LARGEST * pixel <= width else int(width / pixel)


def _summed_logs(raster: Raster, centres: Floats, gamma: float) -> Plane:
    """The same by a matrix product, and pixel by pixel far out."""
    sums = _factors(raster.y, centres[:, 1], gamma) @ _factors(raster.x, centres[:, 0], gamma).T
    far = np.flatnonzero(sums <= np.exp(TRUSTED))
    logs = np.log(np.maximum(sums, np.exp(TRUSTED))).astype(np.float32)
    if len(far):
        logs.ravel()[far] = _pixels(raster, far, centres, gamma)
    return logs


@dataclass(frozen=True, eq=False)
class Cuts:
    """An axis in pieces, with the Chebyshev nodes of each and the polynomials at its pixels."""

    spans: tuple[slice, ...]
    nodes: Floats
    series: Floats

    @classmethod
    def of(cls, axis: Floats, size: int) -> Cuts:
        """Pieces of about so many pixels."""
        count = -(-len(axis) // size)
        edges = np.linspace(0, len(axis), count + 1).astype(int)
        spans = tuple(slice(a, b) for a, b in pairwise(edges.tolist()))
        low = np.array([axis[span].min() for span in spans])
        half = (np.array([axis[span].max() for span in spans]) - low) / 2
        middle = low + half
        places = np.cos((np.arange(NODES) + 0.5) * (np.pi / NODES))
        which = np.repeat(np.arange(count), np.diff(edges))
        u = (axis - middle[which]) / np.where(half > 0, half, 1.0)[which]
        return cls(spans, (middle[:, None] + half[:, None] * places).ravel(), chebvander(u, NODES - 1))


@dataclass(frozen=True, eq=False)
class Tiles:
    """A raster in pieces along both axes."""

    x: Cuts
    y: Cuts

    def parted(self, values: Floats) -> Floats:
        """Values at all nodes as (tiles down, tiles across, NODES, NODES)."""
        grid = values.reshape(len(self.y.spans), NODES, len(self.x.spans), NODES)
        return grid.transpose(0, 2, 1, 3)


def log_sums(X: Floats, centres: Floats, exponent: Exponent) -> Floats:
    """log sum_i exp(-exponent(|c_i - x|^2)) at points (m, 2), in double precision."""
    out = np.empty(len(X))
    step = max(CHUNK // len(centres), 1)
    for start in range(0, len(X), step):
        check_cancelled()
        part = X[start : start + step]
        square = (part[:, :1] - centres[:, 0]) ** 2 + (part[:, 1:] - centres[:, 1]) ** 2
        out[start : start + step] = _row_logs(exponent(square))
    return out


def _pixels(raster: Raster, which: NDArray[np.intp], centres: Floats, gamma: float) -> Plane:
    """The logs at some pixels, in single precision; differences are taken in double."""
    out = np.empty(len(which), dtype=np.float32)
    columns = ((raster.x[:, None] - centres[:, 0]) ** 2).astype(np.float32)
    rows = ((raster.y[:, None] - centres[:, 1]) ** 2).astype(np.float32)
    step = max(CHUNK // len(centres), 1)
    for start in range(0, len(which), step):
        row, column = np.divmod(which[start : start + step], len(raster.x))
        square = columns[column]
        square += rows[row]
        square *= np.float32(gamma)
        out[start : start + step] = _row_logs(square)
    return out


def _row_logs(power: Real) -> Real:
    """log sum exp(-power) of each row; overwrites it."""
    least = power.min(axis=1)
    np.subtract(least[:, None], power, out=power)
    np.exp(power, out=power)
    return np.asarray(np.log(power.sum(axis=1)) - least)


def _factors(axis: Floats, centres: Floats, gamma: float) -> Floats:
    power = -gamma * (axis[:, None] - centres) ** 2
    raised = np.exp(power)
    raised[power < DROPPED] = 0.0
    return np.asarray(raised)
