"""Scores of predictions and figures beside them against scikit-learn's; scores in batches."""

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
import scipy.stats
from sklearn import metrics
from sklearn.dummy import DummyClassifier

from vizml import data, learn
from vizml.data import Dataset
from vizml.evaluate import accuracy, r2, score
from vizml.evaluate.metrics import BATCH, part_figures
from vizml.field.cancellation import Cancelled, cancellable

MOONS = data.generate("moons", n=2 * BATCH + 100, noise=0.3, seed=0)
SINE = data.generate("sine", n=2 * BATCH + 100, seed=0)


def lda():
    return learn.fit(learn.create("lda"), MOONS.points, MOONS.labels)


@pytest.mark.parametrize("seed", range(5))
def test_accuracy_and_r2_equal_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y, p = rng.integers(0, 3, 50), rng.integers(0, 3, 50)
    assert accuracy(y, p) == pytest.approx(metrics.accuracy_score(y, p), abs=1e-12)
    t, f = rng.normal(size=50), rng.normal(size=50)
    assert r2(t, f) == pytest.approx(metrics.r2_score(t, f), abs=1e-12)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_r2_does_not_depend_on_the_unit(unit):
    """To 1e-12, where the squares of differences are beyond the largest or below the smallest number."""
    rng = np.random.default_rng(3)
    y, p = rng.normal(size=30), rng.normal(size=30)
    assert r2(unit * y, unit * p) == pytest.approx(metrics.r2_score(y, p), rel=1e-12)
    assert r2(y, 1e200 * p) == -math.inf


def test_r2_of_a_constant_is_one_only_for_a_perfect_fit():
    assert r2([2.0, 2.0], [2.0, 2.0]) == 1.0
    assert np.isnan(r2([2.0, 2.0], [2.0, 3.0]))


@pytest.mark.parametrize("case", [([], []), ([1, 2], [1]), ([[1]], [[1]])])
def test_predictions_must_match_the_truth_in_number(case):
    with pytest.raises(ValueError, match="as many predictions as true values"):
        accuracy(*case)


def test_unlabelled_rows_do_not_count():
    state = learn.fit(learn.create("knn", k=1), [[0, 0], [1, 1]], [0, 1])
    assert score(state, Dataset([[0, 0], [1, 1], [5, 5]], [0, 0, -1])) == 0.5
    assert score(state, Dataset([[5, 5]], [-1])) is None
    assert score(state, Dataset.empty()) is None


def test_clusters_have_no_score():
    points = Dataset([[0, 0], [1, 1], [2, 0]], [0, 1, 0])
    assert score(learn.fit(learn.create("kmeans", k=2), points.points), points) is None


def test_other_inputs_than_the_axes_are_scored():
    iris = data.load("iris")
    every = Dataset(
        iris.points, iris.labels, others=(data.Column("z", iris.labels + 0.1 * np.arange(len(iris)) % 0.3),),
        chosen_inputs=("x", "y", "z"),
    )  # fmt: skip
    state = learn.fit_data(learn.create("knn", k=3), every)
    assert every.features.shape[1] == 3
    assert score(state, every) == accuracy(every.labels, state.predict(every.features))


@pytest.mark.parametrize("threshold", [0.0, 0.7])
def test_batches_of_classified_rows_give_the_accuracy_of_all(threshold):
    state = lda()
    lead = np.diff(state.scores(MOONS.points), axis=1)[:, 0]
    assert score(state, MOONS, threshold) == accuracy(MOONS.labels, (lead >= threshold).astype(int))


def test_batches_of_a_curve_give_the_r2_of_all():
    state = learn.fit(learn.create("linear", degree=3), SINE.x, SINE.y)
    assert score(state, SINE) == pytest.approx(r2(SINE.y, state.predict(SINE.x)), rel=1e-12)


def test_scoring_can_be_cancelled_between_two_batches():
    state, calls = lda(), []
    with pytest.raises(Cancelled), cancellable(lambda: calls.append(1) or len(calls) == 2):
        score(state, MOONS)
    assert len(calls) == 2


@dataclass(frozen=True, eq=False, kw_only=True)
class Recorder(learn.Classifier):
    """Predicts by the first input, and records what it is asked."""

    asked: list = field(default_factory=list)

    def scores(self, X):
        self.asked.append(X)
        return np.column_stack([np.full(len(X), 0.5), X[:, 0]])


def test_rows_of_one_batch_are_passed_as_the_array_of_the_data():
    state, few = Recorder(classes=np.array([0, 1])), MOONS.take(slice(0, BATCH))
    score(state, few)
    assert state.asked[0] is few.points


def test_batches_are_neighbouring_rows_and_predictions_return_in_order():
    state = Recorder(classes=np.array([0, 1]))
    assert score(state, MOONS) == np.mean(MOONS.labels == (MOONS.points[:, 0] > 0.5))
    assert [len(part) for part in state.asked] == [BATCH, BATCH, 100]
    assert all(left[:, 0].max() <= right[:, 0].min() for left, right in pairwise(state.asked))


PARTS = ("train", "held out")


def split(dataset):
    rows = np.arange(len(dataset)) % 3 > 0
    return dataset.take(rows), dataset.take(~rows)


def test_the_baseline_predicts_the_most_frequent_class():
    iris = data.generate("iris")
    train, held = split(iris.take((iris.labels > 0) | (np.arange(len(iris)) % 2 == 0)))
    figures = part_figures(learn.fit_data(learn.create("lda"), train), held)
    dummy = DummyClassifier().fit(train.points, train.labels)
    expected = [dummy.score(part.points, part.labels) for part in (train, held)]
    assert [figures[f"baseline, {part}"] for part in PARTS] == pytest.approx(expected)


def test_errors_of_a_regression_on_both_parts():
    train, held = split(data.generate("sine", n=60, noise=0.3, seed=1))
    state = learn.fit_data(learn.create("linear", degree=3), train)
    figures = part_figures(state, held)
    for name, part in zip(PARTS, (train, held), strict=True):
        x, y = part.points.T
        predicted = state.predict(x)
        assert figures[f"MSE, {name}"] == pytest.approx(metrics.mean_squared_error(y, predicted))
        assert figures[f"RMSE, {name}"] == pytest.approx(np.sqrt(figures[f"MSE, {name}"]))
        assert figures[f"r, {name}"] == pytest.approx(scipy.stats.pearsonr(y, predicted).statistic)
        assert figures[f"TSS, {name}"] == pytest.approx(len(y) * np.var(y))


def test_without_held_out_points_only_the_training_rows_have_figures():
    state = learn.fit_data(learn.create("lda"), data.generate("moons", n=20, seed=0))
    assert part_figures(state) == {"baseline, train": 0.5}
