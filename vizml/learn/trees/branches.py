"""Counts of classes in the cells of binned axes, and branches that take one bin of an axis each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.criteria import entropy
from vizml.learn.trees.views import FAINT, SURE
from vizml.scene import Diagram, Link, Node

TOLD = 1e-12
"""Fewer bits than this are rounding."""
Span = tuple[int, int]


@dataclass(frozen=True, eq=False, kw_only=True)
class Branch:
    """Some bins of each axis, from the first up to the one after the last."""

    columns: Span
    rows: Span
    counts: Floats
    shares: Floats
    """Those of its points; without points, those of the branch above."""
    depth: int
    parent: int
    axis: int | None = None
    """The axis that it branches on."""

    @property
    def cells(self) -> tuple[slice, slice]:
        """Where it is in a table of all cells."""
        return slice(*self.columns), slice(*self.rows)

    @property
    def entropy(self) -> float:
        """Bits that the class of one of its points takes to tell."""
        return float(entropy(self.counts)) / max(float(self.counts.sum()), 1.0)

    def holds(self, column: int, row: int) -> bool:
        """Whether a cell is in it."""
        return self.columns[0] <= column < self.columns[1] and self.rows[0] <= row < self.rows[1]


@dataclass(frozen=True, eq=False, kw_only=True)
class Cells:
    """The classes' counts (bins of x, bins of y, K), and the edges (2, bins + 1) between bins."""

    counts: Floats
    edges: Floats

    @classmethod
    def of(cls, data: TrainingData, bins: int) -> Cells:
        """Each axis of the data in so many parts of one width."""
        low, high = data.points.min(axis=0), data.points.max(axis=0)
        edges = np.stack([np.linspace(a, b, bins + 1) for a, b in zip(low, high)])
        empty = cls(counts=np.empty((bins, bins, 0)), edges=edges)
        column, row = empty.places(data.points)
        label = np.searchsorted(data.present, data.labels)
        shape = (bins, bins, len(data.present))
        flat = np.ravel_multi_index((column, row, label), shape)
        counts = np.bincount(flat, minlength=int(np.prod(shape))).astype(np.float64)
        return cls(counts=counts.reshape(shape), edges=edges)

    def bins(self, axis: int, values: Floats) -> Ints:
        """The bin of each value; x <= edge is left of it, and the outer bins go on for ever."""
        return np.searchsorted(self.edges[axis, 1:-1], values, side="left")

    def places(self, X: Floats) -> tuple[Ints, Ints]:
        """The bins of points on both axes."""
        return self.bins(0, X[:, 0]), self.bins(1, X[:, 1])

    def box(self, branch: Branch) -> tuple[float, float, float, float]:
        """Its edges left, right, bottom, top; infinite at the outside."""
        wide = self.edges.copy()
        wide[:, 0], wide[:, -1] = -np.inf, np.inf
        return (
            float(wide[0, branch.columns[0]]),
            float(wide[0, branch.columns[1]]),
            float(wide[1, branch.rows[0]]),
            float(wide[1, branch.rows[1]]),
        )

    def lines(self, branch: Branch) -> Floats:
        """The edges (m, 2, 2) between the bins that a branch is split into."""
        left, right, bottom, top = self.box(branch)
        if branch.axis == 0:
            at = self.edges[0, branch.columns[0] + 1 : branch.columns[1]]
            ends = [(x, bottom, x, top) for x in at.tolist()]
        else:
            at = self.edges[1, branch.rows[0] + 1 : branch.rows[1]]
            ends = [(left, y, right, y) for y in at.tolist()]
        return np.array(ends, dtype=np.float64).reshape(-1, 2, 2)

    def root(self) -> Branch:
        """All cells."""
        bins = len(self.counts)
        counts = self.counts.sum(axis=(0, 1))
        shares = counts / counts.sum()
        return Branch(columns=(0, bins), rows=(0, bins), counts=counts, shares=shares, depth=0, parent=-1)

    def gains(self, branch: Branch) -> Floats:
        """Bits that branching on each axis gains for a point (2,); 0 for an axis that it is one bin of."""
        table, total = self.counts[branch.cells], max(float(branch.counts.sum()), 1.0)
        left = [float(entropy(table.sum(axis=other).T).sum()) for other in (1, 0)]
        return np.maximum(branch.entropy - np.array(left) / total, 0.0)

    def planned(self, max_depth: int) -> list[tuple[Span, Span]]:
        """The branches to split, in the order of what they gain for all points, each after the one above."""
        root = self.root()
        if self.gains(root).max() <= TOLD:
            return []
        _, *children = self.split((root,), 0)
        worth = [(float(self.gains(child).max() * child.counts.sum()), child) for child in children]
        worth.sort(key=lambda each: -each[0])
        deeper = [(child.columns, child.rows) for gain, child in worth if gain > TOLD and max_depth > 1]
        return [(root.columns, root.rows), *deeper]

    def split(self, branches: tuple[Branch, ...], number: int) -> tuple[Branch, ...]:
        """Branches with one of them split on the axis of most gain: its bins come at the end."""
        above = branches[number]
        axis = int(self.gains(above).argmax())
        first, end = above.rows if axis else above.columns
        children = []
        for start in range(first, end):
            part = (start, start + 1)
            columns, rows = (above.columns, part) if axis else (part, above.rows)
            counts = self.counts[slice(*columns), slice(*rows)].sum(axis=(0, 1))
            shares = counts / counts.sum() if counts.any() else above.shares
            children.append(
                Branch(
                    columns=columns,
                    rows=rows,
                    counts=counts,
                    shares=shares,
                    depth=above.depth + 1,
                    parent=number,
                )
            )
        return (*branches[:number], replace(above, axis=axis), *branches[number + 1 :], *children)

    def branched(
        self, branches: tuple[Branch, ...], place: tuple[Span, Span], axes: tuple[str, str]
    ) -> tuple[tuple[Branch, ...], str]:
        """The branches after the one at a place is split, and what that gains in words."""
        number = next(i for i, each in enumerate(branches) if (each.columns, each.rows) == place)
        above, gains = branches[number], self.gains(branches[number])
        axis = int(gains.argmax())
        said = f"{axes[axis]} gains {gains[axis]:.3g} of {above.entropy:.3g} bits"
        if above.depth == 0:
            said += f", {axes[1 - axis]} {gains[1 - axis]:.3g}"
        where = "" if above.depth == 0 else f" where {self.told(above, axes)}"
        return self.split(branches, number), f"{said}, {above.counts.sum():g} points{where}"

    def told(self, branch: Branch, axes: tuple[str, str]) -> str:
        """The bin that a branch takes of the axis above it, in words."""
        left, right, bottom, top = self.box(branch)
        parts = []
        for name, low, high in ((axes[0], left, right), (axes[1], bottom, top)):
            if np.isfinite(low) and np.isfinite(high):
                parts.append(f"{low:.3g} < {name} ≤ {high:.3g}")
            elif np.isfinite(high):
                parts.append(f"{name} ≤ {high:.3g}")
            elif np.isfinite(low):
                parts.append(f"{name} > {low:.3g}")
        return ", ".join(parts)


def branch_diagram(
    branches: tuple[Branch, ...], axes: tuple[str, str], names: tuple[str, ...], classes: Ints
) -> Diagram:
    """The branches below one another, with a link for each bin."""
    place = _places(branches)
    deepest = max(branch.depth for branch in branches) or 1
    nodes, links = [], []
    for number, branch in enumerate(branches):
        best = int(branch.shares.argmax())
        head = f"{axes[branch.axis]} ?" if branch.axis is not None else names[best]
        texts = (head, f"{branch.counts.max():g} of {branch.counts.sum():g}", f"entropy {branch.entropy:.3g}")
        sure = 0.0 if branch.axis is not None else float(branch.shares[best])
        nodes.append(
            Node(
                id=str(number),
                x=place[number],
                y=1.0 - branch.depth / deepest,
                texts=texts,
                ink=int(classes[best]),
                fill=FAINT + (SURE - FAINT) * sure,
            )
        )
        if branch.parent >= 0:
            links.append(Link(start=str(branch.parent), end=str(number)))
    ends = sum(branch.axis is None for branch in branches)
    note = f"{len(branches) - ends} branchings, {ends} leaves; bins rise from left to right"
    return Diagram(title="Tree", nodes=tuple(nodes), links=tuple(links), note=note)


def _places(branches: tuple[Branch, ...]) -> list[float]:
    """Leaves side by side, in the order of their bins; branchings above the middle of theirs."""
    below: list[list[int]] = [[] for _ in branches]
    for number, branch in enumerate(branches):
        if branch.parent >= 0:
            below[branch.parent].append(number)
    place, order, stack = [0.0] * len(branches), [], [0]
    while stack:
        number = stack.pop()
        order.append(number)
        stack += below[number][::-1]
    ends = [number for number in order if not below[number]]
    for at, number in enumerate(ends):
        place[number] = (at + 0.5) / len(ends)
    for number in reversed(order):
        if below[number]:
            place[number] = (place[below[number][0]] + place[below[number][-1]]) / 2
    return place
