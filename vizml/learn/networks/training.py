"""The training loop of networks for every optimiser, with early stopping by the loss on validation points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints
from vizml.learn.gradient_descent import Optimiser, descend
from vizml.learn.networks.objective import NetworkObjective, Sample

UPDATES = 120
"""Mini-batches between two records of a long epoch: some 10 ms."""
DIVERGED = 1e3
"""Training stops where the loss exceeds so many times its initial value."""
VALIDATION_SHARE, LEAST_VALIDATION = 0.2, 5
"""Share of the points that early stopping holds out; fewer points than the second number say nothing."""


class Step(NamedTuple):
    """Weights after a step of an optimiser, with J in data units."""

    theta: Floats
    J: float
    number: float
    """Epochs or steps so far."""
    clock: float
    """The count by which patience is measured: epochs, or accepted steps."""
    figures: Mapping[str, float]
    detail: str = ""
    stop: str = ""
    """The reason to stop, if the optimiser has one."""
    partial: bool = False
    """Whether the step is still being computed; nothing has changed but `detail`."""


class NetworkOptimiser(Protocol):
    """A method of minimisation that yields its start and the result of each step, for ever."""

    @property
    def unit(self) -> str:
        """Name of what it counts: 'epoch' or 'step'."""

    @property
    def patience(self) -> float:
        """Clock without a lower validation loss after which training stops."""

    @property
    def limit(self) -> int:
        """Largest count."""

    @property
    def most_records(self) -> int:
        """Largest number of steps."""

    def steps(self) -> Iterator[Step]:
        """Yield the steps."""


@dataclass(frozen=True, eq=False)
class TrainingRecord:
    """Weights in training, with the history as rows (count, J, validation loss)."""

    theta: Floats
    history: Floats
    figures: Mapping[str, float]
    clock: float
    progress: float
    note: str = ""

    @property
    def count(self) -> float:
        """Epochs or steps so far."""
        return float(self.history[-1, 0])

    @property
    def loss(self) -> float:
        """J."""
        return float(self.history[-1, 1])

    @property
    def validation_loss(self) -> float:
        """The mean loss on the validation points; NaN without any."""
        return float(self.history[-1, 2])


@dataclass(frozen=True)
class GradientDescent:
    """Mini-batch gradient descent, plain or with momentum, RMSProp or Adam, and with dropout."""

    unit: ClassVar[str] = "epoch"
    patience: ClassVar[float] = 30.0
    """Epochs without a lower validation loss before training stops."""
    objective: NetworkObjective
    sample: Sample
    solver: str
    rate: float
    batch: int
    limit: int
    """Number of epochs."""
    dropout: float
    rng: Generator

    @property
    def most_records(self) -> int:
        """Records of all epochs, or slices of long ones."""
        return self.limit * -(-len(self.sample) // (self.batch * UPDATES))

    def steps(self) -> Iterator[Step]:
        """Yield the weights after each epoch, or slice of a long one."""
        theta = self.objective.network.initial(self.rng)
        optimiser = Optimiser(self.solver, self.rate, theta.shape)
        for epoch, weights in descend(self, theta, optimiser, self.batch, self.rng, updates=UPDATES):
            yield Step(weights, self.objective.value(weights), epoch, epoch, {"epochs": epoch})

    def __len__(self) -> int:
        return len(self.sample)

    def shuffled(self, order: Ints) -> GradientDescent:
        return replace(self, sample=self.sample.take(order))

    def batch_gradient(self, weights: Floats, batch: slice) -> Floats:
        """Gradient with units dropped at random for each sample; the others are scaled up in return."""
        part, sizes = self.sample.take(batch), self.objective.network.sizes[1:-1]
        shapes = [(size, len(part)) for size in sizes] if self.dropout else []
        masks = [(self.rng.random(shape) >= self.dropout) / (1.0 - self.dropout) for shape in shapes]
        return self.objective.gradient(weights, part, masks)


def train(
    objective: NetworkObjective, validation: Sample | None, optimiser: NetworkOptimiser, preface: str = ""
) -> Iterator[TrainingRecord]:
    """Yield a record of each step; with validation points, end at the one with the lowest validation loss."""
    history = np.full((1 + optimiser.most_records, 3), np.nan)
    steps = optimiser.steps()
    first = now = best = _record(objective, validation, optimiser, history, 0, next(steps))
    yield replace(first, note=f"{preface}{_start(objective, first)}")
    count = 1
    for step in steps:
        if step.partial:
            yield replace(now, note=step.detail)
            continue
        before, now = now, _record(objective, validation, optimiser, history, count, step)
        count += 1
        if not now.loss <= DIVERGED * max(first.loss, objective.unit):
            yield replace(before, note=_diverged(first, now), progress=1.0)
            return
        best = now if now.validation_loss < best.validation_loss else best
        reason = _reason(step, optimiser, validation, best)
        end = f": {reason}" if reason and validation is None else ""
        detail = f", {step.detail}" if step.detail else ""
        yield replace(now, note=f"{optimiser.unit} {now.count:.4g}: {_losses(before, now)}{detail}{end}")
        if reason:
            break
    if validation is not None:
        lowest = f"which has the lowest validation loss, {best.validation_loss:.4g}"
        note = f"{reason}: back to {optimiser.unit} {best.count:.4g}, {lowest}"
        yield replace(best, history=now.history, note=note, progress=1.0)


def validation_rows(strata: Ints, rng: Generator) -> Ints:
    """Draw the rows held out for early stopping: a share of each stratum, or none if too few."""
    chosen = []
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        count = min(int(VALIDATION_SHARE * len(members) + 0.5), len(members) - 1)
        chosen.append(rng.permutation(members)[:count])
    rows = np.sort(np.concatenate(chosen)).astype(np.int64)
    return rows if len(rows) >= LEAST_VALIDATION else rows[:0]


def _record(
    objective: NetworkObjective, validation: Sample | None, optimiser: NetworkOptimiser, history: Floats,
    row: int, step: Step,
) -> TrainingRecord:  # fmt: skip
    """Write a step into the history."""
    loss = math.nan if validation is None else objective.mean_loss(step.theta, validation)
    history[row] = step.number, step.J, loss
    progress = min(step.number / optimiser.limit, 1.0)
    return TrainingRecord(step.theta, history[: row + 1], step.figures, step.clock, progress)


def _reason(step: Step, optimiser: NetworkOptimiser, validation: Sample | None, best: TrainingRecord) -> str:
    """The reason to stop, if any."""
    if step.stop:
        return step.stop
    if validation is not None and step.clock - best.clock >= optimiser.patience:
        return f"no lower validation loss for {optimiser.patience:.0f} {optimiser.unit}s"
    return f"maximum number of {optimiser.unit}s reached" if step.number >= optimiser.limit else ""


def _start(objective: NetworkObjective, first: TrainingRecord) -> str:
    layers = "-".join(map(str, objective.network.sizes))
    return f"start: {objective.network.size:,} random weights in layers {layers}, {_losses(first, first)}"


def _losses(before: TrainingRecord, now: TrainingRecord) -> str:
    """Describe the change of the loss."""
    change = f"loss {now.loss:.4g}" if now is before else f"loss {before.loss:.4g} → {now.loss:.4g}"
    return (
        change if math.isnan(now.validation_loss) else f"{change}, validation loss {now.validation_loss:.4g}"
    )


def _diverged(first: TrainingRecord, now: TrainingRecord) -> str:
    rise = f"loss {first.loss:.4g} → {now.loss:.3g}"
    return f"diverged in epoch {math.ceil(now.count)}: {rise}; lower the learning rate"
