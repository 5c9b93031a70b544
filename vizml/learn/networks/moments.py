"""What is seen of a network in training: its weights, and the loss so far, also that of points held back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn.networks.objective import Objective, Sample
from vizml.learn.networks.plan import Plan
from vizml.learn.state import Floats, Ints

HELD_SHARE, HELD_LEAST = 0.2, 5
"""How many points early stopping holds back; with fewer they say nothing."""


@dataclass(frozen=True, eq=False)
class Moment:
    """Where training stands: theta, and what led there as rows (epoch, J, loss of points held back)."""

    theta: Floats
    history: Floats
    note: str
    progress: float
    figures: Mapping[str, float]
    """What the solver counts, and what it goes by."""

    @property
    def epoch(self) -> float:
        """How often all points were gone through."""
        return float(self.history[-1, 0])

    @property
    def loss(self) -> float:
        """J."""
        return float(self.history[-1, 1])

    @property
    def judged(self) -> float:
        """The loss of the points held back; not a number without any."""
        return float(self.history[-1, 2])


class Log:
    """The history of a run of at most so many moments."""

    def __init__(self, objective: Objective, held: Sample | None, most: int) -> None:
        self._objective, self._held = objective, held
        self._history = np.full((most, 3), np.nan)
        self._count = 0

    def seen(
        self, epoch: float, J: float, theta: Floats, progress: float, figures: Mapping[str, float]
    ) -> Moment:
        """The next moment, written into the history."""
        judged = np.nan if self._held is None else self._objective.judged(theta, self._held)
        self._history[self._count] = epoch, J, judged
        self._count += 1
        return Moment(theta, self._history[: self._count], "", min(progress, 1.0), figures)


def held_back(labels: Ints, rng: Generator) -> Ints:
    """The points that early stopping judges by: a share of each class, none of too few points."""
    chosen = []
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        count = min(int(HELD_SHARE * len(members) + 0.5), len(members) - 1)
        chosen.append(rng.permutation(members)[:count])
    held = np.sort(np.concatenate(chosen)).astype(np.int64)
    return held if len(held) >= HELD_LEAST else held[:0]


def start(plan: Plan, first: Moment) -> str:
    """What there is before the first step."""
    layers = "-".join(map(str, plan.sizes))
    return f"start: {plan.size:,} random weights in layers {layers}, {losses(first, first)}"


def losses(before: Moment, now: Moment) -> str:
    """What a step did to the loss."""
    move = f"loss {now.loss:.4g}" if now is before else f"loss {before.loss:.4g} → {now.loss:.4g}"
    return move if np.isnan(now.judged) else f"{move}, of the points held back {now.judged:.4g}"
