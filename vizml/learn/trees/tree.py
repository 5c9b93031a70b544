"""CART: binary decision trees for classification and regression, with minimal cost-complexity pruning."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.random import Generator as Random

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, REGRESS, Model, choice, integer, real, register
from vizml.learn.training_data import TrainingData
from vizml.learn.trees import pruning
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, one_hot
from vizml.learn.trees.grower_1d import TreeGrower1D, TreeSamples1D
from vizml.learn.trees.grown import Grower, GrownRegressionTree, GrownTree
from vizml.learn.trees.mixed_grower import CartGrower
from vizml.learn.trees.pruning import PruningErrors, PruningPath
from vizml.learn.trees.tree_state import (
    DecisionTreeState,
    MixedTreeState,
    RegressionMixedTreeState,
    RegressionTreeState,
    TreeState,
    needs_mixed_tree,
)

S = TypeVar("S", bound=TreeState)

FOLDS = 5
"""Folds of the cross-validation, the default of scikit-learn."""
ROUNDING = 1e-12
"""Share of the root's loss below which a loss is rounding."""
CRITERION_LABELS = {"gini": "Gini impurity", "entropy": "entropy", "error": "misclassification error"}
LOSS_HELP = "Loss that the predictions of the leaves minimise. Splits always minimise the squared error."
LOSS_LABELS = {"squared": "squared error (means)", "absolute": "absolute error (medians)"}
BY_ALPHA = {"prune": ("alpha",)}
CONVENTION = (
    "Convention: R(T) is a mean over all points, so α is the increase for each point, scikit-learn's "
    "ccp_alpha. Note 001 writes a sum over the points: its α is n times this one."
)
ALPHA_HELP = (
    "Complexity parameter. A subtree is pruned if its effective α is at most this: "
    "the increase of the mean {} for each removed leaf. scikit-learn's ccp_alpha."
)
PRUNE_HELP = "Minimal cost-complexity pruning: none, at a given α, or at the α chosen by cross-validation."
PRUNE_LABELS = {"none": "none", "alpha": "by alpha", "cv": "by cross-validation"}


class TreeModel(Model, Generic[S]):
    """Growth, shared by all trees."""

    max_depth: int
    min_leaf: int
    min_split: int = 2
    depends_on_scale = False
    takes_categories = True
    takes_missing = True

    @property
    def limits(self) -> GrowthLimits:
        """Stopping criteria of growth."""
        return GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf, min_split=self.min_split)

    @abstractmethod
    def _grower(self, data: TrainingData) -> Grower: ...

    @abstractmethod
    def _root(self, data: TrainingData, grower: Any) -> S:
        """The state before the first split of what has been grown."""

    def _grow(self, data: TrainingData) -> Generator[S, None, S]:
        """Grow the tree and return the state before its first split; yield the levels of large data."""
        grower = self._grower(data)
        while grower.level():
            if len(data) >= grower.large:
                root = self._root(data, grower)
                splits = plural(root.grown.split_count, "split")
                note = f"growing level by level: {splits} in {plural(grower.depth, 'level')}"
                yield replace(root, shown=root.grown.split_count, note=note)
        return self._root(data, grower)


class CartModel(TreeModel[S]):
    """Cross-validation and pruning, shared by classification and regression trees."""

    prune: str
    alpha: float

    def steps(self, data: TrainingData, rng: Random) -> Iterator[TreeState]:
        root = yield from self._grow(data)
        grown = root.grown
        fold = pruning.random_folds(len(data), min(FOLDS, len(data)), rng)
        errors = partial(self._fold_errors, data, fold)
        grown.validate = lambda alphas: PruningErrors(alphas, np.sum([*errors(alphas)], axis=0) / len(data))
        if self.prune != "none":
            grown.path = pruning.cost_complexity_path(grown.tree)
        last = yield from growth_steps(root)
        if grown.path is None or not len(grown.path.node):
            return
        alpha = self.alpha
        if self.prune == "cv":
            alphas = pruning.candidate_alphas(grown.path.alpha)
            alpha = yield from _cross_validation(last, alphas, errors(alphas))
        yield from self._pruned(last, grown.path, alpha)

    def _fold_errors(self, data: TrainingData, fold: Ints, alphas: Floats) -> Iterator[Floats]:
        """Yield the errors on each held-out fold of the tree of the other folds, pruned at each alpha."""
        for number in range(int(fold.max()) + 1):
            held = fold == number
            if held.all():
                continue
            rest = data.take(~held)
            grower = self._grower(rest)
            grower.grow()
            grown = self._root(rest, grower).grown
            path = pruning.cost_complexity_path(grown.tree)
            errors = path.along(grown.errors(data.take(held)), grown.tree)
            yield errors[[path.until(float(alpha)) for alpha in alphas]]

    def _pruned(self, last: S, path: PruningPath, alpha: float) -> Iterator[S]:
        """Yield the states of pruning at an alpha."""
        chosen = " (by cross-validation)" if self.prune == "cv" else ""

        def note(number: int) -> str:
            rule, effective = last.grown.rule(int(path.node[number - 1])), path.alpha[number - 1]
            left = remaining_leaves(path, number)
            return f"pruned {rule}: {left}, effective α {effective:.3g} ≤ {alpha:.3g}{chosen}"

        weakest = f"the weakest link has an effective α of {path.alpha[0]:.3g}, above {alpha:.3g}{chosen}"
        yield from pruning_steps(last, path, path.until(alpha), note, weakest)


def remaining_leaves(path: PruningPath, number: int) -> str:
    """Return how many leaves remain after so many steps of pruning."""
    leaves = int(path.leaves[number - 1])
    return plural(leaves, "leaf remains", "leaves remain")


def growth_steps(root: S) -> Generator[S, None, S]:
    """Yield the root, and the tree after each split in best-first order; return the last state."""
    grown, n = root.grown, len(root.grown.data)
    losses, order = grown.losses, grown.order
    note = f"start: one leaf with all {plural(n, 'point')}, {grown.root_text()}"
    if not len(order):
        note += "; no split within the limits separates them"
    last = root.later(loss=float(losses[0]) / n, progress=0.0, note=note)
    yield last
    gains = (losses - grown.tree.below(losses))[order]
    remaining = losses[0] - np.cumsum(gains)
    mean = np.where(remaining > ROUNDING * losses[0], remaining / n, 0.0)
    for number, loss in enumerate(mean.tolist(), start=1):
        last = root.later(shown=number, loss=loss, note=_split_note, progress=number / len(order))
        yield last
    return last


def _split_note(state: TreeState) -> str:
    node = int(state.grown.order[state.shown - 1])
    more = state.tree.explanation(node, state.grown.data.columns)
    return f"split {state.shown}: {state.grown.rule(node)}, {state.grown.split_text(node)}{more}"


def _cross_validation(
    state: TreeState, alphas: Floats, errors: Iterator[Floats]
) -> Generator[TreeState, None, float]:
    """Yield a state for each fold, and return the chosen alpha."""
    total, grown = np.zeros(len(alphas)), state.grown
    for fold, each in enumerate(errors, start=1):
        total += each
        best = alphas[pruning.last_minimum(total)]
        yield replace(state, note=f"fold {fold}: α {best:.3g} has the lowest held-out error so far")
    grown.validation = PruningErrors(alphas, total / len(grown.data))
    best, error = grown.validation.best, f"{grown.error_name} {grown.validation.errors.min():.3g}"
    yield replace(state, note=f"cross-validation chooses α {best:.3g}: {error} on held-out points")
    return best


def pruning_steps(
    last: S, path: PruningPath, until: int, note: Callable[[int], str], reason: str
) -> Iterator[S]:
    """Yield the tree after each of the first collapses of its path, or the `reason` why there are none."""
    if not until and len(last.grown.order):
        yield replace(last, note=f"nothing to prune: {reason}")
    losses = path.along(last.grown.losses, last.tree) / len(last.grown.data)
    for number in range(1, until + 1):
        yield replace(last, collapsed=number, note=note(number), loss=float(losses[number]), progress=1.0)


@register(
    "tree", CLASSIFY, "Trees", "Decision tree (CART)", short="Decision tree",
    symbols={
        "p": ("Share of a class in a node.",), "n": ("Number of points in a node.",),
        "t": ("Threshold of a split.", "Splits"),
        "R": ("Misclassification cost or impurity of the leaves.",),
        "T": ("Tree; |T| is its number of leaves.",),
    },
    remarks=(CONVENTION,),
    synonyms=("CART", "DT", "decision tree classifier", "recursive splitting"),
)  # fmt: skip
class DecisionTree(CartModel[DecisionTreeState]):
    r"""Splits the plane recursively into rectangles, choosing the split that reduces impurity most. Each leaf
    predicts its majority class.

    .. math::
        \mathrm{Gini}(m) = 1 - \sum_{c} p_{mc}^2
        \max_{j,\,t}\;\; n\, I(m) - n_L\, I(m_L) - n_R\, I(m_R)
        R_{\alpha}(T) = R(T) + \alpha\, |T|
    """

    criterion: str = choice(
        "gini", tuple(CRITERION_LABELS), labels=CRITERION_LABELS, symbol="I",
        help="Impurity measure that splits minimise.",
    )  # fmt: skip
    max_depth: int = integer(0, 0, 50, zero="no limit", help="Maximum depth of the tree. 0 means no limit.")
    min_leaf: int = integer(1, 1, 1000, log=True, help="Minimum number of points in a leaf.")
    min_split: int = integer(2, 2, 1000, log=True, help="Minimum number of points in a node that is split.")
    prune: str = choice("none", tuple(PRUNE_LABELS), labels=PRUNE_LABELS, title="pruning", help=PRUNE_HELP)
    alpha: float = real(
        0.01, 0.0, 1.0, log=True, symbol="α", when=BY_ALPHA, help=ALPHA_HELP.format("impurity")
    )

    def _grower(self, data: TrainingData) -> TreeGrower | CartGrower:
        sums = one_hot(data.labels, data.present)
        if needs_mixed_tree(data):
            return CartGrower(data.X, data.categories, sums, self.criterion, self.limits)
        return TreeGrower(TreeSamples.all(data.X), sums, self.criterion, self.limits)

    def _root(self, data: TrainingData, grower: TreeGrower | CartGrower) -> DecisionTreeState:
        impurity = CRITERION_LABELS[self.criterion]
        grown = GrownTree(data, grower.tree, impurity=impurity, prune=self.prune)
        kind = MixedTreeState if isinstance(grower, CartGrower) else DecisionTreeState
        return kind(classes=data.present, grown=grown)


@register(
    "tree", REGRESS, "Trees", "Regression tree",
    symbols={
        "t": ("Threshold of a split.", "Splits"),
        "y": ("Target of a training point; its mean is the prediction of a leaf.",),
        "R": ("Mean error of the leaves, squared or absolute.",),
        "T": ("Tree; |T| is its number of leaves.",),
    },
    remarks=(CONVENTION,),
    synonyms=("CART", "decision tree regressor"),
)  # fmt: skip
class RegressionTree(CartModel[RegressionTreeState]):
    r"""Splits the inputs recursively, choosing the split that reduces the squared error most. Each leaf
    predicts the mean, or the median, of its points.

    .. math::
        \min_{t} \sum_{x_i \leq t} (y_i - \bar y_L)^2 + \sum_{x_i > t} (y_i - \bar y_R)^2
        R_{\alpha}(T) = R(T) + \alpha\, |T|
    """

    max_depth: int = integer(0, 0, 50, zero="no limit", help="Maximum depth of the tree. 0 means no limit.")
    min_leaf: int = integer(1, 1, 1000, log=True, help="Minimum number of points in a leaf.")
    min_split: int = integer(2, 2, 1000, log=True, help="Minimum number of points in a node that is split.")
    loss: str = choice("squared", tuple(LOSS_LABELS), labels=LOSS_LABELS, help=LOSS_HELP)
    prune: str = choice("none", tuple(PRUNE_LABELS), labels=PRUNE_LABELS, title="pruning", help=PRUNE_HELP)
    alpha: float = real(
        0.01, 0.0, 1e6, symbol="\\alpha", when=BY_ALPHA, help=ALPHA_HELP.format("squared error")
    )

    def _grower(self, data: TrainingData) -> Grower:
        y = data.y - data.y.mean()
        sums = np.stack([np.ones_like(y), y, y * y])
        if needs_mixed_tree(data):
            return CartGrower(data.X, data.categories, sums, "variance", self.limits)
        if data.X.shape[1] > 1:
            return TreeGrower(TreeSamples.all(data.X), sums, "variance", self.limits)
        samples = TreeSamples1D.all(data.X[:, 0])
        return TreeGrower1D(samples, sums[:, samples.order], "variance", self.limits)

    def _root(self, data: TrainingData, grower: Grower) -> RegressionTreeState:
        grown = GrownRegressionTree(data, grower, absolute=self.loss == "absolute", prune=self.prune)
        kind = RegressionMixedTreeState if isinstance(grower, CartGrower) else RegressionTreeState
        return kind(X=data.X, y=data.y, grown=grown)

    def coarse_steps(self, data: TrainingData, rng: Random) -> Iterator[TreeState]:
        if self.prune != "none":
            yield from self.steps(data, rng)
            return
        root = yield from self._grow(data)
        grown = root.grown
        note = f"{plural(grown.leaves, 'leaf', 'leaves')}; each predicts the {grown.statistic} of its points"
        yield replace(root, shown=grown.split_count, note=note, loss=grown.loss, progress=1.0)
