"""States of gradient boosting, for classification and regression."""

import numpy as np
import pytest

from tests.learn.datasets import moons
from vizml import data, learn
from vizml.learn.ensembles.views import loss_chart

CURVE = data.generate("sine", n=150, noise=0.5, seed=3)
SETS = {"classify": moons(150, noise=0.4), "regress": (CURVE.x, CURVE.y)}
every_task = pytest.mark.parametrize("task", SETS)
every_model = pytest.mark.parametrize("id", ["gradient_boosting", "xgboost"])


def run(id, task, **values):
    return list(learn.steps(learn.create(id, task=task, **values), *SETS[task]))


@every_task
@every_model
def test_a_state_for_the_start_and_for_each_round(id, task):
    states = run(id, task, rounds=12, hold=0.2)
    assert [len(state.losses) - 1 for state in states] == list(range(13))
    assert [state.progress for state in states] == pytest.approx([t / 12 for t in range(13)])
    assert [state.loss for state in states] == states[-1].losses[:, 0].tolist()
    assert states[0].note.startswith("start: constant prediction")
    assert [state.note.split(":")[0] for state in states[1:]] == [f"round {t}" for t in range(1, 13)]


@every_task
@every_model
def test_early_stopping_returns_to_the_least_validation_loss(id, task):
    *states, last = run(id, task, rounds=300, hold=0.3, patience=6)
    held = states[-1].losses[:, 1]
    best = int(held.argmin())
    assert len(held) - 1 - best == 6
    assert len(last.losses) - 1 == best
    assert last.progress == 1.0
    assert last.note.startswith(
        f"stopped after round {len(held) - 1}; restored round {best} with the lowest "
    )
    assert last.note.endswith(f", {held.min():.4g}")
    assert np.array_equal(last.predict(SETS[task][0]), states[best].predict(SETS[task][0]))


@every_task
def test_without_early_stopping_the_last_round_is_the_result(task):
    last = run("gradient_boosting", task, rounds=60, hold=0.3)[-1]
    assert len(last.losses) == 61


def test_the_chart_has_a_line_for_held_out_points_where_there_are_any():
    losses = np.array([[3.0, np.nan], [2.0, np.nan]])
    (training,) = loss_chart(losses, "loss").series
    assert training.y.tolist() == [3.0, 2.0]
    losses[:, 1] = 5.0, 4.0
    _, held = loss_chart(losses, "loss").series
    assert held.y.tolist() == [5.0, 4.0]
    assert loss_chart(losses, "loss").choices == ((1, 1),)
