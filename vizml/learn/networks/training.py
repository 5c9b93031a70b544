"""The training loop of networks for every optimiser, with early stopping by the loss on validation points."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints
from vizml.learn.networks.objective import NetworkObjective, Sample
from vizml.learn.networks.optimisers import NetworkOptimiser, OptimiserStep

DIVERGED = 1e3
"""Training stops where the loss exceeds so many times its initial value."""
VALIDATION_SHARE, LEAST_VALIDATION = 0.2, 5
"""Share of the points that early stopping holds out; fewer points than the second number say nothing."""


@dataclass(frozen=True, eq=False)
class TrainingRecord:
    """A step with the history as rows (count, J, validation loss); NaN without validation points."""

    step: OptimiserStep
    history: Floats
    progress: float
    validation_loss: float
    note: str = ""


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
        if not DIVERGED * max(first.step.J, objective.unit) >= now.step.J:
            yield replace(before, note=_diverged(first, now), progress=1.0)
            return
        best = now if now.validation_loss < best.validation_loss else best
        reason = _reason(step, optimiser, validation, best)
        end = f": {reason}" if reason and validation is None else ""
        detail = f", {step.detail}" if step.detail else ""
        yield replace(
            now, note=f"{optimiser.unit} {now.step.number:.4g}: {_losses(before, now)}{detail}{end}"
        )
        if reason:
            break
    if validation is not None:
        lowest = f"which has the lowest validation loss, {best.validation_loss:.4g}"
        note = f"{reason}: back to {optimiser.unit} {best.step.number:.4g}, {lowest}"
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
    row: int, step: OptimiserStep,
) -> TrainingRecord:  # fmt: skip
    """Write a step into the history."""
    loss = math.nan if validation is None else objective.mean_loss(step.theta, validation)
    history[row] = step.number, step.J, loss
    progress = min(step.number / optimiser.limit, 1.0)
    return TrainingRecord(step, history[: row + 1], progress, loss)


def _reason(
    step: OptimiserStep, optimiser: NetworkOptimiser, validation: Sample | None, best: TrainingRecord
) -> str:
    """The reason to stop, if any."""
    if step.stop:
        return step.stop
    if validation is not None and step.clock - best.step.clock >= optimiser.patience:
        return f"no lower validation loss for {optimiser.patience:.0f} {optimiser.unit}s"
    return f"maximum number of {optimiser.unit}s reached" if step.number >= optimiser.limit else ""


def _start(objective: NetworkObjective, first: TrainingRecord) -> str:
    layers = "-".join(map(str, objective.network.sizes))
    return f"start: {objective.network.size:,} random weights in layers {layers}, {_losses(first, first)}"


def _losses(before: TrainingRecord, now: TrainingRecord) -> str:
    """Describe the change of the loss."""
    loss = f"loss {now.step.J:.4g}" if now is before else f"loss {before.step.J:.4g} → {now.step.J:.4g}"
    validation = f", validation loss {now.validation_loss:.4g}"
    return loss if math.isnan(now.validation_loss) else loss + validation


def _diverged(first: TrainingRecord, now: TrainingRecord) -> str:
    rise = f"loss {first.step.J:.4g} → {now.step.J:.3g}"
    return f"diverged in epoch {math.ceil(now.step.number)}: {rise}; lower the learning rate"
