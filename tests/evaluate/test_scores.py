"""Figures of predictions against scikit-learn's."""

import numpy as np
import pytest
from sklearn import metrics

from vizml import learn
from vizml.data import Dataset
from vizml.evaluate import accuracy, r2, score


@pytest.mark.parametrize("seed", range(5))
def test_accuracy_and_r2_equal_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y, p = rng.integers(0, 3, 50), rng.integers(0, 3, 50)
    assert accuracy(y, p) == pytest.approx(metrics.accuracy_score(y, p), abs=1e-12)
    t, f = rng.normal(size=50), rng.normal(size=50)
    assert r2(t, f) == pytest.approx(metrics.r2_score(t, f), abs=1e-12)


def test_r2_of_a_constant_is_one_only_for_a_perfect_fit():
    assert r2([2.0, 2.0], [2.0, 2.0]) == 1.0
    assert np.isnan(r2([2.0, 2.0], [2.0, 3.0]))


@pytest.mark.parametrize("case", [([], []), ([1, 2], [1]), ([[1]], [[1]])])
def test_predictions_must_match_the_truth_in_number(case):
    with pytest.raises(ValueError, match="as many predictions as truths"):
        accuracy(*case)


def test_unlabelled_points_do_not_count():
    state = learn.fit(learn.create("knn", k=1), [[0, 0], [1, 1]], [0, 1])
    assert score(state, Dataset([[0, 0], [1, 1], [5, 5]], [0, 0, -1])) == 0.5
    assert score(state, Dataset([[5, 5]], [-1])) is None
    assert score(state, Dataset.empty()) is None


def test_clusters_have_no_score():
    data = Dataset([[0, 0], [1, 1], [2, 0]], [0, 1, 0])
    assert score(learn.fit(learn.create("kmeans", k=2), data.points), data) is None
