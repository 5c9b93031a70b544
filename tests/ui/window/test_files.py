import threading
import time

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from tests.events import cpu_seconds, pass_events
from vizml.data import Split, project
from vizml.data.tables import read_table
from vizml.field.cancellation import Cancelled, check_cancelled
from vizml.run.worker import await_closed
from vizml.scene.figure import REGIONS
from vizml.ui.dialogs.csv_import import INPUT, CsvDialog

TWO_CLASSES = "x,y,class\n0,0,a\n1,1,b\n2,0,a\n"


@pytest.fixture
def saved(window, tmp_path):
    """A project with a split, a seed, a parameter, a view and a hidden layer of its own."""
    window.document.set_param("C", 7.0)
    window.document.set_seed(5)
    window.document.set_split(Split(0.25, 3))
    window.canvas.set_bounds((-3.0, 4.0, -5.0, 6.0))
    window.preferences.set_shown(REGIONS, False)
    window.preferences.set_shading("hard")
    path = tmp_path / "four.vizml"
    assert window.files.save_to(path)
    return path


def test_what_was_saved_opens_as_it_was(window, saved):
    work = window.document.work
    window.files.new()
    window.preferences.set_shown(REGIONS, True)
    window.preferences.set_shading("soft")
    assert len(window.document.dataset) == 0
    assert window.files.open_path(saved)
    assert window.document.work == work
    assert window.canvas.bounds == (-3.0, 4.0, -5.0, 6.0)
    assert not window.preferences.look.shows(REGIONS)
    assert window.preferences.look.shading == "hard"
    assert window.files.path == saved


def test_the_title_names_the_file_and_marks_what_is_unsaved(window, saved):
    assert window.windowTitle().startswith("four.vizml[*]")
    assert not window.isWindowModified()
    window.document.add([[0.0, 0.0]], 0)
    assert window.isWindowModified()
    window.document.undo()
    assert not window.isWindowModified()
    window.files.new()
    assert window.windowTitle().startswith("untitled")


def test_save_writes_to_the_known_file_without_asking(window, saved, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: pytest.fail("asked for a name"))
    window.document.add([[0.5, 0.5]], 1)
    assert window.files.save()
    assert len(project.load(saved).dataset) == 5


def test_save_as_asks_and_adds_the_ending(window, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "new"), ""))
    assert window.files.save()
    assert (tmp_path / "new.vizml").exists()
    assert window.preferences.recent == (str(tmp_path / "new.vizml"),)


def test_a_save_that_fails_says_so_and_stays_unsaved(window, tmp_path):
    window.document.add([[0.5, 0.5]], 1)
    assert not window.files.save_to(tmp_path / "no such folder" / "a.vizml")
    assert "cannot be written" in window.messages.current.text
    assert window.document.modified


@pytest.mark.parametrize("word,left", [("cancel", False), ("discard", True)])
def test_unsaved_work_is_asked_about_before_it_is_left(window, answer, word, left):
    asked = answer(word)
    window.document.add([[0.5, 0.5]], 1)
    window.files.new()
    assert asked == ["untitled"]
    assert (len(window.document.dataset) == 0) is left
    if not left:
        assert not window.close()
        assert window.isVisible()


def test_a_cancelled_save_leaves_everything(window, answer, monkeypatch):
    answer("save")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    window.document.add([[0.5, 0.5]], 1)
    window.files.new()
    assert len(window.document.dataset) == 5


def test_saved_work_is_not_asked_about_and_answering_save_saves_first(window, saved, answer):
    asked = answer("save")
    window.document.add([[0.5, 0.5]], 1)
    window.files.new()
    assert len(project.load(saved).dataset) == 5
    assert len(window.document.dataset) == 0
    assert window.files.open_path(saved)
    window.files.new()
    assert asked == ["four.vizml"]


def test_a_project_that_was_only_viewed_is_left_without_a_question_and_undo_restores_it(
    window, saved, answer, tmp_path
):
    other = tmp_path / "other.vizml"
    window.document.add([[50.0, 50.0]], 1)
    window.files.save_to(other)
    assert window.files.open_path(saved)
    content, asked = saved.read_bytes(), answer("cancel")
    window.document.set_param("C", 20.0)
    viewed = window.document.work
    assert window.files.open_path(other)
    assert asked == []
    assert saved.read_bytes() == content
    assert (window.files.path, window.isWindowModified()) == (other, False)
    window.commands["undo"].trigger()
    assert window.document.work == viewed
    assert (window.files.path, window.isWindowModified()) == (saved, True)
    assert window.canvas.bounds[1] < 10.0  # its points are in view
    assert window.windowTitle().startswith("four.vizml")
    window.document.undo()
    assert not window.isWindowModified()
    window.document.redo()
    window.document.redo()
    assert (window.files.path, window.isWindowModified()) == (other, False)
    window.document.add([[0.0, 0.5]], 1)
    assert not window.files.open_path(saved)
    assert asked == ["other.vizml"]


def test_a_dropped_project_opens(window, saved, drop, qtbot):
    window.files.new()
    drop(window.canvas, saved)
    qtbot.waitUntil(lambda: window.files.path == saved)
    assert len(window.document.dataset) == 4


def test_a_dropped_table_or_picture_is_imported_and_another_file_is_not(window, tmp_path, drop, qtbot):
    other, table, picture = (tmp_path / f"t.{ending}" for ending in ("exe", "csv", "png"))
    for path in (other, table):
        path.write_text(TWO_CLASSES)
    Image.new("RGB", (4, 3), (255, 0, 9)).save(picture)
    drop(window, other)
    pass_events()
    assert len(window.document.dataset) == 4
    assert window.messages.current is None
    drop(window, table)  # beside the canvas
    qtbot.waitUntil(lambda: len(window.document.dataset) == 3)
    drop(window.canvas, picture)
    qtbot.waitUntil(lambda: len(window.document.dataset) == 12)
    assert window.document.dataset.features.tolist() == [[255, 0, 9]] * 12


def test_a_plain_table_is_imported_as_one_undo_entry(window, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TWO_CLASSES)
    assert window.files.import_table(path)
    assert window.commands["undo"].text() == "Undo import t.csv (3 points)"
    assert window.document.dataset.classes == ("a", "b")
    assert window.files.path is None
    window.document.undo()
    assert len(window.document.dataset) == 4


def test_a_table_with_several_columns_asks_which(window, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("height,width,depth,kind\n1,2,3,a\n4,5,6,b\n")
    assert window.files.import_table(path)
    dialog = window.findChild(CsvDialog)
    assert dialog.isVisible()
    assert not dialog.isModal()
    dialog.up.setCurrentIndex(2)
    dialog.take.click()
    assert np.array_equal(window.document.dataset.points, [[1, 3], [4, 6]])
    assert window.document.dataset.axes == ("height", "depth")


BAD = {
    "empty.csv": b"",
    "binary.csv": bytes(range(256)) * 20,
    "text.csv": b"some words\nand more\n",
    "nan.csv": b"x,y,class\n1,2,a\nnan,3,b\n",
    "ragged.csv": b"x,y,class\n1,2,a\n1\n",
    "empty.vizml": b"",
    "cut.vizml": b'{"vizml": 1, "dataset": {"x": [1, 2',
    "newer.vizml": b'{"vizml": 99}',
    "types.vizml": b'{"vizml": 1, "dataset": 3, "split": [], "experiments": "none"}',
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_a_sentence_and_changes_nothing(window, tmp_path, answer, name):
    asked = answer("cancel")
    window.document.add([[0.5, 0.5]], 1)
    before = window.document.work, window.canvas.bounds, window.preferences.look
    path = tmp_path / name
    path.write_bytes(BAD[name])
    assert not window.files.open_path(path)
    message = window.messages.current
    assert message.kind == "error"
    assert name in message.text
    assert "\n" not in message.text
    assert (window.document.work, window.canvas.bounds, window.preferences.look) == before
    assert message.text in window.log.text
    assert asked == []


def test_a_project_with_an_unknown_model_is_refused(window, saved):
    text = saved.read_text().replace('"svm"', '"oracle"')
    saved.write_text(text)
    work = window.document.work
    assert not window.files.open_path(saved)
    assert "there is no model 'oracle'" in window.messages.current.text
    assert window.document.work is work


def test_a_table_without_classes_says_what_can_be_done_with_it(window, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1,2\n3,4\n")
    window.files.import_table(path)
    assert "without classes" in window.messages.current.text


def test_exported_points_come_back(window, tmp_path):
    path = tmp_path / "out.csv"
    window.files.export_csv_to(path)
    before = window.document.dataset
    window.clear()
    window.files.import_table(path)
    assert np.array_equal(window.document.dataset.points, before.points)
    assert np.array_equal(window.document.dataset.labels, before.labels)


def test_rows_without_x_or_y_stay_in_the_table(window, tmp_path, qtbot):
    path = tmp_path / "t.csv"
    path.write_text("x,y,class\n1,2,a\n,4,b\n5,6,a\n7,1,b\n2,2,\n")
    window.files.import_table(path)
    window.findChild(CsvDialog).take.click()
    assert len(window.document.dataset) == 5
    assert (
        "5 points from t.csv, 1 without x or y is not drawn, 1 without a class"
        in window.messages.text_label.text()
    )
    qtbot.waitUntil(lambda: window.stage.settled)
    assert window.status.rows.text() == "5 rows, 1 not shown, 1 left out"
    assert len(window.stage.state.space.X) == 3
    window.document.set_dataset("fill", window.document.dataset.with_roles(missing="median"))
    qtbot.waitUntil(lambda: window.stage.settled)
    assert len(window.stage.state.space.X) == 4


def test_rows_without_an_input_are_not_said_to_have_no_class(window, tmp_path, qtbot):
    path = tmp_path / "t.csv"
    path.write_text("height,width,depth,kind\n1,2,,a\n4,5,,b\n")
    window.files.import_table(path)
    dialog = window.findChild(CsvDialog)
    for row in (0, 2):
        dialog.columns.item(row, INPUT).setCheckState(Qt.CheckState.Checked)
    assert dialog.summary.text() == "2 points of 2 classes, 2 rows with empty cells left out"
    dialog.take.click()
    assert window.messages.text_label.text() == "2 points from t.csv"
    qtbot.waitUntil(lambda: window.stage.settled)
    assert window.stage.frame.failure.sentence == "column 'depth' has no values: choose other inputs"


def test_a_column_without_values_in_rows_with_a_class_is_imported(window, tmp_path, qtbot):
    """The median of no values does not exist: the stage says so, and the import does not fail."""
    path = tmp_path / "t.csv"
    path.write_text("height,width,depth,kind\n1,2,,a\n4,5,,b\n5,5,,b\n6,2,1,\n")
    window.files.import_table(path)
    dialog = window.findChild(CsvDialog)
    dialog.up.setCurrentIndex(2)
    dialog.missing.setCurrentIndex(dialog.missing.findData("median"))
    dialog.take.click()
    assert "4 points from t.csv" in window.messages.text_label.text()
    qtbot.waitUntil(lambda: window.stage.settled)
    assert window.stage.frame.failure.sentence == "column 'depth' has no values: choose other inputs"


@pytest.fixture
def large(tmp_path):
    """A table of 60,000 rows, which takes half a second to read."""
    path = tmp_path / "large.csv"
    numbers = np.random.default_rng(0).normal(size=(60_000, 6)).round(6)
    rows = (f"{','.join(map(str, row))},{'ab'[k % 2]}" for k, row in enumerate(numbers.tolist()))
    path.write_text("\n".join(["c,d,e,f,x,y,class", *rows]))
    return path


def test_a_large_table_is_read_in_a_thread(window, large, qtbot):
    opened = []
    assert cpu_seconds(lambda: opened.append(window.files.import_table(large))) < 0.1
    assert opened == [True]
    assert window.messages.current.text == "large.csv is being read"
    assert len(window.document.dataset) == 4
    qtbot.waitUntil(lambda: len(window.document.dataset) == 60_000)
    assert "60,000 points from large.csv" in window.messages.current.text


def test_reading_a_large_table_can_be_cancelled(window, large):
    window.files.import_table(large)
    ((name, cancel),) = window.messages.current.choices
    cancel()
    window.files.close_down()
    await_closed()
    pass_events()
    assert name == "Cancel"
    assert len(window.document.dataset) == 4
    assert window.findChild(CsvDialog) is window.messages.current is None


@pytest.mark.parametrize("name, count", [("", 0), ("four.vizml", 4), ("small.csv", 3)])
def test_a_large_table_gives_way_to_what_is_opened_after_it(
    window, saved, large, name, count, qtbot, monkeypatch
):
    (saved.parent / "small.csv").write_text(TWO_CLASSES)
    begun, given_up = threading.Event(), threading.Event()

    def read(path):
        try:
            while path == large:
                begun.set()
                check_cancelled()
                time.sleep(0.001)
        except Cancelled:
            given_up.set()
            raise
        return read_table(path)

    monkeypatch.setattr("vizml.ui.window.files.read_table", read)
    window.files.import_table(large)
    qtbot.waitUntil(begun.is_set)
    assert window.files.open_path(saved.parent / name) if name else window.files.new() is None
    qtbot.waitUntil(given_up.is_set)
    assert len(window.document.dataset) == count
    assert window.messages.current is None or "being read" not in window.messages.current.text


def test_a_fault_ends_the_reading_of_a_large_table(window, large, qtbot, monkeypatch, logged_errors):
    monkeypatch.setattr("vizml.ui.window.files.read_table", lambda _: 1 / 0)
    window.files.import_table(large)
    qtbot.waitUntil(lambda: window.messages.current.kind == "error")
    window.messages.close_newest()
    assert window.messages.current is None


def test_a_bad_large_table_is_refused_in_a_sentence(window, large, qtbot):
    large.write_text(large.read_text() + "\n1,2\n")
    assert window.files.import_table(large)
    qtbot.waitUntil(lambda: window.messages.current.kind == "error")
    assert window.messages.current.text == "large.csv, line 60002: 2 cells where the header has 7"
    assert len(window.document.dataset) == 4
