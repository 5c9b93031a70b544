"""Categorical naive Bayes: scikit-learn's posteriors, the weather of the textbooks, counts of zero."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.naive_bayes import CategoricalNB

from vizml import learn
from vizml.field import Raster
from vizml.learn.bayes.tables import counted, log_shares

SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
}
WEATHER = """
    rainy hot high false no       rainy hot high true no       overcast hot high false yes
    sunny mild high false yes     sunny cool normal false yes  sunny cool normal true no
    overcast cool normal true yes rainy mild high false no     rainy cool normal false yes
    sunny mild normal false yes   rainy mild normal true yes   overcast mild high true yes
    overcast hot normal false yes sunny mild high true no
"""
every_set = pytest.mark.parametrize("name", SETS)


def fit(X, y, **values):
    return learn.fit(learn.create("categorical_nb", **values), X, y)


def around(X):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), 30, 20).points()


def cut(X, places, bins):
    """The bins of places when the extent of X is cut into equal parts, written as a formula."""
    low, high = X.min(axis=0), X.max(axis=0)
    return np.clip(np.floor((places - low) / (high - low) * bins), 0, bins - 1).astype(int)


@every_set
@pytest.mark.parametrize("bins, smoothing", [(8, 1.0), (3, 0.1), (20, 5.0)])
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_posteriors_are_scikit_learns(name, bins, smoothing, priors):
    X, y = SETS[name]
    theirs = CategoricalNB(alpha=smoothing, min_categories=bins, fit_prior=priors == "data")
    theirs.fit(cut(X, X, bins), y)
    state = fit(X, y, bins=bins, smoothing=smoothing, priors=priors)
    for places in (X, around(X)):
        expected = theirs.predict_proba(cut(X, places, bins))
        assert state.proba(places) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@every_set
def test_counts_are_scikit_learns(name):
    X, y = SETS[name]
    theirs = CategoricalNB(min_categories=8).fit(cut(X, X, 8), y)
    assert np.array_equal(fit(X, y).counts, theirs.category_count_)


def weather():
    """Codes of the four features and of the answer, and what each code means."""
    table = np.array(WEATHER.split()).reshape(14, 5)
    return zip(*[(np.unique(column, return_inverse=True)) for column in table.T])


def test_the_weather_of_the_notes_says_no():
    names, (*features, answer) = weather()
    assert list(names[-1]) == ["no", "yes"]
    today = [list(words).index(word) for words, word in zip(names, ["sunny", "hot", "high", "false"])]
    logs = np.zeros(2)
    for codes, words, value in zip(features, names, today):
        logs += log_shares(counted(codes, answer, len(words), 2), 0.0)[:, value]
    no, yes = np.exp(logs)
    assert yes == pytest.approx(3 / 9 * 2 / 9 * 3 / 9 * 6 / 9)
    assert no == pytest.approx(2 / 5 * 2 / 5 * 4 / 5 * 2 / 5)
    assert (yes, no) == (pytest.approx(0.016, abs=5e-4), pytest.approx(0.051, abs=5e-4))
    assert no * 5 / 14 > yes * 9 / 14


def test_a_count_of_zero_rules_a_class_out_unless_smoothed():
    _, (outlook, *_, answer) = weather()
    counts = counted(outlook, answer, 3, 2)
    assert counts[0, 0] == 0  # it was never overcast on a day without play
    assert np.exp(log_shares(counts, 0.0)[0, 0]) < 1e-300
    assert np.exp(log_shares(counts, 1.0)[0, 0]) == pytest.approx(1 / (5 + 3))


def test_without_smoothing_the_ruled_out_are_counted_in_the_note():
    X, y = SETS["tiny"]
    *_, last = learn.steps(learn.create("categorical_nb", smoothing=0.0, bins=4), X, y)
    assert "counts of 0 rule their class out" in last.note
    assert np.isfinite(last.scores(around(X))).all()


def test_each_step_takes_one_more_axis_into_account():
    X, y = SETS["three"]
    none, x_alone, both = learn.steps(learn.create("categorical_nb"), X, y)
    assert none.proba(X) == pytest.approx(np.full((150, 3), 1 / 3))
    assert np.array_equal(x_alone.scores(X), x_alone.scores(X + np.array([0.0, 5.0])))
    assert none.loss > x_alone.loss > both.loss
    assert both.loss == pytest.approx(-np.log(both.proba(X)[np.arange(150), y]).sum())


def test_the_table_of_counts_is_a_heat_map():
    X, y = SETS["imbalanced"]
    across, down = fit(X, y, bins=5).charts()
    assert across.heat.rows == ("A", "B")
    assert across.heat.values.sum(axis=1).tolist() == [190, 10]
    assert across.heat.texts[1] == tuple(str(int(count)) for count in across.heat.values[1])
    assert len(down.heat.columns) == 5


def test_the_pointer_shows_the_counts_of_its_bins():
    X, y = SETS["tiny"]
    (words,) = fit(X, y, bins=2).probe(np.array([0.4, 1.9]))
    assert words.texts == ("x: A 2, B 0; y: A 1, B 1",)
