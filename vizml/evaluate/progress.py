"""How the loss and the error of a run went, on points learned from and on others; where it was best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.evaluate.judging import decided
from vizml.learn import Classifier, Regressor, Scale

if TYPE_CHECKING:
    from vizml.data import Dataset
    from vizml.learn import State

Floats: TypeAlias = NDArray[np.float64]
Measure: TypeAlias = Literal["loss", "error"]
WORSE = 0.02
"""By which share of the way down the end must lie above the best for that to be more than a ripple."""


@dataclass(frozen=True, eq=False)
class Progress:
    """The measure at some steps of a run, of which a part may have no points (NaN)."""

    steps: NDArray[np.int64]
    train: Floats
    held: Floats

    @property
    def best(self) -> int | None:
        """The place where the held-out points are served best, the first of equals."""
        return int(np.nanargmin(self.held)) if np.isfinite(self.held).any() else None

    @property
    def overfits(self) -> bool:
        """Whether it ends clearly above its best on held-out points, while others went on to get better."""
        best = self.best
        if best is None or best == len(self.held) - 1:
            return False
        rise = self.held[-1] - self.held[best]
        fall = np.nanmax(self.held[: best + 1]) - self.held[best]
        return bool(rise > WORSE * fall and rise > 0 and self.train[-1] <= self.train[best])


def loss_of(state: State, data: Dataset) -> float:
    """The mean log-loss where there are probabilities, hinge where there are margins, else squared error."""
    if isinstance(state, Regressor):
        return float(np.mean((data.y - state.predict(data.x)) ** 2)) if len(data) else float("nan")
    known = data.take(np.isin(data.labels, state.classes)) if isinstance(state, Classifier) else None
    if known is None or not isinstance(state, Classifier) or not len(known):
        return float("nan")
    rows, own = np.arange(len(known)), np.searchsorted(state.classes, known.labels)
    if state.has_proba:
        shares = state.proba(known.points)[rows, own]
        return float(-np.mean(np.log(np.maximum(shares, np.finfo(np.float64).eps))))
    if state.scale is not Scale.MARGIN or len(state.classes) < 2:
        return float("nan")
    scores = state.scores(known.points)
    mine = scores[rows, own]
    scores[rows, own] = -np.inf
    # a lead of 2 is a margin of 1 on either side
    return float(np.mean(np.maximum(0.0, 1.0 - 0.5 * (mine - scores.max(axis=1)))))


def error_of(state: State, data: Dataset) -> float:
    """The share of wrong predictions, or the root of the mean squared error of a curve."""
    if isinstance(state, Regressor):
        return float(np.sqrt(loss_of(state, data)))
    known = data.take(data.labels >= 0)
    if not isinstance(state, Classifier) or not len(known):
        return float("nan")
    return float(np.mean(decided(state, known.points) != known.labels))


def sampled(count: int, most: int) -> NDArray[np.int64]:
    """So many places at the most, evenly over a row, its ends among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))
