"""Adaptive learning rates on a surface: RMSProp and Adam scale each coordinate by its past gradients."""

from __future__ import annotations

from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.gradient_descent import BETAS, DECAY, EPSILON, Optimiser
from vizml.learn.optimisers.common import MAX_STEPS, TOLERANCE, SurfaceOptimiser
from vizml.learn.optimisers.first_order import follow_gradient
from vizml.learn.optimisers.gradient_descent import FAMILY, SYMBOLS
from vizml.learn.optimisers.moves import Moves
from vizml.learn.optimisers.objective import Objective
from vizml.learn.params import real, varied
from vizml.learn.registry import register
from vizml.learn.tasks.descend import DESCEND

ADAPTIVE_RATE = real(
    0.1, 1e-5, 10.0, log=True, symbol="η", title="learning rate", synonyms=("step size",),
    help="Learning rate: about the length of a step along each coordinate.",
)  # fmt: skip
SMALL = real(EPSILON, 1e-12, 0.1, log=True, symbol="ε", help="Small constant that prevents division by zero.")


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

    has_rate = True

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

    has_rate = True

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
