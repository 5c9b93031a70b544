"""Functions on a raster in square tiles, in which a polynomial through Chebyshev nodes is exact enough.

Tiles are halved until that is so. They are kept: a view that moves by whole pixels only adds new ones. Its
pixels then depend on earlier views, by less than the error that tiles may have; those of a picture in a file
must not, and it shares no tiles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.field.polynomial import (
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
FAR = 1 << 30
"""Pixels by which a view may move and keep its tiles."""
MOST = 4
"""Tiles of the largest size that are kept, in multiples of those of a view."""
VIEWS = 2
"""Views of different scales whose tiles are kept: a coarse preview may precede each exact picture."""
FEW = 1 << 12
"""Pixels that are evaluated one by one as quickly."""
FEWEST, LARGEST = 24, 122
"""Nodes along an axis that are tried before tiles."""
ENDS = np.array([-1.0, 1.0])
QUARTERS = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])
PLACES, TO_SERIES = unit_nodes(NODES), transform(NODES)

Evaluate = Callable[[Floats, Floats], Floats]
"""Values (t, K, b, a) on the grids of t tiles, from their x (t, a) and y (t, b)."""
Hides = Callable[[Floats, Floats], Mask]
"""Whether tiles with ends x (t, 2) and y (t, 2) may hide details between their nodes."""
Allowed = Callable[[Floats, int], Floats | float]
"""Largest error allowed in tiles, from the values at their nodes and their size in pixels."""


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
        steps = []
        for axis in (raster.x, raster.y):
            step = float(axis[-1] - axis[0]) / (len(axis) - 1) if len(axis) > 1 else float(len(axis))
            ideal = axis[:1] + step * np.arange(len(axis))
            if not step or np.abs(axis - ideal).max() > _tolerance(axis, step):
                return None
            steps.append(step)
        return cls(float(raster.x[0]), float(raster.y[0]), *steps)

    def places(self, size: int, tiles: Ints, within: Floats) -> tuple[Floats, Floats]:
        """Return x and y (t, m) of places (m,) in tiles: -1 is their first pixel, 1 that of the next tile."""
        across, down = (size * (tile[:, None] + (within + 1.0) / 2.0) for tile in tiles.T)
        return self.x + across * self.across, self.y + down * self.down

    def pixel(self, raster: Raster) -> Ints | None:
        """Return the column and the row of the first pixel of a raster; None where pixels lie between."""
        found = []
        for axis, first, step in ((raster.x, self.x, self.across), (raster.y, self.y, self.down)):
            number = round(float(np.clip((axis[0] - first) / step, -FAR, FAR)))
            ends = first + step * np.array([number, number + len(axis) - 1])
            if np.abs(axis[[0, -1]] - ends).max() > _tolerance(axis, step):
                return None
            found.append(number)
        return np.array(found)


PIXELS = {size: np.arange(size, dtype=np.float64) * (2.0 / size) - 1.0 for size in SIZES}
"""Places of pixels in a tile, by its edge."""
LEVELS = (*((size, PLACES) for size in SIZES), (SIZES[-1], PIXELS[SIZES[-1]]))
"""Edges of tiles and the places in them at which the function is evaluated: nodes, at last pixels."""
Levels: TypeAlias = list[dict[tuple[int, int], Field | None]]
"""Values (K, n, n) in the tiles of each level by column and row; None in tiles that are divided."""


@dataclass(eq=False)
class TiledField:
    """The field of a function in tiles as large as the allowed error admits, kept for its latest views.

    Tiles that may hide details are divided without being evaluated.
    """

    planes: int
    evaluate: Evaluate
    allowed: Allowed
    hides: Hides = lambda x, _: np.zeros(len(x), dtype=bool)
    _bands: BandCache = field(default_factory=BandCache)

    def field(self, raster: Raster) -> Field | None:
        """Return the values (K, H, W) on a raster; None where its pixels do not have even steps."""
        lattice = Lattice.of(raster.whole)
        return (
            None if lattice is None else self._bands.band(raster, self.planes, partial(self._paint, lattice))
        )

    def _paint(self, lattice: Lattice, raster: Raster) -> Field:
        first, views = np.zeros(2, dtype=int), _kept(self)
        for known in views:
            pixel = known.pixel(raster)
            if pixel is not None:
                lattice, first = known, pixel
        levels = views.pop(lattice, None) or [{} for _ in LEVELS]
        views[lattice] = levels
        while len(views) > VIEWS:
            del views[next(iter(views))]
        return self._window(lattice, levels, first, first + raster.shape[::-1])

    def _window(self, lattice: Lattice, levels: Levels, first: Ints, last: Ints) -> Field:
        """Return the values (K, H, W) from a first pixel (column, row) to before a last one."""
        whole = SIZES[0]
        start, stop = first // whole, -(-last // whole)
        tiles = np.stack(np.meshgrid(*map(np.arange, start, stop), indexing="ij"), axis=-1).reshape(-1, 2)
        if len(levels[0]) > MOST * len(tiles):
            levels[:] = [{} for _ in LEVELS]
        width, height = (stop - start) * whole
        canvas = np.empty((self.planes, height, width), dtype=np.float32)
        for level, (size, _) in enumerate(LEVELS):
            tiles = tiles[((tiles + 1) * size > first).all(axis=1) & (tiles * size < last).all(axis=1)]
            found = self._values(lattice, levels, level, tiles)
            known = [values for values in found if values is not None]
            if known:
                done = np.array([values is not None for values in found])
                _fill(canvas, size, tiles[done] - start * (whole // size), np.stack(known))
                tiles = tiles[~done]
            if size > SIZES[-1]:
                tiles = (2 * tiles[:, None] + QUARTERS).reshape(-1, 2)
        (left, bottom), (right, top) = first - start * whole, last - start * whole
        return canvas[:, bottom:top, left:right]

    def _values(self, lattice: Lattice, levels: Levels, level: int, tiles: Ints) -> list[Field | None]:
        """Return the values in tiles of a level, which are computed where the tiles are new."""
        known, keys = levels[level], [(across, down) for across, down in tiles.tolist()]
        new = [n for n, key in enumerate(keys) if key not in known]
        if new:
            check_cancelled()
            known.update(zip([keys[n] for n in new], self._evaluated(lattice, level, tiles[new])))
        return [known[key] for key in keys]

    def _evaluated(self, lattice: Lattice, level: int, tiles: Ints) -> list[Field | None]:
        """Evaluate tiles at their nodes, apart from those that may hide details, or at their pixels."""
        size, places = LEVELS[level]
        if level == len(SIZES):
            return list(self.evaluate(*lattice.places(size, tiles, places)).astype(np.float32))
        found: list[Field | None] = [None] * len(tiles)
        shown = np.flatnonzero(~self.hides(*lattice.places(size, tiles, ENDS)))
        if len(shown):
            values = self.evaluate(*lattice.places(size, tiles[shown], places))
            accurate = tails(values).max(axis=1) <= self.allowed(values, size)
            for n, own in zip(shown[accurate].tolist(), values[accurate].astype(np.float32)):
                found[n] = own
        return found


@contextmanager
def own_tiles() -> Iterator[None]:
    """Share no tiles in this context with other views."""
    before = _KEPT.set(WeakKeyDictionary())
    try:
        yield
    finally:
        _KEPT.reset(before)


def _kept(tiled: TiledField) -> dict[Lattice, Levels]:
    """Return the tiles of the latest views by their lattices; each thread has its own."""
    kept = _KEPT.get(None)
    if kept is None:
        kept = WeakKeyDictionary()
        _KEPT.set(kept)
    return kept.setdefault(tiled, {})


_KEPT: ContextVar[WeakKeyDictionary[TiledField, dict[Lattice, Levels]]] = ContextVar("kept")


def smooth_field(scores: Scores, raster: Raster, planes: int) -> Field:
    """Evaluate any function: at more nodes until the tail is negligible; in tiles where it is too rough."""
    count, largest = FEWEST, 0.0
    while count <= LARGEST:
        series = coefficients(values_at_nodes(scores, raster, count))
        largest = float(np.abs(series).max(initial=0.0))
        if tail(series) <= NEGLIGIBLE * largest:
            return expand(raster, series)
        count += count // 2
    if len(raster.x) * len(raster.y) <= LARGEST * LARGEST:
        return pointwise(scores, raster, planes)

    found = tiled(scores, planes, NEGLIGIBLE * largest).field(raster)
    return pointwise(scores, raster, planes) if found is None else found


def are_many(raster: Raster) -> bool:
    """Whether tiles pay for the pixels of a raster."""
    return math.prod(raster.whole.shape) > FEW


def tiled(scores: Scores, planes: int, error: float, widest: float = np.inf) -> TiledField:
    """Return the field of any function with some error, in tiles that are not wider than its details."""

    def evaluate(x: Floats, y: Floats) -> Floats:
        places = np.stack(np.broadcast_arrays(x[:, None, :], y[:, :, None]), axis=-1)
        values = np.asarray(scores(places.reshape(-1, 2))).reshape(*places.shape[:-1], planes)
        return np.moveaxis(values, -1, 1)

    def hides(x: Floats, y: Floats) -> Mask:
        return np.asarray(np.maximum(np.ptp(x, axis=1), np.ptp(y, axis=1)) > widest)

    return TiledField(planes, evaluate, lambda *_: error, hides)


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
        weights = weights_at(PIXELS[size]).astype(np.float32)
        values = np.asarray(weights @ values @ weights.T, dtype=np.float32)
    blocks[:, tiles[:, 1], :, tiles[:, 0]] = values


def _tolerance(axis: Floats, step: float) -> float:
    """Return the deviation from even steps that is allowed, with that of rounding."""
    return EVEN * abs(step) + 8.0 * float(np.finfo(float).eps * np.abs(axis).max())
