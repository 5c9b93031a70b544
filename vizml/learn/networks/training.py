"""Down J in small batches, epoch after epoch, until they are over or the points held back say stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from vizml.learn.gradient_descent import Optimiser
from vizml.learn.networks.moments import Log, Moment, losses, start
from vizml.learn.networks.objective import Objective, Sample
from vizml.learn.state import Floats

WORK = 120
"""Batches between two moments of a long epoch: some 10 ms."""
EXPLOSION = 1e3
"""A loss so many times that of the start does not come back by itself."""
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


def trained(
    objective: Objective, held: Sample | None, pace: Pace, rng: Generator, preface: str = ""
) -> Iterator[Moment]:
    """The moments of a run; of one with points held back the last is where their loss was least."""
    descent = Descent(objective, held, pace, rng)
    first = kept = best = descent.seen(0.0)
    yield replace(first, note=preface + start(objective.plan, first))
    for epoch in descent.epochs():
        moment = descent.seen(epoch)
        if not moment.loss <= EXPLOSION * max(first.loss, objective.unit):
            yield replace(kept, note=_diverged(first, moment, epoch), progress=1.0)
            return
        over, note = epoch >= pace.epochs, f"epoch {epoch:.4g}: {losses(kept, moment)}"
        best, kept = (moment if moment.judged < best.judged else best), moment
        stop = held is not None and epoch - best.epoch >= PATIENCE
        over_words = ": the epochs are over" if over and held is None else ""
        yield replace(moment, note=note + over_words)
        if over or stop:
            break
    if held is not None:
        yield replace(best, history=kept.history, note=_back(best, stop), progress=1.0)


class Descent:
    """The weights on their way."""

    def __init__(self, objective: Objective, held: Sample | None, pace: Pace, rng: Generator) -> None:
        self._objective, self._pace, self._rng = objective, pace, rng
        self._theta = objective.plan.start(rng)
        self._rule = Optimiser(pace.solver, pace.rate, self._theta.shape)
        slices = -(-len(objective.sample) // (pace.batch * WORK))
        self._log = Log(objective, held, 1 + pace.epochs * slices)

    def seen(self, epoch: float) -> Moment:
        """The moment after so many epochs, written into the history."""
        J = self._objective.value(self._theta)
        return self._log.seen(epoch, J, self._theta, epoch / self._pace.epochs, {"epochs": epoch})

    def epochs(self) -> Iterator[float]:
        """After each epoch, or slice of a long one: how many there have been."""
        sample, batch = self._objective.sample, self._pace.batch
        n = len(sample)
        for epoch in range(self._pace.epochs):
            order = self._rng.permutation(n) if batch < n else None
            shuffled = sample if order is None else sample.take(order)
            for begin in range(0, n, batch * WORK):
                stop = min(begin + batch * WORK, n)
                for at in range(begin, stop, batch):
                    self._step(shuffled, at, min(at + batch, n))
                yield epoch + stop / n

    def _step(self, shuffled: Sample, begin: int, stop: int) -> None:
        batch = Sample(shuffled.inputs[:, begin:stop], shuffled.targets[:, begin:stop])
        gradient = self._objective.gradient(self._theta, batch, self._masks(stop - begin))
        self._theta = self._theta - self._rule.step(gradient)

    def _masks(self, count: int) -> list[Floats]:
        """0 for the neurons that a point does without; the others make up for them."""
        share = self._pace.dropout
        if not share:
            return []
        widths = self._objective.plan.sizes[1:-1]
        return [(self._rng.random((width, count)) >= share) / (1.0 - share) for width in widths]


def _back(best: Moment, stopped: bool) -> str:
    why = f"no better for {PATIENCE} epochs: stopped and" if stopped else "the epochs are over:"
    least = f"where the points held back have their least loss, {best.judged:.4g}"
    return f"{why} back to epoch {best.epoch:.4g}, {least}"


def _diverged(first: Moment, now: Moment, epoch: float) -> str:
    rise = f"loss {first.loss:.4g} → {now.loss:.3g}"
    return f"diverged in epoch {int(np.ceil(epoch))}: {rise}; a lower learning rate helps"
