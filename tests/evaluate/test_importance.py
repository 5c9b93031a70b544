"""Feature importance, as scikit-learn computes it from trees and by permutation."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.evaluate.subjects import charts, subject
from vizml import learn
from vizml.data import Column, Dataset
from vizml.evaluate.diagnostics.importance import impurity_importances, permutation_importances
from vizml.learn import REGRESS
from vizml.scene.chart import table

NUMBERS, CLASSES = load_diabetes(return_X_y=True, scaled=False), load_wine(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
# Splits of large leaves: of equal gains, as small ones have, the reference takes one at random.
EXACT = [
    ("tree", "regress", {"max_depth": 4, "min_leaf": 5}, NUMBERS,
     DecisionTreeRegressor(max_depth=4, min_samples_leaf=5)),
    ("tree", "classify", {"max_depth": 2, "min_leaf": 5}, CLASSES,
     DecisionTreeClassifier(max_depth=2, min_samples_leaf=5)),
    ("gradient_boosting", "regress", {"rounds": 40, "min_leaf": 5}, NUMBERS,
     GradientBoostingRegressor(n_estimators=40, min_samples_leaf=5)),
    ("gradient_boosting", "classify", {"rounds": 3, "max_depth": 2, "min_leaf": 5}, CLASSES,
     GradientBoostingClassifier(n_estimators=3, max_depth=2, min_samples_leaf=5)),
    ("adaboost", "classify", {"rounds": 10, "max_depth": 1}, CANCER, AdaBoostClassifier(n_estimators=10)),
]  # fmt: skip
RANDOM = [
    ("random_forest", "regress", {"min_leaf": 5}, NUMBERS, RandomForestRegressor(min_samples_leaf=5)),
    ("random_forest", "classify", {"m": 3}, CLASSES, RandomForestClassifier(max_features=3)),
    ("extra_trees", "classify", {"m": 3}, CLASSES, ExtraTreesClassifier(max_features=3)),
]


def importances(id, task, values, data, **options):
    return impurity_importances(learn.fit(learn.create(id, task, **values), *data, **options))


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("id, task, values, data, reference", EXACT, ids=[f"{c[0]} {c[1]}" for c in EXACT])
def test_the_impurity_of_trees_is_shared_as_by_scikit_learn(id, task, values, data, reference, standardise):
    expected = reference.set_params(random_state=0).fit(*data).feature_importances_
    assert importances(id, task, values, data, standardise=standardise) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("id, task, values, data, reference", RANDOM, ids=[f"{c[0]} {c[1]}" for c in RANDOM])
def test_that_of_random_forests_differs_as_between_seeds(id, task, values, data, reference):
    first, second = (reference.set_params(random_state=s).fit(*data).feature_importances_ for s in (0, 1))
    assert np.abs(importances(id, task, values, data) - first).max() < 3 * np.abs(first - second).max()


def test_each_tree_of_a_forest_counts_the_same():
    """A tree with a single split has the importance 1 for its feature, whatever it gains."""
    found = importances("random_forest", "regress", {"trees": 20, "max_depth": 1}, NUMBERS)
    assert found * 20 == pytest.approx(np.round(found * 20), abs=1e-9)
    assert found.sum() == pytest.approx(1.0)


def test_other_models_have_none():
    assert importances("knn", "classify", {}, CLASSES) is None
    assert (
        importances("random_forest", "classify", {"derived": True}, (CLASSES[0][:, :2], CLASSES[1])) is None
    )


def test_the_importance_of_a_category_is_that_of_its_indicators():
    rng = np.random.default_rng(0)
    kind, noise = rng.integers(0, 3, 90), rng.normal(size=90)
    columns = [
        Column("noise", noise),
        Column("kind", kind, ("a", "b", "c")),
        Column("y", kind + 0.01 * noise),
    ]
    points = Dataset.of(columns).with_roles(inputs=("noise", "kind"), target="y")
    found = impurity_importances(learn.fit_data(learn.create("random_forest", "regress", trees=5), points))
    assert found.shape == (2,)
    assert found[1] > 0.95


def test_permutation_has_the_mean_of_scikit_learns():
    X, y = NUMBERS
    state = learn.fit(learn.create("linear", "regress"), X, y)
    data = learn.training_data_of(REGRESS, X, y)
    repeats = islice(permutation_importances(state, data, np.random.default_rng(0)), 200)
    ours = np.array([*repeats])
    theirs = permutation_importance(LinearRegression().fit(X, y), X, y, n_repeats=200, random_state=1)
    error = np.sqrt((ours.var(axis=0) + theirs.importances.var(axis=1)) / 200)
    assert (np.abs(ours.mean(axis=0) - theirs.importances_mean) < 4.5 * error + 1e-9).all()
    assert ours.std(axis=0) == pytest.approx(theirs.importances_std, rel=0.25, abs=1e-6)


def test_the_chart_lists_the_inputs_by_their_importance():
    drawn = charts("importance", subject(learn.create("random_forest", trees=20), "wine", 0.3), draws=4)
    assert len(drawn) == 4
    *_, last = drawn
    _, permuted, impurity = last.series
    assert (np.diff(permuted.x) <= 0).all()
    assert impurity.x.sum() == pytest.approx(1.0)
    assert "held-out points: mean of 4" in last.note
    assert {row[2] for row in table(last)[1]} == {"flavanoids", "color intensity"}


def test_equal_targets_have_no_score():
    flat = Dataset.curve(np.arange(9.0), np.ones(9))
    who = replace(subject(learn.create("linear", "regress"), "sine", 0.0), held=flat)
    with pytest.raises(ValueError, match="R² is not defined"):
        charts("importance", who)
