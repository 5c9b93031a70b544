"""A fitted polynomial in words: rounded as far as its curve allows, in x or in u where x would mislead."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import NDArray

from vizml.learn.curves.basis import PolynomialBasis
from vizml.learn.state import Floats

DIGITS = (3, 4, 5, 6)
FIDELITY = 0.005
"""How far the rounded curve may be off, as a share of the curve's own range."""


def equation(basis: PolynomialBasis, weights: Floats, coefficients: Floats) -> str:
    """'y = 1.2 + 0.4 x - 3 x²'; far from the origin 'y = 1.2 + 0.4 u, u = (x - 1000000) / 0.5'."""
    x = basis.middle + basis.half * np.linspace(-1, 1, 101)
    curve = basis.design(x) @ weights
    for digits in DIGITS:
        shown = _rounded(coefficients, digits)
        if _faithful(polynomial.polyval(x, shown), curve):
            return f"y = {_terms(shown, 'x', digits)}"
    shown = _rounded(basis.powers(weights), DIGITS[1])
    return f"y = {_terms(shown, 'u', DIGITS[1])}, u = (x {_signed(-basis.middle, 9)}) / {basis.half:.6g}"


def power(variable: str, exponent: int) -> str:
    """'x²'; 'x' for the first power."""
    return variable + (
        str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")) if exponent > 1 else ""
    )


def _faithful(rounded: NDArray[np.floating], curve: Floats) -> bool:
    allowed = FIDELITY * max(float(np.ptp(curve)), 1e-3 * float(np.abs(curve).max()))
    return bool(np.abs(rounded - curve).max() <= allowed)


def _rounded(values: Floats, digits: int) -> Floats:
    return np.array([float(f"{value:.{digits}g}") for value in values])


def _terms(coefficients: Floats, variable: str, digits: int) -> str:
    words = [f"{coefficients[0]:.{digits}g}".replace("-", "−")]
    for exponent, value in enumerate(coefficients[1:], start=1):
        if value:
            words.append(f"{_signed(value, digits)} {power(variable, exponent)}")
    return " ".join(words)


def _signed(value: float, digits: int) -> str:
    sign = "+" if value >= 0 else "−"
    return f"{sign} {abs(value):.{digits}g}"
