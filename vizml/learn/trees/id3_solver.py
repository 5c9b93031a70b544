"""ID3 (Quinlan 1986): split on the feature of the highest information gain, with a branch for each value."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.trees.criteria import entropy

ROUNDING = 1e-12
"""Total gains up to this number of bits are rounding."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ID3Node:
    """The samples whose features have values in a box."""

    box: Ints
    """The first value of each feature, and the one after the last (d, 2)."""
    counts: Floats
    """Samples of each class."""
    proportions: Floats
    """Class proportions; those of the parent in a node without samples."""
    gains: Floats
    """Information gain of each feature in bits: H(S) - sum_v |S_v| / |S| H(S_v)."""
    depth: int
    parent: int

    @property
    def entropy(self) -> float:
        """H(S) = -sum_c p_c log2 p_c."""
        return float(entropy(self.counts)) / max(float(self.counts.sum()), 1.0)


class ID3Tree:
    """A tree that `split` grows: node 0 is the root, and split t adds a child for each value of a feature.

    Quinlan's weather: outlook (sunny, overcast, rain), humidity (high, normal), wind (weak, strong).

    >>> table = "00122210020112", "00001110111010", "01000110001101", "00111010111110"
    >>> *X, y = np.array([list(map(int, column)) for column in table])
    >>> tree = ID3Tree(np.column_stack(X), y, values=3)
    >>> tree.nodes[0].gains.round(3)
    array([0.247, 0.152, 0.048])
    >>> while tree.split(): pass
    >>> tree.features  # outlook; for sun, humidity; for rain, wind
    [0, 1, 2]
    >>> tree.apply(np.array([[1, 0, 0], [0, 1, 0]]), splits=1)  # overcast, sunny
    array([2, 1])
    """

    def __init__(self, X: Ints, y: Ints, values: int, max_depth: int = 0) -> None:
        """X (n, d) holds values from 0, y (n,) classes from 0; a `max_depth` of 0 means no limit."""
        self.X, self.y, self.values, self.max_depth = X, y, values, max_depth
        self.classes = int(y.max()) + 1
        self.parents: list[int] = []
        self.features: list[int] = []
        """The node and the feature of each split."""
        self.nodes: list[ID3Node] = []
        self._rows: list[Ints] = []
        self._open: list[tuple[float, int]] = []
        box = np.tile([0, values], (X.shape[1], 1))
        self._add(np.arange(len(X)), box, np.full(self.classes, 1 / self.classes), depth=0, parent=-1)

    def split(self) -> bool:
        """Split the leaf of the highest total gain; False if no split gains anything."""
        if not self._open:
            return False
        number = heapq.heappop(self._open)[1]
        above, rows = self.nodes[number], self._rows[number]
        feature = int(above.gains.argmax())
        self.parents.append(number)
        self.features.append(feature)
        for value in range(self.values):
            box = above.box.copy()
            box[feature] = value, value + 1
            own = rows[self.X[rows, feature] == value]
            self._add(own, box, above.proportions, depth=above.depth + 1, parent=number)
        return True

    def apply(self, X: Ints, splits: int) -> Ints:
        """The leaf of each row of X (n, d) after the first `splits` splits."""
        split = np.full(len(self.nodes), -1)
        split[self.parents[:splits]] = np.arange(splits)
        feature, node = np.array(self.features, dtype=np.int64), np.zeros(len(X), dtype=np.int64)
        rows = np.flatnonzero(split[node] >= 0)
        while len(rows):
            at = split[node[rows]]
            node[rows] = 1 + at * self.values + X[rows, feature[at]]
            rows = rows[split[node[rows]] >= 0]
        return node

    def _add(self, rows: Ints, box: Ints, inherited: Floats, *, depth: int, parent: int) -> None:
        """Add a node with its samples, and open it if a split gains something."""
        y = self.y[rows]
        counts = np.bincount(y, minlength=self.classes).astype(np.float64)
        size = self.values * self.classes
        cells = self.X[rows] * self.classes + y[:, None]
        tables = np.array([np.bincount(column, minlength=size) for column in cells.T], dtype=np.float64)
        inside = entropy(np.moveaxis(tables.reshape(-1, self.values, self.classes), 2, 0)).sum(axis=1)
        total = np.maximum(entropy(counts) - inside, 0.0)
        if total.max() > ROUNDING and (depth < self.max_depth or not self.max_depth):
            heapq.heappush(self._open, (-float(total.max()), len(self.nodes)))
        proportions = counts / len(rows) if len(rows) else inherited
        gains = total / max(len(rows), 1)
        self._rows.append(rows)
        self.nodes.append(
            ID3Node(box=box, counts=counts, proportions=proportions, gains=gains, depth=depth, parent=parent)
        )
