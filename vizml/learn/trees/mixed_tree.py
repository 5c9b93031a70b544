"""Trees on numbers and categories whose nodes also know where rows without a value go."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.trees.structure import Tree, path_to, points_text


@dataclass(frozen=True, eq=False, kw_only=True)
class Branching:
    """The branch that each value of a feature takes.

    >>> Branching(feature=0, threshold=1.5)(np.array([[1.0], [2.0], [np.nan]]))
    array([ 0,  1, -1])
    """

    feature: int
    threshold: float = math.nan
    reverse: bool = False
    """Whether numbers up to the threshold take branch 1."""
    table: Ints | None = None
    """The branch of each category, -1 for one without training points; None for numbers."""

    def __call__(self, X: Floats) -> Ints:
        """Return the branch of each row of X (m, d), -1 where it is unknown."""
        x = X[:, self.feature]
        known = ~np.isnan(x)
        if self.table is None:
            return np.where(known, (x <= self.threshold) == self.reverse, -1)
        return np.where(known, self.table[nearest_codes(np.where(known, x, 0.0), len(self.table))], -1)


def branching_text(
    branching: Branching, columns: Sequence[str], categories: Sequence[tuple[str, ...]]
) -> str:
    """Return the condition of the first of two branches as text."""
    name = columns[branching.feature]
    if branching.table is None:
        return f"{name} {'>' if branching.reverse else '≤'} {branching.threshold:.4g}"
    return f"{name} = {' or '.join(branch_names(branching, categories[branching.feature], 0))}"


def branch_names(branching: Branching, names: Sequence[str], branch: int) -> list[str]:
    """Return the categories that take a branch."""
    table = () if branching.table is None else branching.table.tolist()
    return [name for name, own in zip(names, table) if own == branch]


def nearest_codes(x: Floats, count: int) -> Ints:
    """Return the code nearest to each value; one half-way between codes counts as the lower one."""
    return np.clip(np.ceil(x - 0.5), 0, count - 1).astype(np.int64)


@dataclass(frozen=True, eq=False, kw_only=True)
class Surrogate:
    """A split on another feature that imitates a split where the value of its feature is missing."""

    branching: Branching
    agreement: float
    """Share of the rows that both splits send to the same branch."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NodeTest:
    """The split of a node, and its treatment of missing values.

    Surrogates are asked in their order, and the branch of most training rows is taken where none knows; or
    a row goes down all branches, with weights.
    """

    branching: Branching
    shares: Floats
    """Share of the training weight, among rows with a value, in each branch."""
    unknown: float = 0.0
    """Training weight of the rows without a value."""
    figures: str = ""
    """Figures of the criterion that chose the split."""
    surrogates: tuple[Surrogate, ...] = ()
    fractional: bool = False

    def branch(self, X: Floats) -> Ints:
        """Return one branch for each row of X (m, d)."""
        found = self.branching(X)
        for surrogate in self.surrogates:
            unknown = np.flatnonzero(found < 0)
            if not len(unknown):
                break
            found[unknown] = surrogate.branching(X[unknown])
        return np.where(found < 0, self.shares.argmax(), found)

    def spread(self, X: Floats) -> tuple[Ints, Ints, Floats]:
        """Return rows of X (m, d), the branches that they go down, and the share of the weight of each."""
        if not self.fractional:
            return np.arange(len(X)), self.branch(X), np.ones(len(X))
        found, used = self.branching(X), np.flatnonzero(self.shares)
        known, unknown = np.flatnonzero(found >= 0), np.flatnonzero(found < 0)
        rows = np.concatenate([known, unknown.repeat(len(used))])
        branches = np.concatenate([found[known], np.tile(used, len(unknown))])
        shares = np.concatenate([np.ones(len(known)), np.tile(self.shares[used], len(unknown))])
        return rows, branches, shares


@dataclass(frozen=True, eq=False, kw_only=True)
class MixedTree(Tree):
    """A tree with any number of branches at a node; thresholds of splits on categories are NaN."""

    tests: tuple[NodeTest | None, ...]
    """The split of each node, None at a leaf."""
    categories: tuple[tuple[str, ...], ...]
    """Names of the categories of each feature, none of a number."""

    def child(self, node: Ints, X: Floats, row: Ints) -> Ints:
        out = np.empty_like(node)
        for number, test, at in self._groups(node):
            if test is not None:
                out[at] = self.left[number] + test.branch(X[row[at]])
        return out

    def spread(self, X: Floats, splits: Mask) -> tuple[Ints, Ints, Floats]:
        """Return rows of X (m, d), the nodes they end in if only some splits are made, and their weights."""
        row, node, weight = np.arange(len(X)), np.zeros(len(X), dtype=np.int64), np.ones(len(X))
        while splits[node].any():
            parts = []
            for number, test, at in self._groups(node):
                if test is None or not splits[number]:
                    parts.append((row[at], node[at], weight[at]))
                    continue
                which, branch, share = test.spread(X[row[at]])
                parts.append((row[at][which], self.left[number] + branch, weight[at][which] * share))
            row, node, weight = map(np.concatenate, zip(*parts))
        return row, node, weight

    def rows_in(self, node: int, X: Floats) -> tuple[Ints, Floats]:
        row, found, weight = self.spread(X, self.above(node))
        return row[found == node], weight[found == node]

    def _groups(self, node: Ints) -> Iterator[tuple[int, NodeTest | None, Ints]]:
        """Each node that occurs, with its split and the positions at which it does."""
        order = np.argsort(node, kind="stable")
        numbers, starts = np.unique(node[order], return_index=True)
        for number, at in zip(numbers.tolist(), np.split(order, starts[1:])):
            yield number, self.tests[number], at

    def thresholds(self, feature: int, splits: Mask) -> Floats:
        """Return the rising thresholds on a feature of splits, and of surrogates for unseen categories.

        Between the codes of categories lie their middles.
        """
        if names := self.categories[feature]:
            return np.arange(0.5, len(names) - 1)
        found = self.threshold[splits & (self.feature == feature)].tolist()
        for node in np.flatnonzero(splits):
            test = self.tests[node]
            if test is not None and test.branching.table is not None and (test.branching.table < 0).any():
                others = (surrogate.branching for surrogate in test.surrogates)
                found += [other.threshold for other in others if other.feature == feature]
        return np.unique(np.array(found, dtype=np.float64))

    @cached_property
    def proportions(self) -> Floats:
        """The sums of each node as shares; a node without training points has those of its parent."""
        weight = self.sums.sum(axis=1, keepdims=True)
        out = self.sums / np.where(weight > 0, weight, 1.0)
        for node in np.flatnonzero(weight[:, 0] == 0):
            out[node] = out[self.parent[node]]
        return np.asarray(out)

    def rule(self, node: int, columns: Sequence[str]) -> str:
        """Return the split as text: the categories of the first branch of two, a question for more."""
        test = self.tests[node]
        if test is None:
            return ""
        if len(test.shares) > 2:
            return f"{columns[test.branching.feature]}?"
        return branching_text(test.branching, columns, self.categories)

    def condition(self, node: int, feature: int, name: str) -> str:
        kept = self.categories[feature]
        if not kept:
            return super().condition(node, feature, name)
        path = path_to(self, node)
        for above, below in pairwise(path):
            test = self.tests[above]
            if test is not None and test.branching.feature == feature:
                taken = branch_names(test.branching, self.categories[feature], below - int(self.left[above]))
                kept = tuple(each for each in kept if each in taken)
        return f"{name} = {' or '.join(kept)}"

    def branch_text(self, node: int) -> str:
        """Return the categories of the branch to a node where its parent has more than two."""
        above = int(self.parent[node])
        test = self.tests[above] if above >= 0 else None
        if test is None or test.branching.table is None or len(test.shares) == 2:
            return ""
        names = self.categories[test.branching.feature]
        return " or ".join(branch_names(test.branching, names, node - int(self.left[above])))

    def explanation(self, node: int, columns: Sequence[str]) -> str:
        """Return the figures of the choice, and where the training rows without a value go."""
        test = self.tests[node]
        if test is None:
            return ""
        figures = f"; {test.figures}" if test.figures else ""
        if not test.unknown:
            return figures
        rows = f"{points_text(round(test.unknown, 3))} without {columns[test.branching.feature]}"
        if test.fractional:
            shares = ", ".join(f"{share:.3g}" for share in test.shares)
            return f"{figures}; {rows}: all branches with weights {shares}"
        surrogates = [
            f"{branching_text(each.branching, columns, self.categories)} (agreement {each.agreement:.3g})"
            for each in test.surrogates
        ]
        return f"{figures}; {rows}: by " + ", else ".join([*surrogates, "the larger branch"])
