"""Gradient boosting against scikit-learn's, round by round."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from tests.learn.boosting_data import DATA, every_data
from vizml import learn

TWO = {name: data for name, data in DATA.items() if name != "three blobs"}
SETTINGS = [
    ({}, {}),
    (
        {"rate": 0.5, "max_depth": 2, "min_leaf": 5},
        {"learning_rate": 0.5, "max_depth": 2, "min_samples_leaf": 5},
    ),
    ({"max_depth": 1}, {"max_depth": 1}),
]


def staged(X, y, **values):
    """The decision values at the points after each round, as scikit-learn has them."""
    run = learn.steps(learn.create("gradient_boosting", **values), X, y)
    scores = [state.scores(X) for state in run][1:]
    return [each[:, 1:] - each[:, :1] if each.shape[1] == 2 else each for each in scores]


@every_data
@pytest.mark.parametrize("ours, theirs", SETTINGS)
def test_staged_decision_values_are_those_of_scikit_learn(X, y, ours, theirs):
    reference = GradientBoostingClassifier(n_estimators=30, random_state=0, **theirs).fit(X, y)
    found = staged(X, y, rounds=30, **ours)
    for mine, their in zip(found, reference.staged_decision_function(X), strict=True):
        assert np.abs(mine - their).max() < 1e-6


@pytest.mark.parametrize("X, y", TWO.values(), ids=TWO)
def test_the_exponential_loss_is_that_of_scikit_learn(X, y):
    reference = GradientBoostingClassifier(n_estimators=30, loss="exponential", random_state=0).fit(X, y)
    found = staged(X, y, rounds=30, loss="exponential")
    for mine, their in zip(found, reference.staged_decision_function(X), strict=True):
        assert np.abs(mine - 2 * their).max() < 1e-6


@every_data
def test_the_training_loss_falls_and_is_the_mean_log_loss(X, y):
    run = list(learn.steps(learn.create("gradient_boosting", rounds=20), X, y))
    losses = [state.loss for state in run]
    assert (np.diff(losses) <= 1e-12).all()
    for state in run:
        assert state.loss == pytest.approx(-np.log(state.proba(X)[np.arange(len(y)), y]).mean(), rel=1e-6)


def test_held_out_points_do_not_teach():
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("gradient_boosting", hold=0.4, rounds=60), X, y))
    assert run[-1].metrics()["held-out log-loss"] > run[-1].loss
    assert len(run[-1].charts()[0].series) == 2
    assert all(f"held-out {state.losses[-1, 1]:.4g}" in state.note for state in run)


def test_three_classes_have_no_exponential_loss_and_it_is_said():
    X, y = DATA["three blobs"]
    first = next(learn.steps(learn.create("gradient_boosting", loss="exponential"), X, y))
    assert first.note.startswith("log-loss used, as the exponential loss is defined for two")


def test_residuals_shrink_as_rings():
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("gradient_boosting", rounds=30), X, y))
    radii = [state.marks()[-1].radii.sum() for state in (run[0], run[10], run[-1])]
    assert radii[0] > radii[1] > radii[2]


def test_a_note_has_the_impurity_decrease_and_the_split():
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("gradient_boosting", rounds=2), X, y))
    assert run[0].note == "start: constant prediction, log-loss 0.6931"
    assert run[1].note.startswith("round 1: log-loss 0.6931 → 0.")
    tree = run[1].batches[0].tree
    assert run[1].note.endswith(
        f"; 6 leaves, first split y ≤ {tree.threshold[0]:.4g} (gain {tree.gain[0]:.3g})"
    )
    assert run[2].note.startswith(f"round 2: log-loss {run[1].loss:.4g} → {run[2].loss:.4g}; ")


@pytest.mark.parametrize("id", ["gradient_boosting", "xgboost", "adaboost"])
@every_data
def test_the_tree_of_a_round_is_drawn_with_its_gains_and_followed(id, X, y):
    loose = {"min_child_weight": 0.0} if id == "xgboost" else {}
    run = list(learn.steps(learn.create(id, rounds=3, max_depth=2, **loose), X, y))
    state = next(state for state in reversed(run) if state.trees and len(state.diagram().nodes) > 1)
    diagram = state.diagram()
    assert any(text.startswith("gain ") for node in diagram.nodes for text in node.texts)
    trail = state.on().trail(X[0])
    assert trail[0] == "0"
    leaf = next(node for node in diagram.nodes if node.id == trail[-1])
    assert float(leaf.texts[0]) != 0 or id == "xgboost"
    assert state.on().focus(trail[-1]).marks
