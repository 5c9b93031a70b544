from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from vizml.data import Dataset
from vizml.learn import create, fit
from vizml.run.frame import Frame, Moment, View
from vizml.ui.document import Experiment
from vizml.ui.window.reading import place, reading
from vizml.ui.window.readout import Readout, rows
from vizml.ui.window.status import Status, duration

PAIR = Dataset([[-1, 0], [1, 0]], [0, 1], ("left", "right"))


def frame_of(state, **more):
    view = View((-1, 1, -1, 1), 10, 10)
    facts = {"moment": Moment(0, state, 0.5, None), "count": 1, "steps": np.array([1]), "seconds": 0.002}
    return Frame(1, view, **{**facts, **more})


def test_coordinates_have_the_places_that_a_pixel_tells_apart():
    assert place(1.23456, -0.4, (0.01, 0.01)) == "x 1.23   y −0.40"
    assert place(1.23456, 1234.5, (0.2, 10.0)) == "x 1.2   y 1234"
    assert place(1e12, 1e-12, (1e9, 1e-14)) == "x 1e+12   y 1e−12"


def test_a_model_with_probabilities_tells_them_by_name():
    state = fit(create("logistic"), PAIR.points, PAIR.labels)
    words = reading(state, PAIR, 0.0, 0.0)
    assert words.split() == ["left", "50", "%", "right", "50", "%"]


def test_certainty_is_not_rounded_up():
    state = fit(create("logistic", l2=1e-4), PAIR.points, PAIR.labels)
    words = reading(state, PAIR, 1.0, 0.0)
    assert "> 99 %" in words
    assert "100 %" not in words


def test_a_model_with_scores_tells_them_with_their_sign():
    state = fit(create("svm", kernel="linear", C=100), PAIR.points, PAIR.labels)
    assert "right +" in reading(state, PAIR, 1.0, 0.0)
    assert "left −" in reading(state, PAIR, 1.0, 0.0)


def test_of_many_classes_the_leading_three_are_told():
    data = Dataset(np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 6)
    words = reading(fit(create("knn", k=20), data.points, data.labels), data, 0.0, 0.0)
    assert words.count("%") == 3


def test_a_curve_tells_its_value():
    state = fit(create("linear", degree=1), [0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    assert reading(state, Dataset.curve([0], [0]), 0.5, 9.0).startswith("predicted y 2")


def test_a_cluster_is_told_by_number():
    state = fit(create("kmeans", k=2), [[0, 0], [0, 1], [9, 9], [9, 8]])
    assert reading(state, PAIR, 0.0, 0.0) in ("cluster 1", "cluster 2")


def test_the_readout_holds_parameters_scores_and_metrics():
    state = fit(create("logistic"), PAIR.points, PAIR.labels)
    told = {row.name: row.value for row in rows(Experiment(create("logistic"), 7), frame_of(state))}
    assert told["Seed"] == "7"
    assert told["Accuracy, train"] == "0.5000"
    assert "Accuracy, held out" not in told
    assert told["Time"] == "2 ms"
    assert len(told) > len(state.metrics()) + 4


def test_the_readout_holds_the_fitted_curve_as_a_formula():
    state = fit(create("linear", degree=1), [0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    told = {row.name: row.value for row in rows(Experiment(create("linear")), frame_of(state))}
    assert "2" in told["Fitted"]
    assert "R², train" in told


def test_the_readout_without_a_result_has_the_parameters():
    told = [row.name for row in rows(Experiment(create("knn")), None)]
    assert told[0] == create("knn").title
    assert "Seed" in told


def test_the_readout_refreshes_only_where_it_is_seen(qtbot):
    readout = Readout()
    qtbot.addWidget(readout)
    state = fit(create("logistic"), PAIR.points, PAIR.labels)
    readout.show_result(Experiment(create("logistic"), 7), frame_of(state))
    assert readout.table.rowCount() == 0
    readout.show()
    assert readout.table.rowCount() > 5
    readout.show_result(Experiment(create("logistic"), 8), frame_of(state))
    qtbot.waitUntil(lambda: "8" in [readout.table._cell(row, 1) for row in range(readout.table.rowCount())])


def test_the_readout_can_be_copied(qtbot, qapp):
    readout = Readout()
    qtbot.addWidget(readout)
    state = fit(create("logistic"), PAIR.points, PAIR.labels)
    readout.show_result(Experiment(create("logistic"), 7), frame_of(state))
    readout.show()
    readout.copy()
    assert "Seed\t7" in qapp.clipboard().text().splitlines()
    readout.table.selectRow(1)
    qtbot.keyClick(readout.table, "C", Qt.KeyboardModifier.ControlModifier)
    assert len(qapp.clipboard().text().splitlines()) == 1


def test_the_status_bar_tells_of_long_runs_only(qtbot):
    status = Status()
    qtbot.addWidget(status)
    state = SimpleNamespace()
    status.set_frame(frame_of(state, running=True, seconds=0.05, progress=0.2))
    assert status.training_text == ""
    status.set_frame(frame_of(state, running=True, seconds=2.0, progress=0.43))
    assert status.training_text == "training… 43 %"
    status.set_frame(frame_of(state, steps=np.array([9]), seconds=2.5))
    assert status.training_text == "9 steps in 2.5 s"


@pytest.mark.parametrize(
    "seconds,words", [(5e-5, "50 µs"), (0.0123, "12 ms"), (3.21, "3.2 s"), (125.0, "2 min 5 s")]
)
def test_times_are_told_in_the_unit_that_suits_them(seconds, words):
    assert duration(seconds) == words
