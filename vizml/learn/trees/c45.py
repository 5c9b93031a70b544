"""C4.5 (Quinlan 1993): splits of the highest gain ratio, pruned by pessimistic error estimates.

Numbers are split in two; categories have a branch each, and rows with a missing value go down all branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.random import Generator

from vizml.data.params import Value
from vizml.data.wording import quoted
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, choice, integer, real, register
from vizml.learn.params import text
from vizml.learn.training_data import CannotLearn, TrainingData
from vizml.learn.trees.criteria import ROUNDING, entropy
from vizml.learn.trees.grower import GrowthLimits, NodeSplits, TreeGrower, TreeSamples, group_ends, one_hot
from vizml.learn.trees.grown import GrownTree
from vizml.learn.trees.mixed_grower import Candidate, GrowingNode, KnownRows, MixedGrower
from vizml.learn.trees.mixed_tree import Branching, NodeTest
from vizml.learn.trees.pruning import PruningPath, collapse
from vizml.learn.trees.structure import LEAF, Tree
from vizml.learn.trees.tree import TreeModel, growth_steps, pruning_steps, remaining_leaves
from vizml.learn.trees.tree_state import DecisionTreeState, MixedTreeState, needs_mixed_tree

INTERVALS, ROUNDS = 32, 9
"""The error rate is bracketed by this many intervals, this many times: to 2^-45."""
COST_RULES: Mapping[str, Callable[[Floats, Floats, float], Floats]] = {
    "tan": lambda gain, cost, _: gain**2 / cost,
    "nunez": lambda gain, cost, weight: (2**gain - 1) / (cost + 1) ** weight,
}
"""Criteria in place of the gain ratio, as functions of gains in bits, costs, and the weight of the costs."""
COST_LABELS = {"tan": "gain² / cost (Tan)", "nunez": "(2^gain − 1) / (cost + 1)^w (Núñez)"}
COSTLY: dict[str, Callable[[Value], bool]] = {"costs": bool}


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


def parse_costs(text: str) -> dict[str, float]:
    """Return the costs by column of a text such as 'humidity=2, windy=0.5'; ValueError for any other text."""
    pairs = (part.rpartition("=")[::2] for part in text.split(",") if part.strip())
    costs = {name.strip(): float(cost) for name, cost in pairs}
    if "" in costs or not all(0 < cost <= 1e6 for cost in costs.values()):
        raise ValueError
    return costs


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


@register(
    "c45", CLASSIFY, "Trees", "C4.5",
    symbols={
        "H": ("Entropy of the class shares.",), "S": ("Training points in a node.",),
        "A": ("Split on an attribute.", "Splits"),
    },
    synonyms=("gain ratio", "Quinlan", "J48"),
)  # fmt: skip
class C45(TreeModel[DecisionTreeState]):
    r"""Splits by gain ratio, with a branch for each category, then prunes by pessimistic error estimates.

    .. math::
        \mathrm{gain}(S, A) = H(S) - \sum_{v \in A} \frac{|S_v|}{|S|}\, H(S_v)
        \mathrm{ratio}(S, A) = \mathrm{gain}(S, A) \,/\, H(A)
        P( X \leq E \mid N, U ) = \mathrm{confidence}
    """

    min_leaf: int = integer(2, 1, 1000, log=True, help="Minimum number of points in a leaf.")
    confidence: float = real(
        0.25, 0.0, 0.5, symbol="CF",
        help="Confidence of the pessimistic error estimates. Lower values prune more, 0 prunes everything.",
    )  # fmt: skip
    max_depth: int = integer(0, 0, 50, zero="no limit", help="Maximum depth of the tree. 0 means no limit.")
    costs: str = text(
        "", parse_costs, "costs by input, such as 'humidity=2, windy=0.5'", title="attribute costs",
        help="Attribute costs, such as humidity=2, else 1. Splits weigh information gain against cost.",
    )  # fmt: skip
    cost_rule: str = choice(
        "tan", tuple(COST_RULES), labels=COST_LABELS, when=COSTLY,
        help="Splitting criterion of information gain and attribute cost.",
    )  # fmt: skip
    cost_weight: float = real(
        1.0, 0.0, 1.0, symbol="w", when={**COSTLY, "cost_rule": ("nunez",)},
        help="Exponent of the attribute costs. 0 ignores them.",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[DecisionTreeState]:
        del rng
        root = yield from self._grow(data)
        grown = root.grown
        last = yield from growth_steps(root)
        path, alone, subtree = pessimistic_pruning(grown.tree, self.confidence)
        grown.path = path

        def note(number: int) -> str:
            node = int(path.node[number - 1])
            errors = f"{alone[node]:.3g} expected errors as a leaf, {subtree[node]:.3g} as a subtree"
            return f"pruned {grown.rule(node)}: {errors}; {remaining_leaves(path, number)}"

        reason = f"{subtree[0]:.3g} expected errors, {alone[0]:.3g} as a single leaf"
        yield from pruning_steps(last, path, len(path.node), note, reason)

    def _grower(self, data: TrainingData) -> GainRatioGrower | GainRatioMixedGrower:
        sums = one_hot(data.labels, data.present)
        if self.costs or needs_mixed_tree(data):
            return GainRatioMixedGrower(data.X, data.categories, sums, self.limits, self._costs(data.columns))
        return GainRatioGrower(TreeSamples.all(data.X), sums, "entropy", self.limits)

    def _costs(self, columns: Sequence[str]) -> AttributeCosts | None:
        if not self.costs:
            return None
        costs = parse_costs(self.costs)
        for name in costs:
            if name not in columns:
                raise CannotLearn(f"costs: there is no input {quoted(name)}; there are {', '.join(columns)}")
        values = np.array([costs.get(name, 1.0) for name in columns])
        return AttributeCosts(values, self.cost_rule, self.cost_weight)

    def _root(self, data: TrainingData, grower: Any) -> DecisionTreeState:
        grown = GrownTree(data, grower.tree, impurity="entropy")
        kind = MixedTreeState if isinstance(grower, GainRatioMixedGrower) else DecisionTreeState
        return kind(classes=data.present, grown=grown)
