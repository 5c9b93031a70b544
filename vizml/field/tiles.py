"""Square tiles of pixels, in which a function is the polynomial through its values at Chebyshev nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from vizml.field.lattice import Ints, Mask, Window
from vizml.field.raster import Field, Floats

NODES, TAIL = 10, 2
"""Nodes along an edge, and how many of the last coefficients must be negligible."""
SIZES = (256, 128, 64, 32, 16)
"""Edges of tiles in pixels; the smallest are evaluated pixel by pixel where nodes do not do."""
PLACES = np.cos((np.arange(NODES) + 0.5) * (np.pi / NODES))
TO_SERIES = np.cos(np.outer(np.arange(NODES), (np.arange(NODES) + 0.5) * (np.pi / NODES))) * (2.0 / NODES)
TO_SERIES[0] /= 2.0


def weights_at(places: Floats) -> Floats:
    """What the values at the nodes of -1..1 weigh at places (m,) there, (m, NODES)."""
    return np.asarray(chebvander(places, NODES - 1) @ TO_SERIES)


def nodes_within(ends: Floats) -> Floats:
    """The nodes (t, NODES) between ends (t, 2)."""
    return between(ends, PLACES)


def tails(values: Floats) -> Floats:
    """The largest of the last coefficients of each polynomial through values (..., NODES, NODES)."""
    last = TO_SERIES[-TAIL:]
    down = np.abs((last @ values) @ TO_SERIES.T).max(axis=(-2, -1))
    across = np.abs(TO_SERIES @ (values @ last.T)).max(axis=(-2, -1))
    return np.asarray(np.maximum(down, across))


def between(ends: Floats, places: Floats) -> Floats:
    """Places from -1 to 1 (a,) between ends (t, 2), (t, a)."""
    low, high = ends.T[:, :, None]
    return np.asarray((low + high) / 2 + (high - low) / 2 * places)


@dataclass(frozen=True, eq=False)
class Tiles:
    """Tiles of one size, by their numbers, and the parts at their nodes."""

    size: int
    across: Ints
    down: Ints
    known: Floats
    """The values (t, P, NODES, NODES) of all parts, down before across."""
    open: Mask
    """Which parts of each (t, parts) are still to be evaluated."""

    def __len__(self) -> int:
        return len(self.across)

    def some(self, which: Mask) -> Tiles:
        """Some of them."""
        return Tiles(self.size, self.across[which], self.down[which], self.known[which], self.open[which])

    def and_(self, more: Tiles) -> Tiles:
        """With others of the same size."""
        names = ("across", "down", "known", "open")
        return Tiles(self.size, *(np.concatenate([getattr(t, name) for t in (self, more)]) for name in names))

    def split(self) -> Tiles:
        """Four of half the size for each, with what these know of them."""
        parent, half = np.repeat(np.arange(len(self)), 4), np.tile(np.arange(4), len(self))
        right, up = half % 2, half // 2
        known = np.empty((len(parent), *self.known.shape[1:]))
        for corner in range(4):
            to_x, to_y = _to_half(corner % 2), _to_half(corner // 2)
            known[corner::4] = to_y @ self.known @ to_x.T
        across, down = 2 * self.across[parent] + right, 2 * self.down[parent] + up
        return Tiles(self.size // 2, across, down, known, self.open[parent])


@dataclass(frozen=True, eq=False)
class Leaves:
    """Tiles of one size that are done, and what they show at the nodes (t, K, NODES, NODES)."""

    size: int
    across: Ints
    down: Ints
    values: Field

    @classmethod
    def of(cls, tiles: Tiles, values: Floats) -> Leaves:
        """Of tiles, in single precision."""
        return cls(tiles.size, tiles.across, tiles.down, values.astype(np.float32))

    def and_(self, more: Leaves) -> Leaves:
        """With others of the same size."""
        names = ("across", "down", "values")
        return Leaves(
            self.size, *(np.concatenate([getattr(t, name) for t in (self, more)]) for name in names)
        )

    def pixels(self, window: Window) -> Leaves:
        """Those that meet a window, with what they show at its pixels (t, K, size, size)."""
        mine = window.meets(self.size, self.across, self.down)
        to_x, to_y = (weights_at(places).astype(np.float32) for places in places_of(window, self.size))
        values = (to_y @ self.values[mine]) @ np.ascontiguousarray(to_x.T)
        return Leaves(self.size, self.across[mine], self.down[mine], values)


def places_of(window: Window, size: int) -> tuple[Floats, Floats]:
    """Where the pixels of a window are in each tile of a size, from -1 to 1, along x and along y."""
    right, up = window.beyond
    pixels = np.arange(size, dtype=np.float64)
    return (pixels + right) * (2.0 / size) - 1.0, (pixels + up) * (2.0 / size) - 1.0


@cache
def _to_half(side: int) -> Floats:
    """What the nodes of a tile weigh at those of its lower or upper half (NODES, NODES)."""
    return weights_at((PLACES + 2 * side - 1) / 2)
