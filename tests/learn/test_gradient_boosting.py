"""Gradient boosting against scikit-learn's, round by round."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from tests.learn.boosting_data import DATA, every_data, rasters
from tests.learn.datasets import moons
from vizml import learn
from vizml.learn.ensembles.losses import (
    AbsoluteLoss,
    BinomialLogLoss,
    ExponentialLoss,
    MultinomialLogLoss,
    SquaredLoss,
)

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
def test_the_field_is_exact_at_many_zooms_and_on_thresholds(X, y):
    state = learn.fit(learn.create("gradient_boosting", rounds=40), X, y)
    tree = state.batches[0].tree
    for raster in rasters(tree, X):
        scores = state.scores(raster.points())
        field = np.moveaxis(state.field(raster), 0, -1).reshape(scores.shape)
        assert np.allclose(field, scores, rtol=1e-6, atol=1e-6)


@every_data
def test_the_training_loss_falls_and_is_the_mean_log_loss(X, y):
    run = list(learn.steps(learn.create("gradient_boosting", rounds=20), X, y))
    losses = [state.loss for state in run]
    assert (np.diff(losses) <= 1e-12).all()
    for state in run:
        assert state.loss == pytest.approx(-np.log(state.proba(X)[np.arange(len(y)), y]).mean(), rel=1e-6)


def slopes(loss, F):
    """-dL/dF by differences."""
    step, out = 1e-6, np.empty_like(F)
    for v in range(F.shape[1]):
        nudge = step * (np.arange(F.shape[1]) == v)
        out[:, v] = (loss.values(F - nudge) - loss.values(F + nudge)) / (2 * step)
    return out


@pytest.mark.parametrize(
    "loss, columns",
    [
        (BinomialLogLoss(np.array([0.0, 1, 1])), 1),
        (ExponentialLoss(np.array([0.0, 1, 1])), 1),
        (MultinomialLogLoss(np.array([0, 1, 2]), 3), 3),
        (AbsoluteLoss(np.array([0.3, 1.0, -2.0])), 1),
    ],
    ids=["two", "exponential", "many", "absolute"],
)
def test_each_slope_is_the_derivative_of_its_loss(loss, columns):
    F = np.random.default_rng(0).normal(size=(3, columns))
    assert np.allclose(loss.negative_gradient(F), slopes(loss, F), atol=1e-6)
    if not isinstance(loss, AbsoluteLoss):
        ahead = slopes(loss, F)
        bends = np.stack(
            [
                -(loss.negative_gradient(F + 1e-6 * e) - ahead)[:, v] / 1e-6
                for v, e in enumerate(np.eye(columns))
            ],
            1,
        )
        assert np.allclose(loss.second_derivative(F, loss.negative_gradient(F)), bends, atol=1e-3)


def test_boosting_of_squares_starts_at_the_mean():
    assert SquaredLoss(np.array([1.0, 2.0, 6.0])).initial().tolist() == [3.0]
    assert AbsoluteLoss(np.array([1.0, 2.0, 6.0])).initial().tolist() == [2.0]


def test_held_out_points_do_not_teach():
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("gradient_boosting", hold=0.4, rounds=60), X, y))
    assert run[-1].metrics()["held-out log-loss"] > run[-1].loss
    assert len(run[-1].charts()[0].series) == 2
    assert all(f"held-out {state.losses[-1, 1]:.4g}" in state.note for state in run)


def test_it_stops_early_and_goes_back_to_the_best_round():
    X, y = moons(200, noise=0.5)
    run = list(learn.steps(learn.create("gradient_boosting", hold=0.3, patience=5, rate=0.5), X, y))
    held = run[-2].losses[:, 1]
    best = int(held.argmin())
    assert len(held) - 1 - best == 5
    assert f"restored round {best} with " in run[-1].note
    assert run[-1].trees == best


def test_subsampling_sees_fewer_points_each_round():
    X, y = DATA["moons"]
    state = learn.fit(learn.create("gradient_boosting", subsample=0.5, rounds=5), X, y)
    batch = state.batches[0]
    assert (batch.tree.count[batch.roots] == len(X) // 2).all()


def test_three_classes_have_no_exponential_loss_and_it_is_said():
    X, y = DATA["three blobs"]
    first = next(learn.steps(learn.create("gradient_boosting", loss="exponential"), X, y))
    assert first.note.startswith("log-loss used, as the exponential loss is defined for two")


def test_residuals_shrink_as_rings():
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("gradient_boosting", rounds=30), X, y))
    radii = [state.marks()[-1].radii.sum() for state in (run[0], run[10], run[-1])]
    assert radii[0] > radii[1] > radii[2]


def test_a_note_says_the_fall_and_the_split():
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("gradient_boosting", rounds=2), X, y))
    assert run[0].note == "start: constant prediction, log-loss 0.6931"
    assert run[1].note.startswith("round 1: log-loss 0.6931 → 0.")
    tree = run[1].batches[0].tree
    assert run[1].note.endswith(
        f"; 6 leaves, first split y ≤ {tree.threshold[0]:.4g} (gain {tree.gain[0]:.3g})"
    )
    assert run[2].note.startswith(f"round 2: log-loss {run[1].loss:.4g} → {run[2].loss:.4g}; ")


def test_nobody_can_change_what_was_so():
    X, y = DATA["three blobs"]
    for state in learn.steps(learn.create("gradient_boosting", rounds=2), X, y):
        for array in (state.losses, state.residuals, state.X):
            assert not array.flags.writeable


@pytest.mark.parametrize("id", ["gradient_boosting", "xgboost", "adaboost"])
@every_data
def test_the_tree_of_a_round_is_drawn_with_its_gains_and_followed(id, X, y):
    loose = {"min_child_weight": 0.0} if id == "xgboost" else {}
    run = list(learn.steps(learn.create(id, rounds=3, max_depth=2, **loose), X, y))
    state = next(state for state in reversed(run) if state.trees and len(state.diagram().nodes) > 1)
    diagram = state.diagram()
    assert any(text.startswith("gain ") for node in diagram.nodes for text in node.texts)
    trail = state.trail(X[0])
    assert trail[0] == "0"
    leaf = next(node for node in diagram.nodes if node.id == trail[-1])
    assert float(leaf.texts[0]) != 0 or id == "xgboost"
    assert state.focus(trail[-1]).marks
