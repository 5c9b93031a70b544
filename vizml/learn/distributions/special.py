"""Special functions of arrays: log-gamma, digamma, trigamma, and incomplete gamma and beta functions.

Incomplete functions are summed by series and continued fractions for small parameters, and integrated by
Gauss-Legendre quadrature for large ones (Press et al., Numerical Recipes, 6.2 and 6.4).
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from vizml.field.arrays import Floats

LARGE = 60.0
"""Parameters from which incomplete functions are integrated over the peak of their integrand."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
TERMS, TINY, CONVERGED = 400, 1e-300, 1e-15
ASYMPTOTIC = 12.0
"""Arguments from which digamma and trigamma are summed by their asymptotic series."""
Numbers: TypeAlias = Floats | float

_log_gamma = np.vectorize(math.lgamma, otypes=[float])
_erfc = np.vectorize(math.erfc, otypes=[float])


def log_gamma(x: Numbers) -> Floats:
    """Return ln Γ(x)."""
    return np.asarray(_log_gamma(x))


def log_beta(a: Numbers, b: Numbers) -> Floats:
    """Return ln B(a, b)."""
    return log_gamma(a) + log_gamma(b) - log_gamma(np.add(a, b))


def erfc(x: Numbers) -> Floats:
    """Return the complementary error function."""
    return np.asarray(_erfc(x))


def digamma(x: float) -> float:
    """Return ψ(x), the derivative of ln Γ, for x > 0."""
    shift = 0.0
    while x < ASYMPTOTIC:
        shift, x = shift - 1 / x, x + 1
    s = 1 / x**2
    series = s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s * (1 / 132 - s * 691 / 32760)))))
    return shift + math.log(x) - 0.5 / x - series


def trigamma(x: float) -> float:
    """Return ψ'(x) for x > 0."""
    shift = 0.0
    while x < ASYMPTOTIC:
        shift, x = shift + 1 / x**2, x + 1
    s = 1 / x**2
    series = s * (1 / 6 - s * (1 / 30 - s * (1 / 42 - s * (1 / 30 - s * (5 / 66 - s * 691 / 2730)))))
    return shift + 1 / x + 0.5 * s + series / x


def gamma_cdf(a: Numbers, x: Numbers) -> Floats:
    """Return the regularised lower incomplete gamma function P(a, x) for a > 0."""
    a, x = np.broadcast_arrays(np.asarray(a, float), np.asarray(x, float))
    out = np.where(x > 0, 1.0, 0.0)
    inside = (x > 0) & np.isfinite(x)
    low, large = inside & (x < a + 1) & (a < LARGE), inside & (a >= LARGE)
    high = inside & ~low & ~large
    for chosen, function in ((low, _gamma_series), (high, _gamma_fraction), (large, _gamma_integral)):
        if chosen.any():
            out[chosen] = function(a[chosen], x[chosen])
    return np.clip(out, 0.0, 1.0)


def beta_cdf(a: float, b: float, x: Numbers) -> Floats:
    """Return the regularised incomplete beta function I_x(a, b)."""
    x = np.asarray(np.clip(np.asarray(x, float), 0.0, 1.0))
    if min(a, b) >= LARGE:
        return np.asarray(np.clip(_beta_integral(a, b, x), 0.0, 1.0))
    swapped = x > (a + 1) / (a + b + 2)
    at, rest = np.where(swapped, 1 - x, x), np.where(swapped, x, 1 - x)
    first, second = np.where(swapped, b, a), np.where(swapped, a, b)
    with np.errstate(divide="ignore"):
        front = np.exp(first * np.log(at) + second * np.log(rest) - log_beta(a, b)) / first
    tail = front * _beta_fraction(first, second, at)
    return np.asarray(np.clip(np.where(swapped, 1 - tail, tail), 0.0, 1.0))


def _gamma_series(a: Floats, x: Floats) -> Floats:
    term = total = 1 / a
    for k in range(1, TERMS):
        term = term * x / (a + k)
        total = total + term
        if (term < CONVERGED / 10 * total).all():
            break
    return np.asarray(total * np.exp(a * np.log(x) - x - log_gamma(a)))


def _gamma_fraction(a: Floats, x: Floats) -> Floats:
    """Return 1 - Q(a, x), with Q as a continued fraction by Lentz's method."""
    b = x + 1 - a
    c, d = np.full_like(x, 1 / TINY), 1 / b
    h = d
    for i in range(1, TERMS):
        b = b + 2
        d, c = 1 / _not_zero(-i * (i - a) * d + b), _not_zero(b - i * (i - a) / c)
        h = h * d * c
        if (np.abs(d * c - 1) < CONVERGED).all():
            break
    return np.asarray(1 - h * np.exp(a * np.log(x) - x - log_gamma(a)))


def _gamma_integral(a: Floats, x: Floats) -> Floats:
    mode, spread = a - 1, np.sqrt(a - 1)
    upper = np.maximum(mode + 11.5 * spread, x + 6 * spread)
    lower = np.maximum(np.minimum(mode - 7.5 * spread, x - 5 * spread), 0.0)
    right = x > mode
    far = np.where(right, upper, lower)
    share = ((NODES + 1) / 2)[:, None]
    excess = (x + (far - x) * share - mode) / mode
    with np.errstate(divide="ignore"):
        values = np.exp(mode * (np.log1p(excess) - excess))
    # mode^mode e^-mode / Γ(a) by Stirling's series, without cancellation
    peak = -0.5 * np.log(2 * np.pi * mode) - 1 / (12 * mode) + 1 / (360 * mode**3) - 1 / (1260 * mode**5)
    area = (WEIGHTS / 2) @ values * np.abs(far - x) * np.exp(peak)
    return np.asarray(np.where(right, 1 - area, area))


def _beta_fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """Return the continued fraction of I_x(a, b) by Lentz's method."""
    c, d = np.ones_like(x), 1 / _not_zero(1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, TERMS):
        for top in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / _not_zero(1 + top * d), _not_zero(1 + top / c)
            h = h * d * c
        if (np.abs(d * c - 1) < CONVERGED).all():
            break
    return np.asarray(h)


def _beta_integral(a: float, b: float, x: Floats) -> Floats:
    mean, spread = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
    right = x > mean
    upper = np.minimum(np.maximum(mean + 10 * spread, x + 5 * spread), 1.0)
    lower = np.maximum(np.minimum(mean - 10 * spread, x - 5 * spread), 0.0)
    far = np.where(right, upper, lower)
    share = ((NODES + 1) / 2).reshape(-1, *[1] * x.ndim)
    at = x + (far - x) * share
    with np.errstate(divide="ignore"):
        logs = (a - 1) * np.log(at / mean) + (b - 1) * np.log((1 - at) / (1 - mean))
    peak = (a - 1) * math.log(mean) + (b - 1) * math.log(1 - mean) - float(log_beta(a, b))
    area = np.tensordot(WEIGHTS / 2, np.exp(logs), axes=1) * np.abs(far - x) * math.exp(peak)
    return np.asarray(np.where(right, 1 - area, area))


def _not_zero(values: Floats) -> Floats:
    return np.where(np.abs(values) < TINY, TINY, values)
