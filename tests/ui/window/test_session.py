import logging
import os
import sys
import threading

import pytest

from vizml import app
from vizml.data import generate, project
from vizml.data.project import Project, StageSpec
from vizml.workspace.projects import opening


@pytest.fixture
def lecture(tmp_path):
    path = tmp_path / "lecture.vizml"
    project.save(Project(generate("circles", n=40), stages=(StageSpec("classify", "knn", {"k": 3}),)), path)
    return path


@pytest.fixture
def begun(preferences, folder, start):
    """Opens a window as the program does, with a file where one is given."""

    def opened(file=None):
        found = opening(preferences, folder, file)
        window = start(found.work)
        app.begin(window, found)
        return window

    return opened


def test_the_first_start_shows_moons_with_a_trained_svm_and_hints(begun, qtbot):
    window = begun()
    assert window.messages.current.kind == "tip"
    qtbot.waitUntil(lambda: window.stage.frame is not None and window.stage.frame.shown is not None)
    assert window.document.experiment().model.id == "svm"
    assert window.document.dataset == generate("moons")
    assert not window.document.modified


def test_a_start_goes_on_with_work_that_is_in_no_file_without_hints(preferences, folder, start):
    window = start()
    work = window.document.work
    window.close()
    found = opening(preferences, folder)
    assert (found.work, found.path, found.first) == (work, None, False)


def test_work_that_was_not_wanted_is_not_brought_back(preferences, folder, start, answer):
    window = start()
    answer("discard")
    window.document.add([[9.0, 9.0]], 0)
    window.close()
    assert opening(preferences, folder).work.dataset == generate("moons")


def test_a_start_goes_on_with_the_last_project_or_tells_that_it_is_gone(preferences, folder, start, lecture):
    window = start()
    window.files.open_path(lecture)
    window.close()
    found = opening(preferences, folder)
    assert found.path == lecture
    assert found.work.experiments[0].model.values["k"] == 3
    lecture.unlink()
    found = opening(preferences, folder)
    assert "there is no file" in found.complaint
    assert len(found.work.dataset) == 200


def test_a_named_project_is_opened(preferences, folder, lecture):
    found = opening(preferences, folder, str(lecture))
    assert len(found.work.dataset) == 40
    assert found.path == lecture


@pytest.mark.parametrize("source", ["first", "unsaved", "last", "named"])
def test_partial_files_of_a_killed_process_are_removed_at_the_next_start(
    preferences, folder, lecture, source
):
    folder.mkdir(exist_ok=True)
    path = lecture if source in ("last", "named") else folder / "session.vizml"
    if source == "unsaved":
        path.write_bytes(lecture.read_bytes())
    part = path.with_name(f".{path.name}.123.part")
    part.write_bytes(b"half")
    os.utime(part, (0, 0))
    preferences.set_text("session/path", str(lecture) if source == "last" else "")
    found = opening(preferences, folder, str(lecture) if source == "named" else None)
    assert found.first is (source == "first")
    assert len(found.work.dataset) == (200 if source == "first" else 40)
    assert not part.exists()


def test_a_start_shows_the_active_stage_and_its_view(begun, tmp_path):
    path, view = tmp_path / "two.vizml", (-3.0, 4.0, -2.0, 2.5)
    stages = (StageSpec("classify", "svm", view=view), StageSpec("classify", "knn", view=view))
    project.save(Project(generate("circles", n=40), stages=stages, active=1), path)
    window = begun(str(path))
    assert window.stages.active is window.stages.stages[1]
    assert window.canvas.bounds == pytest.approx(view)


def test_a_named_table_is_imported(begun, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y,class\n0,0,a\n1,1,b\n")
    window = begun(str(path))
    assert len(window.document.dataset) == 2
    assert window.document.undo_label == "import t.csv (2 points)"


def test_a_named_file_that_is_bad_is_told_in_the_window(begun, tmp_path):
    path = tmp_path / "bad.vizml"
    path.write_text("nonsense")
    window = begun(str(path))
    assert "bad.vizml" in window.messages.current.text
    assert window.files.path is None


@pytest.fixture
def alarm(window, monkeypatch):
    """Armed, and heard in place of the test suite's own hooks."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    made = app.UncaughtErrors(window.messages)
    made.install()
    yield made
    made.uninstall()


def test_an_error_nobody_caught_is_told_once_and_the_program_lives(window, alarm, logged_errors):
    try:
        raise KeyError("lost")
    except KeyError as error:
        for _ in range(3):
            sys.excepthook(KeyError, error, error.__traceback__)
    assert "KeyError" in window.messages.current.text
    assert "test_session.py" in window.messages.current.details
    assert logged_errors.texts == ["Uncaught KeyError"] * 3
    window.messages.close_newest()
    assert window.messages.current is None


def test_an_error_in_a_thread_is_told_in_the_window(window, alarm, qtbot, logged_errors):
    def fail():
        raise ValueError("in the worker")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "in the worker" in window.messages.current.text


def test_the_application_has_our_name_and_icon(qapp):
    assert app.application() is qapp
    assert qapp.applicationName() == "VizML"
    assert not qapp.windowIcon().isNull()


def test_errors_are_written_to_a_file_in_the_state_folder(tmp_path, logged_errors):
    logger = logging.getLogger("vizml")
    before = list(logger.handlers)
    app.start_logging(tmp_path)
    logger.error("for the file")
    for handler in set(logger.handlers) - set(before):
        logger.removeHandler(handler)
        handler.close()
    assert "for the file" in (tmp_path / "vizml.log").read_text()
