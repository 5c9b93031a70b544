"""AdaBoost against scikit-learn's, round by round, and against the formulas of its weights."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.learn.boosting_data import DATA, every_data
from vizml import learn
from vizml.learn.ensembles.adaboost_solver import reweighted


def run(X, y, **values):
    return list(learn.steps(learn.create("adaboost", **values), X, y))


@every_data
@pytest.mark.parametrize("depth, rate", [(1, 1.0), (2, 1.0), (2, 0.5)])
def test_staged_errors_and_votes_are_those_of_scikit_learn(X, y, depth, rate):
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    reference = AdaBoostClassifier(tree, n_estimators=30, learning_rate=rate, random_state=0).fit(X, y)
    states = run(X, y, rounds=30, max_depth=depth, rate=rate)
    assert len(states) == len(reference.estimators_)
    assert np.allclose([state.history[-1, 0] for state in states], reference.estimator_errors_[: len(states)])
    assert np.allclose(
        [state.history[-1, 1] for state in states], reference.estimator_weights_[: len(states)]
    )
    for state, score, votes in zip(
        states, reference.staged_score(X, y), reference.staged_decision_function(X), strict=True
    ):
        assert (state.predict(X) == y).mean() == score
        scores = state.scores(X)
        assert np.allclose(scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores, votes, atol=1e-9)


@every_data
def test_the_training_error_stays_under_the_product_of_z(X, y):
    states = run(X, y, rounds=40, max_depth=2)
    for state in states:
        assert state.history[-1, 2] == pytest.approx((state.predict(X) != y).mean())
    if len(np.unique(y)) == 2:
        e = states[-1].history[:, 0]
        z = 2 * np.sqrt(e * (1 - e))
        for t, state in enumerate(states[:-1] if e[-1] == 0 else states):
            assert state.loss == pytest.approx(np.prod(z[: t + 1]), rel=1e-9)
            assert state.history[-1, 2] <= state.loss + 1e-12


def test_the_weights_of_the_lecture_notes():
    # w / (2 (1 - e)) where it is right, w / (2 e) where it is wrong
    weights, wrong = np.array([0.1, 0.2, 0.3, 0.4]), np.array([True, False, True, False])
    e = 0.4
    after = reweighted(weights, wrong, np.log((1 - e) / e))
    assert np.allclose(after, [0.1 / (2 * e), 0.2 / (2 * (1 - e)), 0.3 / (2 * e), 0.4 / (2 * (1 - e))])


def test_a_worked_round():
    # five points on a line, A A B A B: the best stump errs on the fourth alone, so alpha = ln(4)
    X = np.column_stack([np.arange(5.0), np.zeros(5)])
    first = run(X, [0, 0, 1, 0, 1])[0]
    assert first.history[0, 0] == pytest.approx(0.2)
    assert first.history[0, 1] == pytest.approx(np.log(4))
    assert first.loss == pytest.approx(0.8)
    assert "weighted error 0.2, α 1.39" in first.note


def test_weights_are_sizes():
    X, y = DATA["moons"]
    states = run(X, y, rounds=10)
    rings = states[0].marks()[-1]
    assert np.allclose(rings.radii, rings.radii[0])
    wrong = states[0].predict(X) != y
    later = states[1].marks()[-1].radii
    assert later[wrong].min() > later[~wrong].max()


def test_boosting_stops_without_errors_or_at_chance():
    assert "the tree makes no errors" in run([[0.0, 0.0], [1.0, 0.0]], [0, 1])[-1].note
    assert "no better than random guessing" in run([[0.0, 0.0], [0.0, 0.0]], [0, 1])[-1].note


@every_data
def test_regions_are_shaded_by_how_wide_leads_are_among_the_points(X, y):
    states = run(X, y, rounds=30)
    for state in (states[0], states[-1]):
        ordered = np.sort(state.scores(X), axis=1)
        assert state.reach == pytest.approx((ordered[:, -1] - ordered[:, -2]).mean(), rel=1e-9)
        assert 0.0 < state.reach <= 2.0


def test_leaves_are_drawn_with_their_votes_alone():
    X, y = np.column_stack([np.arange(5.0), np.zeros(5)]), [0, 0, 1, 0, 1]
    leaf = learn.fit(learn.create("adaboost", rounds=1), X, y).diagram().nodes[-1]
    assert leaf.texts == ("+1.39", "3 points")


def test_the_largest_weights_are_shown_as_numbers():
    X, y = DATA["moons"]
    states = run(X, y, rounds=2)
    labels = next(mark for mark in states[0].marks() if mark.layer == "Next weights")
    before, after = np.array([text.split(" → ") for text in labels.texts], dtype=float).T
    e, wrong = states[0].history[0, 0], states[0].predict(X) != y
    assert before == pytest.approx(1 / len(X), rel=0.01)
    assert after[0] == pytest.approx(1 / len(X) / (2 * e), rel=0.01)
    assert np.allclose(labels.points[: wrong.sum()], X[wrong][: len(after)])
