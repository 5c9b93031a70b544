"""Regression tree: splits x <= t | x > t, each side at its mean, pruned to the least RSS/n + alpha |T|."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.data import Dataset
from vizml.learn import REGRESS, Model, Regressor, choice, integer, real, register
from vizml.learn.state import Floats, Focus, Ints
from vizml.learn.trees.crossval import best_alpha, candidates, folds
from vizml.learn.trees.drawn import drawn, reached, way_to
from vizml.learn.trees.grower import Limits, grow
from vizml.learn.trees.medians import costs, levels
from vizml.learn.trees.pruning import weakest_links
from vizml.learn.trees.shown import Grown
from vizml.learn.trees.structure import Mask, Tree, best_first, descend
from vizml.scene import Chart, Diagram, Ink, Mark, Segments

FOLDS = 5
LOSSES = {"squared": "squared: means", "absolute": "absolute: medians"}


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeCurve(Regressor):
    """A level for each leaf; the loss is the mean squared, or absolute, residual."""

    grown: Grown
    levels: Floats
    """The level of each node, if it were a leaf."""
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
        nodes = reached(self.grown.tree, self.splits)
        return nodes[~self.splits[nodes]]

    def curve(self, x: Floats) -> Floats:
        return self.levels[descend(self.grown.tree, np.asarray(x, dtype=np.float64)[:, None], self.splits)]

    def marks(self) -> tuple[Mark, ...]:
        at = self.grown.tree.threshold[self.splits]
        ends = np.stack([np.stack([at, at], 1), np.tile([-np.inf, np.inf], (len(at), 1))], axis=2)
        residuals = np.stack([self.x, self.y, self.x, self.curve(self.x)], axis=1).reshape(-1, 2, 2)
        return (
            Segments(layer="Splits", ends=ends, ink="muted", opacity=0.5, stroke="dot", legend="split"),
            Segments(layer="Residuals", ends=residuals, ink="muted", opacity=0.6, legend="residual"),
        )

    def charts(self) -> tuple[Chart, ...]:
        return self.grown.pruning(self.grown.tree.impurity, self.collapsed, "mean square")

    def diagram(self) -> Diagram:
        return drawn(self.grown.tree, self.splits, self._told, self._tint)

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
        return tuple(str(node) for node in way_to(self.grown.tree, leaf))

    def metrics(self) -> Mapping[str, float]:
        apart = self.y - self.curve(self.x)
        rss, tss = float(apart @ apart), float(((self.y - self.y.mean()) ** 2).sum())
        found = {"RSS": rss, "mean |residual|": float(np.abs(apart).mean())}
        if tss > 0:
            found["R²"] = 1 - rss / tss
        leaves = self.leaves
        return found | {"leaves": len(leaves), "depth": int(self.grown.tree.depth[leaves].max())}

    def _told(self, node: int) -> tuple[str, ...]:
        points = f"{self.grown.tree.count[node]:,} points"
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
        "squared", tuple(LOSSES), labels=LOSSES,
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

    def steps(self, data: Dataset, rng: Generator) -> Iterator[TreeCurve]:
        tree = self._grown(data)
        path = weakest_links(tree) if self.prune != "none" else None
        grown = Grown(data, tree, best_first(tree), path, self.prune)
        level = levels(tree, data.x[:, None], data.y, absolute=self.loss == "absolute")
        start = TreeCurve(grown=grown, levels=level, x=data.x, y=data.y, shown=0)
        cost = costs(tree, data.x[:, None], data.y, level, absolute=self.loss == "absolute")
        for state in self._told(start, cost):
            yield state
        if path is None or not len(path.node):
            return
        alpha, said = self.alpha, ""
        if self.prune == "cv":
            alpha = self._chosen(data, candidates(path.alpha), rng)
            said = " by cross-validation"
        for number in range(1, path.until(alpha) + 1):
            rule, leaves = grown.rule(int(path.node[number - 1])), path.leaves[number - 1]
            note = f"pruned {rule}: {leaves} leaves stay, {path.alpha[number - 1]:.3g} a leaf"
            cut = replace(state, collapsed=number)
            loss = float(cost[replace(cut).leaves].sum()) / len(data)
            yield replace(cut, note=f"{note}, α {alpha:.3g}{said}", progress=1.0, loss=loss)
        if not path.until(alpha):
            yield replace(state, note=f"nothing to prune: α {alpha:.3g}{said}")

    def _grown(self, data: Dataset) -> Tree:
        y = data.y - data.y.mean()
        limits = Limits(max_depth=self.max_depth, min_leaf=self.min_leaf, min_split=self.min_split)
        return grow(data.x[:, None], np.stack([np.ones_like(y), y, y * y]), "variance", limits)

    def _told(self, start: TreeCurve, cost: Floats) -> Iterator[TreeCurve]:
        grown, tree = start.grown, start.grown.tree
        n, total, left_over = int(tree.count[0]), len(grown.order), float(cost[0])
        note = f"start: one level for all {n:,} points"
        if not total:
            note += ", as no split parts them"
        yield replace(start, note=note, progress=0.0, loss=left_over / n)
        gain = (cost - cost[tree.left] - cost[tree.right]).tolist()
        word = "Σ |r|" if self.loss == "absolute" else "RSS"
        for number, node in enumerate(grown.order.tolist(), start=1):
            left, right = start.levels[tree.left[node]], start.levels[tree.right[node]]
            change = f"level {start.levels[node]:.4g} → {left:.4g} | {right:.4g}"
            note = f"split {number}: {grown.rule(node)}, {change}, {word} falls by {gain[node]:.3g}"
            left_over = max(left_over - gain[node], 0.0)
            yield replace(start, shown=number, note=note, progress=number / total, loss=left_over / n)

    def _chosen(self, data: Dataset, alphas: Floats, rng: Generator) -> float:
        """The alpha whose trees of the other folds come closest to points that they have not seen."""
        fold = folds(len(data), min(FOLDS, len(data)), rng)
        total = np.zeros(len(alphas))
        for held in range(int(fold.max()) + 1):
            rest, out = data.take(fold != held), data.take(fold == held)
            if not len(rest):
                continue
            tree = self._grown(rest)
            path, level = weakest_links(tree), levels(tree, rest.x[:, None], rest.y, absolute=False)
            for number, alpha in enumerate(alphas):
                ends = descend(tree, out.x[:, None], path.cut >= path.until(float(alpha)))
                total[number] += float(((out.y - level[ends]) ** 2).sum())
        return float(alphas[best_alpha(total)])
