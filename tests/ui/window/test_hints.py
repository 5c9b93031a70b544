"""Hints about columns of very different scales: what they say, and what their buttons do."""

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton

from vizml.data import Dataset, generate
from vizml.learn import TrainingData, create, models
from vizml.ui.window.hints import spans_decades, uneven_inputs
from vizml.workspace import Experiment, Work

WINE = generate("wine", a="alcohol", b="proline")
RICH = Dataset(10.0 ** np.random.default_rng(0).uniform([0, -2], [4, 2], (60, 2)), np.arange(60) % 2)


def button(window, text):
    return next(
        b for b in window.messages.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(window)
    )


def test_uneven_inputs_are_standardised_with_one_click(start):
    window = start(Work(WINE, (Experiment(create("knn")),)))
    assert window.messages.current.text == (
        "proline varies 388 times as much as alcohol: distances depend on it almost alone."
    )
    button(window, "&Standardise inputs").click()
    assert window.document.experiment().standardise
    assert window.messages.current is None
    window.commands["undo"].trigger()
    assert window.messages.current is None  # it was answered
    window.document.set_model(create("svm"))
    assert "proline varies" in window.messages.current.text
    window.document.set_model(create("tree"))
    assert window.messages.current is None


@pytest.mark.parametrize(
    "work",
    [
        Work(WINE, (Experiment(create("lda")),)),
        Work(WINE, (Experiment(create("knn"), standardise=True),)),
        Work(generate("wine"), (Experiment(create("knn")),)),
        Work(Dataset([[0.001, 1.0], [3.0, 1.01], [2.0, 1.0]], [0, 1, 0]), (Experiment(create("knn")),)),
        Work(Dataset.empty(), (Experiment(create("knn")),), equal=False),
    ],
    ids=["model without distances", "standardised", "even columns", "drawn points", "no points"],
)
def test_there_is_no_hint_where_nothing_is_to_be_gained(start, work):
    assert start(work).messages.current is None


def test_a_logarithmic_axis_is_offered_for_three_orders_of_magnitude(start):
    window = start(Work(RICH, (Experiment(create("tree")),), equal=False))
    assert window.messages.current.text == "x and y span three orders of magnitude or more."
    button(window, "Logarithmic &x axis").click()
    assert window.document.work.scales.log == (True, False)
    assert window.messages.current.text == "y spans three orders of magnitude or more."
    window.messages.close_newest()
    window.document.add([[5.0, 5.0]], 0)
    assert window.messages.current is None


@pytest.mark.parametrize("ratio, uneven", [(19.9, False), (20.1, True)])
def test_standard_deviations_are_uneven_from_a_factor_of_20_on(ratio, uneven):
    column = np.arange(9.0)
    found = uneven_inputs(TrainingData(np.column_stack([column, 100 - ratio * column]), column % 2))
    assert (found is not None) is uneven


@pytest.mark.parametrize("high, offered", [(1999.0, False), (2000.0, True)])
def test_a_largest_value_of_a_thousand_times_the_least_is_three_orders_of_magnitude(high, offered):
    dataset = Dataset([[2.0, 1.0], [high, 2.0]], [0, 1])
    assert spans_decades(Work(dataset, (Experiment(create("tree")),), equal=False), 0) is offered


def test_models_that_use_distances_say_so():
    known = {model.id for model in models() if model.uses_distances}
    assert known == {
        *("knn", "kernel_smoother", "svm", "linear_svm", "svr", "gp", "parzen", "kde"),
        *("kmeans", "agglomerative", "dbscan", "mean_shift"),
    }


HOLES = Dataset([[0, 0], [1, 0], [np.nan, 1], [1, 1], [2, np.nan]], [0, 0, 1, 1, 1], incomplete=True)


@pytest.mark.parametrize(
    "text, shown, trained",
    [
        ("&Drop rows", "5 rows, 2 not shown, 2 left out", 3),
        ("&Fill with the median", "5 rows, 2 not shown, 2 filled with the median", 5),
    ],
)
def test_rows_with_missing_values_are_dropped_or_filled_with_one_click(start, qtbot, text, shown, trained):
    window = start(Work(HOLES, (Experiment(create("lda")),)))
    told = "2 of 5 rows have no value in x, y; the model needs complete rows."
    assert window.messages.current.text == told
    assert window.status.rows.text() == "5 rows, 2 not shown, 2 with missing values"
    button(window, text).click()
    assert window.messages.current is None
    assert window.status.rows.text() == shown
    qtbot.waitUntil(lambda: window.stage.settled and window.stage.state is not None)
    assert len(window.stage.state.space.X) == trained
    window.commands["undo"].trigger()
    assert window.messages.current.text == told  # nothing is trained again


def test_the_readout_counts_the_rows(start, qtbot):
    window = start(Work(HOLES.with_roles(missing="drop"), (Experiment(create("lda")),)))
    window.commands["readout"].trigger()
    qtbot.waitUntil(lambda: window.readout.table.rowCount() > 3)
    table = window.readout.table
    cells = {table.plain_text(row, 0): table.plain_text(row, 1) for row in range(table.rowCount())}
    assert (cells["Rows"], cells["Not shown"], cells["Left out"]) == ("5", "2", "2")


def test_regression_leaves_out_rows_without_a_target(start):
    window = start(Work(HOLES, (Experiment(create("linear")),)))
    assert window.messages.current.text == "1 of 5 rows has no value in x; the model needs complete rows."
    assert window.status.rows.text() == "5 rows, 2 not shown, 1 left out, 1 with missing values"


def test_complete_rows_are_not_mentioned(start):
    assert start(Work(WINE, (Experiment(create("lda")),))).status.rows.text() == ""


def test_models_that_take_missing_values_need_no_hint(start, qtbot):
    window = start(Work(HOLES, (Experiment(create("tree")),)))
    assert window.messages.current is None
    window.document.set_model(create("lda"))
    assert "the model needs complete rows" in window.messages.current.text
