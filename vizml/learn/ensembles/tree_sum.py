"""States and views of sums of trees, f(x) = f_0 + sum_t v_t(leaf of x in tree t)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, repeat
from threading import Lock
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.leaves import HalfPlaneTrees, summed_field
from vizml.learn.ensembles.tree_batch import Batch, TreeBatch, first_trees, locate_tree
from vizml.learn.ensembles.views import RoundTree
from vizml.learn.learned import Learned, scalar
from vizml.learn.state import Classifier, Real, State
from vizml.learn.trees.structure import descend, path_to, shares
from vizml.learn.trees.views import BoxView, SplitLineView, crosses, split_lines, upright_splits
from vizml.learn.view import FittedMapView, PlaneView
from vizml.scene import Diagram, Ink, Mark, Segments

MAX_KEPT_SUMS = 1 << 23
"""Largest number of cumulative sums at the training points that a batch keeps for other steps: 64 MB."""
MAX_SUMS = 1 << 22
"""Largest number of sums that are kept for a raster: 32 MB."""
KEPT_RASTERS = 2
"""Number of rasters with kept sums: the exact one, and the coarse one before it."""
SPLIT_LEGEND = "split of this round"
"""Legend of the splits of the first tree of a round."""
Paint = Callable[[int, int, Raster], Floats]
"""The sum (V, H, W) of the trees from start to stop at each pixel."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeSumState(State):
    """The first trees of some batches; the states of a run share the batches."""

    batches: tuple[Batch, ...]
    trees: int
    """Number of trees in the sum."""
    initial: Floats
    """The sum (V,) without any tree."""
    X: Floats
    """The training points (n, d)."""
    diagonals: bool = False
    """Whether trees split sums and differences of the inputs as well."""
    cache: FieldCache | None = None
    """Sums at the pixels, which the states of a run share where trees take long to paint."""

    @abstractmethod
    def combine(self, sums: NDArray[Real]) -> NDArray[Real]:
        """Values (K, ...) to draw from sums (V, ...), which may be overwritten: scores or predictions."""

    @property
    def size(self) -> int:
        """Number of trees."""
        return self.trees

    def sums(self, X: Floats) -> Floats:
        """Sum over the trees (n, V) at points (n, d)."""
        out = np.tile(self.initial, (len(X), 1))
        known = X is self.X and self.trees * out.size <= MAX_KEPT_SUMS
        features = self.features(X)
        for batch, count in first_trees(self.batches, self.trees):
            out += batch.training_sums[count - 1] if known else batch.sums(features, 0, count)
        return out

    def learned(self) -> Learned:
        """Return the value of each leaf with the number of its tree, and the constant f0 before any tree."""
        found = [batch.leaf_values(count) for batch, count in first_trees(self.batches, self.trees)]
        if not found:
            return {"f0": scalar(self.initial)}
        ends = np.cumsum([0, *(len(batch) for batch in self.batches)])
        trees = [own["tree"] + start + 1 for own, start in zip(found, ends)]
        parts = {name: np.concatenate([own[name] for own in found]) for name in found[0]}
        return {"f0": scalar(self.initial), **parts, "tree": np.concatenate(trees)}

    @property
    def importances(self) -> Floats | None:
        """Share (d,) of each input in the decrease of impurity by splits; None where these are diagonal."""
        d = self.X.shape[1]
        if d == 1 or self.diagonals:
            return None if self.diagonals else np.ones(1)
        batches = first_trees(cast("tuple[TreeBatch, ...]", self.batches), self.trees)
        gains = np.concatenate([np.empty((0, d)), *(batch.gains[:count] for batch, count in batches)])
        return shares(self.weighted(gains).sum(axis=0))

    def weighted(self, gains: Floats) -> Floats:
        """Return the gains (trees, d) as they count for the importance of inputs."""
        return gains

    def features(self, X: Floats) -> Floats:
        """Features (n, F) that trees split, from inputs (n, d)."""
        return add_diagonals(X) if self.diagonals else X


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeSumClassifier(TreeSumState, Classifier):
    """Classifier whose scores follow from a sum of trees."""

    batches: tuple[TreeBatch, ...]

    def tree(self, number: int) -> tuple[TreeBatch, int]:
        """Batch of a tree and the tree's place in it."""
        return locate_tree(self.batches, number)

    def scores(self, X: ArrayLike) -> Floats:
        return self.combine(self.sums(np.asarray(X, dtype=np.float64)).T).T


T = TypeVar("T", bound=TreeSumState)


class TreeSumView(PlaneView[T]):
    """Boxes of the leaves where the section crosses them, added up on the raster.

    Leaves are polygons on an oblique section, and where trees split sums and differences of the inputs.
    """

    def field(self, raster: Raster) -> Field:
        return self.state.combine(self.planes(raster))

    def planes(self, raster: Raster) -> Field:
        """Sum over the trees at each pixel (V, H, W)."""
        state = self.state
        if state.cache is None or not self.section.whole:
            return self.painted(0, state.trees, raster)
        sums = state.cache.field(raster, state.trees, self._polygons)
        sums += state.initial.astype(np.float32)[:, None, None]
        return sums

    def painted(self, start: int, stop: int, raster: Raster) -> Field:
        """The initial sum and the trees from start to stop at each pixel (V, H, W)."""
        if self.section.axes is None or self.state.diagonals:
            sums = self._polygons(start, stop, raster) + self.state.initial[:, None, None]
            return sums.astype(np.float32)
        boxes, values = self._boxes(start, stop, self.section.axes)
        everywhere = np.tile([-np.inf, np.inf], (1, 2))
        values = np.concatenate([self.state.initial[None], values])
        return summed_field(np.concatenate([everywhere, boxes]), values, raster)

    def _polygons(self, start: int, stop: int, raster: Raster) -> Floats:
        """Sum of the trees from start to stop, whose leaves are polygons, in double precision."""
        origin, basis = (
            self.state.features(each) for each in (self.section.origin[None], self.section.basis)
        )
        found = [(batch, first, last) for batch, first, last in self._batches(start, stop) if first < last]
        if not found:
            return np.zeros((len(self.state.initial), *raster.shape))
        trees = [batch.tree for batch, *_ in found]
        nodes = np.cumsum([0, *map(len, trees)])[:-1]
        roots = [batch.roots[first:last] + node for (batch, first, last), node in zip(found, nodes)]
        planes = HalfPlaneTrees(
            feature=np.concatenate([tree.feature for tree in trees]),
            threshold=np.concatenate([tree.threshold for tree in trees]),
            left=np.concatenate([tree.left + node for tree, node in zip(trees, nodes)]),
            right=np.concatenate([tree.right + node for tree, node in zip(trees, nodes)]),
            values=np.concatenate([batch.values for batch, *_ in found]),
            slopes=basis.T,
            offsets=origin[0],
        )
        return planes.sums(np.concatenate(roots), raster)

    def _boxes(self, start: int, stop: int, axes: Sequence[int]) -> tuple[Floats, Floats]:
        """Boxes (m, 4) and values (m, V) of the leaves of the trees from start to stop."""
        all_boxes, all_values = [np.empty((0, 4))], [np.empty((0, len(self.state.initial)))]
        for batch, first, last in self._batches(start, stop):
            boxes, values = batch.boxes(first, last)
            if not self.section.whole:
                crossed = crosses(self.section, boxes)
                boxes, values = boxes[crossed][:, list(axes)], values[crossed]
            all_boxes.append(boxes.reshape(len(boxes), 4))
            all_values.append(values)
        return np.concatenate(all_boxes), np.concatenate(all_values)

    def _batches(self, start: int, stop: int) -> Iterator[tuple[TreeBatch, int, int]]:
        """Yield the batches with the trees from start to stop, and their first and last ones."""
        for batch, count in first_trees(cast("Sequence[TreeBatch]", self.state.batches), stop):
            yield batch, min(max(start, 0), count), count
            start -= len(batch)

    def split_lines(self, batch: TreeBatch, nodes: Ints) -> Floats:
        """Lines (m, 2, 2) of the splits of some nodes on the section."""
        tree, axes = batch.tree, self.section.axes or ()
        shown = crosses(self.section, tree.box[nodes]) & np.isin(tree.feature[nodes], axes)
        return split_lines(tree, nodes[shown], axes)


class TreeSumMapView(TreeSumView[Any], FittedMapView[Any]):
    """Predictions of a sum of trees, with the residuals."""


class RoundState(TreeSumClassifier):
    """Classifier with a tree of the latest round to look at."""

    @property
    @abstractmethod
    def latest(self) -> dict[int, Ink]:
        """Numbers of the trees of the latest round, with the inks of their splits."""

    @abstractmethod
    def point_marks(self, points: Floats) -> tuple[Mark, ...]:
        """Marks around the training points (n, 2) on the canvas that the next round attends to."""

    @property
    @abstractmethod
    def round_tree(self) -> RoundTree | None:
        """Tree of the latest round."""

    def diagram(self) -> Diagram | None:
        return self.round_tree.diagram() if self.round_tree else None

    def box(self, node: int) -> Floats:
        """Box (d, 2) of a node of the round's tree."""
        if self.round_tree is None:
            raise KeyError(node)
        box: Floats = self.round_tree.tree.box[node]
        return box

    def path(self, X: Floats) -> list[int]:
        """Nodes of the round's tree from the root to the leaf of a row (1, d)."""
        if self.round_tree is None:
            return []
        tree = self.round_tree.tree
        return list(path_to(tree, int(descend(tree, X, tree.splits)[0])))


R = TypeVar("R", bound=RoundState)


class RoundView(TreeSumView[R], BoxView):
    """Boxes and paths in the tree of the round, and its splits."""

    opacity: ClassVar[float] = 0.6
    width: ClassVar[float] = 1.0
    """Opacity and width of the splits."""

    def marks(self) -> tuple[Mark, ...]:
        if self.section.axes is None:
            return ()
        return (*self._splits(), *self.state.point_marks(self.section.project(self.state.X)[0]))

    def _splits(self) -> Iterator[Mark]:
        for (number, ink), legend in zip(self.state.latest.items(), chain([SPLIT_LEGEND], repeat(""))):
            batch, place = self.state.tree(number)
            ends = self.split_lines(batch, batch.splits_of(place))
            yield Segments(
                layer="Splits", ends=ends, ink=ink, opacity=self.opacity, width=self.width, legend=legend
            )

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        del point
        return ()


class RoundLineView(SplitLineView):
    """The thresholds of the trees of the round at which the line enters another leaf."""

    state: RoundState

    def marks(self) -> tuple[Mark, ...]:
        return (*self._splits(), *self.state.point_marks(self.places))

    def _splits(self) -> Iterator[Mark]:
        for (number, ink), legend in zip(self.state.latest.items(), chain([SPLIT_LEGEND], repeat(""))):
            batch, place = self.state.tree(number)
            own = batch.splits & (batch.owner == place)
            at = batch.tree.thresholds(int(self.section.basis.argmax()), own)
            crossed = self.crossed(at, partial(_leaves, batch, place))
            yield replace(upright_splits(crossed), ink=ink, legend=legend)


def _leaves(batch: TreeBatch, place: int, X: Floats) -> Ints:
    """Leaf of each row of X (m, d) in a tree of a batch."""
    leaves: Ints = batch.walk(X, place, place + 1)[0]
    return leaves


class FieldCache:
    """Sums at the pixels of the latest rasters for the step last shown; the states of a run share one.

    Another step adds or subtracts only the trees between. Scrubbing 100 trees with diagonal splits on 10,000
    points shows 44 steps a second with it and 10 without.
    """

    def __init__(self, planes: int, max_sums: int = MAX_SUMS) -> None:
        self._planes, self._max_sums, self._lock = planes, max_sums, Lock()
        self._rasters: list[RasterSums] = []

    def field(self, raster: Raster, trees: int, paint: Paint) -> Field:
        """Sum of the first trees at each pixel (V, H, W)."""
        with self._lock:
            cached = self._sums_of(raster.whole)
            if cached is None:
                return paint(0, trees, raster).astype(np.float32)
            return cached.advance(raster, trees, paint).astype(np.float32)

    def _sums_of(self, whole: Raster) -> RasterSums | None:
        """Sums of a raster, new ones if need be; None for a raster that is too large."""
        for cached in self._rasters:
            if np.array_equal(whole.x, cached.raster.x) and np.array_equal(whole.y, cached.raster.y):
                return cached
        height, width = whole.shape
        if self._planes * height * width > self._max_sums:
            return None
        self._rasters = [RasterSums(whole, self._planes), *self._rasters[: KEPT_RASTERS - 1]]
        return self._rasters[0]


class RasterSums:
    """Sums (V, H, W) at the pixels of a raster, and the number of trees in each row."""

    def __init__(self, raster: Raster, planes: int) -> None:
        self.raster = raster
        self.sums: Floats = np.zeros((planes, *raster.shape))
        self.trees: Ints = np.zeros(len(raster.y), dtype=np.int64)

    def advance(self, band: Raster, trees: int, paint: Paint) -> Floats:
        """Bring the rows of a band to a number of trees, from their present one or from none."""
        rows = band.rows_of_whole
        sums, present = self.sums[:, rows], np.unique(self.trees[rows]).tolist()
        now = present[0] if len(present) == 1 else 0
        if abs(trees - now) >= trees or len(present) > 1:
            sums[:] = paint(0, trees, band)
        elif now < trees:
            sums += paint(now, trees, band)
        elif now > trees:
            sums -= paint(trees, now, band)
        self.trees[rows] = trees
        return sums


def add_diagonals(X: ArrayLike) -> Floats:
    """Append the sums and differences of all pairs of inputs to X (n, d)."""
    columns = list(np.asarray(X, dtype=np.float64).T)
    pairs = list(combinations(columns, 2))
    return np.column_stack([*columns, *(a + b for a, b in pairs), *(a - b for a, b in pairs)])
