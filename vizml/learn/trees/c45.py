"""C4.5: binary splits of the highest gain ratio, (H - H_split) / H(sides), pruned by what leaves may err."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from numpy.random import Generator

from vizml.learn import CLASSIFY, Model, integer, real, register
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits, one_hot
from vizml.learn.trees.pessimism import pessimistic
from vizml.learn.trees.ratio import GainRatioGrower
from vizml.learn.trees.samples import TreeSamples
from vizml.learn.trees.shown import Grown, TreeState
from vizml.learn.trees.telling import growing, split_by_split

LARGE = 5_000
"""So many points take more than a moment to split: the levels are told as they grow."""


@register(
    "c45",
    task=CLASSIFY,
    family="Trees",
    title="C4.5",
    about="Splits by the bits gained for each bit that telling the split takes, then prunes by doubt.",
    formula=(
        r"\mathrm{gain} = H(S) - \frac{n_L}{n} H(S_L) - \frac{n_R}{n} H(S_R)",
        r"\mathrm{ratio} = \mathrm{gain} \,/\, H( \frac{n_L}{n}, \frac{n_R}{n} )",
        r"P( X \leq E \mid N, U ) = \mathrm{confidence}",
    ),
)
@dataclass(frozen=True)
class C45(Model):
    min_leaf: int = integer(2, 1, 1000, log=True, help="the fewest points that a leaf may hold")
    confidence: float = real(
        0.25, 0.0, 0.5, symbol="CF",
        help="how much a leaf's own error rate is believed: 0 prunes everything, 0.5 hardly anything",
    )  # fmt: skip
    max_depth: int = integer(0, 0, 50, help="the most splits on the way to a leaf; 0 is no limit")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[TreeState]:
        del rng
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        sums = one_hot(data.labels, data.present)
        grower = GainRatioGrower(TreeSamples.all(data.points), sums, "entropy", limits)
        while grower.level():
            if len(data) >= LARGE:
                yield growing(data, grower)
        tree = grower.tree()
        path, alone, below = pessimistic(tree, self.confidence)
        grown = Grown(data, tree, path=path)
        for state in split_by_split(data.present, grown, "entropy"):
            yield state
        leaves = len(replace(state).leaves)
        for number, node in enumerate(path.node.tolist(), start=1):
            after = replace(state, collapsed=number, progress=1.0)
            loss = float(tree.impurity[replace(after).leaves].sum() / len(data))
            fear = f"{alone[node]:.3g} errors to be feared of it as a leaf, {below[node]:.3g} as it was"
            change = f"{leaves} → {path.leaves[number - 1]} leaves"
            yield replace(after, loss=loss, note=f"pruned {grown.rule(node)}: {fear}; {change}")
            leaves = int(path.leaves[number - 1])
        if not len(path.node) and len(grown.order):
            yield replace(state, note=f"nothing to prune: {alone[0]:.3g} errors to be feared of a lone leaf")
