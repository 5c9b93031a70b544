"""Loss functions over margins and residuals, against scikit-learn and the objectives of models."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.evaluate.metrics import decision_margins

POINTS = data.generate("moons", n=150, noise=0.35, seed=4)
X, Y = POINTS.points, POINTS.labels
SIGNS = 2 * Y - 1


def trained(id, task="classify", points=POINTS, **values):
    return subject(learn.create(id, task, **values), points, share=0.0)


def margins(who):
    return decision_margins(who.state, who.parts()["train"])


def widest(chart):
    return max(chart.series, key=lambda one: one.width)


@pytest.mark.parametrize(
    "id, values, reference",
    [
        ("svm", {"C": 1.0, "kernel": "linear"}, SVC(C=1.0, kernel="linear", tol=1e-6)),
        ("logistic", {"l2": 1.0}, LogisticRegression(C=1.0, tol=1e-10)),
    ],
)
def test_margins_are_signed_decision_values_of_scikit_learn(id, values, reference):
    expected = SIGNS * reference.fit(X, Y).decision_function(X)
    assert margins(trained(id, **values)) == pytest.approx(expected, abs=5e-3)


def test_margins_of_adaboost_give_its_exponential_loss():
    """scikit-learn's decision function is from -2 to 2, and its weights are twice those of AdaBoost.M1."""
    reference = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=12).fit(X, Y)
    who = trained("adaboost", rounds=12)
    total = reference.estimator_weights_.sum() / 4
    assert margins(who) == pytest.approx(SIGNS * reference.decision_function(X) * total, abs=1e-9)
    assert np.exp(-margins(who)).mean() == pytest.approx(who.state.loss, rel=1e-9)


def test_mean_losses_are_those_of_scikit_learn():
    logistic, svm = trained("logistic", l2=1.0), trained("svm", kernel="linear")
    hinge = metrics.hinge_loss(Y, np.diff(svm.state.scores(X))[:, 0] / 2)
    log_loss = metrics.log_loss(Y, logistic.state.proba(X))
    assert f"mean logistic loss {log_loss:.4g}" in charts("losses", logistic)[0].note
    assert f"mean hinge loss {hinge:.4g}" in charts("losses", svm)[0].note


@pytest.mark.parametrize(
    "id, own",
    [
        ("perceptron", "perceptron loss"), ("svm", "hinge loss"), ("linear_svm", "hinge loss"),
        ("logistic", "logistic loss"), ("mlp", "logistic loss"), ("xgboost", "logistic loss"),
        ("adaboost", "exponential loss"), ("least_squares", "squared loss"),
    ],
)  # fmt: skip
def test_the_loss_of_the_model_is_emphasised(id, own):
    (chart,) = charts("losses", trained(id))
    assert widest(chart).name == own
    assert widest(chart).ink == "text"


def test_models_without_such_a_loss_emphasise_none():
    (chart,) = charts("losses", trained("tree"))
    assert "minimises none of these" in chart.note
    assert len({one.width for one in chart.series if one.name.endswith("loss")}) == 1


def test_every_point_is_a_tick_in_the_colour_of_its_class():
    who = trained("svm")
    (chart,) = charts("losses", who)
    ticks = {one.ink: one.x[::3] for one in chart.series if one.name in ("A", "B")}
    for label in (0, 1):
        assert len(ticks[label]) == (Y == label).sum()


def test_ticks_of_very_many_points_are_fewer_and_cover_the_same_places():
    """2 % of the range are far more than a tick: a histogram of 50 bins has the same empty ones."""
    who = trained("lda", points=data.generate("moons", n=12_000, noise=0.3, seed=1))
    (chart,) = charts("losses", who)
    for label in (0, 1):
        (ticks,) = (one.x[::3] for one in chart.series if one.name == "AB"[label])
        known = margins(who)[who.parts()["train"].labels == label].clip(ticks.min(), ticks.max())
        assert len(ticks) < len(known) / 2
        assert np.isin(ticks, known).all()
        filled, expected = (np.histogram(x, 50, (known.min(), known.max()))[0] > 0 for x in (ticks, known))
        assert (filled == expected).all()


def test_losses_of_more_classes_use_the_lead_of_the_true_class():
    points = data.generate("blobs", n=90, classes=3, noise=1.0, seed=3)
    who = trained("lda", points=points)
    assert ((margins(who) > 0) == (who.state.coded(points.points) == points.labels)).all()


def test_losses_over_residuals_are_those_of_scikit_learn():
    points = data.generate("sine", n=80, noise=0.4, seed=2)
    who = trained("gradient_boosting", "regress", points, loss="absolute")
    (chart,) = charts("losses", who, quantile=0.8, delta=0.3)
    assert widest(chart).name == "absolute loss"
    truth, predicted = points.points[:, 1], who.state.predict(points.points[:, 0])
    assert f"absolute loss {metrics.mean_absolute_error(truth, predicted):.4g}" in chart.note
    assert f"squared loss {metrics.mean_squared_error(truth, predicted):.4g}" in chart.note
    pinball = metrics.mean_pinball_loss(truth, predicted, alpha=0.8)
    assert f"quantile loss (0.8) {pinball:.4g}" in chart.note


def test_support_vector_regression_has_its_own_loss():
    (chart,) = charts("losses", trained("svr", "regress", data.generate("sine", n=50, seed=1), epsilon=0.25))
    own = widest(chart)
    assert own.name == "ε-insensitive loss"
    assert own.y[np.abs(own.x) <= 0.25].max() == 0
