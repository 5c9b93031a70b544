"""ID3 on categories, and on numbers that are cut into bins of equal width."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, Classifier, Model, integer, register
from vizml.learn.learned import LeafRule, Learned, PointValues
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.id3_solver import ID3Node, ID3Tree
from vizml.learn.trees.structure import interval_text
from vizml.learn.trees.views import BoxView, TreeLineView, crosses, node_diagram, split_marks
from vizml.scene import Diagram, Ink, Mark

MENTIONED = 3
"""Most features whose gains are compared with that of the first split."""


def bin_features(X: Floats, edges: Sequence[Floats]) -> Ints:
    """The bin or category of each feature of X (m, d); a value on an edge is in the lower bin."""
    return np.stack([np.searchsorted(each[1:-1], x) for each, x in zip(edges, X.T)], axis=1)


class ID3View(BoxView):
    """The cells and splits of the tree in the plane of a section."""

    def field(self, raster: Raster) -> Field:
        if self.section.axes is None:
            return super().field(raster)
        (across, up), edges = self.section.axes, self.state.edges
        wide, high = self.state.growth.values[[across, up]]
        cells = np.tile(bin_features(self.section.origin[None, :], edges), (wide * high, 1))
        cells[:, up], cells[:, across] = np.divmod(np.arange(wide * high), wide)
        table = self.state.proportions(cells).astype(np.float32).T.reshape(-1, high, wide)
        columns = np.searchsorted(edges[across][1:-1], raster.x)
        rows = np.searchsorted(edges[up][1:-1], raster.y)
        return np.ascontiguousarray(table).take(columns, axis=2).take(rows, axis=1)

    def edges(self) -> tuple[Floats, Floats] | None:
        axes, edges = self.section.axes, self.state.edges
        return None if axes is None else (edges[axes[0]][1:-1], edges[axes[1]][1:-1])

    def marks(self) -> tuple[Mark, ...]:
        lines = [self._lines(node, feature) for node, feature in self.state.features.items()]
        return (split_marks(np.concatenate([np.empty((0, 2, 2)), *lines])),)

    def _lines(self, node: int, feature: int) -> Floats:
        """The edges (m, 2, 2) between the bins that a node is split into."""
        axes, box = self.section.axes, self.state.box(node)
        if axes is None or feature not in axes or not crosses(self.section, box):
            return np.empty((0, 2, 2))
        first, stop = self.state.nodes[node].box[feature]
        at, axis = self.state.edges[feature][first + 1 : stop], axes.index(feature)
        ends = np.empty((len(at), 2, 2))
        ends[:, :, axis], ends[:, :, 1 - axis] = at[:, None], box[axes[1 - axis]]
        return ends


@dataclass(frozen=True, eq=False, kw_only=True)
class ID3State(Classifier):
    """The tree after its first splits; scores are class proportions of leaves, the loss is their entropy."""

    plane_view_class = ID3View
    line_view_class = TreeLineView
    data: TrainingData
    growth: ID3Tree
    edges: tuple[Floats, ...]
    """The edges of the bins or around the categories of each feature, infinite at the outside."""
    splits: int

    @cached_property
    def nodes(self) -> list[ID3Node]:
        """The nodes of the first splits."""
        return self.growth.nodes[: self.growth.sizes[self.splits]]

    @cached_property
    def features(self) -> dict[int, int]:
        """The nodes that are split so far, and their features."""
        return dict(zip(self.growth.parents[: self.splits], self.growth.features))

    @property
    def leaves(self) -> list[ID3Node]:
        """The nodes that are not split so far."""
        return [node for number, node in enumerate(self.nodes) if number not in self.features]

    def scores(self, X: ArrayLike) -> Floats:
        return self.proportions(bin_features(np.asarray(X, dtype=np.float64), self.edges))

    def proportions(self, bins: Ints) -> Floats:
        """The class proportions (m, K) of cells given by their bins (m, d)."""
        nodes = np.array([node.proportions for node in self.nodes])
        return np.asarray(nodes[self.growth.apply(bins, self.splits)])

    def learned(self) -> Learned:
        """Return the feature of each split from the root on, and class proportions and size of each leaf."""
        leaves, features = self.leaves, np.array([*self.features.values()], dtype=np.int64) + 1
        found: Learned = {"feature": features} if len(features) else {}
        sizes = np.array([float(leaf.counts.sum()) for leaf in leaves])
        return {**found, "value": np.array([leaf.proportions for leaf in leaves]), "n": sizes}

    def rules(self) -> tuple[LeafRule, ...]:
        """Return a rule for each leaf; one without points has the class of its parent."""
        found = []
        for number, node in enumerate(self.nodes):
            if number not in self.features:
                best, n = int(self.classes[node.proportions.argmax()]), int(node.counts.sum())
                accuracy = float(node.counts.max() / n) if n else math.nan
                figures = {"n": n, "accuracy": accuracy}
                conditions, outcome = self.conditions(number), self.data.name(best)
                found.append(LeafRule(conditions=conditions, outcome=outcome, figures=figures))
        return tuple(found)

    def conditions(self, node: int) -> tuple[str, ...]:
        """The conditions for a node as texts, one for each feature that is split above it."""
        found = []
        box, known = self.nodes[node].box, self.data.categories or ((),) * len(self.data.columns)
        ends = zip(self.data.columns, self.box(node).tolist(), box[:, 0], known)
        for name, (low, high), code, names in ends:
            if np.isfinite([low, high]).any():
                found.append(f"{name} = {names[code]}" if names else interval_text(name, low, high))
        return tuple(found)

    def row_values(self, data: TrainingData) -> PointValues:
        places = self.apply(data.X)
        leaves = [number for number in range(len(self.nodes)) if number not in self.features]
        return {"leaf": np.searchsorted(leaves, places) + 1}

    def thresholds(self, feature: int) -> Floats:
        """Return the rising edges between the bins or categories of a feature."""
        return self.edges[feature][1:-1]

    def apply(self, X: Floats) -> Ints:
        """The leaf of each row of X (m, d)."""
        return self.growth.apply(bin_features(X, self.edges), self.splits)

    def box(self, node: int) -> Floats:
        """The region of a node (d, 2), low < x <= high."""
        return np.array([ends[sides] for ends, sides in zip(self.edges, self.nodes[node].box)])

    def path(self, X: Floats) -> list[int]:
        """The nodes from the root to the leaf of a single row X (1, d)."""
        path = [int(self.apply(X)[0])]
        while path[-1]:
            path.append(self.nodes[path[-1]].parent)
        return path[::-1]

    def diagram(self) -> Diagram:
        parents = {number: node.parent for number, node in enumerate(self.nodes)}
        counts = np.array([node.counts.sum() for node in self.nodes])
        note = f"splits: {self.splits}, leaves: {len(self.leaves)}"
        note += "" if all(self.data.categories) else "; bins increase from left to right"
        links = {number: self._branch(number) for number in parents}
        return node_diagram(parents, counts, self._texts, self._tint, title="Tree", note=note, links=links)

    def metrics(self) -> Mapping[str, float]:
        counts = np.array([leaf.counts for leaf in self.leaves])
        error = float(1 - counts.max(axis=1).sum() / counts.sum())
        depth = max(node.depth for node in self.nodes)
        return {"entropy": self.loss, "training error": error, "leaves": len(counts), "depth": depth}

    def leaf_text(self, leaf: int) -> str:
        """The class counts of a leaf as text."""
        counts = zip(self.classes.tolist(), self.nodes[leaf].counts)
        return ", ".join(f"{self.data.name(code)} {n:g}" for code, n in counts if n) or "no points"

    def _texts(self, number: int) -> tuple[str, ...]:
        node = self.nodes[number]
        head = self.data.name(int(self.classes[node.proportions.argmax()]))
        if number in self.features:
            head = f"{self.data.columns[self.features[number]]} ?"
        return head, f"{node.counts.max():g} of {node.counts.sum():g}", f"entropy {node.entropy:.3g}"

    def _branch(self, number: int) -> str:
        """The category that leads to a node; no text for a bin."""
        node = self.nodes[number]
        feature = self.features.get(node.parent, 0)
        names = self.data.categories[feature] if number and self.data.categories else ()
        return names[node.box[feature, 0]] if names else ""

    def _tint(self, number: int) -> tuple[Ink, float]:
        proportions = self.nodes[number].proportions
        return int(self.classes[proportions.argmax()]), float(proportions.max())


@register(
    "id3", CLASSIFY, "Trees", "ID3",
    symbols={
        "H": ("Entropy of the class shares.",), "S": ("Training points in a node.",),
        "p": ("Share of a class in a node.",), "A": ("Split on an attribute.", "Splits"),
    },
    synonyms=("information gain", "Iterative Dichotomiser"),
)  # fmt: skip
class ID3(Model):
    r"""Splits recursively on the feature of the highest information gain, with a branch for each category.
    Numbers are cut into bins.

    .. math::
        H(S) = -\sum_c p_c \log_2 p_c
        \mathrm{gain}(S, A) = H(S) - \sum_{v \in A} \frac{|S_v|}{|S|}\, H(S_v)
    """

    bins: int = integer(5, 2, 30, help="Number of bins of equal width for each numeric feature.")
    max_depth: int = integer(0, 0, 10, zero="no limit", help="Maximum depth of the tree. 0 means no limit.")

    depends_on_scale = False
    takes_categories = True

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[ID3State]:
        del rng
        edges = tuple(map(self._edges, data.X.T, data.categories or ((),) * len(data.columns)))
        bins, values = bin_features(data.X, edges), [len(ends) - 1 for ends in edges]
        tree = ID3Tree(bins, np.searchsorted(data.present, data.labels), values, self.max_depth)
        root = ID3State(classes=data.present, data=data, growth=tree, edges=edges, splits=0, progress=0.0)
        remaining = tree.nodes[0].entropy * len(data)
        note = f"start: one leaf with all {len(data):,} points, entropy {_bits(tree.nodes[0].entropy)}"
        more = tree.split()
        if not more:
            note += "; no feature has an information gain"
        yield root.later(loss=remaining / len(data), note=note)
        while more:
            splits = len(tree.parents)
            parent = tree.nodes[tree.parents[-1]]
            remaining -= float(parent.gains.max() * parent.counts.sum())
            more = tree.split()
            loss = max(remaining, 0.0) / len(data)
            progress = 1 - loss / tree.nodes[0].entropy if more else 1.0
            yield root.later(splits=splits, loss=loss, note=_note, progress=progress)

    def _edges(self, values: Floats, categories: tuple[str, ...]) -> Floats:
        """The edges of equal bins over the extent of a number, or around the codes of categories."""
        edges = np.linspace(values.min(), values.max(), self.bins + 1)
        if categories:
            edges = np.arange(len(categories) + 1) - 0.5
        edges[[0, -1]] = -np.inf, np.inf
        return edges


def _note(state: ID3State) -> str:
    """The latest split and its information gain."""
    tree, columns = state.growth, state.data.columns
    number, feature = tree.parents[state.splits - 1], tree.features[state.splits - 1]
    node = tree.nodes[number]
    entropy = _bits(node.entropy)
    gain = f"{columns[feature]} has the information gain {node.gains[feature]:.3g} of {entropy}"
    if node.depth == 0 and len(columns) > 1:
        others = np.argsort(-node.gains, kind="stable")[1:].tolist()
        each = ", ".join(f"{columns[other]}: {node.gains[other]:.3g}" for other in others[:MENTIONED])
        gain += f" ({each})"
    where = f" where {', '.join(state.conditions(number))}" if node.depth else ""
    return f"split {state.splits}: {gain}, {node.counts.sum():g} points{where}"


def _bits(entropy: float) -> str:
    text = f"{entropy:.3g}"
    return f"{text} bit" if text == "1" else f"{text} bits"
