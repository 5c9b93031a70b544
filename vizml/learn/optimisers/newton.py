"""Newton's method and BFGS on a surface."""

from __future__ import annotations

from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.optimisers.common import MAX_STEPS, TOLERANCE, SurfaceOptimiser
from vizml.learn.optimisers.gradient_descent import SYMBOLS
from vizml.learn.optimisers.moves import Moves
from vizml.learn.optimisers.objective import Objective
from vizml.learn.optimisers.second_order import bfgs, newton
from vizml.learn.params import flag, varied
from vizml.learn.registry import register
from vizml.learn.tasks.descend import DESCEND

FAMILY = "Second-order methods"


@register(
    "newton", DESCEND, FAMILY, "Newton's method", short="Newton",
    symbols=SYMBOLS | {"H": ("Hessian: matrix of second derivatives.", "Quadratic model")},
    synonyms=("Newton-Raphson", "Hessian", "quadratic model", "second derivatives"),
)  # fmt: skip
class NewtonPath(SurfaceOptimiser):
    r"""Steps to the stationary point of the quadratic model of f at w: the minimum of a quadratic in one
    step, but also saddle points and maxima where the surface is not convex.

    .. math::
        w_{t+1} = w_t - H(w_t)^{-1} \, \nabla f(w_t)
        f(w_t + d) \approx f(w_t) + \nabla f^{\top} d + \frac{1}{2} \, d^{\top} H \, d
    """

    line_search: bool = flag(
        False, help="Halve a step until f decreases enough (Armijo line search, damped Newton method)."
    )
    positive: bool = flag(
        False, title="positive eigenvalues", synonyms=("saddle-free Newton", "modified Newton"),
        help="Use the absolute eigenvalues of the Hessian, so that steps lead away from saddle points.",
    )  # fmt: skip
    max_steps: int = varied(MAX_STEPS)
    tol: float = varied(TOLERANCE)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        return newton(objective, start, search=self.line_search, positive=self.positive)


@register(
    "bfgs", DESCEND, FAMILY, "BFGS", symbols=SYMBOLS,
    synonyms=("quasi-Newton", "Broyden-Fletcher-Goldfarb-Shanno", "L-BFGS"),
)  # fmt: skip
class BFGSPath(SurfaceOptimiser):
    r"""Quasi-Newton method: estimates the inverse Hessian B from changes of the gradient, and searches along
    the step for a sufficient decrease (Wolfe conditions).

    .. math::
        w_{t+1} = w_t - \alpha_t \, B_t \, \nabla f(w_t)
        B_{t+1} = (I - \rho s y^{\top}) \, B_t \, (I - \rho y s^{\top}) + \rho s s^{\top}
        s = w_{t+1} - w_t, \; \rho = \frac{1}{y^{\top} s}
        y = \nabla f(w_{t+1}) - \nabla f(w_t)
    """

    max_steps: int = varied(MAX_STEPS)
    tol: float = varied(TOLERANCE)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        return bfgs(objective, start)
