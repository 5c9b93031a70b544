"""C4.5 (Quinlan 1993): growth by gain ratio or gain and cost, and pruning by pessimistic error estimates.

Numbers are split in two; categories have a branch each, and rows with a missing value go down all branches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.trees.criteria import ROUNDING, entropy
from vizml.learn.trees.grower import GrowthLimits, NodeSplits, TreeGrower, group_ends
from vizml.learn.trees.mixed_grower import Candidate, GrowingNode, KnownRows, MixedGrower
from vizml.learn.trees.mixed_tree import Branching, NodeTest
from vizml.learn.trees.pruning import PruningPath, collapse
from vizml.learn.trees.structure import LEAF, Tree

INTERVALS, ROUNDS = 32, 9
"""The error rate is bracketed by this many intervals, this many times: to 2^-45."""
COST_RULES: Mapping[str, Callable[[Floats, Floats, float], Floats]] = {
    "tan": lambda gain, cost, _: gain**2 / cost,
    "nunez": lambda gain, cost, weight: (2**gain - 1) / (cost + 1) ** weight,
}
"""Criteria in place of the gain ratio, as functions of gains in bits, costs, and the weight of the costs."""


class GainRatioGrower(TreeGrower):
    """Takes the threshold of the highest gain on each feature, and the feature of the highest gain ratio."""

    large = 5_000

    def _search(self) -> NodeSplits:
        starts = self._starts
        cost, left = self._costs(self._order, None)
        lowest = np.minimum.reduceat(cost, starts, axis=1)
        at = np.stack([self._first_best(row, low) for row, low in zip(cost, lowest)])
        gains = (entropy(self._totals) - lowest) / self._counts
        ratio = gain_ratio(gains, at - starts + 1, self._counts)
        node = np.flatnonzero(ratio.max(axis=0) > 0)
        feature = ratio.argmax(axis=0)
        samples = self._order.ravel().take(self._flat_positions(feature))
        feature = feature[node]
        position = at[feature, node]
        return self._splits_behind(position, node, feature, samples, left[:, feature, position])

    def _first_best(self, cost: Floats, lowest: Floats) -> Ints:
        """The first position of the lowest cost of each node on a feature; 0 without one."""
        hits = np.isfinite(cost) & (cost == lowest.repeat(self._counts))
        node = self._node_of_position
        found = group_ends(hits, node, last=False)
        out = np.zeros(len(lowest), dtype=np.int64)
        out[node[found]] = found
        return out


def gain_ratio(gains: Floats, left: Ints, counts: Ints) -> Floats:
    """Gain / split information (features, nodes); 0 for features whose gain is 0 or below the average.

    A split into 2 and 6 of 8 points has a split information of 0.811 bits:

    >>> gain_ratio(np.array([[0.4]]), np.array([[2]]), np.array([8])).round(3)
    array([[0.493]])
    """
    return best_ratios(gains, entropy(np.stack([left, counts - left]).astype(np.float64)) / counts)


def best_ratios(gains: Floats, information: Floats) -> Floats:
    """Gain / split information of features; 0 for those whose gain is 0 or below the average."""
    useful = gains > ROUNDING
    mean = np.where(useful, gains, 0.0).sum(axis=0) / np.maximum(useful.sum(axis=0), 1)
    eligible = useful & (gains >= mean * (1 - ROUNDING)) & (information > 0)
    return np.where(eligible, gains / np.where(information > 0, information, 1.0), 0.0)


def upper_error_rate(errors: int, points: int, confidence: float) -> float:
    """The upper confidence limit U of the error rate of a leaf: P(X <= errors | points, U) = confidence.

    Quinlan's U25%(0, 6):

    >>> round(upper_error_rate(0, 6, 0.25), 3)
    0.206
    """
    if errors >= points or confidence <= 0:
        return 1.0
    k = np.arange(errors + 1)
    log_binomial = np.concatenate([[0.0], np.cumsum(np.log((points - k[:-1]) / (k[:-1] + 1)))])
    low, high = errors / points, 1.0
    for _ in range(ROUNDS):
        rates = np.linspace(low, high, INTERVALS + 1)[1:-1, None]
        log_terms = log_binomial + k * np.log(rates) + (points - k) * np.log1p(-rates)
        above = int(np.count_nonzero(np.exp(log_terms).sum(axis=1) > confidence))
        step = (high - low) / INTERVALS
        low, high = low + above * step, low + (above + 1) * step
    return (low + high) / 2


def pessimistic_errors(tree: Tree, confidence: float) -> Floats:
    """The pessimistic estimate n U(errors, n) of each node's errors as a leaf."""
    total, most = tree.sums.sum(axis=1).round(9), tree.sums.max(axis=1).round(9)
    cases = list(zip((total - most).round(9).tolist(), total.tolist()))
    estimates = {case: expected_errors(*case, confidence) for case in set(cases)}
    return np.array([estimates[case] for case in cases])


def expected_errors(errors: float, points: float, confidence: float) -> float:
    """The pessimistic estimate n U(errors, n), interpolated linearly where weights are no whole numbers.

    >>> round(expected_errors(0, 6, 0.25), 2), round(expected_errors(0.5, 6.5, 0.25), 2)
    (1.24, 1.8)
    """
    corners = [(e, n) for n in {floor(points), ceil(points)} for e in {floor(errors), ceil(errors)}]
    return sum(
        (1 - abs(errors - e)) * (1 - abs(points - n)) * n * upper_error_rate(e, n, confidence)
        for e, n in corners
    )


def pessimistic_pruning(tree: Tree, confidence: float) -> tuple[PruningPath, Floats, Floats]:
    """Collapse each split, from the bottom up, whose subtree has no lower estimate than a leaf.

    Also returned are the estimates of each node as a leaf, and as the subtree that was compared with it.
    """
    alone = pessimistic_errors(tree, confidence)
    below, subtree, inner = alone.copy(), alone.copy(), tree.splits.copy()
    leaves = np.ones(len(tree), dtype=np.int64)
    nodes: list[int] = []
    fewer: list[int] = []
    cut = np.where(tree.splits, len(tree), LEAF)
    for node in np.flatnonzero(tree.splits)[::-1].tolist():
        children = list(tree.children(node))
        below[node] = subtree[node] = below[children].sum()
        leaves[node] = leaves[children].sum()
        if alone[node] <= below[node]:
            cut[collapse(tree, node, inner)] = len(nodes)
            nodes.append(node)
            fewer.append(int(leaves[node]) - 1)
            below[node], leaves[node] = alone[node], 1
    path = PruningPath(
        node=np.array(nodes, dtype=np.int64), alpha=np.zeros(len(nodes)),
        leaves=int(np.count_nonzero(~tree.splits)) - np.cumsum(fewer, dtype=np.int64), cut=cut,
    )  # fmt: skip
    return path, alone, subtree


@dataclass(frozen=True, eq=False)
class AttributeCosts:
    """The cost of learning the value of each feature, and the rule that weighs it against the gain.

    >>> costs = AttributeCosts(np.array([1.0, 2.0]), "tan")
    >>> costs.scores(np.array([0.2, 0.3]), np.array([0, 1])).round(3)
    array([0.04 , 0.045])
    """

    values: Floats
    rule: str
    weight: float = 1.0

    def scores(self, gains: Floats, features: Sequence[int]) -> Floats:
        """Return the merit of splits by their gains in bits; 0 for those without a gain."""
        merit = COST_RULES[self.rule](gains, self.values[features], self.weight)
        return np.where(gains > ROUNDING, merit, 0.0)


class GainRatioMixedGrower(MixedGrower):
    """Thresholds and a branch for each category, chosen by gain ratio or by gain and cost."""

    def __init__(
        self, X: Floats, categories: Sequence[tuple[str, ...]], sums: Floats, limits: GrowthLimits,
        costs: AttributeCosts | None = None,
    ) -> None:  # fmt: skip
        self.costs = costs
        super().__init__(X, categories, sums, "entropy", limits)

    def _test(self, node: GrowingNode) -> NodeTest | None:
        found = self._candidates(node)
        if not found:
            return None
        # gains are scaled by the share of known values, missing ones are a branch in the information
        weight = node.weight
        unknown = [max(weight - float(each.weights.sum()), 0.0) for each in found]
        gains = np.array([each.gain for each in found]) / weight
        branches = (np.append(each.weights, rest) for each, rest in zip(found, unknown))
        information = np.array([float(entropy(each)) for each in branches]) / weight
        merits, figures = self._merits(gains, information, [each.branching.feature for each in found])
        at = int(merits.argmax())
        if merits[at] <= 0:
            return None
        best = found[at]
        return NodeTest(
            branching=best.branching, shares=best.weights / best.weights.sum(), unknown=unknown[at],
            figures=figures(at), fractional=True,
        )  # fmt: skip

    def _merits(
        self, gains: Floats, information: Floats, features: Sequence[int]
    ) -> tuple[Floats, Callable[[int], str]]:
        """Return the merit of each split, and a function that gives its figures as text."""
        if self.costs is None:
            merits = best_ratios(gains, information)
            text = "gain {:.3g} / split information {:.3g} = {:.3g}"
            return merits, lambda at: text.format(gains[at], information[at], merits[at])
        costs, merits = self.costs.values[features], self.costs.scores(gains, features)
        return merits, lambda at: f"gain {gains[at]:.3g} at cost {costs[at]:.3g}: merit {merits[at]:.3g}"

    def _categories(self, known: KnownRows, count: int) -> Candidate | None:
        """Return the split with a branch for each category."""
        sums, weights = known.by_category(count)
        if np.count_nonzero(weights >= self.limits.min_leaf) < 2:
            return None
        gain = float(self.criterion(sums.sum(axis=1)) - self.criterion(sums).sum())
        return Candidate(
            branching=Branching(feature=known.feature, table=np.arange(count)), weights=weights, gain=gain
        )
