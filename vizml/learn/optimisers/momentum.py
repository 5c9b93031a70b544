"""Momentum methods on a surface: heavy ball and Nesterov's accelerated gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.gradient_descent import MOMENTUM, Optimiser
from vizml.learn.optimisers.common import MAX_STEPS, TOLERANCE, SurfaceOptimiser
from vizml.learn.optimisers.first_order import follow_gradient
from vizml.learn.optimisers.gradient_descent import FAMILY, RATE, SYMBOLS, rate_at
from vizml.learn.optimisers.moves import Moves
from vizml.learn.optimisers.objective import Objective
from vizml.learn.params import real, varied
from vizml.learn.registry import register
from vizml.learn.tasks.descend import DESCEND

MOMENTUM_SHARE = real(
    MOMENTUM, 0.0, 0.999, symbol="μ", help="Momentum: share of the velocity that each step keeps."
)
VELOCITY: dict[str, tuple[str, ...]] = {"v": ("Velocity: weighted sum of all gradients so far.",)}


@dataclass(frozen=True)
class VelocityPath(SurfaceOptimiser):
    """Optimiser whose steps are those of a velocity."""

    has_rate = True
    method: ClassVar[str]
    """Name of the solver."""

    rate: float | str = varied(RATE)
    momentum: float = varied(MOMENTUM_SHARE)
    max_steps: int = varied(MAX_STEPS)
    tol: float = varied(TOLERANCE)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        rate = rate_at(self.rate, objective)
        return follow_gradient(objective, start, Optimiser(self.method, rate, (2,), momentum=self.momentum))


@register(
    "momentum", DESCEND, FAMILY, "Momentum", symbols=SYMBOLS | VELOCITY,
    synonyms=("heavy ball", "Polyak", "velocity"),
)  # fmt: skip
class MomentumPath(VelocityPath):
    r"""Adds up past gradients into a velocity: steps along a valley grow, those across it cancel.

    .. math::
        v_{t+1} = \mu \, v_t + \nabla f(w_t)
        w_{t+1} = w_t - \eta \, v_{t+1}
    """

    method = "momentum"


@register(
    "nesterov", DESCEND, FAMILY, "Nesterov momentum", short="Nesterov", symbols=SYMBOLS | VELOCITY,
    synonyms=("accelerated gradient", "NAG", "look-ahead"),
)  # fmt: skip
class NesterovPath(VelocityPath):
    r"""Momentum that looks ahead: the gradient counts as if the velocity had been applied already, which
    damps oscillations.

    .. math::
        v_{t+1} = \mu \, v_t + \nabla f(w_t)
        w_{t+1} = w_t - \eta \, ( \nabla f(w_t) + \mu \, v_{t+1} )
    """

    method = "nesterov"
