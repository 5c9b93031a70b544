"""The k nearest points of every pixel: tiles split until their candidates are few or of one class.

With d_k the k-th distance from the centre of a tile of radius r, only points within d_k + 2 r can be among
the k nearest of its pixels (the candidates), and those closer than d_(k+1) - 2 r are so at every pixel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property, reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.field.distances import METRICS, Metric
from vizml.field.raster import Field, Raster

Votes: TypeAlias = NDArray[Any]
TileArray: TypeAlias = Ints
"""Rows (3, n): row and column of each tile in the grid of a level, and its row in `CandidateLists`."""

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
SKEW_ROUNDING = 1e-7
"""Error of a distance as a share of the largest one, where squares of either sign are added up."""


@dataclass(frozen=True, eq=False)
class CandidateLists:
    """Rows of candidates (rising point indices), the number needed of each row, and the votes so far."""

    flat: Ints
    counts: Ints
    need: Ints
    base: Ints

    @cached_property
    def starts(self) -> Ints:
        """The position in `flat` at which each row starts."""
        return np.cumsum(self.counts) - self.counts

    def padded(self, rows: Ints, absent: int) -> Ints:
        """The candidates of some rows as a matrix, padded with the index `absent`."""
        counts = self.counts[rows]
        column = np.arange(int(counts.max(initial=1)))
        where = np.minimum(self.starts[rows, None] + column, max(len(self.flat) - 1, 0))
        return np.where(column < counts[:, None], self.flat[where], absent)


def nearest_votes(
    raster: Raster, points: Floats, codes: Ints, k: int, *, classes: int, metric: str = "l2",
    offsets: Floats | None = None, skew: float = 0.0,
) -> Votes:  # fmt: skip
    """Votes (K, H, W) of the k nearest of points (n, 2) by class code; ties go to the first point.

    `offsets` (n,) are the ranks of the distances from the plane, for points beside it; with the skew of a
    section whose directions are not orthogonal, both are those of `Section.project`.
    """
    return _VoteSearch(raster, points, codes, k, classes, METRICS[metric], offsets=offsets, skew=skew).run()


def nearest_shares(
    raster: Raster, points: Floats, codes: Ints, k: int, *, classes: int, metric: str = "l2",
    offsets: Floats | None = None, skew: float = 0.0,
) -> Field:  # fmt: skip
    """The share (K, H, W) of each class among the k nearest points, weighted by 1 / distance."""
    search = _WeightedSearch(raster, points, codes, k, classes, METRICS[metric], offsets=offsets, skew=skew)
    shares: Field = search.run()
    shares /= np.float32(search.k)
    return shares


def nearest_means(
    raster: Raster, points: Floats, values: Floats, k: int, *, weighted: bool,
    offsets: Floats | None = None, skew: float = 0.0,
) -> Field:  # fmt: skip
    """The mean (1, H, W) of the values (n,) of the k nearest points, perhaps weighted by 1 / distance."""
    middle = float(values.mean())
    kind = _WeightedMeanSearch if weighted else _MeanSearch
    search = kind(raster, points, values - middle, k, offsets, skew)
    return np.asarray(search.run() / search.k + middle, dtype=np.float32)


class _VoteSearch:
    """Counts the votes of the k nearest points at each pixel, level by level."""

    dtype: np.dtype[np.generic] = np.dtype(np.uint16)
    weighted = False

    def __init__(
        self, raster: Raster, points: Floats, codes: Ints, k: int, classes: int, metric: Metric, *,
        offsets: Floats | None, skew: float,
    ) -> None:  # fmt: skip
        self.raster, self.metric, self.k, self.classes = raster, metric, min(k, len(points)), classes
        self.absent, self.skew = len(points), skew
        self.px, self.py = (np.append(points[:, axis], np.inf) for axis in (0, 1))
        self.offsets = None if offsets is None else np.append(offsets, 0.0)
        self.codes = np.append(codes, 0)
        self.x, self.y = _padded(raster.x), _padded(raster.y)
        self.votes = np.zeros((classes, len(self.y), len(self.x)), dtype=self.dtype)
        farthest = 0.0 if offsets is None else metric.length(np.abs(offsets))
        reach = max(float(np.abs(each).max(initial=0.0)) for each in (points, raster.x, raster.y, farthest))
        self.rounding = (SKEW_ROUNDING if skew else 16 * np.finfo(float).eps) * reach

    def run(self) -> Votes:
        height, width = self.raster.shape
        size = SIZES[0]
        tiles = _grid(-(-height // size), -(-width // size))
        lists = CandidateLists(
            np.arange(self.absent),
            np.array([self.absent]),
            np.array([self.k]),
            np.zeros((1, self.classes), int),
        )
        for size, smaller in zip(SIZES, (*SIZES[1:], 0)):
            found = [self._resolve(part, lists, size) for part in _batches(tiles, lists)]
            if not found:
                break
            tiles, lists = _concatenated(found)
            if smaller:
                tiles = _split(tiles, size // smaller)
                tiles = tiles[:, (tiles[0] * smaller < height) & (tiles[1] * smaller < width)]
        return self.votes[:, :height, :width]

    def _resolve(
        self, tiles: TileArray, lists: CandidateLists, size: int
    ) -> tuple[TileArray, CandidateLists]:
        """Fill the tiles that can be resolved; return the others with their remaining candidates."""
        row = tiles[2]
        candidates = lists.padded(row, self.absent)
        need, codes = lists.need[row], self.codes[candidates]
        distance, reach = self._distances(tiles, candidates, size)
        last, next_ = _order_statistics(distance, need)
        margin = 2 * reach * (1 + 1e-9) + 1e-12 * np.where(np.isfinite(last), last, 0.0) + self.rounding
        # these are nearest at every pixel of a tile: k = 60 takes a sixth of the time
        certain = (distance < (next_ - margin)[:, None]) & (not self.weighted)
        undecided = (distance <= (last + margin)[:, None]) & ~certain
        base, need = lists.base[row] + self._tally(certain, codes), need - certain.sum(axis=1)
        lowest = np.where(undecided, codes, len(self.codes)).min(axis=1)
        highest = np.where(undecided, codes, -1).max(axis=1)
        agreed, left = lowest >= highest, lowest < highest
        self._fill(tiles[:, agreed], size, base[agreed], need[agreed], highest[agreed])
        lists = CandidateLists(
            candidates[left][undecided[left]], undecided[left].sum(axis=1), need[left], base[left]
        )
        tiles = np.stack([*tiles[:2, left], np.arange(len(lists.counts))])
        return self._resolve_pixels(tiles, lists, size), lists

    def _tally(self, chosen: Mask, codes: Ints) -> Votes:
        """Count the chosen of each class in each row."""
        return np.stack([(chosen & (codes == code)).sum(axis=1) for code in range(self.classes)], axis=1)

    def _count(self, ranks: Floats, codes: Ints, need: Ints, base: Ints) -> Votes:
        """Votes (K, t, T, T) so far and those of the `need` nearest of the candidates of t tiles."""
        votes = np.empty((self.classes, *ranks.shape[1:]), dtype=np.uint16)
        votes[:] = base.T[:, :, None, None]
        tiles = np.arange(len(base))
        for chosen, code in zip(lowest(ranks, need), codes.T):
            votes[code, tiles] += chosen
        return votes

    def _distances(self, tiles: TileArray, candidates: Ints, size: int) -> tuple[Floats, Floats]:
        """Distances from the centre of each tile to its candidates, and to its corners."""
        parts, reach, mixed = [], [], np.array([[self.skew], [abs(self.skew)]])
        for axis, index, coordinates in ((self.x, tiles[1], self.px), (self.y, tiles[0], self.py)):
            cut = axis.reshape(-1, size)
            low, high = cut.min(axis=1)[index], cut.max(axis=1)[index]
            parts.append(self.metric.part(((low + high) / 2)[:, None] - coordinates[candidates]))
            reach.append(self.metric.part((high - low) / 2))
            mixed = mixed * np.stack([low + high, high - low]) / 2
        if self.offsets is not None:
            parts.append(self.offsets[candidates])
        ranks, radii = (reduce(self.metric.join, each) for each in (parts, reach))
        if self.skew:
            ranks, radii = np.maximum(ranks + mixed[0, :, None], 0.0), radii + mixed[1]
        return self.metric.length(ranks), self.metric.length(radii)

    def _ranks(self, x: Floats, y: Floats, candidates: Ints) -> Floats:
        """The ranks (m, t, T, T) of candidates (t, m) at the pixels x (t, T) and y (t, T) of t tiles."""
        across = self.metric.part(x - self.px[candidates].T[:, :, None])
        down = self.metric.part(y - self.py[candidates].T[:, :, None])
        ranks: Floats = self.metric.join(across[:, :, None, :], down[:, :, :, None])
        if self.offsets is not None:
            ranks = self.metric.join(ranks, self.offsets[candidates].T[:, :, None, None])
        if self.skew:
            ranks += self.skew * x[:, None, :] * y[:, :, None]
            np.maximum(ranks, 0.0, out=ranks)
        return ranks

    def _weights(self, ranks: Floats, need: Ints) -> Floats:
        """The weights of candidates of t tiles at each pixel: 0 but for the `need` nearest."""
        lengths = self.metric.length(ranks)
        lengths[~lowest(ranks, need)] = np.inf
        return inverse_distances(lengths)

    def _fill(self, tiles: TileArray, size: int, base: Ints, need: Ints, code: Ints) -> None:
        """Write one count for all pixels of each tile."""
        self._vote(base, need, np.maximum(code, 0))
        for plane, count in zip(self.votes, base.T):
            _blocks(plane, size)[tiles[0], tiles[1]] = count[:, None, None]

    def _vote(self, base: Ints, need: Ints, code: Ints) -> None:
        """Add the votes of candidates of one class."""
        base[np.arange(len(code)), code] += need

    def _resolve_pixels(self, tiles: TileArray, lists: CandidateLists, size: int) -> TileArray:
        """Resolve the smallest tiles, and those with few candidates, pixel by pixel; return the others."""
        few = max((few for few, largest in COMPARED_BY_PIXEL if size <= largest), default=0)
        ready = np.full(len(lists.counts), size == SIZES[-1]) | (lists.counts <= few)
        for down, across, row in _batches(tiles[:, ready], lists, PIXELS // size**2):
            candidates = lists.padded(row, self.absent)
            ranks = self._ranks(self.x.reshape(-1, size)[across], self.y.reshape(-1, size)[down], candidates)
            votes = self._count(ranks, self.codes[candidates], lists.need[row], lists.base[row])
            for plane, count in zip(self.votes, votes):
                _blocks(plane, size)[down, across] = count
        return tiles[:, ~ready]


class _WeightedSearch(_VoteSearch):
    """Computes shares times k; only tiles whose candidates are all of one class are settled as a whole."""

    dtype, weighted = np.dtype(np.float32), True

    def _count(self, ranks: Floats, codes: Ints, need: Ints, base: Ints) -> Votes:
        """Shares (K, t, T, T) times k of the `need` nearest candidates."""
        weights = self._weights(ranks, need)
        shares, tiles = np.zeros((self.classes, *weights.shape[1:])), np.arange(weights.shape[1])
        for weight, code in zip(weights, codes.T):
            shares[code, tiles] += weight
        return np.asarray(shares / weights.sum(axis=0)) * self.k


class _MeanSearch(_VoteSearch):
    """Adds up the values of the k nearest points; each point is a class of its own."""

    dtype = np.dtype(np.float64)

    def __init__(
        self, raster: Raster, points: Floats, values: Floats, k: int, offsets: Floats | None, skew: float
    ) -> None:
        super().__init__(
            raster, points, np.arange(len(points)), k, 1, METRICS["l2"], offsets=offsets, skew=skew
        )
        self.values = np.append(values, 0.0)

    def _tally(self, chosen: Mask, codes: Ints) -> Votes:
        return np.asarray(np.where(chosen, self.values[codes], 0.0).sum(axis=1, keepdims=True))

    def _count(self, ranks: Floats, codes: Ints, need: Ints, base: Ints) -> Votes:
        values = self.values[codes].T[:, :, None, None]
        sums = np.where(lowest(ranks, need), values, 0.0).sum(axis=0, keepdims=True)
        return np.asarray(base[:, 0, None, None] + sums)

    def _vote(self, base: Ints, need: Ints, code: Ints) -> None:
        base[:, 0] += need * self.values[code]


class _WeightedMeanSearch(_MeanSearch):
    """Computes weighted means times k."""

    weighted = True

    def _count(self, ranks: Floats, codes: Ints, need: Ints, base: Ints) -> Votes:
        weights = self._weights(ranks, need)
        sums = (weights * self.values[codes].T[:, :, None, None]).sum(axis=0, keepdims=True)
        return np.asarray(sums / weights.sum(axis=0) * self.k)


def inverse_distances(distances: Floats) -> Floats:
    """1 / distance; points at distance zero, along the first axis, take all of the weight."""
    with np.errstate(divide="ignore", over="ignore"):
        weights = 1.0 / distances
    if weights.max(initial=0.0) < np.inf:
        return np.asarray(weights)
    hit = np.isinf(weights)
    return np.where(hit.any(axis=0), hit, weights)


def lowest(ranks: Floats, need: Ints | int) -> Mask:
    """Mask of the lowest `need` of m candidates (m, ...), or need[i] of ranks[:, i]; of equals the first."""
    most = int(np.max(need))
    few = np.partition(ranks, most - 1, axis=0)[:most] if most < len(ranks) else ranks
    if isinstance(need, int):
        last = few.max(axis=0)
    else:
        need = need.reshape(-1, *[1] * (ranks.ndim - 2))
        last = np.take_along_axis(np.sort(few, axis=0), need[None] - 1, axis=0)
    within = ranks <= last
    if (within.sum(axis=0, dtype=np.int32) <= need).all():
        return np.asarray(within)
    below, level = ranks < last, ranks == last
    room = need - below.sum(axis=0)
    return np.asarray(below | (level & (np.cumsum(level, axis=0) <= room)))


def _padded(axis: Floats) -> Floats:
    """Pad an axis to whole tiles by repeating its last value."""
    return np.pad(axis, (0, -len(axis) % SIZES[0]), mode="edge")


def _grid(rows: int, columns: int) -> TileArray:
    """All tiles of a grid, with candidates in row 0."""
    return np.stack([*np.divmod(np.arange(rows * columns), max(columns, 1)), np.zeros(rows * columns, int)])


def _split(tiles: TileArray, factor: int) -> TileArray:
    """Split each tile into factor x factor tiles."""
    scaled = tiles * np.array([[factor], [factor], [1]])
    return np.asarray(scaled[:, :, None] + _grid(factor, factor)[:, None]).reshape(3, -1)


def _batches(tiles: TileArray, lists: CandidateLists, chunk: int = CHUNK) -> Iterator[TileArray]:
    """Batches of tiles with similar numbers of candidates, small enough to stay in the cache."""
    width = np.searchsorted(WIDTHS, lists.counts)[tiles[2]]
    order = np.argsort(width, kind="stable")
    edges = np.flatnonzero(np.diff(width[order])) + 1
    for same in np.split(order, edges):
        if len(same):
            step = max(chunk // max(int(lists.counts[tiles[2, same]].max()), 1), 1)
            for start in range(0, len(same), step):
                check_cancelled()
                yield tiles[:, same[start : start + step]]


def _concatenated(found: list[tuple[TileArray, CandidateLists]]) -> tuple[TileArray, CandidateLists]:
    """Concatenate the batches of a level."""
    starts = np.cumsum([0] + [len(lists.counts) for _, lists in found])
    tiles = [tiles + np.array([[0], [0], [start]]) for (tiles, _), start in zip(found, starts)]
    columns = ([getattr(lists, field.name) for _, lists in found] for field in fields(CandidateLists))
    return np.concatenate(tiles, axis=1), CandidateLists(*map(np.concatenate, columns))


def _order_statistics(distance: Floats, need: Ints) -> tuple[Floats, Floats]:
    """The need-th smallest value of each row and the next one (infinite where there is none)."""
    most = int(need.max(initial=1))
    if distance.shape[1] > most + 1:
        distance = np.partition(distance, most, axis=1)[:, : most + 1]
    ordered = np.sort(distance, axis=1)
    ordered = np.pad(ordered, ((0, 0), (0, max(most + 1 - ordered.shape[1], 0))), constant_values=np.inf)
    rows = np.arange(len(need))
    return ordered[rows, need - 1], ordered[rows, need]


def _blocks(plane: Votes, size: int) -> Votes:
    """View a plane as (tiles down, tiles across, size, size)."""
    height, width = plane.shape
    return plane.reshape(height // size, size, width // size, size).transpose(0, 2, 1, 3)
