"""First-order methods on a surface: gradient descent, momentum, and adaptive learning rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from vizml.data.formula import Surface
from vizml.field.arrays import Floats
from vizml.learn.gradient_descent import BETAS, DECAY, EPSILON, MOMENTUM, Optimiser
from vizml.learn.optimisers.descent import MAX_STEPS, TOLERANCE, SurfaceOptimiser
from vizml.learn.optimisers.moves import Move, Moves
from vizml.learn.optimisers.objective import Curvature, Objective, backtracking
from vizml.learn.params import flag, real, varied
from vizml.learn.registry import register
from vizml.learn.tasks.descend import DESCEND

LARGEST_RATE, GRID = 1.0, 9
"""Largest learning rate that is suggested, and places along each side of a surface where it is curved."""
FAMILY = "First-order methods"
AUTO = "auto"
SYMBOLS: dict[str, tuple[str, ...]] = {
    "w": ("Weights: the place on the surface.", "Path"),
    "\N{NABLA}": ("Gradient: direction of steepest ascent.", "Negative gradient"),
}
RATE = real(
    AUTO, 1e-5, 10.0, log=True, words=(AUTO,), labels={AUTO: "1 / curvature"}, symbol="η",
    title="learning rate", synonyms=("step size", "alpha"),
    help="Learning rate. 'auto' is 1 / L for the largest curvature L of the surface.",
)  # fmt: skip
VELOCITY: dict[str, tuple[str, ...]] = {"v": ("Velocity: weighted sum of all gradients so far.",)}
ADAPTIVE_RATE = real(
    0.1, 1e-5, 10.0, log=True, symbol="η", title="learning rate", synonyms=("step size",),
    help="Learning rate: about the length of a step along each coordinate.",
)  # fmt: skip
SMALL = real(EPSILON, 1e-12, 0.1, log=True, symbol="ε", help="Small constant that prevents division by zero.")


@cache
def suggested_rate(surface: Surface) -> float:
    """Return 1/L, the textbook learning rate, for the largest curvature L on a surface; at most 1."""
    left, right, bottom, top = surface.bounds
    w1, w2 = np.linspace(left, right, GRID), np.linspace(bottom, top, GRID)
    found = [Curvature.at(surface, np.array([x, y])).eigenvalues for x in w1 for y in w2]
    known = np.abs(found)[np.isfinite(found)]
    return 1.0 / max(float(known.max(initial=0.0)), 1.0 / LARGEST_RATE)


def follow_gradient(
    objective: Objective, w: Floats, optimiser: Optimiser,
    rate: Callable[[int], float] | None = None, noise: float = 0.0, rng: Generator | None = None,
) -> Moves:  # fmt: skip
    """Yield the places of an optimiser; `rate` gives the learning rate of each step from 1.

    With noise each gradient has Gaussian errors, as that of a mini-batch has.
    """
    value, gradient = objective.slope(w)
    yield Move(w, value, gradient)
    for step in count(1):
        if rate is not None:
            optimiser.rate = rate(step)
        seen = gradient if rng is None else gradient + noise * rng.standard_normal(2)
        w = w - optimiser.step(seen)
        value, gradient = objective.slope(w)
        yield Move(w, value, gradient, f"learning rate {optimiser.rate:.3g}")


def steepest_descent(objective: Objective, w: Floats, rate: float) -> Moves:
    """Yield the places of gradient descent with backtracking line search; `rate` is tried first."""
    value, gradient = objective.slope(w)
    yield Move(w, value, gradient)
    while True:
        share, w, value = backtracking(objective, w, value, -rate * gradient, gradient)
        gradient = objective.gradient(w)
        yield Move(w, value, gradient, f"learning rate {rate * share:.3g} by line search", final=not share)


def rate_at(rate: float | str, objective: Objective) -> float:
    """Return a learning rate as a number."""
    return suggested_rate(objective.surface) if isinstance(rate, str) else rate


@register(
    "gradient_descent", DESCEND, FAMILY, "Gradient descent", symbols=SYMBOLS,
    synonyms=("steepest descent", "batch gradient descent", "learning rate"),
)  # fmt: skip
class GradientDescentPath(SurfaceOptimiser):
    r"""Steps along the negative gradient, the direction of steepest descent. A learning rate above
    2 / L diverges on a surface of curvature L.

    .. math::
        w_{t+1} = w_t - \eta \, \nabla f(w_t)
    """

    rate: float | str = varied(RATE)
    line_search: bool = flag(
        False, help="Halve the learning rate in each step until f decreases enough (Armijo line search)."
    )
    max_steps: int = varied(MAX_STEPS)
    tol: float = varied(TOLERANCE)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        rate = rate_at(self.rate, objective)
        if self.line_search:
            return steepest_descent(objective, start, rate)
        return follow_gradient(objective, start, Optimiser("gd", rate, (2,)))


@register(
    "sgd", DESCEND, FAMILY, "Stochastic gradient descent", short="SGD", symbols=SYMBOLS,
    synonyms=("SGD", "mini-batch", "noise", "learning-rate schedule"),
)  # fmt: skip
class StochasticDescentPath(SurfaceOptimiser):
    r"""Gradient descent with Gaussian errors in each gradient, as samples or mini-batches give them. A
    constant learning rate keeps w moving around the minimum; a decaying one lets it settle.

    .. math::
        w_{t+1} = w_t - \eta_t \, ( \nabla f(w_t) + \epsilon_t )
        \eta_t = \frac{\eta}{1 + \delta (t - 1)}
    """

    rate: float | str = varied(RATE)
    noise: float = real(
        1.0, 0.0, 1e4, symbol="ε", help="Standard deviation of the gradient noise in each component."
    )
    decay: float = real(
        0.0, 0.0, 10.0, symbol="δ", synonyms=("learning-rate schedule",),
        help="Decay of the learning rate in each step (schedule); 0 keeps it constant.",
    )  # fmt: skip
    max_steps: int = varied(MAX_STEPS)
    tol: float = varied(TOLERANCE)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        rate = rate_at(self.rate, objective)
        optimiser = Optimiser("gd", rate, (2,))
        return follow_gradient(
            objective, start, optimiser, lambda step: rate / (1 + self.decay * (step - 1)), self.noise, rng
        )


@dataclass(frozen=True)
class VelocityPath(SurfaceOptimiser):
    """Optimiser whose steps are those of a velocity."""

    method: ClassVar[str]
    """Name of the solver."""

    rate: float | str = varied(RATE)
    momentum: float = real(
        MOMENTUM, 0.0, 0.999, symbol="μ", help="Momentum: share of the velocity that each step keeps."
    )
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


@register(
    "rmsprop", DESCEND, FAMILY, "RMSProp", symbols=SYMBOLS,
    synonyms=("adaptive learning rate", "Hinton"),
)  # fmt: skip
class RMSPropPath(SurfaceOptimiser):
    r"""Divides each component of the gradient by the root of the decaying mean of its squares.

    .. math::
        s_{t+1} = \rho \, s_t + (1 - \rho) \, \nabla f(w_t)^2
        w_{t+1} = w_t - \eta \, \frac{\nabla f(w_t)}{\sqrt{s_{t+1}} + \epsilon}
    """

    rate: float = varied(ADAPTIVE_RATE)
    decay: float = real(DECAY, 0.0, 0.9999, symbol="ρ", help="Decay of the mean of squared gradients.")
    epsilon: float = varied(SMALL)
    max_steps: int = varied(MAX_STEPS)
    tol: float = varied(TOLERANCE)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        optimiser = Optimiser("rmsprop", self.rate, (2,), decay=self.decay, epsilon=self.epsilon)
        return follow_gradient(objective, start, optimiser)


@register(
    "adam", DESCEND, FAMILY, "Adam", symbols=SYMBOLS,
    synonyms=("adaptive moments", "adaptive learning rate", "bias correction", "Kingma"),
)  # fmt: skip
class AdamPath(SurfaceOptimiser):
    r"""Momentum with a learning rate for each coordinate: decaying means of gradients and of their squares,
    both corrected for their start at 0.

    .. math::
        m_{t+1} = \beta_1 m_t + (1 - \beta_1) \nabla f(w_t)
        v_{t+1} = \beta_2 v_t + (1 - \beta_2) \nabla f(w_t)^2
        \hat{m} = \frac{m_{t+1}}{1 - \beta_1^{t+1}}, \; \hat{v} = \frac{v_{t+1}}{1 - \beta_2^{t+1}}
        w_{t+1} = w_t - \eta \, \frac{\hat{m}}{\sqrt{\hat{v}} + \epsilon}
    """

    rate: float = varied(ADAPTIVE_RATE)
    beta1: float = real(BETAS[0], 0.0, 0.9999, symbol="β₁", help="Decay of the mean of gradients (momentum).")
    beta2: float = real(BETAS[1], 0.0, 0.99999, symbol="β₂", help="Decay of the mean of squared gradients.")
    epsilon: float = varied(SMALL)
    max_steps: int = varied(MAX_STEPS)
    tol: float = varied(TOLERANCE)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        betas = self.beta1, self.beta2
        optimiser = Optimiser("adam", self.rate, (2,), betas=betas, epsilon=self.epsilon)
        return follow_gradient(objective, start, optimiser)
