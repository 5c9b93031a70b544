"""The mean of the logistic function under a normal distribution, as a sum of error functions."""

from __future__ import annotations

from functools import cache
from math import erf as exact_erf
from math import exp, pi, sqrt

import numpy as np

from vizml.learn.state import Floats

RATES = (0.41, 0.4, 0.37, 0.44, 0.39)
WEIGHTS = (-1854.8214151, 3516.89893646, 221.29346712, 128.12323805, -2010.49422654)
"""1 / (1 + e^-f) is nearly 1/2 + sum_j w_j erf(l_j f) / 2 (Williams and Barber 1998, appendix A)."""
SAFE = 6.0
"""erf is 1 beyond this, to the last bit."""
KNOTS = 4096
"""In a unit of the table of erf: the third term of its Taylor series is then below 1e-12."""


def averaged(mean: Floats, variance: Floats) -> Floats:
    """E[1 / (1 + e^-f)] for normal f: a normal distribution only slows each error function down."""
    total = np.full(np.shape(mean), 0.5 * sum(WEIGHTS))
    for rate, weight in zip(RATES, WEIGHTS, strict=True):
        total += (0.5 * weight) * erf(rate * mean / np.sqrt(1.0 + 2.0 * rate * rate * variance))
    return np.asarray(np.clip(total, 0.0, 1.0))


def erf(x: Floats) -> Floats:
    """The error function to 1e-12, by its Taylor series at the nearest knot."""
    values, slopes = _table()
    size = np.minimum(np.abs(x), SAFE)
    knot = (size * KNOTS + 0.5).astype(np.int64)
    a = knot * (1.0 / KNOTS)
    d = size - a
    return np.asarray(np.copysign(values[knot] + slopes[knot] * (d * (1.0 - a * d)), x))


@cache
def _table() -> tuple[Floats, Floats]:
    """erf and its slope at the knots."""
    knots = [i / KNOTS for i in range(int(SAFE * KNOTS) + 1)]
    values = np.array([exact_erf(a) for a in knots])
    return values, np.array([2.0 / sqrt(pi) * exp(-a * a) for a in knots])
