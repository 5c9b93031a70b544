"""Formulas and charts of linear models.

Formulas are rounded as far as the curve allows: polynomials in x, or in u far from 0. Charts show
coefficients, their paths, the validation of lambda, and contours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

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
from vizml.learn.linear_models.penalised_solver import LambdaValidation, Penalty
from vizml.learn.linear_models.standardised import StandardisedProblem, without_noise
from vizml.scene import Axis, Chart, HeatMap, Ink, Rule, Series
from vizml.scene.typesetting import typeset, without_rounding

DIGITS = (3, 4, 5, 6)
MOST_TERMS = 16
"""A formula of several inputs with more terms could not be read; the readout lists its coefficients."""
FIDELITY = 0.005
"""Largest error of the rounded curve, as a share of its range."""
ANGLES = np.linspace(0.0, 2 * np.pi, 181)
CIRCLE = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
PENALTY_LEVELS = (0.03, 0.12, 0.3, 0.6, 1.0)
"""Heights of the RSS contours above its minimum, as shares of that at 0; one more is at the solution."""
RSS_LEVELS = (0.02, 0.12, 0.35, 0.7, 1.0, 1.6)
"""Heights of the RSS contours above its minimum, as shares of that at the start of the descent."""
FLAT, FLAT_RSS = 1e-4, 1e-6
"""Curvatures that differ by more than this factor are drawn as if they differed by it."""
SIGNIFICANCE = (0.05, 0.01, 0.001)
"""Usual levels of significance."""
STAR = 0.08
"""Share of the range of colours for each level."""
ROOM = 0.1
"""Share of the axis of lambda that is free for the names of paths."""
STRENGTH = "regularisation strength λ"


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


def coefficient_paths(problem: StandardisedProblem, penalty: Penalty, lam: float) -> Chart:
    """Draw each coefficient as a function of the strength of the penalty."""
    lams = penalty.grid(problem)
    values = without_noise(penalty.path(problem, lams)) * problem.deviation * problem.penalty_scale
    series = tuple(
        Series(name=name, x=lams[::-1], y=values[::-1, j], ink=j % 8, stroke="dash" if j >= 8 else "solid")
        for j, name in enumerate(problem.names)
    )
    low, high = float(lams.min()), float(lams.max())
    rules = (Rule(y=0.0), Rule(name=f"λ = {lam:.3g}", x=lam, ink="text")) if lam > 0 else (Rule(y=0.0),)
    return Chart(
        title="Coefficients against λ", x=Axis(title=STRENGTH, log=True, low=low * (low / high) ** ROOM),
        y=Axis(title="coefficient"), series=series, rules=rules, note=_unit(problem),
        sets=("lam",), choices=(_values(lams[::-1]),), names_at_ends=True,
    )  # fmt: skip


def validation_chart(validation: LambdaValidation) -> Chart:
    """Draw the cross-validation error with its standard error."""
    lams, mean, wide = validation.lams[::-1], validation.mean[::-1], validation.standard_error[::-1]
    curve = Series(name="mean over folds ± standard error", x=lams, y=mean, low=mean - wide, high=mean + wide)
    best, simplest = validation.best, validation.one_standard_error
    rules = (
        Rule(name=f"lowest error: {best:.3g}", x=best, ink="text"),
        Rule(name=f"one-standard-error rule: {simplest:.3g}", x=simplest),
    )
    return Chart(
        title="Cross-validation of λ", x=Axis(title=STRENGTH, log=True), y=Axis(title="mean squared error"),
        series=(curve,), rules=rules, sets=("lam",), choices=(_values(lams),),
    )  # fmt: skip


def constraint_chart(
    problem: StandardisedProblem, penalty: Penalty, slopes: Floats, shown: tuple[int, int]
) -> Chart:
    """Draw contours of the RSS over two coefficients, the others held, and the region of equal penalty.

    The solution is where the contour through it touches the disc or diamond.
    """
    pair = [min(j, problem.size - 1) for j in shown]
    pair = pair if pair[0] != pair[1] else [0, 1]
    hessian = problem.gram[np.ix_(pair, pair)]
    scale = problem.deviation * problem.penalty_scale[pair]
    here = slopes[pair]
    way = np.linalg.pinv(hessian) @ (problem.correlations - problem.gram @ slopes)[pair]
    minimum, height = here + way, float(way @ hessian @ way)
    origin = float(minimum @ hessian @ minimum) or 1.0
    shape = "disc" if penalty.mix == 0 else "diamond" if penalty.mix == 1 else "rounded diamond"
    names, levels = [problem.names[j] for j in pair], [share * origin for share in PENALTY_LEVELS]
    return Chart(
        title=f"RSS contours and the penalty {shape}", x=Axis(title=f"coefficient of {names[0]}"),
        y=Axis(title=f"coefficient of {names[1]}"), rules=(Rule(x=0.0), Rule(y=0.0)),
        series=(
            *_contours(hessian, minimum, levels, FLAT, scale),
            _line("", _ellipse(hessian, minimum, height, FLAT) * scale, ink="muted", width=2.0),
            _line(f"equal penalty: the {shape}", _penalty_ball(penalty.mix, here * scale)),
            _dot("least RSS", minimum * scale, "muted"), _dot("solution", here * scale, "text"),
        ),
        note=f"other coefficients held, {_unit(problem)}", square=True,
    )  # fmt: skip


def rss_chart(R: Floats, a: Floats, trail: Floats, names: tuple[str, str]) -> Chart:
    """Draw contours of |a - R w|^2 over two weights, the others profiled out, and the trail of a descent."""
    best = np.asarray(np.linalg.lstsq(R, a, rcond=None)[0])
    minimum, hessian = without_rounding(best[:2], best), _profile_hessian(R)
    way = (trail[0] if len(trail) else np.zeros(2)) - minimum
    height = float(way @ hessian @ way) or 1.0
    levels = [share * height for share in RSS_LEVELS]
    path = [_line("descent", trail, width=1.5)] if len(trail) else []
    return Chart(
        title="RSS contours", x=Axis(title=f"weight of {names[0]}"), y=Axis(title=f"weight of {names[1]}"),
        series=(
            *_contours(hessian, minimum, levels, FLAT_RSS), *path, _dot("least RSS", minimum, "muted"),
            _dot("current weights", trail[-1] if len(trail) else minimum, "text"),
        ),
        note=f"inputs scaled to −1 … 1{'; all other weights minimise the RSS' if R.shape[1] > 2 else ''}",
    )  # fmt: skip


def coefficient_table(names: Sequence[str], figures: Mapping[str, Sequence[float]]) -> Chart:
    """Return the figures of each coefficient, in rows that are darker the smaller the p value is."""
    stars = (np.array(figures["p"])[:, None] < SIGNIFICANCE).sum(axis=1)
    values = np.column_stack(list(figures.values()))
    digits = [".2g" if figure == "p" else ".4g" for figure in figures]
    texts = tuple(tuple(map(_figure, row, digits)) for row in values.tolist())
    heat = HeatMap(
        values=values, rows=tuple(names), columns=tuple(figures), texts=texts,
        shades=np.tile(STAR * stars[:, None], values.shape[1]),
    )  # fmt: skip
    limits = ", ".join(map(str, SIGNIFICANCE))
    return Chart(
        title="Coefficients", heat=heat,
        note=f"shades: p below {limits}; p: probability of a larger |t| if the coefficient is 0",
    )  # fmt: skip


def _figure(value: float, form: str) -> str:
    """Return a figure as text: of a perfect fit, t = 0 / 0 has none."""
    return "" if math.isnan(value) else f"{value:{form}}".replace("inf", "∞")


def _profile_hessian(R: Floats) -> Floats:
    """Return the Hessian (2, 2) of half the RSS over two weights while the others minimise it."""
    pair, others = R[:, :2], R[:, 2:]
    if others.shape[1]:
        pair = pair - others @ np.linalg.lstsq(others, pair, rcond=None)[0]
    return np.asarray(pair.T @ pair)


def _contours(
    hessian: Floats, centre: Floats, levels: list[float], flat: float, scale: Floats | float = 1.0
) -> list[Series]:
    rings = [_ellipse(hessian, centre, level, flat) * scale for level in levels]
    return [
        _line("" if i else "RSS", ring, ink="muted", width=1.0, opacity=0.7) for i, ring in enumerate(rings)
    ]


def _line(name: str, points: Floats, **look: Any) -> Series:
    return Series(name=name, x=points[:, 0], y=points[:, 1], **look)


def _ellipse(hessian: Floats, centre: Floats, height: float, flat: float) -> Floats:
    """Return the points b where (b - centre)' H (b - centre) has a height."""
    size, axes = np.linalg.eigh(hessian)
    radii = np.sqrt(height / np.maximum(size, max(flat * float(size[-1]), 1e-300)))
    return np.asarray(centre + (CIRCLE * radii) @ axes.T)


def _penalty_ball(mix: float, at: Floats) -> Floats:
    """Return all pairs of coefficients of equal cost: mix |b|_1 + (1 - mix) / 2 |b|^2."""
    half = (1 - mix) / 2
    cost = mix * float(np.abs(at).sum()) + half * float(at @ at)
    linear = mix * np.abs(CIRCLE).sum(axis=1)
    # the root of half r^2 + linear r = cost that also exists where half is 0
    radius = 2 * cost / np.maximum(linear + np.sqrt(linear**2 + 4 * half * cost), 1e-300)
    return np.asarray(CIRCLE * radius[:, None])


def _dot(name: str, at: Floats, ink: Ink) -> Series:
    return Series(name=name, x=at[:1].copy(), y=at[1:].copy(), kind="dots", ink=ink, width=6.0)


def _unit(problem: StandardisedProblem) -> str:
    return "standardised terms" if (problem.penalty_scale == 1).all() else "data units"


def _values(lams: Floats) -> tuple[float, ...]:
    return tuple(float(f"{lam:.3g}") for lam in lams)
