"""A function on a raster in square tiles, halved until a few Chebyshev nodes along each axis say all of it.

What is shown may be made of parts that cost more than it does: each is evaluated down to the tiles in which
the polynomial through its nodes is exact, and from there on that polynomial is asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vizml.field.cancellation import check_cancelled
from vizml.field.lattice import Lattice, Mask, Window
from vizml.field.raster import Field, Floats
from vizml.field.tiles import NODES, SIZES, Leaves, Tiles, between, nodes_within, places_of, tails, weights_at

ROOTS = 4
"""So many times the largest tiles of a view are kept as it moves on."""


class Part(ABC):
    """What costs much: some of the planes that what is shown is made of."""

    planes: int
    bumpy: bool = False
    """Whether its creases are those of bumps that it tells."""

    @abstractmethod
    def values(self, x: Floats, y: Floats) -> Floats:
        """(t, planes, b, a) on the grids of t tiles, from their x (t, a) and y (t, b)."""

    @abstractmethod
    def exact(self, known: Floats, allowed: Floats) -> Floats:
        """How large the last coefficients may be (t, planes), from the values of all parts at the nodes."""

    def creased(self, x: Floats, y: Floats) -> Mask:
        """Whether it has creases too sharp for tiles with these ends, which coefficients do not tell."""
        del y
        return np.zeros(len(x), dtype=bool)

    def bumps(self, x: Floats, y: Floats, ends: tuple[Floats, Floats]) -> Floats | float:
        """What bumps in tiles with these ends, or beside them, add on grids: all but them is smooth."""
        del x, y, ends
        return 0.0


class Recipe(ABC):
    """What is shown, and how it is made of parts."""

    parts: Sequence[Part]

    @abstractmethod
    def show(self, known: Floats) -> Floats:
        """What is shown (t, K, b, a), from the values of all parts (t, P, b, a)."""

    @abstractmethod
    def allowed(self, shown: Floats, size: int) -> Floats:
        """How far the picture may be off in each tile (t,)."""

    def hides(self, x: Floats, y: Floats) -> Mask:
        """Whether tiles with these ends (t, 2) may hide something between their nodes."""
        del y
        return np.zeros(len(x), dtype=bool)


@dataclass(frozen=True, eq=False)
class Mosaic:
    """Tiles of many sizes, over the views that were asked for so far."""

    recipe: Recipe
    lattice: Lattice
    leaves: Mapping[int, Leaves] = field(default_factory=dict)
    waiting: Mapping[int, Tiles] = field(default_factory=dict)
    """Tiles on the way, which no view has met yet."""
    rest: Tiles | None = None
    """The smallest tiles, where nodes do not do."""
    begun: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    """The largest tiles that all others are parts of."""

    def over(self, window: Window) -> Mosaic:
        """With all tiles that meet a window; of earlier ones that are far away nothing is kept."""
        columns, rows = window.tiles(SIZES[0])
        wanted = {(across, down) for across in columns for down in rows}
        if len(self.begun | wanted) > ROOTS * len(wanted):
            return Mosaic(self.recipe, self.lattice).over(window)
        leaves, waiting = dict(self.leaves), dict(self.waiting)
        tiles = self._roots(sorted(wanted - self.begun))
        for size in SIZES:
            tiles = tiles.and_(waiting[size]) if size in waiting else tiles
            met = window.meets(size, tiles.across, tiles.down)
            waiting[size] = tiles.some(~met)
            done, tiles = self._level(tiles.some(met))
            leaves[size] = leaves[size].and_(done) if size in leaves else done
        rest = self.rest.and_(tiles) if self.rest else tiles
        return replace(self, leaves=leaves, waiting=waiting, rest=rest, begun=self.begun | wanted)

    def paint(self, window: Window) -> Field:
        """What is shown (K, H, W) in a window that it is over."""
        columns, rows = window.tiles(SIZES[0])
        first = SIZES[0] * columns.start, SIZES[0] * rows.start
        found = [leaves.pixels(window) for leaves in self.leaves.values()]
        if self.rest:
            found.append(self._one_by_one(self.rest, window))
        planes = found[0].values.shape[1]
        canvas = np.empty((planes, len(rows) * SIZES[0], len(columns) * SIZES[0]), dtype=np.float32)
        for leaves in found:
            _set(canvas, leaves, first)
        left, bottom = window.left - first[0], window.bottom - first[1]
        return canvas[:, bottom : bottom + window.height, left : left + window.width]

    def _roots(self, numbers: Sequence[tuple[int, int]]) -> Tiles:
        across, down = np.array(numbers, dtype=np.int64).reshape(-1, 2).T
        planes = sum(part.planes for part in self.recipe.parts)
        known = np.zeros((len(across), planes, NODES, NODES))
        return Tiles(
            SIZES[0], across, down, known, np.ones((len(across), len(self.recipe.parts)), dtype=bool)
        )

    def _level(self, tiles: Tiles) -> tuple[Leaves, Tiles]:
        """What is done of tiles of a size, and the halves of the others, which of the smallest are whole."""
        tiles, shown, done = self._evaluated(tiles)
        rest = tiles.some(~done)
        return Leaves.of(tiles.some(done), shown[done]), rest if tiles.size == SIZES[-1] else rest.split()

    def _evaluated(self, tiles: Tiles) -> tuple[Tiles, Floats, Mask]:
        """With the parts that are open, what they show, and which of them are done."""
        ends = x, y = self.lattice.ends(tiles.size, tiles.across, tiles.down)
        grids, asked = (nodes_within(x), nodes_within(y)), ~self.recipe.hides(x, y)
        whole = self.lattice.ends(2 * tiles.size, tiles.across // 2, tiles.down // 2)
        full, open_ = self._full(tiles.known, tiles.open, asked, grids, whole), tiles.open.copy()
        shown = self.recipe.show(full)
        allowed = self.recipe.allowed(shown, tiles.size)
        done, smooth = asked & (tails(shown).max(axis=1) <= allowed), full.copy()
        for k, (part, planes) in enumerate(self._parts()):
            creased, mine = part.creased(x, y), asked | ~tiles.open[:, k]
            smooth[mine, planes] -= _bumps(part, mine, grids, ends)
            rough = (tails(smooth[:, planes]) > part.exact(full, allowed)).any(axis=1)
            done &= ~creased
            open_[:, k] &= ~asked | rough | (creased & (not part.bumpy))
        return replace(tiles, known=smooth, open=open_), shown, done

    def _full(
        self,
        known: Floats,
        open_: Mask,
        asked: Mask,
        grids: tuple[Floats, Floats],
        ends: tuple[Floats, Floats],
    ) -> Floats:
        """All parts on grids: asked for, or known but for the bumps of tiles with these ends."""
        full = known.copy()
        for k, (part, planes) in enumerate(self._parts()):
            check_cancelled()
            mine, told = asked & open_[:, k], ~open_[:, k]
            full[mine, planes] = part.values(*(grid[mine] for grid in grids))
            full[told, planes] += _bumps(part, told, grids, ends)
        return full

    def _one_by_one(self, rest: Tiles, window: Window) -> Leaves:
        """What the rest shows at the pixels of a window."""
        tiles = rest.some(window.meets(rest.size, rest.across, rest.down))
        ends = self.lattice.ends(tiles.size, tiles.across, tiles.down)
        places = places_of(window, tiles.size)
        to_x, to_y = (weights_at(each) for each in places)
        known, every = to_y @ tiles.known @ to_x.T, np.ones(len(tiles), dtype=bool)
        full = self._full(
            known, tiles.open, every, (between(ends[0], places[0]), between(ends[1], places[1])), ends
        )
        return Leaves.of(tiles, self.recipe.show(full))

    def _parts(self) -> list[tuple[Part, slice]]:
        """The parts, and which planes are theirs."""
        stops = np.cumsum([part.planes for part in self.recipe.parts]).tolist()
        return [(part, slice(stop - part.planes, stop)) for part, stop in zip(self.recipe.parts, stops)]


def _bumps(
    part: Part, some: Mask, grids: tuple[Floats, Floats], ends: tuple[Floats, Floats]
) -> Floats | float:
    """Those of a part in some of the tiles with these ends, on their grids."""
    if not part.bumpy or not some.any():
        return 0.0
    return part.bumps(grids[0][some], grids[1][some], (ends[0][some], ends[1][some]))


def _set(canvas: Field, tiles: Leaves, first: tuple[int, int]) -> None:
    """Fill the pixels of tiles into a canvas that is made of whole ones."""
    planes, height, width = canvas.shape
    size = tiles.size
    blocks = canvas.reshape(planes, height // size, size, width // size, size)
    blocks[:, tiles.down - first[1] // size, :, tiles.across - first[0] // size] = tiles.values
