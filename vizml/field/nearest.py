"""The k nearest points of every pixel, exactly: tiles split until the points that matter agree or are few.

With d_k the k-th distance from the middle of a tile of radius r, only points within d_k + 2 r can be among
the k nearest of its pixels, and those closer than d_(k+1) - 2 r are among them everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.cancellation import check_cancelled
from vizml.field.metrics import METRICS, Metric
from vizml.field.raster import Field, Floats, Raster
from vizml.field.rivals import Rivals, contest, weighted_contest

Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
Votes: TypeAlias = NDArray[Any]

SIZES = (256, 64, 32, 16, 8, 4, 2, 1)
"""Edges of tiles in pixels, each a multiple of the next."""
CALM = ((3, 16), (64, 4))
"""So few rivals are compared pixel by pixel in tiles no larger than this."""
WIDTHS = np.array([2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 4096, 1 << 40])
CHUNK = 1 << 17
"""Distances at a time."""
PIXELS = 1 << 17
"""Distances at a time in comparing pixel by pixel."""


@dataclass(frozen=True, eq=False)
class Lists:
    """For each row: rivals (indices of points, rising), how many of them are wanted, and the votes so far."""

    flat: Ints
    starts: Ints
    counts: Ints
    need: Ints
    base: Ints

    def padded(self, rows: Ints, absent: int) -> Ints:
        """The rivals of rows as a matrix, filled up with an index that stands for none."""
        counts = self.counts[rows]
        column = np.arange(int(counts.max(initial=1)))
        where = np.minimum(self.starts[rows, None] + column, max(len(self.flat) - 1, 0))
        return np.where(column < counts[:, None], self.flat[where], absent)


@dataclass(frozen=True, eq=False)
class Tiles:
    """Places on the grid of one size, and the row of `Lists` for each."""

    down: Ints
    across: Ints
    row: Ints

    def __len__(self) -> int:
        return len(self.row)

    def some(self, which: NDArray[np.generic]) -> Tiles:
        return Tiles(self.down[which], self.across[which], self.row[which])

    def split(self, factor: int) -> Tiles:
        """factor x factor tiles for each."""
        down, across = np.divmod(np.arange(factor * factor), factor)
        return Tiles(
            (self.down[:, None] * factor + down).ravel(),
            (self.across[:, None] * factor + across).ravel(),
            np.repeat(self.row, factor * factor),
        )


def nearest_votes(
    raster: Raster, points: Floats, codes: Ints, k: int, *, classes: int, metric: str = "l2"
) -> Votes:
    """How many of the k nearest of points (n, 2) are of each class code, (K, H, W); of equals the first."""
    return _Search(raster, points, codes, k, classes, METRICS[metric]).run()


def nearest_shares(
    raster: Raster, points: Floats, codes: Ints, k: int, *, classes: int, metric: str = "l2"
) -> Field:
    """The share of each class among the k nearest, each weighing 1 / distance, (K, H, W)."""
    search = _WeightedSearch(raster, points, codes, k, classes, METRICS[metric])
    shares: Field = search.run()
    shares /= np.float32(search.k)
    return shares


class _Search:
    """Counts votes."""

    dtype: np.dtype[np.generic] = np.dtype(np.uint16)

    def __init__(
        self, raster: Raster, points: Floats, codes: Ints, k: int, classes: int, metric: Metric
    ) -> None:
        self.raster, self.metric, self.k, self.classes = raster, metric, min(k, len(points)), classes
        self.absent = len(points)
        self.px, self.py = (np.append(points[:, axis], np.inf) for axis in (0, 1))
        self.codes = np.append(codes, 0)
        self.x, self.y = _padded(raster.x), _padded(raster.y)
        self.votes = np.zeros((classes, len(self.y), len(self.x)), dtype=self.dtype)
        reach = max(float(np.abs(each).max(initial=0.0)) for each in (points, raster.x, raster.y))
        self.blur = 16 * np.finfo(float).eps * reach

    def run(self) -> Votes:
        size = SIZES[0]
        tiles = _everywhere(-(-len(self.raster.y) // size), -(-len(self.raster.x) // size))
        lists = Lists(
            np.arange(self.absent), np.zeros(1, int), np.array([self.absent]),
            np.array([self.k]), np.zeros((1, self.classes), int),
        )  # fmt: skip
        for size, smaller in zip(SIZES, (*SIZES[1:], 0)):
            found = [self._narrow(part, lists, size) for part in _batches(tiles, lists)]
            if not found:
                break
            tiles, lists = _gathered(found)
            if smaller:
                tiles = self._inside(tiles.split(size // smaller), smaller)
        height, width = self.raster.shape
        return self.votes[:, :height, :width]

    def _inside(self, tiles: Tiles, size: int) -> Tiles:
        """Those that are not beyond the edge of the raster."""
        height, width = self.raster.shape
        return tiles.some((tiles.down * size < height) & (tiles.across * size < width))

    def _narrow(self, tiles: Tiles, lists: Lists, size: int) -> tuple[Tiles, Lists]:
        """Settle what can be settled; the rest, with the rivals that are left."""
        rivals = lists.padded(tiles.row, self.absent)
        need, codes = lists.need[tiles.row], self.codes[rivals]
        distance, reach = self._distances(tiles, rivals, size)
        last, next_ = _order_statistics(distance, need)
        slip = 2 * reach * (1 + 1e-9) + 1e-12 * np.where(np.isfinite(last), last, 0.0) + self.blur
        sure = self._sure(distance, next_ - slip)
        open_ = (distance <= (last + slip)[:, None]) & ~sure
        base = lists.base[tiles.row] + _tally(sure, codes, self.classes)
        need = need - sure.sum(axis=1)
        lowest = np.where(open_, codes, self.classes).min(axis=1)
        highest = np.where(open_, codes, -1).max(axis=1)
        agreed = lowest >= highest
        self._settle(tiles.some(agreed), size, base[agreed], need[agreed], highest[agreed])
        left = ~agreed
        counts = open_[left].sum(axis=1)
        lists = Lists(rivals[left][open_[left]], np.cumsum(counts) - counts, counts, need[left], base[left])
        tiles = tiles.some(left)
        tiles = Tiles(tiles.down, tiles.across, np.arange(len(tiles)))
        return self._compare(tiles, lists, size), lists

    def _sure(self, distance: Floats, bound: Floats) -> Mask:
        """Which rivals are among the nearest all over the tile, and need not be looked at again."""
        return np.asarray(distance < bound[:, None])

    def _contest(self, rivals: Rivals, need: Ints, base: Ints) -> Votes:
        return contest(rivals, need, base, self.metric)

    def _distances(self, tiles: Tiles, rivals: Ints, size: int) -> tuple[Floats, Floats]:
        """From the middle of each tile to its rivals, and to its corners."""
        parts, reach = [], []
        for axis, place, places in ((self.x, tiles.across, self.px), (self.y, tiles.down, self.py)):
            cut = axis.reshape(-1, size)
            low, high = cut.min(axis=1)[place], cut.max(axis=1)[place]
            parts.append(self.metric.part(((low + high) / 2)[:, None] - places[rivals]))
            reach.append(self.metric.part((high - low) / 2))
        return self.metric.length(self.metric.join(*parts)), self.metric.length(self.metric.join(*reach))

    def _settle(self, tiles: Tiles, size: int, base: Ints, need: Ints, code: Ints) -> None:
        """One count for all pixels of each tile."""
        base[np.arange(len(code)), np.maximum(code, 0)] += need
        for plane, count in zip(self.votes, base.T):
            _blocks(plane, size)[tiles.down, tiles.across] = count[:, None, None]

    def _compare(self, tiles: Tiles, lists: Lists, size: int) -> Tiles:
        """Pixel by pixel in the smallest tiles, and where rivals are few; the rest."""
        few = max((few for few, largest in CALM if size <= largest), default=0)
        ready = np.full(len(tiles), size == SIZES[-1]) | (lists.counts <= few)
        for part in _batches(tiles.some(ready), lists, PIXELS // size**2):
            rivals = lists.padded(part.row, self.absent)
            votes = self._contest(
                Rivals(
                    self.x.reshape(-1, size)[part.across], self.y.reshape(-1, size)[part.down],
                    self.px[rivals], self.py[rivals], self.codes[rivals],
                ),
                lists.need[part.row], lists.base[part.row],
            )  # fmt: skip
            for plane, count in zip(self.votes, votes):
                _blocks(plane, size)[part.down, part.across] = count
        return tiles.some(~ready)


class _WeightedSearch(_Search):
    """Shares times k: where all that matter are of one class it has them all; elsewhere each one counts."""

    dtype = np.dtype(np.float32)

    def _sure(self, distance: Floats, bound: Floats) -> Mask:
        return np.zeros(distance.shape, dtype=bool)

    def _contest(self, rivals: Rivals, need: Ints, base: Ints) -> Votes:
        return weighted_contest(rivals, need, base.shape[1], self.metric) * self.k


def _padded(axis: Floats) -> Floats:
    """To whole tiles, by its last value again."""
    return np.pad(axis, (0, -len(axis) % SIZES[0]), mode="edge")


def _everywhere(rows: int, columns: int) -> Tiles:
    down, across = np.divmod(np.arange(rows * columns), max(columns, 1))
    return Tiles(down, across, np.zeros(rows * columns, dtype=np.int64))


def _batches(tiles: Tiles, lists: Lists, chunk: int = CHUNK) -> Iterator[Tiles]:
    """Tiles with about equally many rivals, no more at a time than the cache likes."""
    width = np.searchsorted(WIDTHS, lists.counts)[tiles.row]
    order = np.argsort(width, kind="stable")
    edges = np.flatnonzero(np.diff(width[order])) + 1
    for same in np.split(order, edges):
        if len(same):
            most = int(lists.counts[tiles.row[same]].max())
            step = max(chunk // max(most, 1), 1)
            for start in range(0, len(same), step):
                check_cancelled()
                yield tiles.some(same[start : start + step])


def _gathered(found: list[tuple[Tiles, Lists]]) -> tuple[Tiles, Lists]:
    """All batches of a level as one."""
    rows = np.cumsum([0] + [len(lists.counts) for _, lists in found])
    tiles = [Tiles(t.down, t.across, t.row + start) for (t, _), start in zip(found, rows)]
    counts = np.concatenate([lists.counts for _, lists in found])
    return (
        Tiles(*(np.concatenate([getattr(t, name) for t in tiles]) for name in ("down", "across", "row"))),
        Lists(
            np.concatenate([lists.flat for _, lists in found]),
            np.cumsum(counts) - counts,
            counts,
            np.concatenate([lists.need for _, lists in found]),
            np.concatenate([lists.base for _, lists in found]),
        ),
    )


def _order_statistics(distance: Floats, need: Ints) -> tuple[Floats, Floats]:
    """Of each row the need-th smallest and the one after it (infinite where there is none)."""
    most = int(need.max(initial=1))
    if distance.shape[1] > most + 1:
        distance = np.partition(distance, most, axis=1)[:, : most + 1]
    ordered = np.sort(distance, axis=1)
    ordered = np.pad(ordered, ((0, 0), (0, max(most + 1 - ordered.shape[1], 0))), constant_values=np.inf)
    rows = np.arange(len(need))
    return ordered[rows, need - 1], ordered[rows, need]


def _tally(chosen: Mask, codes: Ints, classes: int) -> Ints:
    """How many of the chosen are of each class, row by row."""
    return np.stack([(chosen & (codes == code)).sum(axis=1) for code in range(classes)], axis=1)


def _blocks(plane: Votes, size: int) -> Votes:
    """A view (tiles down, tiles across, size, size)."""
    height, width = plane.shape
    return plane.reshape(height // size, size, width // size, size).transpose(0, 2, 1, 3)
