"""States of decision trees: the first splits of a grown tree, less those that pruning has removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.fitted_regressor import FittedRegressor
from vizml.learn.learned import Learned, PointValues
from vizml.learn.state import Classifier, State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees import structure
from vizml.learn.trees.grower import TreeGrower
from vizml.learn.trees.grower_1d import Splits1D, TreeGrower1D, tree_from_splits
from vizml.learn.trees.mixed_grower import MixedGrower
from vizml.learn.trees.pruning import PruningErrors, PruningPath, candidate_alphas, cost_complexity_path
from vizml.learn.trees.structure import Tree, descend
from vizml.learn.trees.views import (
    RegressionTreeMapView,
    RegressionTreeView,
    TreeLineView,
    TreeView,
    pruning_chart,
    tree_diagram,
)  # fmt: skip
from vizml.learn.view import CurveView, PlaneView
from vizml.scene import Chart, Diagram, Ink

Grower: TypeAlias = TreeGrower | TreeGrower1D | MixedGrower
MAX_CHART_NODES = 5000
"""Larger trees get no pruning chart unless they are pruned: computing its path takes long."""


class GrownTree:
    """A grown tree with the statistics of its nodes, shared by the states of a run."""

    def __init__(
        self, data: TrainingData, tree: Callable[[], Tree], *, impurity: str = "", prune: str = ""
    ) -> None:
        """`impurity` is the name of the criterion; `prune` the kind of cost-complexity pruning, or ''."""
        self.data, self.impurity, self.prune = data, impurity, prune
        self.path: PruningPath | None = None
        self.validation: PruningErrors | None = None
        self.validate: Callable[[Floats], PruningErrors] | None = None
        """Cross-validate alphas."""
        self._grow = tree

    @cached_property
    def tree(self) -> Tree:
        """The whole tree."""
        return self._grow()

    @cached_property
    def order(self) -> Ints:
        """Its splits in best-first order."""
        return structure.best_first(self.tree)

    @property
    def leaves(self) -> int:
        """The number of leaves of the whole tree."""
        return int(np.count_nonzero(~self.tree.splits))

    @property
    def split_count(self) -> int:
        """The number of splits of the whole tree."""
        return int(np.count_nonzero(self.tree.splits))

    @cached_property
    def losses(self) -> Floats:
        """The loss of each node as a leaf, summed over its training points."""
        return self.tree.impurity

    error_name = "misclassification rate"
    """The name of the mean error in the pruning chart."""

    @cached_property
    def training_errors(self) -> Floats:
        """The errors of each node, as a leaf, on its training points."""
        return self.errors(self.data)

    def errors(self, data: TrainingData) -> Floats:
        """The number of data points that each node would misclassify as a leaf."""
        votes = self.data.present[self.outputs.argmax(axis=1)]
        return structure.node_sums(self.tree, data.X, lambda nodes, rows: votes[nodes] != data.labels[rows])

    def shown(self, splits: int, collapsed: int) -> Mask:
        """The nodes that are split after the first splits and collapses."""
        made = self.tree.splits if splits == self.split_count else self._rank < splits
        return made if self.path is None else made & (self.path.cut >= collapsed)

    @cached_property
    def _rank(self) -> Ints:
        """The position of each node in the order of splits, beyond its end for leaves."""
        rank = np.full(len(self.tree), len(self.tree))
        rank[self.order] = np.arange(len(self.order))
        return rank

    @cached_property
    def chart_path(self) -> PruningPath | None:
        """The pruning path for the chart, computed on demand."""
        if self.path is None and self.prune and len(self.tree) <= MAX_CHART_NODES:
            return cost_complexity_path(self.tree)
        return self.path if self.prune else None

    def chart_validation(self, path: PruningPath) -> PruningErrors | None:
        """The cross-validated errors for the chart, computed on demand."""
        if self.validation is None and self.validate is not None and len(self.tree) <= MAX_CHART_NODES:
            self.validation = self.validate(candidate_alphas(path.alpha))
        return self.validation

    @property
    def outputs(self) -> Floats:
        """The class proportions (m, K) of each node."""
        return self.tree.proportions

    def rule(self, node: int) -> str:
        """The split of a node as text."""
        return self.tree.rule(node, self.data.columns)

    def root_text(self) -> str:
        """The impurity before the first split as text."""
        return f"{self.impurity} {self.losses[0] / len(self.data):.3g}"

    def split_text(self, node: int) -> str:
        """The effect of a split as text."""
        tree, n = self.tree, self.tree.count[node]
        before, after = tree.impurity[node] / n, tree.impurity[list(tree.children(node))].sum() / n
        return f"{self.impurity} {before:.3g} → {after:.3g}, {structure.points_text(n)}"

    def texts(self, node: int, splits: Mask) -> tuple[str, ...]:
        """The texts of a node in the diagram, of which some are split."""
        tree, counts = self.tree, self.tree.sums[node]
        impurity = f"impurity {tree.impurity[node] / (tree.count[node] or 1):.3g}"
        if splits[node]:
            return self.rule(node), structure.points_text(tree.count[node]), impurity
        best = self.outputs[node].argmax()
        return self.data.class_names[best], f"{counts[best]:.4g} of {counts.sum():.4g}", impurity

    def tint(self, node: int) -> tuple[Ink, float]:
        """The ink of a leaf in the diagram, and its strength from 0 to 1."""
        proportions, chance = self.outputs[node], 1.0 / self.outputs.shape[1]
        return int(self.data.present[proportions.argmax()]), (float(proportions.max()) - chance) / (
            1.0 - chance
        )

    def leaf_text(self, leaf: int) -> str:
        """The text of a leaf at the pointer."""
        counts = [f"{name} {n:.4g}" for name, n in zip(self.data.class_names, self.tree.sums[leaf]) if n]
        return f"{', '.join(counts) or 'no points'} (depth {self.tree.depth[leaf]})"


class GrownRegressionTree(GrownTree):
    """A grown regression tree with the mean, or the median, of the targets in each node."""

    def __init__(
        self,
        data: TrainingData,
        grower: TreeGrower | TreeGrower1D | MixedGrower,
        *,
        absolute: bool,
        prune: str,
    ) -> None:
        self.absolute = absolute
        self._steps: Steps | None = None
        if isinstance(grower, TreeGrower1D):
            splits = grower.splits()
            self._steps = Steps(grower, splits, data.y, absolute=absolute)
            super().__init__(data, partial(tree_from_splits, grower, splits), prune=prune)
        else:
            super().__init__(data, grower.tree, prune=prune)

    @property
    def leaves(self) -> int:
        return super().leaves if self._steps is None else len(self._steps)

    @property
    def split_count(self) -> int:
        return super().split_count if self._steps is None else len(self._steps) - 1

    def predict(self, X: Floats) -> Floats:
        """The prediction of the whole tree: on one feature a search among the thresholds."""
        if self._steps is None:
            return self.values[descend(self.tree, X, self.tree.splits)]
        return self._steps(X[:, 0])

    @property
    def loss(self) -> float:
        """The mean squared, or absolute, residual of the whole tree."""
        residuals = self.data.y - self.predict(self.data.X)
        return float((np.abs(residuals) if self.absolute else residuals * residuals).mean())

    @cached_property
    def values(self) -> Floats:
        """The prediction of each node as a leaf."""
        found = structure.node_values(self.tree, self.data.X, self.data.y, absolute=self.absolute)
        if self._steps is not None:
            leaves = np.flatnonzero(~self.tree.splits)
            found[leaves[np.argsort(self.tree.box[leaves, 0, 0])]] = self._steps.values
        return found

    @cached_property
    def losses(self) -> Floats:
        """The sum of squared, or absolute, residuals of each node as a leaf."""
        return structure.node_losses(self.tree, self.data.X, self.data.y, self.values, absolute=self.absolute)

    error_name = "mean squared error"

    def errors(self, data: TrainingData) -> Floats:
        """The sum of squared residuals of data points from the training mean of each node."""
        means = structure.node_values(self.tree, self.data.X, self.data.y, absolute=False)
        return structure.node_losses(self.tree, data.X, data.y, means, absolute=False)

    def root_text(self) -> str:
        return f"{self.statistic} {self.values[0]:.4g}"

    def split_text(self, node: int) -> str:
        children = [int(self.tree.left[node]), int(self.tree.right[node])]
        left, right = self.values[children].tolist()
        fall = self.losses[node] - self.losses[children].sum()
        change = f"{self.statistic} {self.values[node]:.4g} → {left:.4g} | {right:.4g}"
        return f"{change}, {'Σ |r|' if self.absolute else 'RSS'} falls by {fall:.3g}"

    def texts(self, node: int, splits: Mask) -> tuple[str, ...]:
        points, value = plural(self.tree.count[node], "point"), self.leaf_text(node)
        return (self.rule(node), points, value) if splits[node] else (value, points)

    def tint(self, node: int) -> tuple[Ink, float]:
        return "accent", 0.5

    def leaf_text(self, leaf: int) -> str:
        return f"ŷ = {self.values[leaf]:.4g}"

    @property
    def outputs(self) -> Floats:
        return self.values[:, None]

    @property
    def statistic(self) -> str:
        """The name of the prediction of a leaf."""
        return "median" if self.absolute else "mean"


class Steps:
    """The step function of a regression tree on one feature; predictions need no tree, only a search."""

    def __init__(self, grower: TreeGrower1D, splits: Splits1D, y: Floats, *, absolute: bool) -> None:
        self._thresholds = grower.thresholds[splits.edges[1:-1]]
        self._edges, self._y, self._absolute = splits.edges, y[grower.samples.order], absolute

    def __len__(self) -> int:
        return len(self._edges) - 1

    def __call__(self, x: Floats) -> Floats:
        return self.values[np.searchsorted(self._thresholds, x)]

    @cached_property
    def values(self) -> Floats:
        """The mean, or the median, of each leaf, from left to right."""
        sizes = np.diff(self._edges)
        if self._absolute:
            return structure.group_medians(np.arange(len(sizes)).repeat(sizes), len(sizes), self._y)
        middle = float(self._y.mean())
        means: Floats = np.add.reduceat(self._y - middle, self._edges[:-1]) / sizes
        return means + middle


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

    def row_values(self, data: TrainingData) -> PointValues:
        return {"leaf": np.searchsorted(np.sort(self.leaves), self.apply(data.X)) + 1}

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
