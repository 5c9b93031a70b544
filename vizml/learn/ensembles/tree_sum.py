"""States and views of sums of trees, f(x) = f_0 + sum_t v_t(leaf of x in tree t)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.boxes import summed_field
from vizml.field.octagons import octagons_field, octagons_sums
from vizml.learn.ensembles.field_cache import FieldCache
from vizml.learn.ensembles.tree_batch import Batch, TreeBatch, first_trees, locate_tree
from vizml.learn.ensembles.views import RoundTree
from vizml.learn.state import Classifier, Real, State
from vizml.learn.trees.structure import descend, path_to
from vizml.learn.trees.views import box_outline
from vizml.learn.view import Focus, PlaneView
from vizml.scene import Diagram

MAX_KEPT_SUMS = 1 << 23
"""Largest number of cumulative sums at the training points that a batch keeps for other steps: 64 MB."""


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

    def sums(self, X: Floats) -> Floats:
        """Sum over the trees (n, V) at points (n, d)."""
        out = np.tile(self.initial, (len(X), 1))
        known = X is self.X and self.trees * out.size <= MAX_KEPT_SUMS
        features = self.features(X)
        for batch, count in first_trees(self.batches, self.trees):
            out += batch.training_sums[count - 1] if known else batch.sums(features, 0, count)
        return out

    def features(self, X: Floats) -> Floats:
        """Features (n, F) that trees split, from inputs (n, d)."""
        return add_diagonals(X) if self.diagonals else X


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeSumClassifier(TreeSumState, Classifier):
    """Classifier whose scores follow from a sum of trees."""

    batches: tuple[TreeBatch, ...]
    columns: tuple[str, ...]
    """Names of the inputs."""
    cache: FieldCache | None = None
    """Sums at the pixels, which the states of a run share where trees take long to paint."""

    def tree(self, number: int) -> tuple[TreeBatch, int]:
        """Batch of a tree and the tree's place in it."""
        return locate_tree(self.batches, number)

    @abstractmethod
    def combine(self, sums: NDArray[Real]) -> NDArray[Real]:
        """Scores (K, ...) from sums (V, ...), which may be overwritten."""

    def scores(self, X: ArrayLike) -> Floats:
        return self.combine(self.sums(np.asarray(X, dtype=np.float64)).T).T


T = TypeVar("T", bound=TreeSumClassifier)


class TreeSumView(PlaneView[T]):
    """Boxes of the leaves, added up on the raster."""

    def field(self, raster: Raster) -> Field:
        return self.state.combine(self.planes(raster)) if self.section.whole else super().field(raster)

    def planes(self, raster: Raster) -> Field:
        """Sum over the trees at each pixel (V, H, W)."""
        state = self.state
        if state.cache is None:
            return painted(state.batches, 0, state.trees, raster, state.initial)
        sums = state.cache.field(raster, state.trees, partial(painted_sums, state.batches))
        sums += state.initial.astype(np.float32)[:, None, None]
        return sums


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundState(TreeSumClassifier):
    """Classifier with a tree of the latest round to look at."""

    @property
    @abstractmethod
    def round_tree(self) -> RoundTree | None:
        """Tree of the latest round."""

    def diagram(self) -> Diagram | None:
        return self.round_tree.diagram() if self.round_tree else None


R = TypeVar("R", bound=RoundState)


class RoundView(TreeSumView[R]):
    """Boxes and paths in the tree of the round."""

    def focus(self, node: str) -> Focus:
        tree = self.state.round_tree
        if tree is None or not self.section.whole:
            return Focus()
        return Focus((box_outline(tree.tree.box[int(node)], fill=0.12),))

    def trail(self, point: Floats) -> tuple[str, ...]:
        if self.state.round_tree is None:
            return ()
        tree = self.state.round_tree.tree
        leaf = int(descend(tree, self.section.lift(point[None, :]), tree.splits)[0])
        return tuple(str(node) for node in path_to(tree, leaf))


def add_diagonals(X: ArrayLike) -> Floats:
    """Append the sums and differences of all pairs of inputs to X (n, d)."""
    columns = list(np.asarray(X, dtype=np.float64).T)
    pairs = list(combinations(columns, 2))
    return np.column_stack([*columns, *(a + b for a, b in pairs), *(a - b for a, b in pairs)])


def painted(batches: Sequence[TreeBatch], start: int, stop: int, raster: Raster, initial: Floats) -> Field:
    """The sum of `initial` (V,) and the trees from start to stop at each pixel (V, H, W)."""
    features = batches[0].features if batches else 2
    boxes, values = _boxes(batches, start, stop)
    everywhere = np.tile([-np.inf, np.inf], (1, features))
    paint: Any = octagons_field if features == 4 else summed_field
    field: Field = paint(
        np.concatenate([everywhere, *boxes]), np.concatenate([initial[None, :], *values]), raster
    )
    return field


def painted_sums(batches: Sequence[TreeBatch], start: int, stop: int, raster: Raster) -> Floats:
    """Sum of the trees from start to stop that split diagonals, at each pixel in double precision."""
    boxes, values = _boxes(batches, start, stop)
    return octagons_sums(np.concatenate(boxes), np.concatenate(values), raster)


def _boxes(batches: Sequence[TreeBatch], start: int, stop: int) -> tuple[list[Floats], list[Floats]]:
    """Boxes (m, 2 features) and values (m, V) of the leaves of the trees from start to stop, by batch."""
    all_boxes, all_values = [], []
    for batch, count in first_trees(batches, stop):
        boxes, values = batch.boxes(min(max(start, 0), count), count)
        all_boxes.append(boxes.reshape(len(boxes), 2 * batch.features))
        all_values.append(values)
        start -= len(batch)
    return all_boxes, all_values
