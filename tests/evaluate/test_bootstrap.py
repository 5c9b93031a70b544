"""The bootstrap tells something true of every model: beside scikit-learn on the same samples."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, r2_score, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

from tests.evaluate.subjects import charts, untrained
from vizml import data, learn
from vizml.data import Dataset
from vizml.evaluate.diagnostics.bootstrap import (
    EVERY,
    BootstrapIntervals,
    coefficients,
    mean_auc,
    refit_scores,
    refits,
)
from vizml.evaluate.resampling import bootstraps
from vizml.learn import CLASSIFY, REGRESS, models

DRAWS = 30


def last(model, spec="moons:n=90,noise=0.4", **values):
    *_, result = BootstrapIntervals(draws=DRAWS, **values).results(untrained(model, spec))
    return result


def samples(points):
    """The rows that are drawn, and those that are left out."""
    for rows in bootstraps(len(points), DRAWS):
        yield rows, np.setdiff1d(np.arange(len(points)), rows)


@pytest.mark.parametrize(
    "kind", [*models(CLASSIFY), *models(REGRESS)], ids=lambda kind: f"{kind.task.id}-{kind.id}"
)
def test_every_model_has_something_to_tell(kind):
    spec = "sine:n=40" if kind.task is REGRESS else "blobs:n=45,classes=3,noise=1.0"
    *_, result = BootstrapIntervals(draws=3).results(untrained(kind(), spec))
    (series,) = result.chart.series
    assert np.isfinite(series.y).all()
    assert (series.low <= series.high).all()
    assert result.overlay.states
    assert "standard error" in result.chart.note


def test_scores_of_neighbours_are_those_of_scikit_learn_on_the_same_samples():
    model, points = learn.create("knn", k=5), data.load("moons:n=90,noise=0.4")
    rows = []
    for inside, outside in samples(points):
        theirs = KNeighborsClassifier(5).fit(points.points[inside], points.labels[inside])
        X, y = points.points, points.labels
        rows.append(
            [
                accuracy_score(y[inside], theirs.predict(X[inside])),
                accuracy_score(y[outside], theirs.predict(X[outside])),
                roc_auc_score(y[outside], theirs.predict_proba(X[outside])[:, 1]),
            ]
        )
    inside, outside, area = np.array(rows).T
    whole = KNeighborsClassifier(5).fit(points.points, points.labels).score(points.points, points.labels)
    mixed = (1 - 0.6321205588) * whole + 0.6321205588 * outside  # Efron 1983
    chart = last(model).chart
    assert list(chart.x.ticks.values()) == ["train", "left out", ".632", "AUC"]
    series = chart.series[0]
    np.testing.assert_allclose(series.y, [whole, outside.mean(), mixed.mean(), area.mean()], rtol=1e-9)
    edges = np.percentile([inside, outside, mixed, area], [2.5, 97.5], axis=1)
    np.testing.assert_allclose([series.low, series.high], edges, rtol=1e-9)


@pytest.mark.parametrize("id", ["logistic", "lda"])
def test_planes_are_those_of_scikit_learn(id):
    points = data.load("moons:n=90,noise=0.4")
    theirs = LinearDiscriminantAnalysis() if id == "lda" else LogisticRegression(C=1.0, tol=1e-10)
    model = learn.create(id) if id == "lda" else learn.create(id, l2=1.0)
    rows = []
    for inside, _ in samples(points):
        theirs.fit(points.points[inside], points.labels[inside])
        rows.append([theirs.intercept_[0], *theirs.coef_[0]])
    chart = last(model).chart
    low, high = np.percentile(rows, [2.5, 97.5], axis=0)
    np.testing.assert_allclose(chart.series[0].low, low, rtol=1e-4)
    np.testing.assert_allclose(chart.series[0].high, high, rtol=1e-4)
    assert chart.x.ticks == {0.0: "intercept", 1.0: "x", 2.0: "y"}


def test_a_margin_is_one_from_the_plane_of_a_machine():
    points = Dataset([[-2.0, 0.0], [-1.0, 1.0], [1.0, 0.0], [2.0, 1.0]], [0, 0, 1, 1])
    state = learn.fit_data(learn.create("svm", kernel="linear", C=1e4), points)
    names, weights = coefficients(state, CLASSIFY.training_data(points))
    assert names == ("intercept", "x", "y")
    # the widest gap is between (-1, 1) and (1, 0): w = 2 (a - b) / |a - b|^2
    np.testing.assert_allclose(weights[1:], 2 * np.array([2.0, -1.0]) / 5, atol=1e-3)


def test_what_is_bent_has_no_plane():
    points = data.load("moons:n=60")
    for id in ("knn", "svm", "qda"):
        assert coefficients(learn.fit_data(learn.create(id), points), CLASSIFY.training_data(points))[0] == ()
    three = data.load("blobs:n=60,classes=3")
    assert coefficients(learn.fit_data(learn.create("lda"), three), CLASSIFY.training_data(three))[0] == ()


def test_the_interval_of_a_curve_is_that_of_the_lines_of_scikit_learn():
    model, spec = learn.create("linear", REGRESS, degree=1), "line:n=50,noise=0.5"
    points, result = data.load(spec), last(learn.create("linear", REGRESS, degree=1), spec, what="curve")
    (series,) = result.chart.series
    lines = [
        LinearRegression().fit(points.x[inside][:, None], points.y[inside]).predict(series.x[:, None])
        for inside, _ in samples(points)
    ]
    low, high = np.percentile(lines, [2.5, 97.5], axis=0)
    np.testing.assert_allclose(series.low, low, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(series.high, high, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(series.y, learn.fit_data(model, points).predict(series.x))
    (shade,) = result.overlay.marks
    np.testing.assert_array_equal(shade.low, series.low)
    assert shade.legend == "95 % interval"


def test_a_wider_level_is_a_wider_interval():
    narrow, wide = (last(learn.create("knn"), level=level).chart.series[0] for level in (50.0, 99.0))
    assert (wide.high - wide.low > narrow.high - narrow.low).all()


def test_what_a_model_does_not_have_is_said():
    with pytest.raises(ValueError, match="has no coefficients"):
        last(learn.create("knn"), what="coefficients")
    with pytest.raises(ValueError, match="has a curve"):
        last(learn.create("knn"), what="curve")


def test_regressions_have_scores_too():
    points = data.load("sine:n=50")
    model = learn.create("linear", REGRESS, degree=3)
    chart = last(model, "sine:n=50", what="scores").chart
    assert list(chart.x.ticks.values()) == ["train", "left out", ".632"]
    assert chart.y.title == "R²"
    left = []
    for inside, outside in samples(points):
        powers = np.vander(points.x, 4)
        weights = np.linalg.lstsq(powers[inside], points.y[inside], rcond=None)[0]
        left.append(r2_score(points.y[outside], powers[outside] @ weights))
    assert chart.series[0].y[1] == pytest.approx(np.mean(left), rel=1e-6)


def test_charts_come_every_so_many_fits_and_at_the_end():
    drawn = charts(BootstrapIntervals(draws=2 * EVERY + 3), untrained(learn.create("gaussian_nb")))
    assert [chart.note.split(" ")[0] for chart in drawn] == ["10", "20", "23"]
    assert len(charts(BootstrapIntervals(draws=EVERY), untrained(learn.create("gaussian_nb")))) == 1


def test_samples_that_cannot_be_learned_from_are_left_out():
    points = Dataset([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]], [0, 1, -1])
    who = untrained(learn.create("knn", k=1), points)
    found = list(refits(who, 200, 0))
    assert 0 < len(found) < 200  # some samples hold the point without a label alone
    assert all((sample.labels >= 0).any() for _, sample, _ in found)


def test_one_class_has_no_area():
    points = data.load("moons:n=20").take(np.arange(10) * 2)
    alone = points.relabelled(np.ones(len(points), bool), 1)
    ((state, sample, outside), *_) = refits(untrained(learn.create("knn"), alone), 3, 0)
    assert np.isnan(mean_auc(state, CLASSIFY.training_data(outside)))
    assert refit_scores(state, sample, outside)[0] == 1.0


def test_a_first_sample_of_one_class_does_not_hide_the_coefficients_of_others():
    rng = np.random.default_rng(0)
    points = Dataset(rng.normal(size=(12, 2)) + np.eye(12, 2), [1] + [0] * 11)
    seed = next(seed for seed in range(50) if 0 not in next(bootstraps(12, 1, seed)))
    who = untrained(learn.create("logistic"), points)
    *_, chart = charts(BootstrapIntervals(draws=20, seed=seed), who)
    assert list(chart.x.ticks.values()) == ["intercept", "x", "y"]
    assert (chart.series[0].low < chart.series[0].high).all()
