"""Bootstrap and cross-validation side by side, against scikit-learn on the same samples."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from tests.evaluate.subjects import charts, subject
from vizml import data, evaluate, learn
from vizml.evaluate.resampling import bootstraps, generator_samplers

SPEC = "moons:n=90,noise=0.4,seed=2"


def estimates(draws=20, spec=SPEC, **more):
    who = subject(learn.create("knn", k=1), spec, share=0.0, **more)
    (chart,) = charts("resampling", who, draws=draws, folds=5)[-1:]
    names = [chart.x.ticks[x] for x in chart.series[0].x.tolist()]
    return who.train, chart, dict(zip(names, chart.series[0].y.tolist()))


def test_each_estimate_is_that_of_scikit_learn_on_the_same_samples():
    points, chart, found = estimates()
    X, y = points.points, points.labels
    everything, outside = [], []
    for rows in bootstraps(len(X), 20, 0):
        theirs, left = KNeighborsClassifier(1).fit(X[rows], y[rows]), np.setdiff1d(np.arange(len(X)), rows)
        everything.append(theirs.score(X, y))
        outside.append(theirs.score(X[left], y[left]))
    assert found["train"] == 1.0
    assert found["bootstrap"] == pytest.approx(np.mean(everything))
    assert found["OOB"] == pytest.approx(np.mean(outside))
    assert found[".632"] == pytest.approx(0.368 + 0.632 * np.mean(outside), abs=1e-3)
    validation = evaluate.cross_validate(learn.create("knn", k=1), X, y, k=5)
    assert found["CV"] == pytest.approx(validation.mean)
    edges = np.percentile(outside, [2.5, 97.5])
    place = list(found).index("OOB")
    assert [chart.series[0].low[place], chart.series[0].high[place]] == pytest.approx(edges)


def test_samples_that_overlap_the_test_points_are_optimistic():
    spec = "moons:n=90,noise=0.7"
    sampler, _ = generator_samplers(spec, data.Split())
    _, chart, found = estimates(60, spec, sampler=sampler)
    (rule,) = chart.rules
    assert rule.name == "fresh points"
    assert found["bootstrap"] > rule.y + 0.05
    assert abs(found["CV"] - rule.y) < abs(found["bootstrap"] - rule.y)


def test_the_first_fold_is_shown_before_any_sample():
    first, *_ = charts("resampling", subject("lda", SPEC), draws=10)
    assert first.note.startswith("0 of 10 samples")
    assert [first.x.ticks[x] for x in first.series[0].x] == ["train", "CV"]
