"""Second-order methods: Newton's method, and BFGS, which estimates the inverse Hessian from gradients."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.optimisers.line_search import backtracking, wolfe
from vizml.learn.optimisers.moves import Move, Moves
from vizml.learn.optimisers.objective import Objective

LEAST = 1e-8
"""Least share of the largest eigenvalue that a Hessian is divided by."""


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
