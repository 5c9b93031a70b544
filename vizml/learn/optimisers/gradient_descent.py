"""Gradient descent on a surface, with a fixed learning rate, a line search, or noise."""

from __future__ import annotations

from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.gradient_descent import Optimiser
from vizml.learn.optimisers.common import MAX_STEPS, TOLERANCE, SurfaceOptimiser
from vizml.learn.optimisers.first_order import follow_gradient, steepest_descent, suggested_rate
from vizml.learn.optimisers.moves import Moves
from vizml.learn.optimisers.objective import Objective
from vizml.learn.params import flag, real, varied
from vizml.learn.registry import register
from vizml.learn.tasks.descend import DESCEND

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

    has_rate = True

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

    has_rate = True

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
