"""A function on a raster in square tiles, halved until a few Chebyshev nodes along each axis say all of it.

What is shown may be made of parts that cost more than it does: each is evaluated down to the tiles in which
the polynomial through its nodes is exact, and from there on that polynomial is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.polynomial.chebyshev import chebvander
from numpy.typing import NDArray

from vizml.field.patience import go_on
from vizml.field.raster import Field, Floats, Raster

Ints: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
OnGrids = Callable[[Floats, Floats], Floats]
"""Values (t, b, a) on the grids of t tiles, from their x (t, a) and y (t, b)."""
Hides = Callable[[Floats, Floats], Mask]
"""Whether tiles may hide something between their nodes, from the ends (t, 2) of their x and y."""

NODES, TAIL = 10, 2
"""Nodes along an edge, and how many of the last coefficients must be negligible."""
SIZES = (256, 128, 64, 32, 16)
"""Edges of tiles in pixels; the smallest are evaluated pixel by pixel where nodes do not do."""
PLACES = np.cos((np.arange(NODES) + 0.5) * (np.pi / NODES))
TO_SERIES = np.cos(np.outer(np.arange(NODES), (np.arange(NODES) + 0.5) * (np.pi / NODES))) * (2.0 / NODES)
TO_SERIES[0] /= 2.0


def nodes_within(ends: Floats) -> Floats:
    """The nodes (m, NODES) between ends (m, 2)."""
    low, high = ends.T[:, :, None]
    return np.asarray((low + high) / 2 + (high - low) / 2 * PLACES)


def weights_of_nodes(ends: Floats, places: Floats) -> Floats:
    """What the values at the nodes between ends (m, 2) weigh at places (m, a) there, (m, a, NODES)."""
    low, high = ends.T[:, :, None]
    half = np.where(high > low, (high - low) / 2, 1.0)
    return np.asarray(chebvander((places - (low + high) / 2) / half, NODES - 1) @ TO_SERIES)


@dataclass(frozen=True)
class Part:
    """What costs much, and how large the last coefficients of its polynomials may be (t,)."""

    values: OnGrids
    exact: Callable[[Floats], Floats]
    """Asked with the values (q, t, NODES, NODES) of all parts."""


@dataclass(frozen=True, eq=False)
class Cut:
    """An axis in pieces of so many pixels."""

    axis: Floats
    size: int

    def __len__(self) -> int:
        return (len(self.axis) + self.size - 1) // self.size

    @cached_property
    def pixels(self) -> Floats:
        """Of each piece (pieces, size), the last pixel again where there are no more."""
        return np.pad(self.axis, (0, -len(self.axis) % self.size), mode="edge").reshape(-1, self.size)

    @cached_property
    def ends(self) -> Floats:
        """(pieces, 2)"""
        return np.column_stack([self.pixels.min(axis=1), self.pixels.max(axis=1)])

    @cached_property
    def nodes(self) -> Floats:
        """(pieces, NODES)"""
        return nodes_within(self.ends)

    def weights(self, pieces: Ints, places: Floats) -> Floats:
        """What the values at the nodes of pieces (m,) weigh at places (m, a) in them, (m, a, NODES)."""
        return weights_of_nodes(self.ends[pieces], places)

    @cached_property
    def at_pixels(self) -> Field:
        """The weights at the pixels of all pieces (pieces, size, NODES)."""
        return self.weights(np.arange(len(self)), self.pixels).astype(np.float32)

    @cached_property
    def to_pixels(self) -> Field:
        """The same turned (pieces, NODES, size), in the order that products are quick in."""
        return np.ascontiguousarray(self.at_pixels.swapaxes(1, 2))


@dataclass(frozen=True, eq=False)
class Tiles:
    """Tiles of one size, by their place among all of that size, and the parts at their nodes."""

    x: Cut
    y: Cut
    across: Ints
    down: Ints
    known: Floats
    """The values (q, t, NODES, NODES) of each part, down before across."""
    open: Mask
    """Which of them (q, t) are still to be evaluated."""

    @classmethod
    def over(cls, raster: Raster, size: int, parts: int) -> Tiles:
        """All of a raster, of which nothing is known."""
        x, y = Cut(raster.x, size), Cut(raster.y, size)
        down, across = np.divmod(np.arange(len(x) * len(y)), len(x))
        known = np.zeros((parts, len(down), NODES, NODES))
        return cls(x, y, across, down, known, np.ones(known.shape[:2], dtype=bool))

    def __len__(self) -> int:
        return len(self.across)

    def some(self, which: Mask) -> Tiles:
        """Some of them."""
        return Tiles(
            self.x, self.y, self.across[which], self.down[which], self.known[:, which], self.open[:, which]
        )

    def evaluated(self, parts: Sequence[Part], hiding: Mask) -> Tiles:
        """With all values; open stays what is not exact, or may hide something."""
        known, open_ = self.known.copy(), self.open.copy()
        for values, mine, part in zip(known, open_, parts, strict=True):
            go_on()
            values[mine] = part.values(self.x.nodes[self.across[mine]], self.y.nodes[self.down[mine]])
        for values, mine, part in zip(known, open_, parts, strict=True):
            np.logical_and(mine, hiding | (_tails(values) > part.exact(known)), out=mine)
        return replace(self, known=known, open=open_)

    def split(self, size: int) -> Tiles:
        """Smaller ones, with what these know of them."""
        factor = self.x.size // size
        x, y = Cut(self.x.axis, size), Cut(self.y.axis, size)
        step_down, step_across = np.divmod(np.arange(factor**2), factor)
        down = (self.down[:, None] * factor + step_down).ravel()
        across = (self.across[:, None] * factor + step_across).ravel()
        inside = (down < len(y)) & (across < len(x))
        parent = np.repeat(np.arange(len(self)), factor**2)[inside]
        down, across = down[inside], across[inside]
        every_x, every_y = np.arange(len(x)), np.arange(len(y))
        from_y = self.y.weights(every_y // factor, y.nodes)
        from_x = np.ascontiguousarray(self.x.weights(every_x // factor, x.nodes).swapaxes(1, 2))
        known, open_ = self.known[:, parent], self.open[:, parent]
        for values, mine in zip(known, open_, strict=True):
            kept = ~mine
            values[kept] = from_y[down[kept]] @ values[kept] @ from_x[across[kept]]
        return Tiles(x, y, across, down, known, open_)

    def pixels(self, parts: Sequence[Part]) -> list[Floats]:
        """The values of each part at their pixels (t, size, size)."""
        x, y = self.x.pixels[self.across], self.y.pixels[self.down]
        found = []
        for values, mine, part in zip(self.known, self.open, parts, strict=True):
            go_on()
            each = self.y.at_pixels[self.down] @ values @ self.x.to_pixels[self.across]
            each[mine] = part.values(x[mine], y[mine])
            found.append(each)
        return found


@dataclass(frozen=True, eq=False)
class Leaves:
    """Tiles of one size that are done: their values at the nodes (t, NODES, NODES), or at all pixels."""

    x: Cut
    y: Cut
    across: Ints
    down: Ints
    values: Field

    def paint(self, out: Field, rows: slice) -> None:
        """Fill in what they cover of some rows; they are as wide as whole tiles."""
        size = self.x.size
        blocks = out.reshape(len(out), -1, size)
        for row in np.unique(self.down).tolist():
            start, stop = max(row * size, rows.start), min((row + 1) * size, rows.stop)
            if start < stop:
                mine = np.flatnonzero(self.down == row)
                within = slice(start - row * size, stop - row * size)
                band = blocks[start - rows.start : stop - rows.start]
                band[:, self.across[mine]] = self._pixels(row, mine, within).swapaxes(0, 1)

    def _pixels(self, row: int, mine: Ints, within: slice) -> Field:
        """Some rows (t, rows, size) of the tiles in one row of them."""
        values = self.values[mine]
        if values.shape[1] == self.x.size:
            return values[:, within]
        return np.asarray((self.y.at_pixels[row, within] @ values) @ self.x.to_pixels[self.across[mine]])


@dataclass(frozen=True, eq=False)
class Mosaic:
    """Tiles of many sizes that fill a raster."""

    raster: Raster
    leaves: tuple[Leaves, ...]

    @classmethod
    def of(
        cls,
        raster: Raster,
        parts: Sequence[Part],
        show: Callable[..., Floats],
        faint: float,
        hides: Hides,
    ) -> Mosaic:
        """What `show` makes of the values of the parts, exact where last coefficients are below `faint`."""
        leaves = []
        tiles = Tiles.over(raster, SIZES[0], len(parts))
        for smaller in (*SIZES[1:], 0):
            hiding = hides(tiles.x.ends[tiles.across], tiles.y.ends[tiles.down])
            tiles = tiles.evaluated(parts, hiding)
            shown = show(*tiles.known)
            done = ~hiding & (_tails(shown) <= faint)
            leaves.append(_leaves(tiles.some(done), shown[done]))
            tiles = tiles.some(~done)
            if not len(tiles):
                break
            if smaller:
                tiles = tiles.split(smaller)
            else:
                leaves.append(_leaves(tiles, show(*tiles.pixels(parts))))
        return cls(raster, tuple(leaves))

    def plane(self, rows: slice) -> Field:
        """Some rows of it."""
        width = len(self.raster.x)
        out = np.empty((rows.stop - rows.start, width - width % -SIZES[0]), dtype=np.float32)
        for leaves in self.leaves:
            leaves.paint(out, rows)
        return out[:, :width]


def _leaves(tiles: Tiles, values: Floats) -> Leaves:
    return Leaves(tiles.x, tiles.y, tiles.across, tiles.down, values.astype(np.float32))


def _tails(values: Floats) -> Floats:
    """The largest of the last coefficients of each tile (t,)."""
    size = np.abs(TO_SERIES @ values @ TO_SERIES.T)
    last = np.maximum(size[:, -TAIL:].max(axis=(1, 2)), size[:, :, -TAIL:].max(axis=(1, 2)))
    return np.asarray(last)
