"""A fitted curve in words: rounded as far as it allows; a polynomial in x, or in u where x would mislead."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import NDArray

from vizml.learn.linear_models.basis import Basis, BumpBasis, FourierBasis, PieceBasis, PolynomialBasis
from vizml.learn.state import Floats

DIGITS = (3, 4, 5, 6)
FIDELITY = 0.005
"""How far the rounded curve may be off, as a share of the curve's own range."""


def equation(basis: Basis, weights: Floats, coefficients: Floats) -> str:
    """'y = 1.2 + 0.4 x - 3 x²'; of another basis its waves, bumps or corners; else nothing."""
    if isinstance(basis, PolynomialBasis):
        return _polynomial(basis, weights, coefficients)
    x = basis.middle + basis.half * np.linspace(-1, 1, 101)
    design = basis.design(x)
    for digits in DIGITS:
        shown = _rounded(weights, digits)
        if _faithful(design @ shown, design @ weights):
            break
    match basis:
        case FourierBasis():
            return _waves(basis, shown, digits)
        case BumpBasis():
            return _bumps(basis, shown, digits)
        case PieceBasis():
            return _corners(basis, shown, digits)
    return ""


def _polynomial(basis: PolynomialBasis, weights: Floats, coefficients: Floats) -> str:
    """In x; far from the origin 'y = 1.2 + 0.4 u, u = (x - 1000000) / 0.5'."""
    x = basis.middle + basis.half * np.linspace(-1, 1, 101)
    curve = basis.design(x) @ weights
    for digits in DIGITS:
        shown = _rounded(coefficients, digits)
        if _faithful(polynomial.polyval(x, shown), curve):
            return f"y = {_terms(shown, 'x', digits)}"
    shown = _rounded(basis.powers(weights), DIGITS[1])
    return f"y = {_terms(shown, 'u', DIGITS[1])}, u = (x {_signed(-basis.middle, 9)}) / {basis.half:.6g}"


def _waves(basis: FourierBasis, weights: Floats, digits: int) -> str:
    """'y = 0.1 + 2 cos t - 0.3 sin t + 0.2 cos 2t, t = 1.05 (x - 0.2)'."""
    terms = []
    for j in range(1, basis.degree + 1):
        times = str(j) if j > 1 else ""
        terms += [(weights[j], f"cos {times}t"), (weights[basis.degree + j], f"sin {times}t")]
    return f"{_sum(weights[0], terms, digits)}, t = {np.pi / basis.half:.6g} (x {_signed(-basis.middle, 9)})"


def _bumps(basis: BumpBasis, weights: Floats, digits: int) -> str:
    """'y = 0.1 + 2 b(-1) - 0.3 b(1), b(c) = exp(-((x - c) / 0.5)² / 2)'."""
    places = basis.middle + basis.half * basis.centres
    terms = [(weight, f"b({_number(place, 6)})") for weight, place in zip(weights[1:], places)]
    width = f"{basis.half * basis.width:.6g}"
    return f"{_sum(weights[0], terms, digits)}, b(c) = exp(−((x − c) / {width})² / 2)"


def _corners(basis: PieceBasis, weights: Floats, digits: int) -> str:
    """'y = the broken line through (0, 1), (2, -3)'."""
    places = basis.middle + basis.half * np.linspace(-1, 1, basis.size)
    corners = [f"({_number(x, 6)}, {_number(y, digits)})" for x, y in zip(places, weights)]
    return f"y = the broken line through {', '.join(corners)}"


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
    words = [_number(coefficients[0], digits)]
    for exponent, value in enumerate(coefficients[1:], start=1):
        if value:
            words.append(f"{_signed(value, digits)} {power(variable, exponent)}")
    return " ".join(words)


def _sum(constant: float, terms: list[tuple[float, str]], digits: int) -> str:
    """A constant and all terms with a weight."""
    words = [f"{_signed(weight, digits)} {name}" for weight, name in terms if weight]
    return " ".join(["y =", _number(constant, digits), *words])


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}g}".replace("-", "−")


def _signed(value: float, digits: int) -> str:
    sign = "+" if value >= 0 else "−"
    return f"{sign} {abs(value):.{digits}g}"
