"""Gradient boosting against scikit-learn's, round by round, and XGBoost against the package."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier
from xgboost import XGBClassifier

from tests.learn.boosting_data import DATA, every_data, single
from vizml import learn
from vizml.learn.trees.criteria import second_order

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


PACKAGE_SETTINGS = [
    {}, {"eta": 0.1, "max_depth": 3, "lam": 5.0}, {"gamma": 1.0},
    {"min_child_weight": 3.9, "max_depth": 4, "gamma": 0.2},
]  # fmt: skip


def package(X, y, rounds=30, **values):
    names = {"eta": "learning_rate", "lam": "reg_lambda"}
    theirs = {"eta": 0.3, "lam": 1.0, "max_depth": 6, "min_child_weight": 1.0, "gamma": 0.0} | values
    theirs = {names.get(name, name): value for name, value in theirs.items()}
    model = XGBClassifier(n_estimators=rounds, tree_method="exact", base_score=0.5, n_jobs=1, **theirs)
    return model.fit(X, y)


@every_data
@pytest.mark.parametrize("values", PACKAGE_SETTINGS, ids=str)
def test_probabilities_are_those_of_the_package(X, y, values):
    state = learn.fit(learn.create("xgboost", rounds=30, **values), X, y)
    probes = single(np.random.default_rng(0).uniform(X.min(axis=0) - 1, X.max(axis=0) + 1, size=(1000, 2)))
    assert np.abs(state.proba(probes) - package(X, y, **values).predict_proba(probes)).max() < 1e-4


def test_leaf_and_gain_of_the_lecture_notes():
    # a first round: p = 1/2, so g = p - y = 1/2, 1/2, -1/2, -1/2 and h = 1/4 for classes A A B B
    X, y = np.column_stack([np.arange(4.0), np.zeros(4)]), [0, 0, 1, 1]
    values = {"rounds": 1, "eta": 1.0, "lam": 1.0, "min_child_weight": 0.0, "max_depth": 1}
    state = learn.fit(learn.create("xgboost", **values), X, y)
    leaf = 1.0 / (0.5 + 1.0)  # -G / (H + lambda), G = -1 and H = 1/2 on the right
    assert np.allclose(state.scores(X)[:, 1], [-leaf, -leaf, leaf, leaf])
    gain = 0.5 * (1 / 1.5 + 1 / 1.5 - 0.0)
    assert state.batches[0].tree.gain[0] == pytest.approx(gain)
    assert f"first split x ≤ 1.5 (gain {gain:.3g})" in state.note


def test_a_leaf_is_drawn_with_its_value_before_and_after_the_learning_rate():
    X, y = np.column_stack([np.arange(4.0), np.zeros(4)]), [0, 0, 1, 1]
    values = {"rounds": 1, "eta": 0.5, "lam": 1.0, "min_child_weight": 0.0, "max_depth": 1}
    leaf = learn.fit(learn.create("xgboost", **values), X, y).diagram().nodes[-1]
    assert leaf.texts == ("+0.333", "v = +0.667 before η", "G = -1, H = 0.5", "2 points")


@pytest.mark.parametrize("gamma, kept", [(1.3, True), (1.4, False)])
def test_gamma_counts_half_of_the_gamma_of_the_notes(gamma, kept):
    """The gain is 2/3, which pays for a gamma of 2/3 in the notes and of 4/3 here."""
    X, y = np.column_stack([np.arange(4.0), np.zeros(4)]), [0, 0, 1, 1]
    values = {"rounds": 1, "max_depth": 1, "min_child_weight": 0.0}
    state = learn.fit(learn.create("xgboost", gamma=gamma, **values), X, y)
    assert (len(state.batches[0].tree) > 1) is kept
    package_tree = package(np.array(X), np.array(y), 1, gamma=gamma, max_depth=1, min_child_weight=0.0)
    assert ("<1.5" in package_tree.get_booster().get_dump()[0].replace("f0<1", "f0<1")) is kept


def test_the_gain_formula_term_by_term():
    criterion = second_order(lam=2.0, min_weight=0.0)
    left, right = np.array([[2.0], [3.0]]), np.array([[4.0], [-1.0]])
    whole = left + right
    gain = criterion(whole) - criterion.children(left, right)
    assert gain.item() == pytest.approx(0.5 * (9 / 4 + 1 / 6 - 4 / 8))


def test_gamma_takes_leaves_back():
    X, y = DATA["moons"]
    sizes = [
        len(learn.fit(learn.create("xgboost", rounds=5, gamma=gamma), X, y).batches[0].leaves)
        for gamma in (0.0, 0.5, 2.0, 100.0)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[1] > sizes[2] > sizes[3]
