"""What boosting for classes has learned after a round, told and shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.learn.ensembles.boosting import Boosting, First, Moment, Run
from vizml.learn.ensembles.losses import Exponential, Loss, ManyClasses, TwoClasses
from vizml.learn.ensembles.round_tree import RoundTree
from vizml.learn.ensembles.staged import loss_chart, rounds_told, told
from vizml.learn.ensembles.stand import Stand
from vizml.learn.ensembles.sums import SumOfTrees
from vizml.learn.state import Classifier, Floats, Focus, Ints, Real, Scale
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.views import split_lines
from vizml.scene import Chart, Diagram, Ink, Mark, Rings, Segments

LARGEST = 16.0
"""The radius in pixels of a residual of 1."""
ONLY_TWO = "the exponential loss is for two classes, so here it is the log-loss: "


@dataclass(frozen=True, eq=False, kw_only=True)
class Boosted(SumOfTrees, Classifier):
    """Log-odds that are sums over trees: F against 0 for two classes, one for each of more."""

    scale: ClassVar[Scale] = Scale.LOGIT
    residuals: NDArray[np.float32]
    """-dL/dF of the true class at each point."""
    losses: Floats
    """Training and held-out loss (rounds + 1, 2) so far."""
    odds: float
    word: str
    axes: tuple[str, str]
    names: tuple[str, ...]

    def scores(self, X: ArrayLike) -> Floats:
        return self._against(self.sums(np.asarray(X, dtype=np.float64)).T).T

    def field(self, raster: Raster) -> Field:
        return self._against(self.planes(raster))

    def marks(self) -> tuple[Mark, ...]:
        radii = LARGEST * np.sqrt(np.minimum(np.abs(self.residuals.astype(np.float64)), 1.0))
        residuals = Rings(layer="Residuals", points=self.points, radii=radii, ink="muted", legend="residual")
        return (*self._cuts(), residuals)

    def diagram(self) -> Diagram | None:
        return self._round.diagram() if self._round else None

    def focus(self, node: str) -> Focus:
        return self._round.focus(node) if self._round else Focus()

    def trail(self, point: Floats) -> tuple[str, ...]:
        return self._round.trail(point) if self._round else ()

    def charts(self) -> tuple[Chart, ...]:
        return (loss_chart(self.losses, self.word),)

    def metrics(self) -> Mapping[str, float]:
        found = {"rounds": float(len(self.losses) - 1), f"training {self.word}": self.loss}
        if np.isfinite(self.losses[-1, 1]):
            found[f"held-out {self.word}"] = float(self.losses[-1, 1])
        return found

    @cached_property
    def _round(self) -> RoundTree | None:
        """The round's tree; of those of several classes, the one whose first split gains most."""
        if not self.trees:
            return None
        places = [self.member(self.trees - len(self.start) + k) for k in range(len(self.start))]
        gains = [float(stand.tree.gain[stand.roots[place]]) for stand, place in places]
        k = int(np.argmax(gains))
        stand, place = places[k]
        title = f"Tree of round {len(self.losses) - 1}"
        if len(self.start) > 1:
            own: Ink = int(self.classes[k])
            title += f" for {self.names[k]}"
            return RoundTree.of(stand, place, k, self.axes, title, lambda v: own if v > 0 else "muted")
        first, second = (int(label) for label in self.classes)
        return RoundTree.of(stand, place, 0, self.axes, title, lambda v: second if v > 0 else first)

    def _cuts(self) -> tuple[Mark, ...]:
        """The splits of the round's trees, each in the colour of its class."""
        several = len(self.start) > 1
        marks: list[Mark] = []
        for place in range(self.trees - len(self.start) if self.trees else 0, self.trees):
            stand, number = self.member(place)
            ends = split_lines(stand.tree, stand.splits_of(number))
            ink: Ink = int(self.classes[place % len(self.start)]) if several else "text"
            legend = "split of this round" if not marks else ""
            marks.append(Segments(layer="Splits", ends=ends, ink=ink, opacity=0.6, legend=legend))
        return tuple(marks)

    def _against(self, F: NDArray[Real]) -> NDArray[Real]:
        """Scores (K, ...) from F (V, ...)."""
        if len(F) > 1:
            return F
        out = np.zeros((2, *F.shape[1:]), dtype=F.dtype)
        np.multiply(F[0], self.odds, out=out[1])
        return out


def boost(
    how: Boosting, data: TrainingData, rng: Generator, *, exponential: bool = False, every: bool = True
) -> Iterator[Boosted]:
    """A state for each round, or for the last of those that are run at once."""
    truth = np.searchsorted(data.present, data.labels)
    loss: Loss
    if len(data.present) > 2:
        loss = ManyClasses(truth, len(data.present))
    else:
        loss = (Exponential if exponential else TwoClasses)(truth.astype(float))
    preface = ONLY_TWO if exponential and len(data.present) > 2 else ""
    run = Run(how, data.points, loss, truth, rng)
    names = tuple(data.name(int(label)) for label in data.present)
    blank = Boosted(
        classes=data.present, points=data.points, stands=(), start=run.start, trees=0, names=names,
        axes=data.axes, odds=getattr(loss, "odds", 1.0), word=loss.word, losses=np.empty((0, 2)),
        residuals=np.empty(0, dtype=np.float32),
    )  # fmt: skip

    def news(stands: tuple[Stand, ...], moment: Moment) -> dict[str, object]:
        return {
            "stands": stands,
            "trees": moment.round * len(run.start),
            "residuals": _own(moment.left, truth),
            "note": partial(_note, "" if moment.round else preface),
        }

    return rounds_told(run, blank, news, loss.word, every=every)


def _note(preface: str, state: Boosted) -> str:
    first = First.of(*state.member(state.trees - len(state.start))) if state.trees else None
    return preface + told(state.losses, first, state.word, state.axes)


def _own(slope: NDArray[np.float32], truth: Ints) -> NDArray[np.float32]:
    """The slope of the true class at each point."""
    column = slope[np.arange(len(slope)), truth] if slope.shape[1] > 1 else slope[:, 0]
    column.flags.writeable = False
    return column
