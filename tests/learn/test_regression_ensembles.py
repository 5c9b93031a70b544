"""Voting and stacking of regressions against scikit-learn's."""

import numpy as np
import pytest
from sklearn.ensemble import StackingRegressor, VotingRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import PredefinedSplit
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from vizml import learn
from vizml.learn.ensembles.stacking import assign_folds

RNG = np.random.default_rng(4)  # no node has two equally good splits, between which rounding decides
X = RNG.uniform(-2, 2, size=(90, 2))
Y = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.2 * RNG.normal(size=90)
PROBES = RNG.uniform(-3, 3, size=(200, 2))
MEMBERS = "linear(degree=1),knn(k=4),tree(max_depth=3)"


def theirs():
    return [
        ("linear", LinearRegression()), ("knn", KNeighborsRegressor(4)),
        ("tree", DecisionTreeRegressor(max_depth=3, random_state=0)),
    ]  # fmt: skip


def fit(id, seed=0, **values):
    return learn.fit(learn.create(id, "regress", members=MEMBERS, **values), X, Y, seed=seed)


@pytest.mark.parametrize("weights", ["", "3,1,2", "0,1,0"])
def test_an_average_is_scikit_learns(weights):
    given = [float(w) for w in weights.split(",")] if weights else None
    reference = VotingRegressor(theirs(), weights=given).fit(X, Y)
    assert fit("voting", weights=weights).predict(PROBES) == pytest.approx(
        reference.predict(PROBES), abs=1e-6
    )


@pytest.mark.parametrize("l2, meta", [(0.0, LinearRegression()), (1.0, Ridge(1.0)), (50.0, Ridge(50.0))])
def test_stacking_is_scikit_learns_on_the_same_folds(l2, meta):
    folds = assign_folds(np.zeros(len(Y), dtype=int), 5, np.random.default_rng(7))
    reference = StackingRegressor(theirs(), meta, cv=PredefinedSplit(folds)).fit(X, Y)
    state = fit("stacking", seed=7, l2=l2)
    assert state.predict(PROBES) == pytest.approx(reference.predict(PROBES), abs=1e-6)
    assert state.learned()["w"] == pytest.approx(reference.final_estimator_.coef_, abs=1e-6)
    assert state.learned()["b"] == pytest.approx(reference.final_estimator_.intercept_, abs=1e-6)
    (chart,) = state.charts()
    assert list(chart.x.ticks.values()) == ["linear", "knn", "tree"]
    assert chart.series[0].y == pytest.approx(reference.final_estimator_.coef_, abs=1e-6)


def test_members_give_the_meta_features_of_points():
    state = fit("stacking")
    found = state.by_point()
    expected = [model.fit(X, Y).predict(X) for _, model in theirs()]
    for number, column in enumerate(expected, start=1):
        assert found[f"z{number}"] == pytest.approx(column, abs=1e-9)


@pytest.mark.parametrize("id", ["voting", "stacking"])
def test_one_input_has_thumbnails_of_the_members_by_name(id):
    state = learn.fit(learn.create(id, "regress", members=MEMBERS), X[:, 0], Y)
    titles = [node.texts[0] for node in state.diagram().nodes]
    assert titles == ["Linear regression", "k nearest neighbours", "Regression tree"]


@pytest.mark.parametrize("task", ["classify", "regress"])
def test_weights_must_fit_the_members(task):
    model = learn.create("voting", task, members="knn,tree,mlp", weights="1,2")
    with pytest.raises(learn.CannotLearn, match="weights holds 2 numbers for 3 members"):
        learn.fit(model, X, (Y > 0) if task == "classify" else Y)
