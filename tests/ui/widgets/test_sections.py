"""Columns and section groups of the side panel, on a table of four numbers and a category."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.events import pass_events
from vizml.data import Column, Dataset
from vizml.learn import create
from vizml.ui.widgets.side_panel import SidePanel
from vizml.workspace import Document, Experiment, Work
from vizml.workspace.work import Change

VALUES = np.random.default_rng(0).normal(size=(40, 4))
KINDS = np.arange(40) % 3 // 2


@pytest.fixture
def document():
    columns = [Column(name, values) for name, values in zip("abcd", VALUES.T)]
    table = Dataset.of([*columns, Column("kind", KINDS, ("left", "right"))], labels=np.arange(40) % 2)
    return Document(Work(table, (Experiment(create("tree")),)))


@pytest.fixture
def panel(put, document):
    return put(SidePanel(document), 320, 600, closing=SidePanel.close_down)


def choose(combo, name):
    combo.setCurrentIndex(combo.findData(name))


def test_two_plain_columns_have_no_groups_until_they_are_asked_for(panel, document):
    assert panel.columns.isVisible()
    document.set_dataset("plain", Dataset(VALUES[:, :2], np.arange(40) % 2))
    assert not panel.columns.isVisible()
    assert not panel.section.isVisible()
    panel.show_columns()
    assert panel.columns.isVisible()


def test_each_role_is_one_undoable_edit(panel, document):
    group = panel.columns
    choose(group.axes[0].combo, "c")
    choose(group.axes[1].combo, "c")
    assert document.dataset.axes == ("b", "c")
    group.kind.picked.emit("all")
    assert document.dataset.inputs == ("b", "c", "a", "d", "kind")
    group.kind.picked.emit("some")
    QTest.keyClick(group.inputs, Qt.Key.Key_Home)
    QTest.keyClick(group.inputs, Qt.Key.Key_Space)
    assert "b" not in document.dataset.inputs
    assert document.dataset.axes == ("a", "c")
    labels = []
    while document.undo_label:
        labels.append(document.undo_label)
        document.undo()
    assert labels == [
        "choose inputs", "learn from all columns",
        "show c on the vertical axis", "show c on the horizontal axis",
    ]  # fmt: skip
    assert document.dataset.axes == ("a", "b")


def test_the_last_input_stays(panel, document):
    panel.columns.kind.picked.emit("some")
    for row in range(panel.columns.inputs.count()):
        panel.columns.inputs.item(row).setCheckState(Qt.CheckState.Unchecked)
    assert len(document.dataset.inputs) == 1
    assert panel.columns.inputs.checked == document.dataset.inputs


def test_a_target_and_a_class_are_chosen_for_their_tasks(panel, document):
    group = panel.columns
    assert (group.classes.isVisible(), group.target.isVisible()) == (True, False)
    choose(group.classes.combo, "kind")
    assert document.dataset.label == "kind"
    assert np.array_equal(document.dataset.labels, KINDS)
    choose(group.classes.combo, "")
    assert not len(document.dataset.present)
    document.set_model(create("linear", "regress"))
    assert (group.classes.isVisible(), group.target.isVisible()) == (False, True)
    choose(group.target.combo, "d")
    assert document.dataset.axes == ("a", "d")


def test_sections_begin_at_medians_and_change_nothing_but_the_section(panel, document):
    panel.columns.kind.picked.emit("all")
    rows, seen = panel.section.rows, []
    assert [*rows] == ["c", "d", "kind"]
    assert [rows[name].param.default for name in rows] == [*np.median(VALUES[:, 2:], axis=0), "left"]
    document.changed.connect(seen.append)
    QTest.keyClick(rows["c"].control.slider, Qt.Key.Key_End)
    rows["kind"].control.value_requested.emit("right", "")
    assert document.work.held == pytest.approx({"c": VALUES[:, 2].max(), "kind": 1.0}, abs=0.01)
    assert not rows["c"].problem.isVisible()
    panel.section.median.click()
    assert document.work.held == {}
    assert set(seen) == {Change.SECTION}


@pytest.mark.parametrize("categories", [(), ("left", "right")])
def test_an_input_without_values_is_held_at_none(panel, document, categories):
    """Trees take missing values: all the other inputs are held."""
    given = document.dataset.column("d").values
    empty = Column("c", np.full(40, -1) if categories else np.full(40, np.nan), categories)
    columns = [Column(name, values) for name, values in zip("ab", VALUES.T)]
    table = Dataset.of(
        [*columns, empty, Column("d", given)], labels=np.arange(40) % 2, chosen_inputs=[*"abcd"]
    )
    document.set_dataset("t", table)
    assert [*panel.section.rows] == ["d"]


def test_an_input_with_values_in_unlabelled_rows_only_begins_at_zero(panel, document):
    values = np.r_[5.0, np.full(39, np.nan)]
    columns = [Column(name, each) for name, each in zip("abc", [*VALUES[:, :2].T, values])]
    labels = np.r_[-1, np.arange(39) % 2]
    document.set_dataset("t", Dataset.of(columns, labels=labels, chosen_inputs=[*"abc"]))
    param = panel.section.rows["c"].param
    assert (param.lo, param.default, param.hi) == (0, 0, 5)


def test_an_animation_goes_from_low_to_high_and_is_one_undo_entry(panel, document, qtbot):
    panel.columns.kind.picked.emit("all")
    row, seen = panel.section.rows["c"], []
    document.changed.connect(lambda _: seen.append(document.work.held.get("c")))
    row.play.click()
    qtbot.waitUntil(lambda: len(seen) > 3)
    row.play.click()
    assert seen[:4] == sorted(seen[:4])
    assert seen[0] < VALUES[:, 2].min() + 0.5 * np.ptp(VALUES[:, 2])
    document.undo()
    assert document.work.held == {}
    pass_events()
    assert document.work.held == {}
