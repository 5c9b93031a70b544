"""The k nearest points of every pixel: tiles split until their candidates are few or of one class.

With d_k the k-th distance from the centre of a tile of radius r, only points within d_k + 2 r can be among
the k nearest of its pixels (the candidates), and those closer than d_(k+1) - 2 r are so at every pixel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.field.metrics import METRICS, Metric
from vizml.field.raster import Field, Raster
from vizml.field.rivals import Rivals, contest, weighted_contest

Votes: TypeAlias = NDArray[Any]

SIZES = (256, 64, 32, 16, 8, 4, 2, 1)
"""Sides of the tiles of each level in pixels, each a multiple of the next."""
COMPARED_BY_PIXEL = ((3, 16), (64, 4))
"""(candidates, side): tiles up to this side with at most so many candidates are resolved pixel by pixel."""
WIDTHS = np.array([2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 4096, 1 << 40])
"""Batches hold tiles whose numbers of candidates lie between two of these: padding stays small."""
CHUNK = 1 << 17
"""Distances computed at a time."""
PIXELS = 1 << 17
"""Distances computed at a time pixel by pixel."""


@dataclass(frozen=True, eq=False)
class CandidateLists:
    """Rows of candidates (rising point indices), the number needed of each row, and the votes so far."""

    flat: Ints
    starts: Ints
    counts: Ints
    need: Ints
    base: Ints

    def padded(self, rows: Ints, absent: int) -> Ints:
        """The candidates of some rows as a matrix, padded with the index `absent`."""
        counts = self.counts[rows]
        column = np.arange(int(counts.max(initial=1)))
        where = np.minimum(self.starts[rows, None] + column, max(len(self.flat) - 1, 0))
        return np.where(column < counts[:, None], self.flat[where], absent)


@dataclass(frozen=True, eq=False)
class PixelTiles:
    """Row and column of tiles in the grid of one level, and the row of `CandidateLists` of each."""

    down: Ints
    across: Ints
    row: Ints

    def __len__(self) -> int:
        return len(self.row)

    def take(self, which: NDArray[np.generic]) -> PixelTiles:
        return PixelTiles(self.down[which], self.across[which], self.row[which])

    def split(self, factor: int) -> PixelTiles:
        """Split each into factor x factor tiles."""
        down, across = np.divmod(np.arange(factor * factor), factor)
        return PixelTiles(
            (self.down[:, None] * factor + down).ravel(),
            (self.across[:, None] * factor + across).ravel(),
            np.repeat(self.row, factor * factor),
        )


def nearest_votes(
    raster: Raster, points: Floats, codes: Ints, k: int, *, classes: int, metric: str = "l2"
) -> Votes:
    """Votes (K, H, W) of the k nearest of points (n, 2) by class code; ties go to the first point."""
    return _VoteSearch(raster, points, codes, k, classes, METRICS[metric]).run()


def nearest_shares(
    raster: Raster, points: Floats, codes: Ints, k: int, *, classes: int, metric: str = "l2"
) -> Field:
    """The share (K, H, W) of each class among the k nearest points, weighted by 1 / distance."""
    search = _WeightedSearch(raster, points, codes, k, classes, METRICS[metric])
    shares: Field = search.run()
    shares /= np.float32(search.k)
    return shares


class _VoteSearch:
    """Counts the votes of the k nearest points at each pixel, level by level."""

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
        self.rounding = 16 * np.finfo(float).eps * reach

    def run(self) -> Votes:
        size = SIZES[0]
        tiles = _grid(-(-len(self.raster.y) // size), -(-len(self.raster.x) // size))
        lists = CandidateLists(
            np.arange(self.absent), np.zeros(1, int), np.array([self.absent]),
            np.array([self.k]), np.zeros((1, self.classes), int),
        )  # fmt: skip
        for size, smaller in zip(SIZES, (*SIZES[1:], 0)):
            found = [self._resolve(part, lists, size) for part in _batches(tiles, lists)]
            if not found:
                break
            tiles, lists = _concatenated(found)
            if smaller:
                tiles = self._inside(tiles.split(size // smaller), smaller)
        height, width = self.raster.shape
        return self.votes[:, :height, :width]

    def _inside(self, tiles: PixelTiles, size: int) -> PixelTiles:
        """Drop the tiles beyond the edge of the raster."""
        height, width = self.raster.shape
        return tiles.take((tiles.down * size < height) & (tiles.across * size < width))

    def _resolve(
        self, tiles: PixelTiles, lists: CandidateLists, size: int
    ) -> tuple[PixelTiles, CandidateLists]:
        """Fill the tiles that can be resolved; return the others with their remaining candidates."""
        candidates = lists.padded(tiles.row, self.absent)
        need, codes = lists.need[tiles.row], self.codes[candidates]
        distance, reach = self._distances(tiles, candidates, size)
        last, next_ = _order_statistics(distance, need)
        margin = 2 * reach * (1 + 1e-9) + 1e-12 * np.where(np.isfinite(last), last, 0.0) + self.rounding
        certain = self._certain(distance, next_ - margin)
        undecided = (distance <= (last + margin)[:, None]) & ~certain
        base = lists.base[tiles.row] + _tally(certain, codes, self.classes)
        need = need - certain.sum(axis=1)
        lowest = np.where(undecided, codes, self.classes).min(axis=1)
        highest = np.where(undecided, codes, -1).max(axis=1)
        agreed = lowest >= highest
        self._fill(tiles.take(agreed), size, base[agreed], need[agreed], highest[agreed])
        left = ~agreed
        counts = undecided[left].sum(axis=1)
        lists = CandidateLists(
            candidates[left][undecided[left]], np.cumsum(counts) - counts, counts, need[left], base[left]
        )
        tiles = tiles.take(left)
        tiles = PixelTiles(tiles.down, tiles.across, np.arange(len(tiles)))
        return self._resolve_pixels(tiles, lists, size), lists

    def _certain(self, distance: Floats, bound: Floats) -> Mask:
        """Mark the candidates that are among the nearest at every pixel of their tile."""
        return np.asarray(distance < bound[:, None])

    def _count(self, rivals: Rivals, need: Ints, base: Ints) -> Votes:
        return contest(rivals, need, base, self.metric)

    def _distances(self, tiles: PixelTiles, candidates: Ints, size: int) -> tuple[Floats, Floats]:
        """Distances from the centre of each tile to its candidates, and to its corners."""
        parts, reach = [], []
        for axis, index, coordinates in ((self.x, tiles.across, self.px), (self.y, tiles.down, self.py)):
            cut = axis.reshape(-1, size)
            low, high = cut.min(axis=1)[index], cut.max(axis=1)[index]
            parts.append(self.metric.part(((low + high) / 2)[:, None] - coordinates[candidates]))
            reach.append(self.metric.part((high - low) / 2))
        return self.metric.length(self.metric.join(*parts)), self.metric.length(self.metric.join(*reach))

    def _fill(self, tiles: PixelTiles, size: int, base: Ints, need: Ints, code: Ints) -> None:
        """Write one count for all pixels of each tile."""
        base[np.arange(len(code)), np.maximum(code, 0)] += need
        for plane, count in zip(self.votes, base.T):
            _blocks(plane, size)[tiles.down, tiles.across] = count[:, None, None]

    def _resolve_pixels(self, tiles: PixelTiles, lists: CandidateLists, size: int) -> PixelTiles:
        """Resolve the smallest tiles, and those with few candidates, pixel by pixel; return the others."""
        few = max((few for few, largest in COMPARED_BY_PIXEL if size <= largest), default=0)
        ready = np.full(len(tiles), size == SIZES[-1]) | (lists.counts <= few)
        for part in _batches(tiles.take(ready), lists, PIXELS // size**2):
            candidates = lists.padded(part.row, self.absent)
            votes = self._count(
                Rivals(
                    self.x.reshape(-1, size)[part.across], self.y.reshape(-1, size)[part.down],
                    self.px[candidates], self.py[candidates], self.codes[candidates],
                ),
                lists.need[part.row], lists.base[part.row],
            )  # fmt: skip
            for plane, count in zip(self.votes, votes):
                _blocks(plane, size)[part.down, part.across] = count
        return tiles.take(~ready)


class _WeightedSearch(_VoteSearch):
    """Computes shares times k; only tiles whose candidates are all of one class are settled as a whole."""

    dtype = np.dtype(np.float32)

    def _certain(self, distance: Floats, bound: Floats) -> Mask:
        return np.zeros(distance.shape, dtype=bool)

    def _count(self, rivals: Rivals, need: Ints, base: Ints) -> Votes:
        return weighted_contest(rivals, need, base.shape[1], self.metric) * self.k


def _padded(axis: Floats) -> Floats:
    """Pad an axis to whole tiles by repeating its last value."""
    return np.pad(axis, (0, -len(axis) % SIZES[0]), mode="edge")


def _grid(rows: int, columns: int) -> PixelTiles:
    down, across = np.divmod(np.arange(rows * columns), max(columns, 1))
    return PixelTiles(down, across, np.zeros(rows * columns, dtype=np.int64))


def _batches(tiles: PixelTiles, lists: CandidateLists, chunk: int = CHUNK) -> Iterator[PixelTiles]:
    """Batches of tiles with similar numbers of candidates, small enough to stay in the cache."""
    width = np.searchsorted(WIDTHS, lists.counts)[tiles.row]
    order = np.argsort(width, kind="stable")
    edges = np.flatnonzero(np.diff(width[order])) + 1
    for same in np.split(order, edges):
        if len(same):
            most = int(lists.counts[tiles.row[same]].max())
            step = max(chunk // max(most, 1), 1)
            for start in range(0, len(same), step):
                check_cancelled()
                yield tiles.take(same[start : start + step])


def _concatenated(found: list[tuple[PixelTiles, CandidateLists]]) -> tuple[PixelTiles, CandidateLists]:
    """Concatenate the batches of a level."""
    rows = np.cumsum([0] + [len(lists.counts) for _, lists in found])
    tiles = [PixelTiles(t.down, t.across, t.row + start) for (t, _), start in zip(found, rows)]
    counts = np.concatenate([lists.counts for _, lists in found])
    return (
        PixelTiles(
            *(np.concatenate([getattr(t, name) for t in tiles]) for name in ("down", "across", "row"))
        ),
        CandidateLists(
            np.concatenate([lists.flat for _, lists in found]),
            np.cumsum(counts) - counts,
            counts,
            np.concatenate([lists.need for _, lists in found]),
            np.concatenate([lists.base for _, lists in found]),
        ),
    )


def _order_statistics(distance: Floats, need: Ints) -> tuple[Floats, Floats]:
    """The need-th smallest value of each row and the next one (infinite where there is none)."""
    most = int(need.max(initial=1))
    if distance.shape[1] > most + 1:
        distance = np.partition(distance, most, axis=1)[:, : most + 1]
    ordered = np.sort(distance, axis=1)
    ordered = np.pad(ordered, ((0, 0), (0, max(most + 1 - ordered.shape[1], 0))), constant_values=np.inf)
    rows = np.arange(len(need))
    return ordered[rows, need - 1], ordered[rows, need]


def _tally(chosen: Mask, codes: Ints, classes: int) -> Ints:
    """Count the chosen of each class in each row."""
    return np.stack([(chosen & (codes == code)).sum(axis=1) for code in range(classes)], axis=1)


def _blocks(plane: Votes, size: int) -> Votes:
    """View a plane as (tiles down, tiles across, size, size)."""
    height, width = plane.shape
    return plane.reshape(height // size, size, width // size, size).transpose(0, 2, 1, 3)
