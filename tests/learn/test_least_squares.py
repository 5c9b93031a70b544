"""Least squares on codes: scikit-learn's planes, masked classes, values outside the codes."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression

from vizml import learn
from vizml.field import Raster

IN_A_ROW = make_blobs([60, 30, 60], centers=[[-4, -4], [0, 0], [4, 4]], cluster_std=0.6, random_state=0)
SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
    "in a row": IN_A_ROW,
}
every_set = pytest.mark.parametrize("name", SETS)


def run(X, y, **values):
    return list(learn.steps(learn.create("least_squares", **values), X, y))


@every_set
def test_planes_through_0_and_1_are_scikit_learns(name):
    X, y = SETS[name]
    codes = (y[:, None] == np.unique(y)).astype(float)
    theirs = LinearRegression().fit(X, codes).predict(X)
    state = run(X, y)[-1]
    assert state.scores(X) == pytest.approx(theirs, abs=1e-10)
    assert np.array_equal(state.predict(X), theirs.argmax(axis=1))
    assert state.loss == pytest.approx(((codes - theirs) ** 2).sum())
    assert state.metrics()["R²"] == pytest.approx(1 - ((codes - theirs) ** 2).sum() / state.total)


@every_set
def test_one_plane_through_1_to_k_is_scikit_learns_and_the_nearest_code_wins(name):
    X, y = SETS[name]
    theirs = LinearRegression().fit(X, y + 1.0).predict(X)
    state = run(X, y, coding="ordinal")[-1]
    assert state.fitted(X)[:, 0] == pytest.approx(theirs, abs=1e-10)
    codes = np.arange(1, y.max() + 2)
    assert np.array_equal(state.predict(X), np.abs(theirs[:, None] - codes).argmin(axis=1))


@every_set
@pytest.mark.parametrize("coding", ["onehot", "ordinal"])
def test_every_term_lowers_the_rss(name, coding):
    losses = [state.loss for state in run(*SETS[name], coding=coding)]
    assert len(losses) == 3
    assert (np.diff(losses) <= 1e-12).all()


def test_two_classes_alike_in_number_are_parted_as_by_lda():
    X, y = SETS["moons"]
    lda = LinearDiscriminantAnalysis().fit(X, y)
    assert np.array_equal(run(X, y)[-1].predict(X), lda.predict(X))


def test_the_class_in_the_middle_of_a_row_is_masked():
    X, y = IN_A_ROW
    state = run(X, y)[-1]
    assert state.masked == ("B",)
    assert 1 not in state.predict(X)
    assert "B masked: predicted for no point" in state.note
    assert run(X, y, coding="ordinal")[-1].masked == ()


@pytest.mark.parametrize("order", [[0, 2, 1], [1, 0, 2]])
def test_wrong_order_defeats_the_codes_1_to_k(order):
    X, y = IN_A_ROW
    assert np.array_equal(run(X, y, coding="ordinal")[-1].predict(X), y)
    mixed = np.array(order)[y]
    assert np.mean(run(X, mixed, coding="ordinal")[-1].predict(X) == mixed) < 0.85


@pytest.mark.parametrize("coding", ["onehot", "ordinal"])
def test_fitted_codes_outside_the_codes_are_counted(coding):
    X, y = SETS["three"]
    state = run(X, y, coding=coding)[-1]
    values = state.fitted(X)
    low, high = (0, 1) if coding == "onehot" else (1, 3)
    count = int(((values < low) | (values > high)).any(axis=1).sum())
    assert count > 0
    assert state.metrics()["points outside the codes"] == count
    assert f"{count} of 150 points have a fitted code outside {low} to {high}" in state.note


def test_points_on_a_line_take_the_least_weights():
    X = np.column_stack([np.arange(6.0), 2 * np.arange(6.0)])
    y = np.array([0, 0, 0, 1, 1, 1])
    state = run(X, y)[-1]
    assert "the inputs are collinear" in state.note
    theirs = LinearRegression().fit(X, y)
    assert state.scores(X)[:, 1] == pytest.approx(theirs.predict(X))
    assert state.weights[1, 1:] / state.scaling.scale == pytest.approx(theirs.coef_)


@pytest.mark.parametrize("coding", ["onehot", "ordinal"])
def test_a_lens_shows_the_fitted_codes(coding):
    X, y = SETS["three"]
    state, raster = run(X, y, coding=coding)[-1], Raster(np.linspace(-5, 5, 7), np.linspace(-4, 4, 5))
    expected = state.fitted(raster.points()).T.reshape(-1, 5, 7)
    planes = np.array([lens.plane(raster) for lens in state.on().lenses()])
    assert planes == pytest.approx(expected, abs=1e-5)


def test_lines_at_the_codes_are_where_the_code_is_met():
    X, y = SETS["three"]
    state = run(X, y, coding="ordinal")[-1]
    (mark,) = state.marks()
    plane = state.scores(X)[:, mark.plane]
    # the fitted code is 2 where the first plane has the second level
    assert np.interp(mark.values[1], np.sort(plane), np.sort(state.fitted(X)[:, 0])) == pytest.approx(2.0)


def test_the_chart_shows_each_point_once_for_each_class():
    X, y = SETS["three"]
    (chart,) = run(X, y)[-1].charts()
    assert [len(series.x) for series in chart.series] == [150, 150, 150]
    (chart,) = run(X, y, coding="ordinal")[-1].charts()
    assert [len(series.x) for series in chart.series] == [50, 50, 50]
