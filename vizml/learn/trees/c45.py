"""C4.5: binary splits of the highest gain ratio, pruned by pessimistic error estimates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from numpy.random import Generator

from vizml.learn import CLASSIFY, Model, integer, real, register
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.c45_solver import GainRatioGrower, pessimistic_pruning
from vizml.learn.trees.grower import GrowthLimits, one_hot
from vizml.learn.trees.samples import TreeSamples
from vizml.learn.trees.tree import growth_steps, level_state, pruning_steps
from vizml.learn.trees.tree_state import DecisionTreeState, GrownTree

LARGE = 5_000
"""Number of points from which growth takes longer than a step of a run should, so that levels are shown."""


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
class C45(Model):
    min_leaf: int = integer(2, 1, 1000, log=True, help="Minimum number of points in a leaf.")
    confidence: float = real(
        0.25,
        0.0,
        0.5,
        symbol="CF",
        help="Confidence of the pessimistic error estimates. Lower values prune more, 0 prunes everything.",
    )
    max_depth: int = integer(0, 0, 50, help="Maximum depth of the tree. 0 means no limit.")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[DecisionTreeState]:
        del rng
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        sums = one_hot(data.labels, data.present)
        grower = GainRatioGrower(TreeSamples.all(data.X), sums, "entropy", limits)
        while grower.level():
            if len(data) >= LARGE:
                grown = GrownTree(data, grower.tree())
                so_far = DecisionTreeState(classes=data.present, grown=grown, shown=grown.leaves - 1)
                yield level_state(so_far, grower.depth)
        grown = GrownTree(data, grower.tree(), impurity="entropy")
        for state in growth_steps(DecisionTreeState(classes=data.present, grown=grown, shown=0)):
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
