"""C4.5: binary splits of the highest gain ratio, pruned by pessimistic error estimates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from numpy.random import Generator

from vizml.learn import CLASSIFY, real, register
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.c45_solver import GainRatioGrower, pessimistic_pruning
from vizml.learn.trees.grower import one_hot
from vizml.learn.trees.samples import TreeSamples
from vizml.learn.trees.tree import (
    TreeModel,
    growth_steps,
    max_depth_parameter,
    min_leaf_parameter,
    pruning_steps,
)
from vizml.learn.trees.tree_state import DecisionTreeState, GrownTree, TreeState


@register(
    "c45",
    task=CLASSIFY,
    family="Trees",
    title="C4.5",
    about="Splits by gain ratio, then prunes by pessimistic error estimates.",
    formula=(
        r"\mathrm{gain} = H(S) - \frac{n_L}{n} H(S_L) - \frac{n_R}{n} H(S_R)",
        r"\mathrm{ratio} = \mathrm{gain} \,/\, H( \frac{n_L}{n}, \frac{n_R}{n} )",
        r"P( X \leq E \mid N, U ) = \mathrm{confidence}",
    ),
)
@dataclass(frozen=True)
class C45(TreeModel[GrownTree]):
    min_leaf: int = min_leaf_parameter(2)
    confidence: float = real(
        0.25, 0.0, 0.5, symbol="CF",
        help="Confidence of the pessimistic error estimates. Lower values prune more, 0 prunes everything.",
    )  # fmt: skip
    max_depth: int = max_depth_parameter()
    large: ClassVar[int] = 5_000

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[TreeState]:
        del rng
        grown = yield from self._grow(data)
        for state in growth_steps(self._state(grown)):
            yield state
        path, alone, subtree = pessimistic_pruning(grown.tree, self.confidence)
        grown.path = path

        def note(number: int) -> str:
            node = int(path.node[number - 1])
            errors = f"{alone[node]:.3g} expected errors as a leaf, {subtree[node]:.3g} as a subtree"
            return f"pruned {grown.rule(node)}: {errors}; {path.leaves[number - 1]} leaves remain"

        yield from pruning_steps(state, path, len(path.node), note)
        if not len(path.node) and len(grown.order):
            errors = f"{subtree[0]:.3g} expected errors, {alone[0]:.3g} as a single leaf"
            yield replace(state, note=f"nothing to prune: {errors}")

    def _grower(self, data: TrainingData) -> GainRatioGrower:
        sums = one_hot(data.labels, data.present)
        return GainRatioGrower(TreeSamples.all(data.X), sums, "entropy", self.limits)

    def _grown(self, data: TrainingData, grower: GainRatioGrower) -> GrownTree:
        return GrownTree(data, grower.tree(), impurity="entropy")

    def _state(self, grown: GrownTree, shown: int = 0) -> DecisionTreeState:
        return DecisionTreeState(classes=grown.data.present, grown=grown, shown=shown)
