"""Second-order methods on a surface: Newton's method, and BFGS, which estimates the inverse Hessian."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.optimisers.descent import MAX_STEPS, TOLERANCE, SurfaceOptimiser
from vizml.learn.optimisers.gradient_descent import SYMBOLS
from vizml.learn.optimisers.moves import Move, Moves
from vizml.learn.optimisers.objective import Objective, backtracking, wolfe
from vizml.learn.params import flag, varied
from vizml.learn.registry import register
from vizml.learn.tasks.descend import DESCEND

LEAST = 1e-8
"""Least share of the largest eigenvalue that a Hessian is divided by."""
FAMILY = "Second-order methods"


def newton(objective: Objective, w: Floats, *, search: bool, positive: bool) -> Moves:
    """Yield the places w - H^-1 g; with `positive` by the absolute eigenvalues of H, so that f decreases."""
    value, gradient = objective.slope(w)
    yield Move(w, value, gradient)
    while True:
        hessian = objective.hessian(w)
        if not np.isfinite(hessian).all():
            yield Move(w, value, gradient, "the Hessian is not defined here", final=True)
            return
        hessian = _positive(hessian) if positive else hessian
        direction = -(np.linalg.pinv(hessian, rcond=LEAST, hermitian=True) @ gradient)
        model, share = (w + direction, hessian), 1.0
        if search and direction @ gradient < 0:
            share, w, value = backtracking(objective, w, value, direction, gradient)
            gradient = objective.gradient(w)
        else:
            w = w + direction
            value, gradient = objective.slope(w)
        definite = np.linalg.eigvalsh(hessian)[0] > 0
        about = "Newton step" if definite else "Newton step towards a saddle point or maximum of the model"
        about += f", share {share:.3g}" if share < 1 else ""
        yield Move(w, value, gradient, about, model if definite else None, final=not share)


def _positive(hessian: Floats) -> Floats:
    """Return a symmetric matrix with the absolute values of its eigenvalues, none of them negligible."""
    values, vectors = np.linalg.eigh(hessian)
    size = np.abs(values)
    return np.asarray(vectors * np.maximum(size, LEAST * size.max()) @ vectors.T)


def bfgs(objective: Objective, w: Floats) -> Moves:
    """Yield the places of BFGS with a Wolfe line search (Nocedal and Wright, 2006, algorithm 6.1)."""
    value, gradient = objective.slope(w)
    inverse = np.eye(2) / max(float(np.hypot(*gradient)), 1.0)
    yield Move(w, value, gradient)
    first = True
    while True:
        share, there, value, steep = wolfe(objective, w, value, -inverse @ gradient, gradient)
        s, y = there - w, steep - gradient
        w, gradient = there, steep
        yield Move(w, value, gradient, f"share {share:.3g} of the quasi-Newton step", final=not share)
        if (curvature := float(s @ y)) > 0:
            inverse = np.eye(2) * (curvature / float(y @ y)) if first else inverse
            inverse = updated_inverse(inverse, s, y)
            first = False


def updated_inverse(inverse: Floats, s: Floats, y: Floats) -> Floats:
    """Return the BFGS estimate of the inverse Hessian after a step s that changed the gradient by y."""
    rho = 1.0 / float(s @ y)
    left = np.eye(len(s)) - rho * np.outer(s, y)
    return np.asarray(left @ inverse @ left.T + rho * np.outer(s, s))


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
