"""Equations: read back, they give the fitted curves up to rounding."""

import re

import numpy as np
import pytest

from vizml import data, learn
from vizml.learn.linear_models.basis import basis_over
from vizml.learn.linear_models.reports import FIDELITY, equation

POINTS = data.generate("sine", n=60, seed=3)
BASES = ("fourier", "bumps", "pieces")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
every_basis = pytest.mark.parametrize("basis", BASES)


def read(words, x):
    """The values of an equation at x, by what it says alone."""
    words = re.sub(r"(\d×)?10([⁻⁰¹²³⁴-⁹]+)", lambda m: f"{(m[1] or '1')[0]}e{m[2].translate(LOWERED)}", words)
    words = words.replace("−", "-")
    if "broken line" in words:
        corners = np.array(
            [[float(v) for v in pair.split(", ")] for pair in re.findall(r"\(([^)]*)\)", words)]
        )
        return np.interp(x, *corners.T)
    terms, meaning = words.removeprefix("y = ").split(", ", 1)
    scope = {"cos": np.cos, "sin": np.sin, "exp": np.exp, "x": x}
    if meaning.startswith("t = "):
        scope["t"] = eval(product(meaning.removeprefix("t = ")), scope)
        terms = re.sub(r"(cos|sin) (\d*)t", lambda m: f"* {m[1]}({m[2] or 1} * t)", terms)
    else:
        width = float(re.search(r"/ ([\d.e-]+)\)", meaning)[1])
        assert meaning == f"b(c) = exp(-((x - c) / {re.search(r'/ ([^)]*)', meaning)[1]})² / 2)"
        scope["b"] = lambda c: np.exp(-(((x - c) / width) ** 2) / 2)
        terms = terms.replace(" b(", " * b(")
    return eval(terms, scope)


def product(words):
    return words.replace(" (", " * (")


def within(words, curve, x):
    allowed = 1.2 * FIDELITY * max(np.ptp(curve), 1e-3 * np.abs(curve).max())
    return np.abs(read(words, x) - curve).max() <= allowed


@every_basis
@pytest.mark.parametrize("degree", [1, 4, 9])
@pytest.mark.parametrize("id", ["linear", "ridge", "lasso", "subset", "bayes_linear"])
def test_the_equation_evaluates_to_the_curve(id, basis, degree):
    state = learn.fit_data(learn.create(id, "regress", basis=basis, degree=degree), POINTS)
    x = np.linspace(POINTS.x.min(), POINTS.x.max(), 200)
    assert within(state.equation, state.predict(x), x), state.equation


@every_basis
def test_far_from_zero_it_still_is_the_curve(basis):
    x, y = POINTS.x + 1e4, POINTS.y * 1e-3 - 7
    state = learn.fit(learn.create("linear", "regress", basis=basis, degree=5), x, y)
    at = np.linspace(x.min(), x.max(), 200)
    assert np.abs(read(state.equation, at) - state.predict(at)).max() < 0.05 * np.ptp(y)


def test_waves_bumps_and_corners_are_written_shortly():
    x = np.array([-2.0, 4.0])
    waves = basis_over("fourier", 2, x)
    weights = np.array([0.5, 2.0, 0.0, -0.25, 1.0])
    assert (
        equation(waves, weights, weights) == "y = 0.5 + 2 cos t − 0.25 sin t + 1 sin 2t, t = 1.0472 (x − 1)"
    )
    bumps = basis_over("bumps", 3, x)
    found = equation(bumps, np.array([1.0, 0.0, -3.0, 0.5]), weights)
    assert found == "y = 1 − 3 b(1) + 0.5 b(4), b(c) = exp(−((x − c) / 3)² / 2)"
    pieces = basis_over("pieces", 2, x)
    found = equation(pieces, np.array([0.0, -1.5, 2.0]), weights)
    assert found == "y = the broken line through (−2, 0), (1, −1.5), (4, 2)"


@every_basis
def test_it_is_rounded_as_far_as_the_curve_allows(basis):
    state = learn.fit_data(learn.create("linear", "regress", basis=basis, degree=3), POINTS)
    figures = re.findall(r"\d+\.\d+", state.equation.split(", t =")[0].split(", b(c)")[0])
    assert all(len(figure.replace(".", "").lstrip("0")) <= 6 for figure in figures)
