"""What AdaBoost has learned after a round: votes that count by alpha, weights that rise where it errs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.field.raster import top_two
from vizml.learn.ensembles.round_tree import RoundTree
from vizml.learn.ensembles.stand import Stand
from vizml.learn.ensembles.sums import SumOfTrees
from vizml.learn.state import REACH, Classifier, Floats, Focus, Real, Scale
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.views import split_lines
from vizml.scene import Axis, Chart, Diagram, Mark, Rings, Segments, Series

HISTORY = ("weighted error", "alpha", "training error", "loss")
ERROR, ALPHA, WRONG, LOSS = range(4)
SAMPLE = 500
"""Points that tell how wide a lead is."""
MEAN_RADIUS, LARGEST = 7.0, 36.0
"""The radius in pixels of a point of mean weight, and the largest."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Round:
    """A tree, the weights that it was grown with, and why it is the last one, if it is."""

    grown: Stand
    weights: NDArray[np.float32]
    end: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Weighted(SumOfTrees, Classifier):
    """The vote of the trees so far, from -1 to 1 for the best; the loss is the exponential one."""

    scale: ClassVar[Scale] = Scale.MARGIN
    axes: tuple[str, str]
    weights: NDArray[np.float32]
    history: Floats
    """A row for each round, with columns as HISTORY names them."""

    @classmethod
    def after(
        cls,
        latest: Round,
        number: int,
        data: TrainingData,
        stands: tuple[Stand, ...],
        history: Floats,
        rounds: int,
    ) -> Self:
        """The state after a round."""
        return cls(
            classes=data.present, points=data.points, axes=data.axes, stands=stands, trees=number,
            weights=latest.weights,
            start=np.zeros(latest.grown.values.shape[1]), history=history, loss=float(history[-1, LOSS]),
            note=_note(latest, number, history, data), progress=1.0 if latest.end else number / rounds,
        )  # fmt: skip

    def scores(self, X: ArrayLike) -> Floats:
        return self._voted(self.sums(np.asarray(X, dtype=np.float64)).T).T

    def field(self, raster: Raster) -> Field:
        return self._voted(self.planes(raster))

    @cached_property
    def reach(self) -> float:
        """By how much the winner leads at a point on average: votes come close as rounds go on."""
        asked = self.points[:: len(self.points) // SAMPLE + 1]
        _, best, following = top_two(self.scores(asked).T)
        return float((best - following).mean()) or REACH[self.scale]

    def marks(self) -> tuple[Mark, ...]:
        stand, place = self.member(self.trees - 1)
        ends = split_lines(stand.tree, stand.splits_of(place))
        before = [split_lines(each.tree, np.flatnonzero(each.splits)) for each in self.stands]
        sizes = np.sqrt(self.weights.astype(np.float64) * len(self.points))
        radii = np.minimum(MEAN_RADIUS * sizes, LARGEST)
        return (
            Segments(layer="Members", ends=np.concatenate(before), ink="muted", opacity=0.35, quiet=True),
            Segments(layer="Splits", ends=ends, ink="text", width=2.0, legend="split of this round"),
            Rings(layer="Weights", points=self.points, radii=radii, ink="muted", legend="weight"),
        )  # fmt: skip

    def diagram(self) -> Diagram:
        return self._round.diagram()

    def focus(self, node: str) -> Focus:
        return self._round.focus(node)

    def trail(self, point: Floats) -> tuple[str, ...]:
        return self._round.trail(point)

    def charts(self) -> tuple[Chart, ...]:
        at = np.arange(1.0, len(self.history) + 1)
        wrong, loss, alpha = (self.history[:, column].copy() for column in (WRONG, LOSS, ALPHA))
        bound = "bound ∏ Z" if len(self.classes) == 2 else "exponential loss"
        fall = Chart(
            title="Training error",
            x=Axis(title="rounds", low=1),
            y=Axis(title="error", low=0),
            series=(
                Series(name="training error", x=at, y=wrong),
                Series(name=bound, x=at, y=loss, ink="text", stroke="dash"),
            ),
            cursor="step",
            sets=("rounds",),
            choices=(tuple(range(1, len(at) + 1)),),
        )
        votes = Chart(
            title="Votes",
            x=Axis(title="rounds", low=1),
            y=Axis(title="α"),
            series=(Series(name="α", x=at, y=alpha, kind="stems"),),
            cursor="step",
        )
        return fall, votes

    def metrics(self) -> Mapping[str, float]:
        error, alpha, wrong, loss = self.history[-1].tolist()
        bound = "∏ Z" if len(self.classes) == 2 else "exponential loss"
        return {
            "training error": wrong,
            bound: loss,
            "weighted error ε": error,
            "α": alpha,
            "rounds": self.trees,
        }

    @cached_property
    def _round(self) -> RoundTree:
        """The round's tree; its leaves say what it adds for the class they vote for, or of two the second."""
        stand, place = self.member(self.trees - 1)
        first, second = int(self.classes[0]), int(self.classes[-1])
        title = f"Tree of round {self.trees}"
        return RoundTree.of(stand, place, -1, self.axes, title, lambda v: second if v > 0 else first)

    def _voted(self, sums: NDArray[Real]) -> NDArray[Real]:
        """Scores (K, ...) from sums (V, ...): of two classes, only the second's are summed."""
        total = float(self.history[:, ALPHA].sum()) or 1.0
        sums /= sums.dtype.type(total)
        if len(sums) > 1:
            return sums
        return np.concatenate([-sums, sums])


def _note(latest: Round, number: int, history: Floats, data: TrainingData) -> str:
    tree = latest.grown.tree
    error, alpha, wrong, loss = history[-1].tolist()
    rule = "no split"
    if tree.feature[0] >= 0:
        rule = f"{data.axes[tree.feature[0]]} ≤ {tree.threshold[0]:.4g}"
    said = f"round {number}: {rule}, weighted error {error:.3g}"
    if latest.end:
        return f"{said}; {latest.end}"
    word = "∏ Z" if len(data.present) == 2 else "exponential loss"
    return f"{said}, α {alpha:.3g}; training error {wrong:.1%}, {word} {loss:.3g}"
