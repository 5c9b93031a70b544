"""Figures beside a score: the majority-class baseline, and mean squared errors, r and TSS."""

import numpy as np
import pytest
import scipy.stats
import sklearn.dummy
import sklearn.metrics

from vizml import data, learn
from vizml.evaluate.metrics import part_figures
from vizml.learn import CLASSIFY, REGRESS

PARTS = ("train", "held out")


def split(dataset):
    rows = np.arange(len(dataset)) % 3 > 0
    return dataset.take(rows), dataset.take(~rows)


def test_the_baseline_predicts_the_most_frequent_class():
    iris = data.generate("iris")
    train, held = split(iris.take((iris.labels > 0) | (np.arange(len(iris)) % 2 == 0)))
    figures = part_figures(learn.fit_data(learn.create("lda", CLASSIFY), train), held)
    dummy = sklearn.dummy.DummyClassifier().fit(train.points, train.labels)
    expected = [dummy.score(part.points, part.labels) for part in (train, held)]
    assert [figures[f"baseline, {part}"] for part in PARTS] == pytest.approx(expected)


def test_errors_of_a_regression_on_both_parts():
    train, held = split(data.generate("sine", n=60, noise=0.3, seed=1))
    state = learn.fit_data(learn.create("linear", REGRESS, degree=3), train)
    figures = part_figures(state, held)
    for name, part in zip(PARTS, (train, held), strict=True):
        x, y = part.points.T
        predicted = state.predict(x)
        assert figures[f"MSE, {name}"] == pytest.approx(sklearn.metrics.mean_squared_error(y, predicted))
        assert figures[f"RMSE, {name}"] == pytest.approx(np.sqrt(figures[f"MSE, {name}"]))
        assert figures[f"r, {name}"] == pytest.approx(scipy.stats.pearsonr(y, predicted).statistic)
        assert figures[f"TSS, {name}"] == pytest.approx(len(y) * np.var(y))


def test_without_held_out_points_only_the_training_rows_have_figures():
    state = learn.fit_data(learn.create("lda", CLASSIFY), data.generate("moons", n=20, seed=0))
    assert part_figures(state) == {"baseline, train": 0.5}
