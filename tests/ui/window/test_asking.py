"""What the window asks the system's dialogs, and what it does with their answers."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from vizml.data import Dataset, generate, project
from vizml.data.project import Project
from vizml.ui.window.files import ask_to_save


@pytest.fixture
def dialogs(monkeypatch):
    """Answers with a path; the list of what was asked: the title, the place, the kinds of files."""
    asked, answer = [], {"path": ""}

    def reply(_parent, title, place, kinds):
        asked.append((title, place, kinds))
        return str(answer["path"]), kinds

    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, reply)

    def set_answer(path):
        answer["path"] = path
        return asked

    return set_answer


@pytest.fixture
def circles(tmp_path):
    path = tmp_path / "deep" / "circles.vizml"
    path.parent.mkdir()
    project.save(Project(generate("circles", n=30)), path)
    return path


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x,y,class\n0,0,a\n1,1,b\n2,0,a\n")
    return path


def test_open_takes_the_project_that_was_chosen_and_asks_next_where_it_was(window, dialogs, circles):
    dialogs(circles)
    window.commands["open"].trigger()
    assert window.document.dataset == generate("circles", n=30)
    assert window.files.path == circles
    asked = dialogs("")
    window.files.open()
    assert asked[-1][1] == str(circles.parent)


def test_import_takes_the_table_that_was_chosen(window, dialogs, table):
    dialogs(table)
    window.files.ask_import()
    assert [window.document.dataset.name(k) for k in (0, 1)] == ["a", "b"]
    assert window.document.dataset.labels.tolist() == [0, 1, 0]
    assert window.files.path is None


def test_a_dialog_that_is_left_changes_nothing(window, dialogs):
    before, asked = window.document.work, dialogs("")
    window.files.open()
    window.files.ask_import()
    window.files.export_csv()
    assert window.document.work == before
    assert window.messages.current is None
    assert len(asked) == 3


def test_points_are_exported_under_the_name_of_the_project_with_an_ending(window, dialogs, circles, tmp_path):
    window.files.open_path(circles)
    asked = dialogs(tmp_path / "mine")
    window.files.export_csv()
    assert asked[0][1] == str(circles.parent / "circles.csv")
    lines = (tmp_path / "mine.csv").read_text().splitlines()
    assert len(lines) == 1 + 30
    assert window.messages.current.text == "30 points written to mine.csv"


def test_an_export_says_how_many_points_it_has_or_why_it_failed(window, tmp_path):
    window.document.set_dataset("one", Dataset([[0.0, 0.0]], [0]))
    window.files.export_csv_to(tmp_path / "one.csv")
    assert window.messages.current.text == "1 point written to one.csv"
    (tmp_path / "taken.csv").mkdir()
    window.files.export_csv_to(tmp_path / "taken.csv")
    current = window.messages.current
    assert current.kind == "error"
    assert str(tmp_path / "taken.csv") in current.text
    assert "directory" in current.text


def test_of_several_files_that_fall_the_first_is_opened(window, circles, table):
    window.files.open_paths([circles, table])
    assert window.files.path == circles
    assert len(window.document.dataset) == 30


@pytest.mark.parametrize("answer", ["save", "save as", "discard", "cancel"])
def test_the_question_about_unsaved_work_has_four_answers(window, answer):
    seen = []

    def click():
        box = QApplication.activeModalWidget()
        seen.append(box.text())
        texts = {button.text().replace("&", "").rstrip("…").lower(): button for button in box.buttons()}
        texts[answer].click()

    QTimer.singleShot(0, click)
    assert ask_to_save(window, "lecture.vizml") == answer
    assert seen == ["Save the changes to lecture.vizml?"]


@pytest.mark.parametrize("name, answer", [("lecture.vizml", "save as"), ("untitled", "save")])
def test_enter_never_overwrites_a_file_and_closing_the_question_means_cancel(window, name, answer):
    QTimer.singleShot(0, lambda: QTest.keyClick(QApplication.activeModalWidget(), Qt.Key.Key_Return))
    assert ask_to_save(window, name) == answer
    QTimer.singleShot(0, lambda: QApplication.activeModalWidget().reject())
    assert ask_to_save(window, name) == "cancel"
