"""AdaBoost: trees vote by their weighted error; each is fitted to the points that those before get wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.field.raster import top_two
from vizml.learn import CLASSIFY, Model, integer, real, register, varied
from vizml.learn.ensembles import common
from vizml.learn.ensembles.adaboost_solver import AdaBoostRound, adaboost, reweighted
from vizml.learn.ensembles.boosting_solver import rounds_per_block
from vizml.learn.ensembles.tree_batch import TreeBatch, first_trees, join_batches, single_tree
from vizml.learn.ensembles.tree_sum import RoundLineView, RoundState, RoundView
from vizml.learn.ensembles.views import RoundTree
from vizml.learn.learned import Learned, PointValues
from vizml.learn.state import Real, Scale
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.structure import LEAF, shares
from vizml.scene import Axis, Chart, Ink, Mark, Rings, Segments, Series, TextLabels
from vizml.scene.shading import REACH

EPSILON, ALPHA, TRAINING_ERROR, LOSS = range(4)
"""Columns of the history."""
TWICE = (
    "Convention: α is that of SAMME, as in scikit-learn. For two classes notes 000 (as β), 002 and 003 have "
    "half of it, ½ ln((1 − ε)/ε): all votes differ by this factor, regions and weights do not."
)
SHOWN_SUMS = 8
"""Number of rounds whose partial sums are shown at the pointer."""
REACH_SAMPLE = 500
"""Number of training points from which the mean lead of the winner is estimated."""
MEAN_RADIUS, MAX_RADIUS = 7.0, 36.0
"""Radius in pixels of a point of mean weight, and the largest."""
LABELLED = 40
"""Number of points, those of the largest weights, whose weights can be shown as numbers."""


class AdaBoostView(RoundView["AdaBoostState"]):
    """Splits of all trees, and points sized by their weights, which can be shown as numbers."""

    opacity, width = 1.0, 2.0

    def marks(self) -> tuple[Mark, ...]:
        if self.section.axes is None:
            return ()
        ends = np.concatenate([self.split_lines(b, np.flatnonzero(b.splits)) for b in self.state.batches])
        earlier = Segments(layer="Members", ends=ends, ink="muted", opacity=0.35, off_by_default=True)
        return (earlier, *super().marks())


@dataclass(frozen=True, eq=False, kw_only=True)
class AdaBoostState(RoundState):
    """Weighted vote of the trees so far, from -1 to 1 for the best; the loss is the exponential one."""

    plane_view_class = AdaBoostView
    line_view_class = RoundLineView
    scale: ClassVar[Scale] = Scale.MARGIN
    weights: NDArray[np.float32]
    """Weights of the points in this round."""
    history: Floats
    """A row for each round: epsilon, alpha, training error and the product of the Z."""

    def combine(self, sums: NDArray[Real]) -> NDArray[Real]:
        sums /= sums.dtype.type(float(self.history[:, ALPHA].sum()) or 1.0)
        return sums if len(sums) > 1 else np.concatenate([-sums, sums])

    @cached_property
    def reach(self) -> float:
        """Mean lead of the winner at the points: votes come closer to a tie as rounds go on."""
        sample = self.X[:: len(self.X) // REACH_SAMPLE + 1]
        _, best, following = top_two(self.scores(sample).T)
        return float((best - following).mean()) or REACH[self.scale]

    @property
    def lead_unit(self) -> float:
        """Quarter of the sum of the votes: scores are divided by it, and f has votes of half the size."""
        return float(self.history[:, ALPHA].sum()) / 4

    def learned(self) -> Learned:
        """The weighted error, the vote and the norm of each round."""
        (epsilon, alpha), K = self.history[:, [EPSILON, ALPHA]].T, len(self.classes)
        Z = (1 - epsilon) * np.exp(-alpha * (K - 1) / K) + epsilon * np.exp(alpha / K)
        half = {"beta": alpha / 2} if K == 2 else {}
        return {"alpha": alpha, **half, "epsilon": epsilon, "Z": Z}

    def training_values(self) -> PointValues:
        """The weight of each point in this round, whether its tree is right, and the weight after it."""
        batch, place = self.tree(self.trees - 1)
        leaves = batch.walk(self.X, place, place + 1)[0]
        wrong = self.classes[batch.tree.sums[leaves].argmax(axis=1)] != self.trained_on.labels
        weights = self.weights.astype(np.float64)
        after = reweighted(weights, wrong, float(self.history[-1, ALPHA]))
        return {"weight": weights, "y h(x)": np.where(wrong, -1, 1), "next weight": after}

    @property
    def latest(self) -> dict[int, Ink]:
        return {self.trees - 1: "text"}

    def point_marks(self, points: Floats) -> tuple[Mark, ...]:
        """Rings by the weights, and the weights before and after the round."""
        values = self.training_values()
        before, after = values["weight"], values["next weight"]
        heaviest = np.argsort(-after, kind="stable")[:LABELLED]
        radii = np.minimum(MEAN_RADIUS * np.sqrt(before * len(self.X)), MAX_RADIUS)
        return (
            TextLabels(
                layer="Next weights", points=points[heaviest], off_by_default=True,
                texts=tuple(f"{before[i]:.3g} → {after[i]:.3g}" for i in heaviest.tolist()),
            ),
            Rings(layer="Weights", points=points, radii=radii, ink="muted", legend="weight"),
        )  # fmt: skip

    def calculation(self, x: Floats) -> tuple[str, ...]:
        """Return the partial sums of the vote after the first rounds and at the end."""
        features = self.features(x[None])
        first = first_trees(self.batches, self.trees)
        votes = np.concatenate([batch.values[batch.walk(features, 0, n)[:, 0]] for batch, n in first])
        two = votes.shape[1] == 1
        votes = votes / 2 if two else votes
        sums = np.cumsum(votes, axis=0)
        rounds = [
            f"round {m}: {_signed(vote)}, sum {_signed(total)}"
            for m, (vote, total) in enumerate(zip(votes[:SHOWN_SUMS], sums), start=1)
        ]
        total, name = _signed(sums[-1]), self.trained_on.name(int(self.coded(x[None])[0]))
        of = "f(x) = Σ β h(x) = " if two else "votes "
        return (*rounds, f"{of}{total} after {plural(len(sums), 'round')}: class {name}")

    def metrics(self) -> Mapping[str, float]:
        epsilon, alpha, error, loss = self.history[-1].tolist()
        training = {"training error": error, self.loss_name: loss}
        half = {"β = α/2": alpha / 2} if len(self.classes) == 2 else {}
        return training | {"weighted error ε": epsilon, "α": alpha, **half, "rounds": self.trees}

    def weighted(self, gains: Floats) -> Floats:
        return self.history[:, [ALPHA]] * shares(gains)

    @property
    def loss_name(self) -> str:
        """Name of the loss, which bounds the training error of two classes."""
        return "∏ Z" if len(self.classes) == 2 else "exponential loss"

    def charts(self) -> tuple[Chart, ...]:
        at, x = np.arange(1.0, len(self.history) + 1), Axis(title="rounds", low=1)
        error, loss, alpha = (self.history[:, column].copy() for column in (TRAINING_ERROR, LOSS, ALPHA))
        bound = "bound ∏ Z" if len(self.classes) == 2 else self.loss_name
        training = Series(name="training error", x=at, y=error)
        bounds = Series(name=bound, x=at, y=loss, ink="text", stroke="dash")
        errors = Chart(
            title="Training error", x=x, y=Axis(title="error rate", low=0), series=(training, bounds),
            cursor="step", sets=("rounds",), choices=(tuple(range(1, len(at) + 1)),),
        )  # fmt: skip
        alphas = Series(name="α", x=at, y=alpha, kind="stems")
        return errors, Chart(title="Votes", x=x, y=Axis(title="α"), series=(alphas,), cursor="step")

    @cached_property
    def round_tree(self) -> RoundTree:
        """Tree of the round; a leaf's value is its vote for its class, or of two classes the second."""
        batch, place = self.tree(self.trees - 1)
        tree, nodes = single_tree(batch, place)
        inks = int(self.classes[0]), int(self.classes[-1])
        return RoundTree(tree, batch.values[nodes, -1], self.space.names, f"Tree of round {self.trees}", inks)


@register(
    "adaboost", CLASSIFY, "Ensembles", "AdaBoost",
    symbols={"w": ("Weight of a training point.", "Weights"), "h": ("Weak learner of a round.", "Members")},
    remarks=(
        TWICE,
        "Convention: for two classes the next weight is w/(2ε) where h errs and w/(2(1 − ε)) elsewhere.",
    ),
    synonyms=("boosting", "SAMME", "stumps", "exponential loss"),
)  # fmt: skip
class AdaBoost(Model):
    r"""Adds small trees one after the other, each trained with higher weights on the points that were
    misclassified before. Trees vote with a weight α that falls with their weighted error.

    .. math::
        \alpha_m = \ln \frac{1 - \varepsilon_m}{\varepsilon_m} + \ln(K - 1)
        w_i \leftarrow w_i\, e^{\alpha_m [h_m(x_i) \neq y_i]} \,/\, \sum_j w_j
        \mathrm{error} \leq \prod_m Z_m, \quad Z_m = 2 \sqrt{\varepsilon_m (1 - \varepsilon_m)}
    """

    depends_on_scale = False
    loss: ClassVar[str] = "exponential"
    rounds: int = varied(common.ROUNDS, default=50)
    max_depth: int = integer(1, 1, 10, help="Maximum depth of the trees. 1 gives decision stumps.")
    rate: float = real(
        1.0, 0.01, 2.0, log=True, symbol="η", title="learning rate", help="Learning rate: factor of every α."
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[AdaBoostState]:
        del rng
        codes, K = np.searchsorted(data.present, data.labels), len(data.present)
        rounds = adaboost(data.X, codes, K, self.rounds, self.max_depth, self.rate)
        batches: tuple[TreeBatch, ...] = ()
        history, done, loss = np.empty((self.rounds, 4)), 0, 1.0
        while block := list(islice(rounds, rounds_per_block(len(data), 1, self.max_depth))):
            grown = [
                TreeBatch.of(each.tree, each.votes[:, 1:] if K == 2 else each.votes, data.X) for each in block
            ]
            batches = (*batches, join_batches(grown))
            for each in block:
                loss *= each.Z
                history[done] = each.epsilon, each.alpha, each.training_error, loss
                done += 1
                yield AdaBoostState(
                    classes=data.present, X=data.X, batches=batches, trees=done,
                    initial=np.zeros(1 if K == 2 else K), weights=each.weights.astype(np.float32),
                    history=history[:done], loss=loss, note=_note(each, history[:done], data),
                    progress=1.0 if each.last else done / self.rounds,
                )  # fmt: skip


def _signed(values: Floats) -> str:
    """Return numbers with their signs."""
    return ", ".join(f"{value:+.3g}" for value in values.tolist())


def _note(latest: AdaBoostRound, history: Floats, data: TrainingData) -> str:
    tree, K = latest.tree, len(data.present)
    rule = "no split"
    if tree.feature[0] != LEAF:
        rule = f"{data.columns[tree.feature[0]]} ≤ {tree.threshold[0]:.4g}"
    note = f"round {len(history)}: {rule}, weighted error {latest.epsilon:.3g}"
    if latest.epsilon <= 0:
        return f"{note}; stopped, as the tree makes no errors"
    if latest.epsilon >= 1 - 1 / K:
        return f"{note}; stopped, as the tree is no better than random guessing"
    word = "∏ Z" if K == 2 else "exponential loss"
    error, loss = history[-1, [TRAINING_ERROR, LOSS]].tolist()
    return f"{note}, α {latest.alpha:.3g}; training error {error:.1%}, {word} {loss:.3g}"
