"""Down J in small batches, epoch after epoch, until they are over or the points held back say stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from vizml.learn.descent import Rule
from vizml.learn.networks.objective import Objective, Sample
from vizml.learn.networks.plan import Plan
from vizml.learn.state import Floats, Ints

WORK = 120
"""Batches between two moments of a long epoch: some 10 ms."""
EXPLOSION = 1e3
"""A loss so many times that of the start does not come back by itself."""
HELD_SHARE, HELD_LEAST = 0.2, 5
"""How many points early stopping holds back; with fewer they say nothing."""
PATIENCE = 30
"""So many epochs without a lower loss of the points held back, and training stops."""


@dataclass(frozen=True)
class Pace:
    """How to go down."""

    solver: str
    rate: float
    batch: int
    epochs: int
    dropout: float


@dataclass(frozen=True, eq=False)
class Moment:
    """Where training stands: theta, and what led there as rows (epoch, J, loss of points held back)."""

    theta: Floats
    history: Floats
    note: str
    progress: float

    @property
    def loss(self) -> float:
        """J."""
        return float(self.history[-1, 1])


def held_back(labels: Ints, rng: Generator) -> Ints:
    """The points that early stopping judges by: a share of each class, none of too few points."""
    chosen = []
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        count = min(int(HELD_SHARE * len(members) + 0.5), len(members) - 1)
        chosen.append(rng.permutation(members)[:count])
    held = np.sort(np.concatenate(chosen)).astype(np.int64)
    return held if len(held) >= HELD_LEAST else held[:0]


def trained(
    objective: Objective, held: Sample | None, pace: Pace, rng: Generator, preface: str = ""
) -> Iterator[Moment]:
    """The moments of a run; of one with points held back the last is where their loss was least."""
    descent = Descent(objective, held, pace, rng)
    first = kept = best = descent.seen(0.0)
    yield replace(first, note=f"{preface}start: {_start(objective.plan)}, {_losses(first, first)}")
    for epoch in descent.epochs():
        moment = descent.seen(epoch)
        if not moment.loss <= EXPLOSION * max(first.loss, objective.unit):
            yield replace(kept, note=_diverged(first, moment, epoch), progress=1.0)
            return
        over, note = epoch >= pace.epochs, f"epoch {epoch:.4g}: {_losses(kept, moment)}"
        best, kept = (moment if _judged(moment) < _judged(best) else best), moment
        stop = held is not None and epoch - best.history[-1, 0] >= PATIENCE
        over_words = ": the epochs are over" if over and held is None else ""
        yield replace(moment, note=note + over_words)
        if over or stop:
            break
    if held is not None:
        yield replace(best, history=kept.history, note=_back(best, stop), progress=1.0)


class Descent:
    """The weights on their way."""

    def __init__(self, objective: Objective, held: Sample | None, pace: Pace, rng: Generator) -> None:
        self._objective, self._held, self._pace, self._rng = objective, held, pace, rng
        self._theta = objective.plan.start(rng)
        self._rule = Rule(pace.solver, pace.rate, self._theta.shape)
        slices = -(-len(objective.sample) // (pace.batch * WORK))
        self._history = np.full((1 + pace.epochs * slices, 3), np.nan)
        self._count = 0

    def seen(self, epoch: float) -> Moment:
        """The moment after so many epochs, written into the history."""
        J = self._objective.value(self._theta)
        judged = np.nan if self._held is None else self._objective.judged(self._theta, self._held)
        self._history[self._count] = epoch, J, judged
        self._count += 1
        return Moment(self._theta, self._history[: self._count], "", min(epoch / self._pace.epochs, 1.0))

    def epochs(self) -> Iterator[float]:
        """After each epoch, or slice of a long one: how many there have been."""
        sample, batch = self._objective.sample, self._pace.batch
        n = len(sample)
        for epoch in range(self._pace.epochs):
            order = self._rng.permutation(n) if batch < n else None
            shuffled = sample if order is None else sample.take(order)
            for start in range(0, n, batch * WORK):
                stop = min(start + batch * WORK, n)
                for at in range(start, stop, batch):
                    self._step(shuffled, at, min(at + batch, n))
                yield epoch + stop / n

    def _step(self, shuffled: Sample, start: int, stop: int) -> None:
        batch = Sample(shuffled.inputs[:, start:stop], shuffled.targets[:, start:stop])
        gradient = self._objective.gradient(self._theta, batch, self._masks(stop - start))
        self._theta = self._theta - self._rule.step(gradient)

    def _masks(self, count: int) -> list[Floats]:
        """0 for the neurons that a point does without; the others make up for them."""
        share = self._pace.dropout
        if not share:
            return []
        widths = self._objective.plan.sizes[1:-1]
        return [(self._rng.random((width, count)) >= share) / (1.0 - share) for width in widths]


def _judged(moment: Moment) -> float:
    return float(moment.history[-1, 2])


def _start(plan: Plan) -> str:
    return f"{plan.size:,} random weights in layers {'-'.join(map(str, plan.sizes))}"


def _losses(before: Moment, now: Moment) -> str:
    move = f"loss {now.loss:.4g}" if now is before else f"loss {before.loss:.4g} → {now.loss:.4g}"
    judged = _judged(now)
    return move if np.isnan(judged) else f"{move}, of the points held back {judged:.4g}"


def _back(best: Moment, stopped: bool) -> str:
    epoch, _, judged = best.history[-1]
    why = f"no better for {PATIENCE} epochs: stopped and" if stopped else "the epochs are over:"
    return f"{why} back to epoch {epoch:.4g}, where the points held back have their least loss, {judged:.4g}"


def _diverged(start: Moment, now: Moment, epoch: float) -> str:
    rise = f"loss {start.loss:.4g} → {now.loss:.3g}"
    return f"diverged in epoch {int(np.ceil(epoch))}: {rise}; a lower learning rate helps"
