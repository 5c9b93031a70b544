"""Smooth functions on a raster: sum c_ij T_i(y) T_j(x), exact from its values at m x m Chebyshev nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from vizml.field.lattice import Lattice
from vizml.field.mosaic import Mosaic, Part, Recipe
from vizml.field.raster import Field, Floats, Raster, pointwise

NEGLIGIBLE = 2.0**-28
"""Coefficients below this share of the largest value are lost in a float32 anyway."""
LARGEST = float(np.finfo(np.float32).max)
TAIL = 3
"""How many of the last coefficients must be negligible (odd and even ones may vanish by symmetry)."""

Scores = Callable[[Floats], Floats]
"""Values (n, K) at points (n, 2)."""


def nodes(axis: Floats, count: int) -> Floats:
    """The Chebyshev nodes of the first kind over the extent of an axis."""
    middle, half = _span(axis)
    return np.asarray(middle + half * np.cos((np.arange(count) + 0.5) * (np.pi / count)))


def interpolate(raster: Raster, values: Floats) -> Field:
    """The polynomial through values (K, my, mx) at the nodes of both axes, everywhere on the raster."""
    return expand(raster, coefficients(values))


def coefficients(values: Floats) -> Floats:
    """The Chebyshev coefficients (K, my, mx) of values at the nodes."""
    return np.asarray(_transform(values.shape[1]) @ values @ _transform(values.shape[2]).T)


def expand(raster: Raster, series: Floats, over: Raster | None = None) -> Field:
    """Chebyshev series (K, my, mx) over the extent of the raster, or of one that it lies in.

    The second product may be float32: whatever cancels has done so in the coefficients.
    """
    series = _trimmed(series)
    span = over or raster
    across = np.ascontiguousarray(_basis(raster.x, series.shape[2], span.x).T, dtype=np.float32)
    down = _basis(raster.y, series.shape[1], span.y)
    out = np.empty((len(series), *raster.shape), dtype=np.float32)
    for plane, terms in zip(out, series, strict=True):
        rows = down @ terms
        if np.abs(rows).max(initial=0.0) < LARGEST / rows.shape[1]:
            np.matmul(rows.astype(np.float32), across, out=plane)
        else:
            np.clip(rows @ across.astype(np.float64), -LARGEST, LARGEST, out=plane, casting="same_kind")
    return out


def polynomial_through(scores: Scores, raster: Raster, degree: int) -> Field:
    """Any polynomial of a degree in each coordinate: degree + 1 nodes an axis say all of it.

    Well-conditioned wherever the raster lies, since the nodes lie on it.
    """
    return expand(raster, coefficients(_at_nodes(scores, raster, degree + 1)))


def smooth_field(scores: Scores, raster: Raster, planes: int, start: int = 24, most: int = 122) -> Field:
    """Any function: more nodes until the tail is negligible, tile by tile where it is not smooth enough."""
    count, largest = start, 0.0
    while count <= most:
        series = coefficients(_at_nodes(scores, raster, count))
        largest = float(np.abs(series).max(initial=0.0))
        if tail(series) <= NEGLIGIBLE * largest:
            return expand(raster, series)
        count += count // 2
    if len(raster.x) * len(raster.y) <= most * most:
        return pointwise(scores, raster, planes)
    return _tiled(scores, raster, planes, NEGLIGIBLE * largest)


def _tiled(scores: Scores, raster: Raster, planes: int, faint: float) -> Field:
    lattice = Lattice.of(raster)
    view = lattice.window(raster) if lattice else None
    if lattice is None or view is None:
        return pointwise(scores, raster, planes)
    return Mosaic(_Plain((_Scores(scores, planes),), faint), lattice).over(view).paint(view)


@dataclass(frozen=True)
class _Scores(Part):
    """All planes at once."""

    scores: Scores
    planes: int

    def values(self, x: Floats, y: Floats) -> Floats:
        places = np.stack(np.broadcast_arrays(x[:, None, :], y[:, :, None]), axis=-1)
        values = np.asarray(self.scores(places.reshape(-1, 2)))
        return np.moveaxis(values.reshape(*places.shape[:-1], self.planes), -1, 1)

    def exact(self, known: Floats, allowed: Floats) -> Floats:
        return np.broadcast_to(allowed[:, None], known.shape[:2])


@dataclass(frozen=True)
class _Plain(Recipe):
    """Parts as they are, which may be off by so much."""

    parts: Sequence[Part]
    faint: float

    def show(self, known: Floats) -> Floats:
        return known

    def allowed(self, shown: Floats, size: int) -> Floats:
        del size
        return np.full(len(shown), self.faint)


def _at_nodes(scores: Scores, raster: Raster, count: int) -> Floats:
    coarse = Raster(nodes(raster.x, count), nodes(raster.y, count))
    return np.asarray(scores(coarse.points())).T.reshape(-1, count, count)


def _span(axis: Floats) -> tuple[float, float]:
    low, high = (float(axis.min()), float(axis.max())) if len(axis) else (0.0, 0.0)
    return (low + high) / 2, (high - low) / 2


def _transform(count: int) -> Floats:
    angles = np.outer(np.arange(count), (np.arange(count) + 0.5) * (np.pi / count))
    matrix = np.cos(angles) * (2.0 / count)
    matrix[0] /= 2.0
    return np.asarray(matrix)


def _basis(axis: Floats, count: int, extent: Floats) -> Floats:
    middle, half = _span(extent)
    return np.asarray(chebvander((axis - middle) / (half or 1.0), count - 1))


def tail(series: Floats) -> float:
    """The largest of the last coefficients: where it is negligible, there were nodes enough."""
    size = np.abs(series)
    return max(float(size[:, -TAIL:].max(initial=0.0)), float(size[:, :, -TAIL:].max(initial=0.0)))


def _trimmed(series: Floats) -> Floats:
    size = np.abs(series)
    needed = size > NEGLIGIBLE / 8 * size.max(axis=(1, 2), keepdims=True)
    rows, columns = np.flatnonzero(needed.any(axis=(0, 2))), np.flatnonzero(needed.any(axis=(0, 1)))
    height = int(rows[-1]) + 1 if len(rows) else 1
    width = int(columns[-1]) + 1 if len(columns) else 1
    return series[:, :height, :width]
