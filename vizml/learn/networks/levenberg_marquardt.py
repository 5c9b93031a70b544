"""Levenberg-Marquardt: steps -(H + mu I)^-1 grad J with the Gauss-Newton approximation H of the Hessian."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.networks.objective import NetworkObjective
from vizml.learn.networks.training import Step

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


class Trial(NamedTuple):
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
    """Weights in training; Nielsen's rule adapts the damping to how well the quadratic model predicts J."""

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

    def steps(self) -> Iterator[Step]:
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

    def attempt(self) -> Trial:
        """Take a step if it reduces J; adapt the damping to the ratio of actual to predicted reduction."""
        damped = self.hessian.copy()
        damped.flat[:: len(damped) + 1] += self.damping
        move = np.linalg.solve(damped, -self.gradient)
        here, there = self.here, self._objective.evaluate(self.here.theta + move)
        trial = Trial(here.J, there.J, self.damping, float(np.linalg.norm(self.gradient)))
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

    def _step(self, count: int, accepted: int, norm: float, detail: str, stop: str) -> Step:
        figures = {"steps": float(count), "damping": self.damping, "gradient norm": norm}
        J = self._objective.unit * self.here.J
        return Step(self.here.theta, J, float(count), float(accepted), figures, detail, stop)
