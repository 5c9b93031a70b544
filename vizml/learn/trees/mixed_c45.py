"""C4.5 on numbers and categories: gain ratios with missing values, and attribute costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.trees.c45_solver import ROUNDING, best_ratios
from vizml.learn.trees.criteria import entropy
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.mixed_grower import Candidate, GrowingNode, KnownRows, MixedGrower
from vizml.learn.trees.mixed_tree import Branching, NodeTest

COST_RULES: Mapping[str, Callable[[Floats, Floats, float], Floats]] = {
    "tan": lambda gain, cost, _: gain**2 / cost,
    "nunez": lambda gain, cost, weight: (2**gain - 1) / (cost + 1) ** weight,
}
"""Criteria in place of the gain ratio, as functions of gains in bits, costs, and the weight of the costs."""


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
            return (
                merits,
                lambda at: (
                    f"gain {gains[at]:.3g} / split information {information[at]:.3g} = {merits[at]:.3g}"
                ),
            )
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
