"""Optimisers of networks: gradient descent on mini-batches, and the Levenberg-Marquardt algorithm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints
from vizml.learn.gradient_descent import Optimiser, descend
from vizml.learn.networks.objective import NetworkObjective, Sample

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


class OptimiserStep(NamedTuple):
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

    def steps(self) -> Iterator[OptimiserStep]:
        """Yield the weights after each epoch, or slice of a long one."""
        theta = self.objective.network.initial(self.rng)
        optimiser = Optimiser(self.solver, self.rate, theta.shape)
        for epoch, weights in descend(self, theta, optimiser, self.batch, self.rng, updates=UPDATES):
            yield OptimiserStep(weights, self.objective.value(weights), epoch, epoch, {"epochs": epoch})

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


class TrialStep(NamedTuple):
    """An attempted step: J before and after it, the damping and the norm of the gradient."""

    before: float
    after: float
    damping: float
    gradient_norm: float

    @property
    def accepted(self) -> bool:
        """Whether it reduces J; otherwise the weights stay and the damping grows."""
        return self.after < self.before


class LevenbergMarquardt:
    """Steps -(H + mu I)^-1 grad J with the Gauss-Newton approximation H of the Hessian.

    Nielsen's rule adapts the damping mu to how well the quadratic model predicts J.
    """

    unit = "step"
    patience = 6.0
    """Accepted steps without a lower validation loss before training stops."""

    def __init__(self, objective: NetworkObjective, theta: Floats, steps: int, tol: float) -> None:
        self.here = objective.evaluate(theta)
        self.damping = 0.0
        self.limit = self.most_records = steps
        self.gradient, self.hessian = np.empty(0), np.empty((0, 0))
        self._objective, self._tol = objective, tol
        self._growth, self._first, self._known = 2.0, 0.0, False

    def steps(self) -> Iterator[OptimiserStep]:
        """Yield the start and the result of each step, for ever; partial steps while H is computed."""
        count = accepted = idle = 0
        yield self._step(0, 0, 0.0, "", "")
        total = len(self._objective.sample)
        while True:
            for done in self.linearise():
                note = f"step {count + 1}: derivatives of {done:,} of {total:,} points"
                yield self._step(count, accepted, 0.0, note, "")._replace(partial=True)
            before, trial = self.here.J, self.attempt()
            count += 1
            if trial.accepted:
                accepted += 1
                idle = 0 if before - trial.after >= self._tol * before else idle + 1
            unit = self._objective.unit
            detail = f"damping {trial.damping:.2g}, gradient norm {unit * trial.gradient_norm:.2g}"
            if not trial.accepted:
                detail = f"rejected, as J would rise to {unit * trial.after:.4g}; {detail}"
            yield self._step(count, accepted, unit * trial.gradient_norm, detail, self._reason(idle))

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

    def attempt(self) -> TrialStep:
        """Take a step if it reduces J; adapt the damping to the ratio of actual to predicted reduction."""
        damped = self.hessian.copy()
        damped.flat[:: len(damped) + 1] += self.damping
        move = np.linalg.solve(damped, -self.gradient)
        here, there = self.here, self._objective.evaluate(self.here.theta + move)
        trial = TrialStep(here.J, there.J, self.damping, float(np.linalg.norm(self.gradient)))
        if trial.accepted:
            predicted = 0.5 * float(move @ (self.damping * move - self.gradient))
            ratio = (here.J - there.J) / max(predicted, ZERO)
            self.here, self._known, self._growth = there, False, 2.0
            factor = max(1 / 3, 1 - (2 * ratio - 1) ** 3)
            self.damping = max(self.damping * factor, LEAST_DAMPING * self._first)
        else:
            self.damping *= self._growth
            self._growth *= 2.0
        return trial

    @property
    def stuck(self) -> bool:
        """Whether steps were rejected until they became too short to matter."""
        return self.damping > MOST_DAMPING * self._first

    def _reason(self, idle: int) -> str:
        """The reason to stop, if any."""
        if self.here.J <= ZERO or (self._known and not self.gradient.any()):
            return "converged to a minimum"
        if self.stuck:
            return "no step reduces J"
        if idle >= IDLE:
            return f"{IDLE} steps in a row improved J by less than {100 * self._tol:.2g} %"
        return ""

    def _step(self, count: int, accepted: int, norm: float, detail: str, stop: str) -> OptimiserStep:
        figures = {"steps": float(count), "damping": self.damping, "gradient norm": norm}
        J = self._objective.unit * self.here.J
        return OptimiserStep(self.here.theta, J, float(count), float(accepted), figures, detail, stop)


NetworkOptimiser: TypeAlias = GradientDescent | LevenbergMarquardt
