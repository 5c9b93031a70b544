"""Trees on numbers and categories: states, which also predict for missing values, and their views."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from vizml import scene
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.mixed_tree import MixedTree
from vizml.learn.trees.tree_state import DecisionTreeState, RegressionTreeState
from vizml.learn.trees.views import TreeView, split_marks
from vizml.learn.view import FittedCurveView, FittedMapView


class MixedTreeView(TreeView):
    """The leaves and splits of a tree whose splits cut the plane into a grid of cells.

    Leaves may consist of several pieces, because a branch may hold any of the categories.
    """

    def field(self, raster: Raster) -> Field:
        x, y = self._grid
        if self.section.axes is None or (len(x) + 1) * (len(y) + 1) > raster.shape[0] * raster.shape[1]:
            return super(TreeView, self).field(raster)
        columns, rows = np.searchsorted(x, raster.x), np.searchsorted(y, raster.y)
        leaves = self._cells.take(rows, axis=0).take(columns, axis=1)
        return np.stack([plane.astype(np.float32)[leaves] for plane in self.state.grown.outputs.T])

    def edges(self) -> tuple[Floats, Floats] | None:
        return None if self.section.axes is None else self._grid

    def marks(self) -> tuple[scene.Mark, ...]:
        return (
            ()
            if self.section.axes is None
            else (split_marks(self._borders(np.pad(self._cells, 1, mode="edge"))),)
        )

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        """The rising x and y between the cells: thresholds, and the middles between codes of categories."""
        tree: MixedTree = self.state.tree
        x, y = (tree.thresholds(feature, self.state.splits) for feature in self.section.axes or (0, 1))
        return x, y

    @cached_property
    def _cells(self) -> Ints:
        """The leaf of each cell (H + 1, W + 1), which includes its upper and right border."""
        x, y = (np.append(places, np.inf) for places in self._grid)
        X = np.tile(self.section.origin, (len(x) * len(y), 1))
        X[:, list(self.section.axes or ())] = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        return np.asarray(self.state.apply(X)).reshape(len(y), len(x))

    def _outline(self, node: int, layer: str, width: float, fill: float = 0.0) -> tuple[scene.Mark, ...]:
        del fill  # a leaf may have several pieces
        if self.section.axes is None:
            return ()
        ends = self._borders(np.pad(self._inside(node), 1))
        return (scene.Segments(layer=layer, ends=ends, ink="accent", width=width),)

    def _inside(self, node: int) -> Mask:
        """The cells whose rows pass a node."""
        parent = self.state.tree.parent
        passes = np.arange(len(parent)) == node
        for below in range(node + 1, len(parent)):
            passes[below] = passes[parent[below]]
        return np.asarray(passes[self._cells])

    def _borders(self, cells: Ints | Mask) -> Floats:
        """The lines (m, 2, 2) between different neighbours among the cells and a frame around them."""
        x, y = (np.concatenate([[-np.inf], places, [np.inf]]) for places in self._grid)
        upright, low, high = _runs(cells[1:-1, 1:] != cells[1:-1, :-1])
        level, left, right = _runs((cells[1:, 1:-1] != cells[:-1, 1:-1]).T)
        ends = np.array(
            [
                np.concatenate([[x[upright], y[low]], [x[left], y[level]]], axis=1),
                np.concatenate([[x[upright], y[high]], [x[right], y[level]]], axis=1),
            ]
        )
        return ends.transpose(2, 0, 1)


class RegressionMixedTreeMapView(MixedTreeView, FittedMapView["RegressionMixedTreeState"]):
    """The leaves and splits of a regression tree on a section, with the residuals."""

    def marks(self) -> tuple[scene.Mark, ...]:
        return (*MixedTreeView.marks(self), *FittedMapView.marks(self))


def _runs(mask: Mask) -> tuple[Ints, Ints, Ints]:
    """The column of each run of a mask (rows, columns) down a column, its first row and the row behind it.

    >>> _runs(np.array([[True, False], [True, False], [False, True]]))
    (array([0, 1]), array([0, 2]), array([2, 3]))
    """
    change = np.diff(np.pad(mask.T.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    (column, first), stop = np.nonzero(change == 1), np.nonzero(change == -1)[1]
    return column, first, stop


class _TakesMissing:
    """Part of a state whose tree has rules for missing values."""

    def known(self, X: Floats) -> Floats:
        """X itself."""
        return X


@dataclass(frozen=True, eq=False, kw_only=True)
class MixedTreeState(_TakesMissing, DecisionTreeState):
    """A classification tree; rows without a value go where the tests of its nodes send them."""

    plane_view_class = MixedTreeView

    def scores(self, X: ArrayLike) -> Floats:
        given, tree = np.asarray(X, dtype=np.float64), self.tree
        if not isinstance(tree, MixedTree) or not np.isnan(given).any():
            return super().scores(given)
        row, leaf, weight = tree.spread(given, self.splits)
        parts = self.grown.outputs[leaf] * weight[:, None]
        return np.stack([np.bincount(row, part, len(given)) for part in parts.T], axis=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionMixedTreeState(_TakesMissing, RegressionTreeState):
    """A regression tree; rows without a value go where surrogate splits send them."""

    curve_view_class = FittedCurveView
    plane_view_class = RegressionMixedTreeMapView


def needs_mixed_tree(data: TrainingData) -> bool:
    """Whether inputs are categories or have missing values."""
    return any(data.categories) or data.incomplete
