"""ID3 (Quinlan 1986): split on the feature of the highest information gain, with a branch for each value."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.trees.criteria import entropy

ROUNDING = 1e-12
"""Total gains up to this number of bits are rounding."""


class ID3Node(NamedTuple):
    """The samples in a `box` (d, 2), from the first value of each feature to before the last.

    The entropy is H(S) = -sum_c p_c log2 p_c, the gain of a feature H(S) - sum_v |S_v| / |S| H(S_v).
    A node without samples has the class proportions of its parent.
    """

    box: Ints
    counts: Floats
    proportions: Floats
    entropy: float
    gains: Floats
    depth: int
    parent: int


class ID3Tree:
    """A tree that `split` grows: node 0 is the root, and each split adds a child for every value.

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

    def __init__(self, X: Ints, y: Ints, values: int | Sequence[int], max_depth: int = 0) -> None:
        """X (n, d) holds `values` values from 0 for each feature, y (n,) classes; depth 0 means no limit."""
        self.X, self.y, self.max_depth = X, y, max_depth
        self.values: Ints = np.broadcast_to(values, X.shape[1])
        self.nodes: list[ID3Node] = []
        self.sizes = [1]  # the number of nodes before each split, and at the end
        self.parents, self.features = list[int](), list[int]()  # the node and the feature of each split
        self._rows, self._open = list[Ints](), list[tuple[float, int]]()
        box, classes = np.stack([np.zeros_like(self.values), self.values], axis=1), int(y.max()) + 1
        self._add(np.arange(len(X)), box, np.full(classes, 1 / classes), depth=0, parent=-1)

    def split(self) -> bool:
        """Split the leaf of the highest total gain; False if no split gains anything."""
        if not self._open:
            return False
        number = heapq.heappop(self._open)[1]
        above, rows = self.nodes[number], self._rows[number]
        feature = int(above.gains.argmax())
        self.parents.append(number)
        self.features.append(feature)
        for value in range(self.values[feature]):
            box = above.box.copy()
            box[feature] = value, value + 1
            self._add(rows[self.X[rows, feature] == value], box, above.proportions, above.depth + 1, number)
        self.sizes.append(len(self.nodes))
        return True

    def apply(self, X: Ints, splits: int) -> Ints:
        """The leaf of each row of X (n, d) after the first `splits` splits."""
        split, node = np.full(len(self.nodes), -1), np.zeros(len(X), dtype=np.int64)
        feature, first = np.array([*self.features, 0]), np.array(self.sizes)
        split[self.parents[:splits]] = np.arange(splits)
        for _ in range(X.shape[1]):  # a path splits each feature at most once
            at = split[node]
            node = np.where(at < 0, node, first[at] + X[np.arange(len(X)), feature[at]])
        return node

    def _add(self, rows: Ints, box: Ints, inherited: Floats, depth: int, parent: int) -> None:
        """Add a node with its samples, and open it if a split gains something."""
        y, n, classes = self.y[rows], max(len(rows), 1), len(inherited)
        counts = np.bincount(y, minlength=classes).astype(np.float64)
        cells, most = self.X[rows] * classes + y[:, None], int(self.values.max())
        tables = [np.bincount(column, minlength=most * classes) for column in cells.T]
        after = entropy(np.reshape(tables, (-1, most, classes)).T.astype(np.float64)).sum(axis=0)
        before = float(entropy(counts))
        gain = np.maximum(before - after, 0.0)
        if gain.max() > ROUNDING and (depth < self.max_depth or not self.max_depth):
            heapq.heappush(self._open, (-float(gain.max()), len(self.nodes)))
        shares = counts / n if len(rows) else inherited
        self.nodes.append(ID3Node(box, counts, shares, before / n, gain / n, depth, parent))
        self._rows.append(rows)
