"""Regression tree: splits x <= t | x > t, each side at its mean, pruned to the least RSS/n + alpha |T|."""

from __future__ import annotations

import math
from collections.abc import Generator as Steps
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.random import Generator

from vizml.learn import REGRESS, Model, Regressor, choice, integer, real, register
from vizml.learn.state import Floats, Focus, Ints
from vizml.learn.telling import counted
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.crossval import candidates, folds
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.grower_1d import tree_from_splits
from vizml.learn.trees.grown_curve import CurveGrower, GrownCurve
from vizml.learn.trees.pruning import PruningPath, weakest_links
from vizml.learn.trees.pruning_chart import Validation, on_path
from vizml.learn.trees.structure import (
    LOSS_LABELS,
    Mask,
    descend,
    node_losses,
    node_values,
    path_to,
    reachable,
)
from vizml.learn.trees.views import tree_diagram
from vizml.scene import Chart, Diagram, Ink, Mark, Segments

FOLDS = 5
LARGE = 20_000
"""So many points take more than a moment to split: the levels are told as they grow."""
OPACITY, FEW = 0.5, 12
"""Of the lines of so many splits; more of them fade, for hundreds would grey the stage."""
MIDDLES = {"squared": "mean", "absolute": "median"}


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeCurve(Regressor):
    """A level for each leaf; the loss is the mean squared, or absolute, residual."""

    grown: GrownCurve
    x: Floats
    y: Floats
    shown: int
    collapsed: int = 0

    @cached_property
    def splits(self) -> Mask:
        """Which of its nodes are split by now."""
        return self.grown.shown(self.shown, self.collapsed)

    @property
    def leaves(self) -> Ints:
        """The nodes that are leaves by now."""
        nodes = reachable(self.grown.tree, self.splits)
        return nodes[~self.splits[nodes]]

    @property
    def levels(self) -> Floats:
        """The level of each node, if it were a leaf."""
        return self.grown.levels

    def curve(self, x: Floats) -> Floats:
        if self.shown == self.grown.leaves - 1 and not self.collapsed:
            return self.grown.curve(np.asarray(x, dtype=np.float64))
        return self.levels[descend(self.grown.tree, np.asarray(x, dtype=np.float64)[:, None], self.splits)]

    def marks(self) -> tuple[Mark, ...]:
        at = self.grown.tree.threshold[self.splits]
        ends = np.stack([np.stack([at, at], 1), np.tile([-np.inf, np.inf], (len(at), 1))], axis=2)
        residuals = np.stack([self.x, self.y, self.x, self.curve(self.x)], axis=1).reshape(-1, 2, 2)
        return (
            Segments(
                layer="Splits", ends=ends, ink="muted", opacity=_faded(len(at)), stroke="dot", legend="split"
            ),
            Segments(layer="Residuals", ends=residuals, ink="muted", opacity=0.6, legend="residual"),
        )

    def charts(self) -> tuple[Chart, ...]:
        return self._pruning(None)

    def charts_on(self, held: TrainingData) -> tuple[Chart, ...]:
        return self._pruning(held)

    def _pruning(self, held: TrainingData | None) -> tuple[Chart, ...]:
        tree, unseen = self.grown.tree, None
        if held is not None and len(held):
            means = node_values(tree, self.x[:, None], self.y, absolute=False)
            unseen = node_losses(tree, held.x[:, None], held.y, means, absolute=False) / len(held)
        return self.grown.pruning(tree.impurity, self.collapsed, title="mean square", held=unseen)

    def diagram(self) -> Diagram:
        return tree_diagram(self.grown.tree, self.splits, self._told, self._tint)

    def focus(self, node: str) -> Focus:
        tree = self.grown.tree
        (low, high), number = tree.box[int(node)][0].tolist(), int(node)
        level = self.levels[number]
        ends = np.array([[[low, -np.inf], [low, np.inf]], [[high, -np.inf], [high, np.inf]]])
        ends = ends[np.isfinite(ends[:, 0, 0])]
        across = np.array([[[low, level], [high, level]]])
        return Focus(
            (
                Segments(layer="Node", ends=ends, ink="accent", width=1.5, stroke="dash"),
                Segments(layer="Node", ends=across, ink="accent", width=4.0, opacity=0.5),
            )
        )

    def trail(self, point: Floats) -> tuple[str, ...]:
        leaf = int(descend(self.grown.tree, point[None, :1], self.splits)[0])
        return tuple(str(node) for node in path_to(self.grown.tree, leaf))

    def metrics(self) -> Mapping[str, float]:
        apart = self.y - self.curve(self.x)
        rss, tss = float(apart @ apart), float(((self.y - self.y.mean()) ** 2).sum())
        found = {"RSS": rss, "mean |residual|": float(np.abs(apart).mean())}
        if tss > 0:
            found["R²"] = 1 - rss / tss
        leaves = self.leaves
        return found | {"leaves": len(leaves), "depth": int(self.grown.tree.depth[leaves].max())}

    def _told(self, node: int) -> tuple[str, ...]:
        points = counted(self.grown.tree.count[node], "point")
        level = f"ŷ = {self.levels[node]:.4g}"
        return (self.grown.rule(node), points, level) if self.splits[node] else (level, points)

    def _tint(self, node: int) -> tuple[Ink, float]:
        return "accent", 0.0 if self.splits[node] else 0.5


@register(
    "tree",
    task=REGRESS,
    family="Trees",
    title="Regression tree",
    about="Cuts the x-axis into pieces, each time where the residuals fall most, and takes a level for each.",
    formula=(
        r"\min_{t} \sum_{x_i \leq t} (y_i - \bar y_L)^2 + \sum_{x_i > t} (y_i - \bar y_R)^2",
        r"R_{\alpha}(T) = R(T) + \alpha\, |T|",
    ),
)
@dataclass(frozen=True)
class RegressionTree(Model):
    max_depth: int = integer(0, 0, 50, help="the most splits on the way to a leaf; 0 is no limit")
    min_leaf: int = integer(1, 1, 1000, log=True, help="the fewest points that a leaf may hold")
    min_split: int = integer(2, 2, 1000, log=True, help="the fewest points in a piece that is split")
    loss: str = choice(
        "squared", tuple(LOSS_LABELS), labels=LOSS_LABELS,
        help="what levels lower; splits are found by squared residuals for both",
    )  # fmt: skip
    prune: str = choice(
        "none",
        ("none", "alpha", "cv"),
        labels={"none": "not at all", "alpha": "by alpha", "cv": "by cross-validation"},
        help="whether splits that gain too little are taken back, and how it is decided",
        title="pruning",
    )
    alpha: float = real(
        0.01, 0.0, 1e6, symbol="\\alpha", when={"prune": ("alpha",)},
        help="what a leaf costs, in squares of y: splits that lower the mean square by less are taken back",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[TreeCurve]:
        grown = yield from self._growth(data)
        fold = folds(len(data), min(FOLDS, len(data)), rng)
        grown.validate = partial(self._validation, data, fold)
        if self.prune != "none":
            grown.path = weakest_links(grown.tree)
        for state in _split_by_split(grown):
            yield state
        if grown.path is None or not len(grown.path.node):
            return
        alpha, said = self.alpha, ""
        if self.prune == "cv":
            grown.validation = grown.validate(candidates(grown.path.alpha))
            alpha, said = grown.validation.best, " by cross-validation"
        yield from _collapse_by_collapse(state, grown.path, alpha, said)

    def strides(self, data: TrainingData, rng: Generator) -> Iterator[TreeCurve]:
        if self.prune != "none":
            return self.steps(data, rng)
        return self._at_once(data)

    def _at_once(self, data: TrainingData) -> Iterator[TreeCurve]:
        """The whole tree, without the order of its splits."""
        grown = yield from self._growth(data)
        note = f"{grown.leaves:,} leaves, each at the {MIDDLES[self.loss]} of its points"
        yield _entire(grown, note, 1.0)

    def _growth(self, data: TrainingData) -> Steps[TreeCurve, None, GrownCurve]:
        """Grows the tree; says how far it has come where there are many points."""
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf, min_split=self.min_split)
        grower = CurveGrower(data, limits)
        begun = partial(GrownCurve, data, grower, absolute=self.loss == "absolute", prune=self.prune)
        while grower.level():
            if len(data) >= LARGE:
                far = begun()
                yield _entire(far, f"looking for splits: {far.leaves - 1:,} in {grower.depth} levels so far")
        return begun()

    def _validation(self, data: TrainingData, fold: Ints, alphas: Floats) -> Validation:
        """The mean square of the other folds' pruned trees on points that they have not seen."""
        total = np.zeros(len(alphas))
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf, min_split=self.min_split)
        for held in range(int(fold.max()) + 1):
            rest, out = data.take(fold != held), data.take(fold == held)
            if not len(rest):
                continue
            grower = CurveGrower(rest, limits)
            tree = tree_from_splits(grower, grower.grow())
            path, level = weakest_links(tree), node_values(tree, rest.x[:, None], rest.y, absolute=False)
            own = node_losses(tree, out.x[:, None], out.y, level, absolute=False)
            total += on_path(path, tree, own)[[path.until(float(alpha)) for alpha in alphas]]
        return Validation(alphas, total / len(data))


def _entire(grown: GrownCurve, note: str, progress: float | None = None) -> TreeCurve:
    """A tree with all its splits."""
    return TreeCurve(
        grown=grown, x=grown.x, y=grown.y, shown=grown.leaves - 1, note=note, loss=grown.loss,
        progress=progress,
    )  # fmt: skip


def _split_by_split(grown: GrownCurve) -> Iterator[TreeCurve]:
    """First one level for all, then one more split in each state."""
    tree, cost = grown.tree, grown.costs
    n, total, left_over = int(tree.count[0]), len(grown.order), float(cost[0])
    note = f"start: one level for all {n:,} points"
    if not total:
        note += ", as no split parts them"
    blank = TreeCurve(grown=grown, x=grown.x, y=grown.y, shown=0, note=note, progress=0.0, loss=left_over / n)
    yield blank.later()
    split = grown.order
    gains = cost[split] - cost[tree.left[split]] - cost[tree.right[split]]
    losses = np.maximum(left_over - np.cumsum(gains), 0.0) / n
    for number, loss in enumerate(losses.tolist(), start=1):
        yield blank.later(shown=number, loss=loss, note=_split, progress=number / total)


def _split(state: TreeCurve) -> str:
    grown, tree = state.grown, state.grown.tree
    node = int(grown.order[state.shown - 1])
    left, right = int(tree.left[node]), int(tree.right[node])
    change = f"level {grown.levels[node]:.4g} → {grown.levels[left]:.4g} | {grown.levels[right]:.4g}"
    word, gain = "Σ |r|" if grown.absolute else "RSS", grown.costs[node] - grown.costs[[left, right]].sum()
    return f"split {state.shown}: {grown.rule(node)}, {change}, {word} falls by {gain:.3g}"


def _collapse_by_collapse(last: TreeCurve, path: PruningPath, alpha: float, said: str) -> Iterator[TreeCurve]:
    """Each weakest link that costs at most alpha a leaf is taken back."""
    grown, n = last.grown, len(last.x)
    for number in range(1, path.until(alpha) + 1):
        rule, leaves = grown.rule(int(path.node[number - 1])), path.leaves[number - 1]
        note = f"pruned {rule}: {leaves} leaves stay, {path.alpha[number - 1]:.3g} a leaf"
        cut = replace(last, collapsed=number)
        loss = float(grown.costs[replace(cut).leaves].sum()) / n
        yield replace(cut, note=f"{note}, α {alpha:.3g}{said}", progress=1.0, loss=loss)
    if not path.until(alpha):
        yield replace(last, note=f"nothing to prune: α {alpha:.3g}{said}")


def _faded(splits: int) -> float:
    return OPACITY * min(1.0, math.sqrt(FEW / max(splits, 1)))
