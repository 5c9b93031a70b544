"""C4.5: binary splits of the highest gain ratio, pruned by pessimistic error estimates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from numpy.random import Generator

from vizml.learn import CLASSIFY, integer, real, register
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.c45_solver import GainRatioGrower, pessimistic_pruning
from vizml.learn.trees.grower import TreeSamples, one_hot
from vizml.learn.trees.tree import TreeModel, growth_steps, pruning_steps, remaining_leaves
from vizml.learn.trees.tree_state import DecisionTreeState, GrownTree


@register("c45", CLASSIFY, "Trees", "C4.5")
class C45(TreeModel[DecisionTreeState]):
    r"""Splits by gain ratio, then prunes by pessimistic error estimates.

    .. math::
        \mathrm{gain} = H(S) - \frac{n_L}{n} H(S_L) - \frac{n_R}{n} H(S_R)
        \mathrm{ratio} = \mathrm{gain} \,/\, H( \frac{n_L}{n}, \frac{n_R}{n} )
        P( X \leq E \mid N, U ) = \mathrm{confidence}
    """

    min_leaf: int = integer(2, 1, 1000, log=True, help="Minimum number of points in a leaf.")
    confidence: float = real(
        0.25, 0.0, 0.5, symbol="CF",
        help="Confidence of the pessimistic error estimates. Lower values prune more, 0 prunes everything.",
    )  # fmt: skip
    max_depth: int = integer(0, 0, 50, zero="no limit", help="Maximum depth of the tree. 0 means no limit.")
    large: ClassVar[int] = 5_000

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

    def _grower(self, data: TrainingData) -> GainRatioGrower:
        sums = one_hot(data.labels, data.present)
        return GainRatioGrower(TreeSamples.all(data.X), sums, "entropy", self.limits)

    def _root(self, data: TrainingData, grower: GainRatioGrower) -> DecisionTreeState:
        grown = GrownTree(data, grower.tree, impurity="entropy")
        return DecisionTreeState(classes=data.present, grown=grown)
