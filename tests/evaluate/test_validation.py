"""Cross-validation, learning and validation curves, grids: against scikit-learn on the very same folds."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from vizml import data, learn
from vizml.data.params import Real
from vizml.evaluate import (
    cross_validate,
    grid_search,
    kfold,
    learning_curve,
    random_searches,
    validation_curve,
)
from vizml.evaluate.diagnostic_charts import value_text
from vizml.evaluate.validation import cross_validations, known_statistics, one_standard_error_index, values_of

MOONS = data.generate("moons", n=120, noise=0.3, seed=0)
X, Y = MOONS.points, MOONS.labels


def test_scores_equal_scikit_learns_on_the_same_folds():
    ours = cross_validate(learn.create("knn", k=7), X, Y, k=6, seed=3)
    theirs = cross_val_score(KNeighborsClassifier(7), X, Y, cv=list(kfold(Y, 6, seed=3)))
    np.testing.assert_allclose(ours.scores, theirs, atol=1e-12)
    assert ours.mean == pytest.approx(theirs.mean())
    assert ours.deviation == pytest.approx(theirs.std(ddof=1))
    assert ours.error == pytest.approx(theirs.std(ddof=1) / np.sqrt(6))


def test_regression_is_judged_by_r2():
    sine = data.generate("sine", n=80, seed=0)
    ours = cross_validate(learn.create("linear", degree=1), sine.x, sine.y, k=5, seed=1)
    folds = kfold(np.full(80, -1), 5, seed=1, stratified=False)
    theirs = cross_val_score(LinearRegression(), sine.x[:, None], sine.y, cv=list(folds))
    np.testing.assert_allclose(ours.scores, theirs, atol=1e-8)


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_statistics_of_scores_equal_scipys(unit):
    """Also where the squares of scores are no numbers any more; a missing score counts for nothing."""
    found = np.random.default_rng(4).normal(size=(3, 6))
    theirs = found.mean(axis=1), found.std(axis=1, ddof=1), stats.sem(found, axis=1)
    with_gaps = np.insert(unit * found, 2, np.nan, axis=1)
    for ours, values in zip(known_statistics(with_gaps), theirs, strict=True):
        assert ours == pytest.approx(unit * values, rel=1e-12)


def test_folds_arrive_one_by_one():
    assert [len(found.folds) for found in cross_validations(learn.create("knn"), MOONS, k=4)] == [1, 2, 3, 4]


def test_no_fold_sees_the_points_that_it_is_judged_by():
    for fold in cross_validate(learn.create("knn", k=1), X, Y, k=5).folds:
        assert not set(fold.train) & set(fold.test)
        own = {tuple(point) for point in X[fold.train]}
        assert not any(tuple(point) in own for point in X[fold.test])
        assert fold.train_score == 1.0


def test_unlabelled_points_are_never_judged_by():
    mixed = MOONS.relabelled(np.arange(120) < 20, -1)
    tested = np.concatenate(
        [fold.test for found in cross_validations(learn.create("tree"), mixed, 5) for fold in found.folds]
    )
    assert tested.min() >= 20


@pytest.mark.parametrize("task", ["cluster"])
def test_clusters_have_no_truth_to_be_judged_by(task):
    with pytest.raises(ValueError, match="cross-validation needs a target"):
        cross_validate(learn.create("kmeans", task), X)


def test_a_validation_curve_equals_scikit_learns():
    depths = (1, 2, 4)
    ours = validation_curve(learn.create("tree"), X, Y, "max_depth", depths, k=4, seed=0)
    for i, depth in enumerate(depths):
        theirs = cross_val_score(
            DecisionTreeClassifier(max_depth=depth, random_state=0), X, Y, cv=list(kfold(Y, 4))
        )
        np.testing.assert_allclose(
            ours.test[i], theirs, atol=0.04
        )  # a point of 30: tied splits fall either way
    assert ours.means[ours.best] == ours.means.max()
    assert (np.diff(ours.train.mean(axis=1)) > 0).all()


def test_a_learning_curve_grows_with_the_points():
    found = learning_curve(learn.create("knn", k=3), X, Y, sizes=(5, 20, 90), k=4)
    assert found.at == (5, 20, 90)
    assert found.means[2] > found.means[0]
    assert np.isfinite(found.test).all()
    whole = cross_validate(learn.create("knn", k=3), X, Y, k=4)
    np.testing.assert_allclose(found.test[2], whole.scores)


@pytest.mark.parametrize(
    "name, first, last", [("C", 1e-3, 1e4), ("kernel", "linear", "sigmoid"), ("hard", False, True)]
)
def test_values_worth_trying_come_from_the_declaration(name, first, last):
    values = values_of(learn.create("svm"), name)
    assert (values[0], values[-1]) == (first, last)


def test_no_limit_is_not_the_smallest_value():
    assert values_of(learn.create("tree"), "max_depth")[:4] == (1, 2, 3, 4)


def test_values_worth_trying_are_those_that_their_texts_show():
    for param in learn.create("svm").parameters():
        if isinstance(param, Real):
            values = values_of(learn.create("svm"), param.name)
            assert [float(value_text(value)) for value in values] == list(values)


def test_an_unknown_parameter_is_refused():
    with pytest.raises(ValueError, match="svm has no parameter 'colour' to vary"):
        values_of(learn.create("svm"), "colour")


def test_a_grid_holds_the_cross_validation_of_each_cell():
    grid = grid_search(learn.create("knn"), X, Y, {"k": (1, 9), "metric": ("l1", "l2")}, k=4, seed=2)
    cell = cross_validate(learn.create("knn", k=9, metric="l1"), X, Y, k=4, seed=2)
    assert grid.means[1, 0] == cell.mean
    assert grid.errors[1, 0] == cell.error
    best = cross_validate(learn.create("knn", **grid.best), X, Y, k=4, seed=2)
    assert best.mean == grid.means.max()
    assert (
        grid.means.max() - cross_validate(learn.create("knn", **grid.simplest), X, Y, k=4, seed=2).mean
        <= (grid.errors.ravel()[grid.means.argmax()])
    )


def test_random_draws_are_combinations_of_the_grid_without_repeats():
    axes = {"k": (1, 3, 5), "weights": ("uniform", "distance")}
    drawn = [tuple(values.values()) for values, _ in random_searches(learn.create("knn"), MOONS, axes, 6, 3)]
    assert sorted(drawn) == sorted((k, w) for k in (1, 3, 5) for w in ("uniform", "distance"))


def test_the_simplest_as_good_is_the_one_that_fits_its_own_points_least():
    means, errors = np.array([0.70, 0.88, 0.90, 0.89, 0.80]), np.full(5, 0.02)
    assert one_standard_error_index(means, errors, np.array([0.72, 0.90, 0.95, 1.0, 1.0])) == 1
    assert one_standard_error_index(means, errors, np.array([1.0, 1.0, 0.95, 0.90, 0.72])) == 3
    assert one_standard_error_index(means, np.full(5, np.nan), np.arange(5.0)) == 2
    assert one_standard_error_index(np.full(3, np.nan), np.full(3, np.nan), np.full(3, np.nan)) == 0
    assert one_standard_error_index(np.array([0.9, np.nan, 0.9]), np.zeros(3), np.array([1.0, 0.1, 0.9])) == 2


ORDERED = [("knn", "k", max), ("logistic", "degree", min), ("svm", "C", min)]


@pytest.mark.parametrize("id, name, simpler", ORDERED)
def test_one_standard_error_away_a_curve_is_as_good_and_simpler(id, name, simpler):
    points = data.generate("moons", n=120, noise=0.45, seed=3)
    curve = validation_curve(learn.create(id), points.points, points.labels, name, k=5)
    best, thrifty = curve.best, curve.simplest
    assert curve.means[thrifty] >= curve.means[best] - curve.errors[best]
    assert simpler(curve.at[thrifty], curve.at[best]) == curve.at[thrifty]
    assert curve.train[thrifty].mean() <= curve.train[best].mean()
