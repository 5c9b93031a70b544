"""Smooth functions on a raster by polynomials through Chebyshev nodes, in adaptive tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.field.raster import Field, Raster

NODES, TAIL = 10, 3
"""Nodes along the edge of a tile, and the number of last coefficients that must be negligible."""
LARGEST, SMALLEST = 256, 16
"""Edges of tiles in pixels; the smallest are evaluated pixel by pixel where nodes are not accurate enough."""
EVEN = 0.01
"""Deviation from even steps, in pixels, up to which a raster is divided into tiles."""
PLACES = np.cos((np.arange(NODES) + 0.5) * (np.pi / NODES))
ENDS = np.array([-1.0, 1.0])
TO_SERIES = np.cos(np.outer(np.arange(NODES), (np.arange(NODES) + 0.5) * (np.pi / NODES))) * (2.0 / NODES)
TO_SERIES[0] /= 2.0

Evaluate = Callable[[Floats, Floats], Floats]
"""Values (t, K, b, a) on the grids of t tiles, from their x (t, a) and y (t, b)."""
Hides = Callable[[Floats, Floats], Mask]
"""Whether tiles with ends x (t, 2) and y (t, 2) may hide details between their nodes."""
Allowed = Callable[[Floats, int], Floats]
"""Largest error (t,) allowed in tiles, from the values at their nodes and their size in pixels."""


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
        steps = [_step(axis) for axis in (raster.x, raster.y)]
        if not raster.x.size or not raster.y.size or None in steps:
            return None
        return cls(float(raster.x[0]), float(raster.y[0]), steps[0] or 1.0, steps[1] or 1.0)

    def places(self, size: int, tiles: Ints, within: Floats) -> tuple[Floats, Floats]:
        """Return x and y (t, m) of places (m,) in tiles: -1 is their first pixel, 1 that of the next tile."""
        across, down = (size * (tile[:, None] + (within + 1.0) / 2.0) for tile in tiles.T)
        return self.x + across * self.across, self.y + down * self.down


def adaptive_field(
    raster: Raster,
    lattice: Lattice,
    planes: int,
    evaluate: Evaluate,
    allowed: Allowed,
    hides: Hides | None = None,
) -> Field:
    """Interpolate a function (K, H, W) in tiles that are as large as the allowed error admits.

    Tiles that may hide details between their nodes are divided without being evaluated.
    """
    size, (height, width) = LARGEST, raster.shape
    shape = -(-width // size), -(-height // size)
    tiles = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1).reshape(-1, 2)
    canvas = np.empty((planes, shape[1] * size, shape[0] * size), dtype=np.float32)
    while len(tiles):
        check_cancelled()
        done = np.zeros(len(tiles), dtype=bool)
        asked = np.flatnonzero(~hides(*lattice.places(size, tiles, ENDS))) if hides else np.arange(len(tiles))
        if len(asked):
            values = evaluate(*lattice.places(size, tiles[asked], PLACES))
            accurate: Mask = tails(values).max(axis=1) <= allowed(values, size)
            done[asked] = accurate
            weights = weights_at(_pixels(size)).astype(np.float32)
            _fill(canvas, size, tiles[done], weights @ values[accurate].astype(np.float32) @ weights.T)
            tiles = tiles[~done]
        if size == SMALLEST and len(tiles):
            _fill(canvas, size, tiles, evaluate(*lattice.places(size, tiles, _pixels(size))))
            return canvas[:, :height, :width]
        quarters = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])
        tiles, size = (2 * tiles[:, None] + quarters).reshape(-1, 2), size // 2
        tiles = tiles[(tiles * size < (width, height)).all(axis=1)]
    return canvas[:, :height, :width]


def weights_at(places: Floats) -> Floats:
    """Return the weights (m, NODES) of the values at the nodes of -1..1 in the polynomial at places (m,)."""
    return np.asarray(chebvander(places, NODES - 1) @ TO_SERIES)


def tails(values: Floats) -> Floats:
    """Return the largest of the last coefficients of the polynomials through values (..., NODES, NODES)."""
    last = TO_SERIES[-TAIL:]
    down = np.abs((last @ values) @ TO_SERIES.T).max(axis=(-2, -1))
    across = np.abs(TO_SERIES @ (values @ last.T)).max(axis=(-2, -1))
    return np.asarray(np.maximum(down, across))


def _fill(canvas: Field, size: int, tiles: Ints, values: Floats | Field) -> None:
    """Set the pixels (t, K, size, size) of tiles in a canvas that consists of whole ones."""
    planes, height, width = canvas.shape
    blocks = canvas.reshape(planes, height // size, size, width // size, size)
    blocks[:, tiles[:, 1], :, tiles[:, 0]] = values


def _pixels(size: int) -> Floats:
    """Return the places of pixels in a tile."""
    return np.arange(size, dtype=np.float64) * (2.0 / size) - 1.0


def _step(axis: Floats) -> float | None:
    """Return the step of an axis, 0 of a single value, None where steps are uneven."""
    if len(axis) < 2:
        return 0.0
    step = float(axis[-1] - axis[0]) / (len(axis) - 1)
    rounding = 8.0 * np.finfo(float).eps * float(np.abs(axis).max()) / max(abs(step), 1e-300)
    apart = np.abs((axis - axis[0]) / (step or 1.0) - np.arange(len(axis))).max()
    return step if step and apart <= EVEN + rounding else None
