"""Functions on a raster in square tiles, in which a polynomial through Chebyshev nodes is exact enough.

Tiles are halved until that is so. They are kept: a view that moves by whole pixels only adds new ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.field.chebyshev import (
    NEGLIGIBLE,
    TAIL,
    Scores,
    coefficients,
    expand,
    tail,
    transform,
    unit_nodes,
    values_at_nodes,
)
from vizml.field.raster import BandCache, Field, Raster, pointwise

NODES = 10
"""Nodes along the edge of a tile."""
SIZES = (256, 128, 64, 32, 16)
"""Edges of tiles in pixels; the smallest are evaluated pixel by pixel where needed."""
EVEN = 0.01
"""Deviation from even steps, in pixels, up to which a raster is divided into tiles."""
MOST = 4
"""Tiles of the largest size that are kept, in multiples of those of a view."""
VIEWS = 2
"""Views of different scales whose tiles are kept: a coarse preview may precede each exact picture."""
ENDS = np.array([-1.0, 1.0])
QUARTERS = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])
PLACES, TO_SERIES = unit_nodes(NODES), transform(NODES)

Evaluate = Callable[[Floats, Floats], Floats]
"""Values (t, K, b, a) on the grids of t tiles, from their x (t, a) and y (t, b)."""
Hides = Callable[[Floats, Floats], Mask]
"""Whether tiles with ends x (t, 2) and y (t, 2) may hide details between their nodes."""
Allowed = Callable[[Floats, int], Floats]
"""Largest error (t,) allowed in tiles, from the values at their nodes and their size in pixels."""


class TiledFunction(NamedTuple):
    """A function (K, H, W) to interpolate."""

    planes: int
    evaluate: Evaluate
    allowed: Allowed
    hides: Hides = lambda x, _: np.zeros(len(x), dtype=bool)
    """Tiles that may hide details are divided without being evaluated."""


@dataclass(frozen=True)
class Lattice:
    """Pixel (i, j) of a raster lies at (x + i across, y + j down)."""

    x: float
    y: float
    across: float
    down: float

    @classmethod
    def of(cls, raster: Raster) -> Lattice | None:
        """Return the lattice of a raster; None where its axes do not have even steps."""
        steps = [_even_step(axis) for axis in (raster.x, raster.y)]
        if not raster.x.size or not raster.y.size or None in steps:
            return None
        return cls(float(raster.x[0]), float(raster.y[0]), steps[0] or 1.0, steps[1] or 1.0)

    def places(self, size: int, tiles: Ints, within: Floats) -> tuple[Floats, Floats]:
        """Return x and y (t, m) of places (m,) in tiles: -1 is their first pixel, 1 that of the next tile."""
        across, down = (size * (tile[:, None] + (within + 1.0) / 2.0) for tile in tiles.T)
        return self.x + across * self.across, self.y + down * self.down

    def pixel(self, raster: Raster) -> Ints | None:
        """Return the column and the row of the first pixel of a raster; None where pixels lie between."""
        found = []
        for axis, first, step in ((raster.x, self.x, self.across), (raster.y, self.y, self.down)):
            ends = (axis[[0, -1]] - first) / step
            number, rounding = np.round(ends[0]), _rounding(axis, step)
            if np.abs(ends - [number, number + len(axis) - 1]).max() > EVEN + rounding:
                return None
            found.append(int(number))
        return np.array(found)


def _pixels(size: int) -> Floats:
    """Return the places of pixels in a tile."""
    return np.arange(size, dtype=np.float64) * (2.0 / size) - 1.0


LEVELS = (*((size, PLACES) for size in SIZES), (SIZES[-1], _pixels(SIZES[-1])))
"""Edges of tiles and the places in them at which the function is evaluated: nodes, at last pixels."""


class TiledField:
    """The field of a function, with the tiles of its latest views."""

    def __init__(self, function: TiledFunction) -> None:
        self._function = function
        self._views: tuple[AdaptiveTiles, ...] = ()
        self._bands = BandCache()

    def field(self, raster: Raster) -> Field | None:
        """Return the values (K, H, W) on a raster; None where its pixels do not have even steps."""
        lattice = Lattice.of(raster.whole)
        if lattice is None:
            return None
        return self._bands.band(raster, self._function.planes, partial(self._paint, lattice))

    def _paint(self, lattice: Lattice, raster: Raster) -> Field:
        for tiles in self._views:
            first = tiles.lattice.pixel(raster)
            if first is not None:
                break
        else:
            tiles, first = AdaptiveTiles(self._function, lattice), np.zeros(2, dtype=int)
        self._views = (tiles, *(each for each in self._views if each is not tiles))[:VIEWS]
        return tiles.field(first, raster.shape)


class AdaptiveTiles:
    """Tiles of a function on a lattice, as large as the allowed error admits, evaluated where they show."""

    def __init__(self, function: TiledFunction, lattice: Lattice) -> None:
        self.lattice, self._function = lattice, function
        self._levels: list[dict[tuple[int, int], Field | None]] = [{} for _ in LEVELS]
        """Values (K, n, n) in tiles by column and row; None in tiles that are divided."""

    def field(self, first: Ints, shape: tuple[int, int]) -> Field:
        """Return the values (K, H, W) in a window, from its first pixel (column, row)."""
        last, whole = first + shape[::-1], SIZES[0]
        start, stop = first // whole, -(-last // whole)
        tiles = np.stack(np.meshgrid(*map(np.arange, start, stop), indexing="ij"), axis=-1).reshape(-1, 2)
        if len(self._levels[0]) > MOST * len(tiles):
            self._levels = [{} for _ in LEVELS]
        width, height = (stop - start) * whole
        canvas = np.empty((self._function.planes, height, width), dtype=np.float32)
        for level, (size, _) in enumerate(LEVELS):
            tiles = tiles[((tiles + 1) * size > first).all(axis=1) & (tiles * size < last).all(axis=1)]
            found = self._values(level, tiles)
            known = [values for values in found if values is not None]
            if known:
                done = np.array([values is not None for values in found])
                _fill(canvas, size, tiles[done] - start * (whole // size), np.stack(known))
                tiles = tiles[~done]
            if size > SIZES[-1]:
                tiles = (2 * tiles[:, None] + QUARTERS).reshape(-1, 2)
        (left, bottom), (right, top) = first - start * whole, last - start * whole
        return canvas[:, bottom:top, left:right]

    def _values(self, level: int, tiles: Ints) -> list[Field | None]:
        """Return the values in tiles of a level, which are computed where the tiles are new."""
        known, keys = self._levels[level], [(across, down) for across, down in tiles.tolist()]
        new = [n for n, key in enumerate(keys) if key not in known]
        if new:
            check_cancelled()
            known.update(zip([keys[n] for n in new], self._evaluated(level, tiles[new])))
        return [known[key] for key in keys]

    def _evaluated(self, level: int, tiles: Ints) -> list[Field | None]:
        """Evaluate tiles at their nodes, apart from those that may hide details, or at their pixels."""
        function, lattice, (size, places) = self._function, self.lattice, LEVELS[level]
        if level == len(SIZES):
            return list(function.evaluate(*lattice.places(size, tiles, places)).astype(np.float32))
        found: list[Field | None] = [None] * len(tiles)
        shown = np.flatnonzero(~function.hides(*lattice.places(size, tiles, ENDS)))
        if len(shown):
            values = function.evaluate(*lattice.places(size, tiles[shown], places))
            accurate = tails(values).max(axis=1) <= function.allowed(values, size)
            for n, own in zip(shown[accurate].tolist(), values[accurate].astype(np.float32)):
                found[n] = own
        return found


def smooth_field(scores: Scores, raster: Raster, planes: int, start: int = 24, most: int = 122) -> Field:
    """Evaluate any function: at more nodes until the tail is negligible; in tiles where it is too rough."""
    count, largest = start, 0.0
    while count <= most:
        series = coefficients(values_at_nodes(scores, raster, count))
        largest = float(np.abs(series).max(initial=0.0))
        if tail(series) <= NEGLIGIBLE * largest:
            return expand(raster, series)
        count += count // 2
    tiled = None
    if len(raster.x) * len(raster.y) > most * most:
        tiled = TiledField(_pointwise_function(scores, planes, NEGLIGIBLE * largest)).field(raster)
    return pointwise(scores, raster, planes) if tiled is None else tiled


def _pointwise_function(scores: Scores, planes: int, error: float) -> TiledFunction:
    def evaluate(x: Floats, y: Floats) -> Floats:
        places = np.stack(np.broadcast_arrays(x[:, None, :], y[:, :, None]), axis=-1)
        values = np.asarray(scores(places.reshape(-1, 2))).reshape(*places.shape[:-1], planes)
        return np.moveaxis(values, -1, 1)

    return TiledFunction(planes, evaluate, lambda values, _: np.full(len(values), error))


def weights_at(places: Floats) -> Floats:
    """Return the weights (m, nodes) of the values at the nodes of a tile in the polynomial at places (m,)."""
    return np.asarray(chebvander(places, NODES - 1) @ TO_SERIES)


def tails(values: Floats) -> Floats:
    """Return the largest of the last coefficients of polynomials through values (..., nodes, nodes)."""
    last = TO_SERIES[-TAIL:]
    down = np.abs((last @ values) @ TO_SERIES.T).max(axis=(-2, -1))
    across = np.abs(TO_SERIES @ (values @ last.T)).max(axis=(-2, -1))
    return np.asarray(np.maximum(down, across))


def _fill(canvas: Field, size: int, tiles: Ints, values: Field) -> None:
    """Set the pixels of tiles in a canvas that consists of whole ones, from values (t, K, n, n)."""
    planes, height, width = canvas.shape
    blocks = canvas.reshape(planes, height // size, size, width // size, size)
    if values.shape[-1] == NODES:
        weights = weights_at(_pixels(size)).astype(np.float32)
        values = np.asarray(weights @ values @ weights.T, dtype=np.float32)
    blocks[:, tiles[:, 1], :, tiles[:, 0]] = values


def _even_step(axis: Floats) -> float | None:
    """Return the step of an axis, 0 of a single value, None where steps are uneven."""
    if len(axis) < 2:
        return 0.0
    step = float(axis[-1] - axis[0]) / (len(axis) - 1)
    apart = np.abs((axis - axis[0]) / (step or 1.0) - np.arange(len(axis))).max()
    return step if step and apart <= EVEN + _rounding(axis, step) else None


def _rounding(axis: Floats, step: float) -> float:
    """Return the largest rounding error of the values of an axis, in steps."""
    return 8.0 * float(np.finfo(float).eps * np.abs(axis).max()) / max(abs(step), 1e-300)
