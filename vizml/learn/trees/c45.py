"""C4.5 (Quinlan 1993): splits of the highest gain ratio, pruned by pessimistic error estimates.

Numbers are split in two; categories have a branch each, and rows with a missing value go down all branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.random import Generator

from vizml.data.params import Value
from vizml.data.wording import quoted
from vizml.learn import CLASSIFY, choice, integer, real, register
from vizml.learn.params import text
from vizml.learn.training_data import CannotLearn, TrainingData
from vizml.learn.trees.c45_solver import (
    COST_RULES,
    AttributeCosts,
    GainRatioGrower,
    GainRatioMixedGrower,
    pessimistic_pruning,
)
from vizml.learn.trees.grower import TreeSamples, one_hot
from vizml.learn.trees.grown import GrownTree
from vizml.learn.trees.tree import TreeModel, growth_steps, pruning_steps, remaining_leaves
from vizml.learn.trees.tree_state import DecisionTreeState, MixedTreeState, needs_mixed_tree

COST_LABELS = {"tan": "gain² / cost (Tan)", "nunez": "(2^gain − 1) / (cost + 1)^w (Núñez)"}
COSTLY: dict[str, Callable[[Value], bool]] = {"costs": bool}


def parse_costs(text: str) -> dict[str, float]:
    """Return the costs by column of a text such as 'humidity=2, windy=0.5'; ValueError for any other text."""
    pairs = (part.rpartition("=")[::2] for part in text.split(",") if part.strip())
    costs = {name.strip(): float(cost) for name, cost in pairs}
    if "" in costs or not all(0 < cost <= 1e6 for cost in costs.values()):
        raise ValueError
    return costs


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
