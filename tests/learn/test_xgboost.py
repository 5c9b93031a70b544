"""XGBoost against the package's exact method, and against the formulas on a worked example."""

import numpy as np
import pytest
from xgboost import XGBClassifier

from tests.learn.boosting_data import DATA, every_data, single
from vizml import learn
from vizml.learn.trees.criteria import second_order

SETTINGS = [
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
@pytest.mark.parametrize("values", SETTINGS, ids=str)
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
