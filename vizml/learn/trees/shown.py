"""A tree at a moment: its first splits in the order of their gain, less those that pruning has taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.boxes import tiled_field
from vizml.learn.state import Classifier, Floats, Focus, Ints
from vizml.learn.telling import counted
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.crossval import candidates
from vizml.learn.trees.pruning import PruningPath, weakest_links
from vizml.learn.trees.pruning_chart import LARGEST, Validation, pruning_chart
from vizml.learn.trees.structure import Mask, Tree, best_first, descend, node_sums, path_to
from vizml.learn.trees.views import box_edges, box_outline, split_lines, tree_diagram
from vizml.scene import Chart, Diagram, Ink, Mark, Segments, Words


class Grown:
    """What all moments of one tree share."""

    def __init__(
        self,
        data: TrainingData,
        tree: Tree | Callable[[], Tree],
        order: Ints | None = None,
        path: PruningPath | None = None,
        prune: str = "",
    ) -> None:
        """`prune` names the way of pruning by cost-complexity, which has a chart; another has none."""
        self.prune, self.path = prune, path
        self.validation: Validation | None = None
        self.validate: Callable[[Floats], Validation] | None = None
        """Tries alphas, where nobody has yet."""
        self.axes = data.axes
        self.names = [data.name(int(label)) for label in data.present]
        self._tree, self._order = tree, order

    @cached_property
    def tree(self) -> Tree:
        """The whole tree."""
        return self._tree if isinstance(self._tree, Tree) else self._tree()

    @cached_property
    def order(self) -> Ints:
        """Its splits, one after the other."""
        return best_first(self.tree) if self._order is None else self._order

    @cached_property
    def rank(self) -> Ints:
        """The place of each node in that order, beyond its end for leaves."""
        rank = np.full(len(self.tree), len(self.tree))
        rank[self.order] = np.arange(len(self.order))
        return rank

    @cached_property
    def cut(self) -> Ints:
        """For each node, the collapse that takes its split away."""
        return np.full(len(self.tree), len(self.tree)) if self.path is None else self.path.cut

    @cached_property
    def known_path(self) -> PruningPath | None:
        """The pruning path, looked for where nobody wanted it yet."""
        if self.path is None and self.prune and len(self.tree) <= LARGEST:
            return weakest_links(self.tree)
        return self.path if self.prune else None

    def pruning(
        self, own: Floats, collapsed: int, *, title: str = "error", held: Floats | None = None
    ) -> tuple[Chart, ...]:
        """The chart of the pruning path, by what each node has of its `own` and of the held-out mean."""
        path = self.known_path
        if path is None or not len(path.node):
            return ()
        if self.validation is None and self.validate is not None and len(self.tree) <= LARGEST:
            self.validation = self.validate(candidates(path.alpha))
        chart = pruning_chart(
            self.tree,
            path,
            own,
            collapsed=collapsed,
            prune=self.prune,
            title=title,
            validation=self.validation,
            held=held,
        )
        return (chart,)

    def shown(self, splits: int, collapsed: int) -> Mask:
        """The nodes that are split after so many splits and collapses."""
        return (self.rank < splits) & (self.cut >= collapsed)

    def rule(self, node: int) -> str:
        """A split in words."""
        return f"{self.axes[self.tree.feature[node]]} ≤ {self.tree.threshold[node]:.4g}"


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeState(Classifier):
    """Each box of the plane votes with the shares of its classes; the loss is the mean impurity."""

    grown: Grown
    shown: int
    """The number of splits made."""
    collapsed: int = 0
    """The number of weakest links taken back."""

    @property
    def tree(self) -> Tree:
        """The whole tree, with the splits that are yet to come."""
        return self.grown.tree

    @cached_property
    def splits(self) -> Mask:
        """Which of its nodes are split by now."""
        return self.grown.shown(self.shown, self.collapsed)

    @cached_property
    def leaves(self) -> Ints:
        """The nodes that are leaves by now."""
        reached = self.splits[self.tree.parent]
        reached[0] = True
        return np.flatnonzero(reached & ~self.splits)

    def shares(self, nodes: Ints) -> Floats:
        """The share of each class (n, K) in nodes."""
        sums = self.tree.sums[nodes]
        shares: Floats = sums / sums.sum(axis=1, keepdims=True)
        return shares

    def apply(self, X: ArrayLike) -> Ints:
        """The leaf of each point."""
        return descend(self.tree, np.asarray(X, dtype=np.float64), self.splits)

    def scores(self, X: ArrayLike) -> Floats:
        return self.shares(self.apply(X))

    def field(self, raster: Raster) -> Field:
        return tiled_field(self.tree.box[self.leaves].reshape(-1, 4), self.shares(self.leaves), raster)

    def marks(self) -> tuple[Mark, ...]:
        ends = split_lines(self.tree, np.flatnonzero(self.splits))
        return (Segments(layer="Splits", ends=ends, ink="text", opacity=0.5, legend="split"),)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        leaf = int(self.apply(point[None, :])[0])
        ends = box_edges(self.tree.box[leaf])
        return (
            Segments(layer="Leaf", ends=ends, ink="accent", width=2.0),
            Words(layer="Leaf", points=point[None, :], texts=(self._counted(leaf),)),
        )

    def charts(self) -> tuple[Chart, ...]:
        return self._pruning(None)

    def charts_on(self, held: TrainingData) -> tuple[Chart, ...]:
        known = held.take(held.labels >= 0)
        return self._pruning(known if len(known) else None)

    def _pruning(self, held: TrainingData | None) -> tuple[Chart, ...]:
        sums, wrong = self.tree.sums, None
        if held is not None:
            votes = self.classes[sums.argmax(axis=1)]
            wrong = node_sums(self.tree, held.points, lambda nodes, rows: votes[nodes] != held.labels[rows])
            wrong /= len(held)
        return self.grown.pruning(sums.sum(axis=1) - sums.max(axis=1), self.collapsed, held=wrong)

    def diagram(self) -> Diagram:
        return tree_diagram(self.tree, self.splits, self._told, self._tint)

    def focus(self, node: str) -> Focus:
        return Focus(box_outline(self.tree, int(node)))

    def trail(self, point: Floats) -> tuple[str, ...]:
        leaf = int(self.apply(point[None, :])[0])
        return tuple(str(node) for node in path_to(self.tree, leaf))

    def metrics(self) -> Mapping[str, float]:
        sums = self.tree.sums[self.leaves]
        return {
            "impurity": self.loss,
            "training error": float(1 - sums.max(axis=1).sum() / sums.sum()),
            "leaves": len(self.leaves),
            "depth": int(self.tree.depth[self.leaves].max()),
        }

    def _told(self, node: int) -> tuple[str, ...]:
        """A split's rule or a leaf's class, how many points are there, and how mixed they are."""
        tree, counts = self.tree, self.tree.sums[node]
        points = f"{counts.max():g} of {counts.sum():g}"
        mixed = f"impurity {tree.impurity[node] / tree.count[node]:.3g}"
        if self.splits[node]:
            return self.grown.rule(node), counted(tree.count[node], "point"), mixed
        return self.grown.names[int(np.argmax(counts))], points, mixed

    def _tint(self, node: int) -> tuple[Ink, float]:
        """The class that a node votes for, and by how much more than by chance."""
        shares = self.shares(np.array([node]))[0]
        chance = 1.0 / len(shares)
        sure = (float(shares.max()) - chance) / (1.0 - chance)
        return int(self.classes[np.argmax(shares)]), 0.0 if self.splits[node] else sure

    def _counted(self, leaf: int) -> str:
        counts = self.tree.sums[leaf]
        each = ", ".join(f"{name} {count:g}" for name, count in zip(self.grown.names, counts) if count)
        return f"{each} (depth {self.tree.depth[leaf]})"
