"""Maximum likelihood by Newton's method where there is no closed form: gamma and beta distributions.

A gamma distribution with the mean of the sample has its maximum where ln k - ψ(k) equals
s = ln(mean) - mean(ln x) (Minka, Estimating a Gamma distribution, 2002); a beta distribution where
ψ(a) - ψ(a + b) and ψ(b) - ψ(a + b) equal the means of ln x and ln(1 - x).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.special import digamma, trigamma

MOST = 60
LEAST_SHAPE, MOST_SHAPE = 1e-3, 1e6
"""Range of shapes: equal values have no maximum, because the likelihood grows with the shape for ever."""
TOLERANCE = 1e-12


def gamma_shapes(x: Floats) -> Iterator[float]:
    """Yield the shape after each Newton step, first the approximation that the steps start from."""
    s = math.log(x.mean()) - float(np.log(x).mean())
    if s <= 1 / (2 * MOST_SHAPE):
        yield MOST_SHAPE
        return
    k = (3 - s + math.sqrt((s - 3) ** 2 + 24 * s)) / (12 * s)
    k = min(max(k, LEAST_SHAPE), MOST_SHAPE)
    yield k
    for _ in range(MOST):
        before = k
        # Newton's method for 1/k, in which the likelihood is nearly quadratic (Minka, 2002)
        k = 1 / (1 / k + (-s + math.log(k) - digamma(k)) / (k**2 * (1 / k - trigamma(k))))
        k = min(max(k, LEAST_SHAPE), MOST_SHAPE)
        yield k
        if abs(k - before) <= TOLERANCE * k:
            return


def beta_shapes(x: Floats) -> Iterator[tuple[float, float]]:
    """Yield both shapes after each Newton step, first those with the mean and variance of the sample."""
    targets = np.array([np.log(x).mean(), np.log1p(-x).mean()])
    mean, variance = float(x.mean()), float(x.var())
    total = max(mean * (1 - mean) / variance - 1, 0.1) if variance > 0 else math.inf
    if total >= MOST_SHAPE:
        yield MOST_SHAPE * mean, MOST_SHAPE * (1 - mean)
        return
    shapes = np.array([mean, 1 - mean]) * total
    yield shapes[0], shapes[1]
    for _ in range(MOST):
        step = _beta_step(shapes, targets)
        while (shapes + step <= shapes / 10).any():  # a shorter step keeps both shapes above 0
            step = step / 2
        shapes = np.minimum(shapes + step, MOST_SHAPE)
        yield shapes[0], shapes[1]
        if (np.abs(step) <= TOLERANCE * shapes).all():
            return


def _beta_step(shapes: Floats, targets: Floats) -> Floats:
    a, b = shapes.tolist()
    common = trigamma(a + b)
    slopes = np.array([digamma(a), digamma(b)]) - digamma(a + b) - targets
    curvature = np.diag([trigamma(a), trigamma(b)]) - common
    return np.asarray(-np.linalg.solve(curvature, slopes))
