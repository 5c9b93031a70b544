"""Backs of formula cards: current values of the dual problem, against scikit-learn."""

import re

import numpy as np
import pytest
from sklearn.svm import SVC, SVR

from tests.wording import flaws
from vizml import data, learn
from vizml.learn import REGRESS, models
from vizml.scene.typesetting import typeset

MOONS = data.generate("moons", n=80, noise=0.3, seed=3)
SINE = data.generate("sine", n=50, noise=0.2, seed=1)
NUMBER = r"-?[\d.]+(?:e-?\d+)?"


def numbers(line):
    return [float(part) for part in re.findall(NUMBER, line)]


def test_the_back_of_a_card_has_a_title():
    backs = [model for model in models() if model.back]
    assert {"svm", "svr"} <= {model.id for model in backs}
    assert all(model.back_title for model in backs)
    assert not [model for model in models() if "math" in model.about or model.back_title in model.formula]


def test_values_of_a_support_vector_machine_are_those_of_scikit_learn():
    X, y = MOONS.points, MOONS.labels
    state = learn.fit_data(learn.create("svm", kernel="linear", C=2.0, tol=1e-6), MOONS)
    reference = SVC(kernel="linear", C=2.0, tol=1e-8).fit(X, y)
    alpha = np.abs(reference.dual_coef_[0])
    counts, balance, objectives, weights = state.back_values()
    free = int((alpha < 2.0 - 1e-9).sum())
    assert counts == f"α = 0: {80 - len(alpha)}, 0 < α < C: {free}, α = C: {len(alpha) - free}"
    assert balance == "Σ α y = 0"
    w = reference.coef_[0]
    dual = alpha.sum() - w @ w / 2
    assert numbers(objectives)[:2] == pytest.approx([dual, dual], rel=1e-4)
    assert numbers(weights) == pytest.approx([np.linalg.norm(w), reference.intercept_[0]], rel=1e-3)


@pytest.mark.parametrize("kind", ["alpha = 0", "free", "bounded"])
def test_a_point_has_its_multipliers_and_its_case(kind):
    state = learn.fit_data(learn.create("svm", C=0.7), MOONS)
    rows = state.by_point()
    chosen = {"alpha = 0": rows["alpha"] == 0, "free": (rows["alpha"] > 0) & (rows["mu"] > 0)}
    row = int(np.flatnonzero(chosen.get(kind, rows["mu"] == 0))[0])
    multipliers, slack, case = state.back_values(row)[4:]
    alpha, mu = rows["alpha"][row], rows["mu"][row]
    assert multipliers == f"point {row}: α = {alpha:.3g}, μ = C − α = {mu:.3g}"
    assert numbers(slack)[0] == pytest.approx(rows["margin"][row], rel=1e-2)
    assert case == rows["case"][row]


def test_values_of_a_support_vector_regression_are_those_of_scikit_learn():
    state = learn.fit_data(learn.create("svr", REGRESS, C=1.5, gamma=0.5, tol=1e-6), SINE)
    reference = SVR(C=1.5, gamma=0.5, tol=1e-8).fit(state.X, state.y)
    beta = np.zeros(50)
    beta[reference.support_] = reference.dual_coef_[0]
    bounded, zero = int((np.abs(beta) >= 1.5 - 1e-9).sum()), int((beta == 0).sum())
    counts, balance, _, point, case = state.back_values(7)
    assert counts == f"β = 0: {zero}, 0 < |β| < C: {50 - zero - bounded}, |β| = C: {bounded}"
    assert balance == "Σ β = 0"
    assert numbers(point)[1] == pytest.approx(beta[7], abs=5e-3)
    assert case == state.by_point()["case"][7]


@pytest.mark.parametrize("spec", ["moons:n=40", "blobs:n=45,classes=3"])
@pytest.mark.parametrize("model", [m for m in models() if m.back], ids=lambda m: f"{m.id}-{m.task.id}")
def test_texts_of_all_backs_have_no_forbidden_patterns(model, spec):
    points = SINE if model.task is REGRESS else data.load(spec)
    for standardise in (False, True):
        *_, state = learn.run(model(), points, standardise=standardise)
        lines = [typeset(line) for row in (None, 0, 20) for line in state.back_values(row)]
        assert lines
        assert {line: flaws(line) for line in lines if flaws(line)} == {}


def test_the_polynomial_preset_solves_xor():
    """The notes: φ(x) of (x·x' + 1)² has the product x1 x2."""
    xor = data.table({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 1, 0]}, x="a", y="b", label="c")
    svm = learn.create("svm", C=1e4)
    linear = learn.fit_data(svm.with_(kernel="linear"), xor)
    solved = learn.fit_data(svm.with_(**svm.presets[0].values), xor)
    assert (linear.predict(xor.points) == xor.labels).mean() < 1
    assert (solved.predict(xor.points) == xor.labels).all()
    A = np.array([[1.0, 2.0], [3.0, -1.0]])
    assert solved.kernel_matrix(A) == pytest.approx((A @ A.T + 1) ** 2)
