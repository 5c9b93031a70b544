"""Training of networks: gradient descent on mini-batches, Levenberg-Marquardt, and early stopping.

Early stopping ends at the weights with the lowest loss on validation points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints
from vizml.learn.gradient_descent import CONSTANT, Optimiser, descend
from vizml.learn.iterative_training import PATIENCE, Schedule, restored
from vizml.learn.networks.network import NetworkObjective, Sample

UPDATES = 120
"""Mini-batches between two records of a long epoch: some 10 ms."""
FIRST_DAMPING = 0.1
"""Initial damping as a share of the largest diagonal element of H."""
LEAST_DAMPING, MOST_DAMPING = 1e-12, 1e12
"""Bounds of the damping as multiples of the initial one; beyond the upper one no step reduces J."""
WORK = 1 << 28
"""Multiplications between two yields: some 10 ms."""
ZERO = 1e-28
"""A smaller J of standardised targets is rounding noise."""
IDLE = 3
"""Training stops after so many consecutive steps with relative improvements below the tolerance."""
DIVERGED = 1e3
"""Training stops where the loss exceeds so many times its initial value."""

NO_HISTORY = np.empty((0, 3))


class TrainingStep(NamedTuple):
    """Weights after a step of an optimiser, with J in data units; the training adds history and progress."""

    theta: Floats
    J: float
    number: float
    """Epochs or steps so far."""
    clock: float
    """The count by which patience is measured: epochs, or accepted steps."""
    figures: Mapping[str, float]
    note: str = ""
    stop: str = ""
    """The reason to stop, if the optimiser has one."""
    partial: bool = False
    """Whether the step is still being computed; nothing has changed but the note."""
    history: Floats = NO_HISTORY
    """Rows (number, J, validation loss) of all steps so far; NaN without validation points."""
    progress: float = 0.0

    @property
    def validation_loss(self) -> float:
        """The mean loss of the validation points."""
        return float(self.history[-1, 2])


@dataclass(frozen=True)
class GradientDescent:
    """Mini-batch gradient descent, plain or with momentum, RMSProp or Adam, and with dropout."""

    unit: ClassVar[str] = "epoch"
    patience: ClassVar[int] = PATIENCE
    objective: NetworkObjective
    solver: str
    rate: float
    batch: int
    limit: int
    """Number of epochs."""
    dropout: float
    rng: Generator
    schedule: Schedule = CONSTANT

    def __len__(self) -> int:
        return len(self.objective.sample)

    @property
    def most_records(self) -> int:
        """Records of all epochs, or slices of long ones."""
        return self.limit * -(-len(self) // (self.batch * UPDATES))

    def steps(self) -> Iterator[TrainingStep]:
        """Yield the weights after each epoch, or slice of a long one."""
        theta = self.objective.network.initial(self.rng)
        optimiser = Optimiser(self.solver, self.rate, theta.shape, schedule=self.schedule)
        for epoch, weights in descend(self, theta, optimiser, self.batch, self.rng, updates=UPDATES):
            yield TrainingStep(weights, self.objective.value(weights), epoch, epoch, {"epochs": epoch})

    def shuffled(self, order: Ints) -> GradientDescent:
        return replace(self, objective=replace(self.objective, sample=self.objective.sample.take(order)))

    def batch_gradient(self, weights: Floats, batch: slice) -> Floats:
        """Gradient with units dropped at random for each sample; the others are scaled up in return."""
        part, sizes = self.objective.sample.take(batch), self.objective.network.sizes[1:-1]
        shapes = [(size, len(part)) for size in sizes] if self.dropout else []
        masks = [(self.rng.random(shape) >= self.dropout) / (1.0 - self.dropout) for shape in shapes]
        return self.objective.gradient(weights, part, masks)


class LevenbergMarquardt:
    """Steps -(H + mu I)^-1 grad J with the Gauss-Newton approximation H of the Hessian.

    Nielsen's rule adapts the damping mu to how well the quadratic model predicts J.
    """

    unit = "iteration"
    patience = 6
    """Accepted steps without a lower validation loss before training stops."""

    def __init__(self, objective: NetworkObjective, theta: Floats, steps: int, tol: float) -> None:
        self.here = objective.evaluate(theta)
        self.damping = 0.0
        self.limit = self.most_records = steps
        self.gradient, self.hessian = np.empty(0), np.empty((0, 0))
        self._objective, self._tol = objective, tol
        self._growth, self._first, self._known = 2.0, 0.0, False

    def steps(self) -> Iterator[TrainingStep]:
        """Yield the start and the result of each step, for ever; partial steps while H is computed."""
        count = accepted = idle = 0
        yield self._step(0, 0, 0.0, "", "")
        unit, total = self._objective.unit, len(self._objective.sample)
        while True:
            for done in self.linearise():
                note = f"iteration {count + 1}: derivatives of {done:,} of {total:,} points"
                yield self._step(count, accepted, 0.0, note, "")._replace(partial=True)
            before, norm = self.here.J, unit * float(np.linalg.norm(self.gradient))
            detail = f"damping {self.damping:.2g}, gradient norm {norm:.2g}"
            after = self.attempt()
            count += 1
            if after < before:
                accepted += 1
                idle = 0 if before - after >= self._tol * before else idle + 1
            else:
                detail = f"rejected, as J would rise to {unit * after:.4g}; {detail}"
            yield self._step(count, accepted, norm, detail, self._reason(idle))

    def linearise(self) -> Iterator[int]:
        """Compute H and the gradient at the current weights; yield the number of points between two parts."""
        if self._known:
            return
        objective, n, size = self._objective, len(self._objective.sample), len(self.here.theta)
        penalty = objective.l2 * objective.network.penalised
        part = max(WORK // (size * size * len(objective.sample.targets)), 1)
        hessian, gradient = objective.gauss_newton(self.here, slice(0, part))
        for begin in range(part, n, part):
            yield begin
            more, slope = objective.gauss_newton(self.here, slice(begin, begin + part))
            hessian += more
            gradient += slope
        hessian.flat[:: size + 1] += penalty
        gradient += penalty * self.here.theta
        self.hessian, self.gradient, self._known = hessian / n, gradient / n, True
        if not self.damping:
            self.damping = self._first = FIRST_DAMPING * float(self.hessian.diagonal().max())

    def attempt(self) -> float:
        """Take a step if it reduces J; adapt the damping to the ratio of actual to predicted reduction.

        Return J after the attempted step.
        """
        damped = self.hessian.copy()
        damped.flat[:: len(damped) + 1] += self.damping
        move = np.linalg.solve(damped, -self.gradient)
        here, there = self.here, self._objective.evaluate(self.here.theta + move)
        if there.J < here.J:
            predicted = 0.5 * float(move @ (self.damping * move - self.gradient))
            ratio = (here.J - there.J) / max(predicted, ZERO)
            self.here, self._known, self._growth = there, False, 2.0
            factor = max(1 / 3, 1 - (2 * ratio - 1) ** 3)
            self.damping = max(self.damping * factor, LEAST_DAMPING * self._first)
        else:
            self.damping *= self._growth
            self._growth *= 2.0
        return there.J

    def _reason(self, idle: int) -> str:
        """The reason to stop, if any."""
        if self.here.J <= ZERO or (self._known and not self.gradient.any()):
            return "converged to a minimum"
        if self.damping > MOST_DAMPING * self._first:
            return "no step reduces J"
        if idle >= IDLE:
            return f"{IDLE} iterations in a row improved J by less than {100 * self._tol:.2g} %"
        return ""

    def _step(self, count: int, accepted: int, norm: float, note: str, stop: str) -> TrainingStep:
        figures = {"iterations": float(count), "damping": self.damping, "gradient norm": norm}
        J = self._objective.unit * self.here.J
        return TrainingStep(self.here.theta, J, float(count), float(accepted), figures, note, stop)


@dataclass(frozen=True, eq=False)
class NetworkTraining:
    """The training loop for every optimiser."""

    objective: NetworkObjective
    optimiser: GradientDescent | LevenbergMarquardt
    validation: Sample | None = None

    def steps(self, preface: str = "") -> Iterator[TrainingStep]:
        """Yield each step; with validation points, end at the one with the lowest validation loss."""
        history, count = np.full((1 + self.optimiser.most_records, 3), np.nan), 1
        steps, unit = self.optimiser.steps(), self.optimiser.unit
        first = now = best = self._recorded(next(steps), history[:1])
        yield first._replace(note=f"{preface}{self._start(first)}")
        for step in steps:
            if step.partial:
                yield now._replace(note=step.note)
                continue
            count += 1
            before, now = now, self._recorded(step, history[:count])
            if not DIVERGED * max(first.J, self.objective.unit) >= now.J:
                yield before._replace(note=_diverged(first, now), progress=1.0)
                return
            best = now if now.validation_loss < best.validation_loss else best
            reason = self._reason(now, best)
            end = f": {reason}" if reason and self.validation is None else ""
            detail = f", {step.note}" if step.note else ""
            yield now._replace(note=f"{unit} {now.number:.4g}: {_losses(before, now)}{detail}{end}")
            if reason:
                break
        if self.validation is not None:
            note = f"{reason}: {restored(unit, best.number, best.validation_loss)}"
            yield best._replace(history=now.history, note=note, progress=1.0)

    def _recorded(self, step: TrainingStep, history: Floats) -> TrainingStep:
        """Write a step into the last row of the history."""
        history[-1, :2] = step.number, step.J
        if self.validation is not None:
            history[-1, 2] = self.objective.mean_loss(step.theta, self.validation)
        return step._replace(history=history, progress=min(step.number / self.optimiser.limit, 1.0))

    def _reason(self, step: TrainingStep, best: TrainingStep) -> str:
        """The reason to stop, if any."""
        unit, patience = self.optimiser.unit, self.optimiser.patience
        if step.stop:
            return step.stop
        if self.validation is not None and step.clock - best.clock >= patience:
            return f"no lower validation loss for {patience} {unit}s"
        return f"maximum number of {unit}s reached" if step.number >= self.optimiser.limit else ""

    def _start(self, first: TrainingStep) -> str:
        network = self.objective.network
        layers = "-".join(map(str, network.sizes))
        return f"start: {network.size:,} random weights in layers {layers}, {_losses(first, first)}"


def _losses(before: TrainingStep, now: TrainingStep) -> str:
    """Describe the change of the loss."""
    loss = f"loss {now.J:.4g}" if now is before else f"loss {before.J:.4g} → {now.J:.4g}"
    validation = f", validation loss {now.validation_loss:.4g}"
    return loss if math.isnan(now.validation_loss) else loss + validation


def _diverged(first: TrainingStep, now: TrainingStep) -> str:
    rise = f"loss {first.J:.4g} → {now.J:.3g}"
    return f"diverged in epoch {math.ceil(now.number)}: {rise}; lower the learning rate"
