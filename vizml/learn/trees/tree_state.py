"""States of decision trees: the first splits of a grown tree, less those that pruning has removed.

Trees on categories, or on data with missing values, have states and views of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from vizml import scene
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.fitted_regressor import FittedRegressor
from vizml.learn.learned import LeafRule, Learned, PointValues
from vizml.learn.state import Classifier, State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees import structure
from vizml.learn.trees.grown import GrownRegressionTree, GrownTree
from vizml.learn.trees.mixed_tree import MixedTree
from vizml.learn.trees.structure import Tree, descend
from vizml.learn.trees.views import (
    RegressionTreeMapView,
    RegressionTreeView,
    TreeLineView,
    TreeView,
    cell_borders,
    pruning_chart,
    split_marks,
    tree_diagram,
)
from vizml.learn.view import CurveView, FittedCurveView, FittedMapView, PlaneView
from vizml.scene import Chart, Diagram


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeState(State):
    """A subtree of a grown tree."""

    plane_view_class: ClassVar[type[PlaneView[Any]]] = TreeView
    grown: GrownTree
    shown: int = 0
    """Number of splits made."""
    collapsed: int = 0
    """Number of collapses made by pruning."""

    @property
    def tree(self) -> Tree:
        """The whole tree, with the splits that follow."""
        return self.grown.tree

    @cached_property
    def splits(self) -> Mask:
        """The nodes that are split so far."""
        return self.grown.shown(self.shown, self.collapsed)

    @cached_property
    def leaves(self) -> Ints:
        """The nodes that are leaves so far."""
        nodes = structure.reachable(self.tree, self.splits)
        return nodes[~self.splits[nodes]]

    @property
    def latest(self) -> int:
        """The node of the latest split, or of the latest collapse by pruning; the root at the start."""
        path, order = self.grown.path, self.grown.order
        if self.collapsed and path is not None:
            return int(path.node[self.collapsed - 1])
        return int(order[max(self.shown, 1) - 1]) if len(order) else 0

    @property
    def size(self) -> dict[str, float]:
        """The number of leaves and the depth as metrics."""
        return {"leaves": len(self.leaves), "depth": int(self.tree.depth[self.leaves].max())}

    @property
    def importances(self) -> Floats:
        """Share (d,) of each input in the decrease of impurity by the splits so far."""
        tree, made = self.tree, np.flatnonzero(self.splits)
        gains = np.bincount(tree.feature[made], tree.gain[made], minlength=tree.features)
        return structure.shares(gains.astype(np.float64))

    def learned(self) -> Learned:
        """Return the input and threshold of each split from the root on, and value and size of each leaf."""
        tree, made = self.tree, np.flatnonzero(self.splits)
        values = self.grown.outputs[self.leaves]
        found: Learned = {
            "value": values[:, 0] if values.shape[1] == 1 else values,
            "n": tree.count[self.leaves],
        }
        splits = {"feature": tree.feature[made] + 1, "threshold": tree.threshold[made]}
        return {**{name: v for name, v in splits.items() if len(v) and np.isfinite(v).all()}, **found}

    def rules(self) -> tuple[LeafRule, ...]:
        """Return a rule for each leaf, from left to right in the diagram."""
        columns = self.grown.data.columns
        leaves = sorted(self.leaves.tolist(), key=partial(structure.path_to, self.tree))
        return tuple(
            LeafRule(
                conditions=self.tree.conditions(leaf, columns), outcome=self.grown.outcome(leaf),
                figures={"n": self.tree.count[leaf].item()} | self.grown.fit_of(leaf),
            )
            for leaf in leaves
        )  # fmt: skip

    def row_values(self, data: TrainingData) -> PointValues:
        return {"leaf": np.searchsorted(np.sort(self.leaves), self.apply(data.X)) + 1}

    def thresholds(self, feature: int) -> Floats:
        """Return the rising thresholds of the splits on a feature so far."""
        return self.tree.thresholds(feature, self.splits)

    def apply(self, X: ArrayLike) -> Ints:
        """The leaf of each row of X (m, d)."""
        return descend(self.tree, self.known(np.asarray(X, dtype=np.float64)), self.splits)

    def known(self, X: Floats) -> Floats:
        """X with medians in place of missing values: a tree of complete numbers has no rule for these."""
        missing = np.isnan(X)
        return np.where(missing, self.space.medians, X) if missing.any() else X

    def box(self, node: int) -> Floats:
        """The region of a node (d, 2), low < x <= high."""
        return np.asarray(self.tree.box[node])

    def path(self, X: Floats) -> list[int]:
        """The nodes from the root to the leaf of a single row X (1, d)."""
        return structure.path_to(self.tree, int(self.apply(X)[0]))

    def leaf_text(self, leaf: int) -> str:
        """The text of a leaf at the pointer."""
        return self.grown.leaf_text(leaf)

    def diagram(self) -> Diagram:
        texts = partial(self.grown.texts, splits=self.splits)
        return tree_diagram(self.tree, self.splits, texts, self.grown.tint)

    def charts(self) -> tuple[Chart, ...]:
        return self.charts_on()

    def charts_on(self, held: TrainingData | None = None) -> tuple[Chart, ...]:
        path = self.grown.chart_path
        if path is None or not len(path.node):
            return ()
        errors = None if held is None or not len(held) else self.grown.errors(held) / len(held)
        return (pruning_chart(self, path, self.grown.chart_validation(path), errors),)


@dataclass(frozen=True, eq=False, kw_only=True)
class DecisionTreeState(TreeState, Classifier):
    """A classification tree; scores are the class proportions of the leaf, the loss is the mean impurity."""

    line_view_class = TreeLineView

    def scores(self, X: ArrayLike) -> Floats:
        return self.grown.outputs[self.apply(X)]

    def metrics(self) -> Mapping[str, float]:
        sums = self.tree.sums[self.leaves]
        error = float(1 - sums.max(axis=1).sum() / sums.sum())
        return {"impurity": self.loss, "training error": error} | self.size


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionTreeState(TreeState, FittedRegressor):
    """A regression tree: a constant for each leaf; the loss is the mean squared, or absolute, residual."""

    curve_view_class: ClassVar[type[CurveView[Any]]] = RegressionTreeView
    plane_view_class: ClassVar[type[PlaneView[Any]]] = RegressionTreeMapView
    grown: GrownRegressionTree

    def expected(self, X: Floats) -> Floats:
        if self.shown == self.grown.split_count and not self.collapsed:
            return self.grown.predict(self.known(X))
        return self.grown.values[self.apply(X)]

    def metrics(self) -> Mapping[str, float]:
        return self.fit_figures() | {"mean |residual|": float(np.abs(self.residuals).mean())} | self.size


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
        if self.section.axes is None:
            return ()
        return (split_marks(self._borders(np.pad(self._cells, 1, mode="edge"))),)

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

    def _borders(self, framed: Ints | Mask) -> Floats:
        """The lines (m, 2, 2) between different neighbours among the cells and a frame around them."""
        x, y = (np.concatenate([[-np.inf], places, [np.inf]]) for places in self._grid)
        return cell_borders(framed, x, y)


class RegressionMixedTreeMapView(MixedTreeView, FittedMapView["RegressionMixedTreeState"]):
    """The leaves and splits of a regression tree on a section, with the residuals."""

    def marks(self) -> tuple[scene.Mark, ...]:
        return (*MixedTreeView.marks(self), *FittedMapView.marks(self))


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
