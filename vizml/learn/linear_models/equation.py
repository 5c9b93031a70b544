"""Fitted curves as formulas: rounded as far as the curve allows; polynomials in x, or in u far from 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import NDArray

from vizml.field.arrays import Floats
from vizml.learn.linear_models.basis import (
    Basis,
    BumpBasis,
    FourierBasis,
    PieceBasis,
    PolynomialBasis,
    UnivariateBasis,
    power,
)
from vizml.scene.typesetting import typeset

DIGITS = (3, 4, 5, 6)
MOST_TERMS = 16
"""A formula of several inputs with more terms could not be read; the readout lists its coefficients."""
FIDELITY = 0.005
"""Largest error of the rounded curve, as a share of its range."""


def equation(basis: Basis, weights: Floats, coefficients: Floats, target: str = "y") -> str:
    """Return 'y = 1.2 + 0.4 x - 3 x²', or the waves, bumps or corners of another basis, or nothing.

    >>> equation(PolynomialBasis(1), np.array([1.0, 2.0]), np.array([1.0, 2.0]))
    'y = 1 + 2 x'
    """
    found = _right_side(basis, weights, coefficients)
    return f"{target} = {found}" if found else ""


def _right_side(basis: Basis, weights: Floats, coefficients: Floats) -> str:
    if isinstance(basis, PolynomialBasis):
        return _polynomial(basis, weights, coefficients)
    if not isinstance(basis, UnivariateBasis):
        if not basis.has_powers or np.count_nonzero(coefficients) > MOST_TERMS:
            return ""
        return _sum(coefficients[0], zip(coefficients[1:], basis.term_names()), 6)
    design = basis.columns(np.linspace(-1, 1, 101))
    digits = next((d for d in DIGITS if _faithful(design @ _rounded(weights, d), design @ weights)), 6)
    shown = _rounded(weights, digits)
    texts: dict[type, Callable[..., str]] = {FourierBasis: _waves, BumpBasis: _bumps, PieceBasis: _corners}
    return texts[type(basis)](basis, shown, digits)


def _polynomial(basis: PolynomialBasis, weights: Floats, coefficients: Floats) -> str:
    """Return a polynomial in x; far from the origin '1.2 + 0.4 u, u = (x - 1000000) / 0.5'."""
    u = np.linspace(-1, 1, 101)
    curve = basis.columns(u) @ weights
    for digits in DIGITS:
        shown = _rounded(coefficients, digits)
        if _faithful(polynomial.polyval(basis.middle + basis.half * u, shown), curve):
            return _powers(shown, basis.input, digits)
    shown = _rounded(PolynomialBasis(basis.degree).conversion() @ weights, DIGITS[1])
    meaning = f"u = ({basis.input} {_signed(-basis.middle, 9)}) / {basis.half:.6g}"
    return f"{_powers(shown, 'u', DIGITS[1])}, {meaning}"


def _waves(basis: FourierBasis, weights: Floats, digits: int) -> str:
    """Return '0.1 + 2 cos t - 0.3 sin t + 0.2 cos 2t, t = 1.05 (x - 0.2)'."""
    terms = []
    for j in range(1, basis.degree + 1):
        times = str(j) if j > 1 else ""
        terms += [(weights[j], f"cos {times}t"), (weights[basis.degree + j], f"sin {times}t")]
    meaning = f"t = {np.pi / basis.half:.6g} ({basis.input} {_signed(-basis.middle, 9)})"
    return f"{_sum(weights[0], terms, digits)}, {meaning}"


def _bumps(basis: BumpBasis, weights: Floats, digits: int) -> str:
    """Return '0.1 + 2 b(-1) - 0.3 b(1), b(c) = exp(-((x - c) / 0.5)² / 2)'."""
    centres = basis.middle + basis.half * basis.centres
    terms = [(weight, f"b({_number(centre, 6)})") for weight, centre in zip(weights[1:], centres)]
    width = f"{basis.half * basis.width:.6g}"
    return f"{_sum(weights[0], terms, digits)}, b(c) = exp(−(({basis.input} − c) / {width})² / 2)"


def _corners(basis: PieceBasis, weights: Floats, digits: int) -> str:
    """Return 'the broken line through (0, 1), (2, -3)'."""
    knots = basis.middle + basis.half * np.linspace(-1, 1, basis.size)
    corners = [f"({_number(x, 6)}, {_number(y, digits)})" for x, y in zip(knots, weights)]
    return f"the broken line through {', '.join(corners)}"


def _powers(coefficients: Floats, variable: str, digits: int) -> str:
    names = (power(variable, exponent) for exponent in range(1, len(coefficients)))
    return _sum(coefficients[0], zip(coefficients[1:], names), digits)


def _faithful(rounded: NDArray[np.floating], curve: Floats) -> bool:
    allowed = FIDELITY * max(float(np.ptp(curve)), 1e-3 * float(np.abs(curve).max()))
    return bool(np.abs(rounded - curve).max() <= allowed)


def _rounded(values: Floats, digits: int) -> Floats:
    return np.array([float(f"{value:.{digits}g}") for value in values])


def _sum(constant: float, terms: Iterable[tuple[float, str]], digits: int) -> str:
    """Return a constant and all terms of non-zero weight."""
    parts = [f"{_signed(weight, digits)} {name}" for weight, name in terms if weight]
    return " ".join([_number(constant, digits), *parts])


def _number(value: float, digits: int) -> str:
    return typeset(f"{value:.{digits}g}")


def _signed(value: float, digits: int) -> str:
    sign = "+" if value >= 0 else "−"
    return f"{sign} {_number(abs(value), digits)}"
