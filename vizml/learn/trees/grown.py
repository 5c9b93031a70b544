"""A grown tree with the statistics of its nodes, shared by the states of a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.training_data import TrainingData
from vizml.learn.trees import structure
from vizml.learn.trees.grower import TreeGrower
from vizml.learn.trees.grower_1d import Splits1D, TreeGrower1D, tree_from_splits
from vizml.learn.trees.mixed_grower import MixedGrower
from vizml.learn.trees.pruning import PruningErrors, PruningPath, candidate_alphas, cost_complexity_path
from vizml.learn.trees.structure import Tree, descend
from vizml.scene import Ink
from vizml.scene.typesetting import without_rounding

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

    def outcome(self, leaf: int) -> str:
        """The prediction of a leaf as text."""
        return self.data.class_names[int(self.outputs[leaf].argmax())]

    def fit_of(self, leaf: int) -> dict[str, float]:
        """The accuracy of a leaf, NaN without points; the RMSE in a regression."""
        counts = self.tree.sums[leaf]
        return {"accuracy": float(counts.max() / counts.sum()) if counts.any() else math.nan}

    def leaf_text(self, leaf: int) -> str:
        """The text of a leaf at the pointer."""
        counts = [f"{name} {n:.4g}" for name, n in zip(self.data.class_names, self.tree.sums[leaf]) if n]
        return f"{', '.join(counts) or 'no points'} (depth {self.tree.depth[leaf]})"


class GrownRegressionTree(GrownTree):
    """A grown regression tree with the mean, or the median, of the targets in each node."""

    def __init__(
        self,
        data: TrainingData,
        grower: Grower,
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
        return f"{self.statistic} {self._shown(0)}"

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

    def outcome(self, leaf: int) -> str:
        return f"{self.data.target} = {self.values[leaf]:.4g}"

    def fit_of(self, leaf: int) -> dict[str, float]:
        return {"RMSE": math.sqrt(self._squares[leaf] / max(self.tree.count[leaf], 1))}

    @cached_property
    def _squares(self) -> Floats:
        """The sum of squared residuals of each node as a leaf."""
        return structure.node_losses(self.tree, self.data.X, self.data.y, self.values, absolute=False)

    def leaf_text(self, leaf: int) -> str:
        return f"ŷ = {self._shown(leaf)}"

    def _shown(self, node: int) -> str:
        return f"{without_rounding(self.values[node], self.data.y):.4g}"

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
