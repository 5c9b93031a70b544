"""Candidate splits of a node: the decrease of impurity by every threshold and every split on categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.trees.criteria import ROUNDING, Criterion, entropy
from vizml.learn.trees.grower import midpoints
from vizml.learn.trees.mixed_grower import KnownRows, category_subsets
from vizml.learn.trees.mixed_tree import Branching


@dataclass(frozen=True, eq=False, kw_only=True)
class InputSplits:
    """All splits of a node on one input that leave enough points in each child."""

    feature: int
    thresholds: Floats
    """Rising thresholds of a number; empty for categories."""
    tables: Ints
    """Branch of each category (m, k) in each split; empty for a number."""
    gain: Floats
    """Decrease of impurity times weight by each split."""
    information: Floats
    """Split information: entropy of the branches in bits."""

    def __len__(self) -> int:
        return len(self.gain)

    def branching(self, at: int) -> Branching:
        """Return a split."""
        if len(self.tables):
            return Branching(feature=self.feature, table=self.tables[at])
        return Branching(feature=self.feature, threshold=float(self.thresholds[at]))

    def find(self, branching: Branching) -> int:
        """Return the position of a split."""
        if branching.table is not None:
            return int((self.tables == branching.table).all(axis=1).argmax())
        return int(np.abs(self.thresholds - branching.threshold).argmin())

    @cached_property
    def best(self) -> int:
        """Position of the highest gain, the first of equals but for rounding."""
        return int((self.gain >= self.gain.max() - ROUNDING).argmax())

    @property
    def ratio(self) -> Floats:
        """Gain / split information of splits by entropy."""
        return np.divide(self.gain, self.information, out=np.zeros(len(self)), where=self.information > 0)


@dataclass(frozen=True, eq=False, kw_only=True)
class NodeSample:
    """A node whose splits are judged: inputs X (n, d), contributions to the sums (C, n), weights (n,)."""

    X: Floats
    sums: Floats
    weights: Floats
    categories: Sequence[tuple[str, ...]]
    """Names of the categories of each input, none of a number."""
    criterion: Criterion
    least: int
    """Minimum number of points in a child."""
    each_category: bool = False
    """Whether categories have a branch each, as in C4.5, instead of two branches, as in CART."""

    @property
    def weight(self) -> float:
        """Sum of the weights."""
        return float(self.weights.sum())

    @property
    def impurity(self) -> float:
        """Impurity of the node times its weight."""
        return float(self.criterion((self.sums * self.weights).sum(axis=1)))

    def on_inputs(self) -> Iterator[InputSplits]:
        """Yield the splits on each input that has any."""
        for feature, names in enumerate(self.categories):
            at = np.flatnonzero(~np.isnan(self.X[:, feature]))
            weights = self.weights[at]
            known = KnownRows(feature, self.X[at, feature], self.sums[:, at] * weights, weights)
            if len(at) > 1:
                found = self._on_categories(known, len(names)) if names else self._on_number(known)
                if len(found):
                    yield found

    def _on_number(self, known: KnownRows) -> InputSplits:
        order = np.argsort(known.x, kind="stable")
        x, light = known.x[order], known.weights[order].cumsum()
        at = np.flatnonzero(x[:-1] < x[1:])
        at = at[np.minimum(light[at], light[-1] - light[at]) >= self.least - ROUNDING]
        left, whole = known.sums[:, order].cumsum(axis=1)[:, at], known.sums.sum(axis=1)
        after = self.criterion(left) + self.criterion(whole[:, None] - left)
        return InputSplits(
            feature=known.feature, thresholds=midpoints(x[at], x[at + 1]), tables=np.empty((0, 0), np.int64),
            gain=float(self.criterion(whole)) - after,
            information=self._information(np.stack([light[at], light[-1] - light[at]])),
        )  # fmt: skip

    def _on_categories(self, known: KnownRows, count: int) -> InputSplits:
        sums, weights = known.by_category(count)
        seen = np.flatnonzero(weights)
        tables = np.full((1, count), -1)
        if self.each_category:
            tables[0] = np.arange(count)
        elif len(seen) > 1:
            first = category_subsets(sums[:, seen], self.criterion)
            tables = np.full((len(first), count), -1)
            tables[:, seen] = np.where(first, 0, 1)
        branches = np.arange(tables.max(initial=0) + 1)[:, None, None]
        taken = (tables == branches).astype(np.float64)  # (branches, m, count)
        light = taken @ weights
        enough = np.count_nonzero(light >= self.least - ROUNDING, axis=0) > 1
        after = sum(self.criterion(sums @ each.T) for each in taken)
        kept = np.flatnonzero(enough)
        return InputSplits(
            feature=known.feature, thresholds=np.empty(0), tables=tables[kept],
            gain=(float(self.criterion(sums.sum(axis=1))) - np.asarray(after))[kept],
            information=self._information(light[:, kept]),
        )  # fmt: skip

    def _information(self, branches: Floats) -> Floats:
        """Return the entropy of branches (b, m); rows without a value are a branch of their own."""
        unknown = np.maximum(self.weight - branches.sum(axis=0), 0.0)
        return entropy(np.vstack([branches, unknown])) / self.weight
