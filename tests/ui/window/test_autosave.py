import os
import threading
from itertools import pairwise

import pytest
from PySide6.QtCore import QTimer

from tests.events import LIMIT, wait_for
from vizml.data import generate, project
from vizml.data.project import Project
from vizml.workspace.autosave import unsaved_works


@pytest.fixture
def killed(folder):
    """What a program that was killed leaves: its work, its lock, and the file that it was working on."""

    def leave(origin=""):
        folder.mkdir(exist_ok=True)
        path = folder / "work-1-abc.vizml"
        project.save(Project(generate("circles", n=50)), path)
        path.with_suffix(".lock").write_text(f"origin: {origin}" if origin else "")
        return path

    return leave


def kept(folder):
    return sorted(path.name for path in folder.glob("*.vizml")) if folder.exists() else []


@pytest.fixture
def delay(window):
    """The timer from a change to its write."""
    return window.recovery.findChild(QTimer)


def test_a_change_is_written_within_a_second(window, folder, qtbot, delay):
    window.document.add([[0.25, 0.5]], 1)
    assert delay.isActive()
    assert delay.interval() <= 1000
    qtbot.waitUntil(lambda: kept(folder) != [])
    found = project.load(window.recovery.autosave.path)
    assert found.dataset == window.document.dataset
    assert str(os.getpid()) in window.recovery.autosave.path.name


def test_changes_without_a_pause_do_not_put_it_off(window, qtbot, delay):
    left = []

    def over():
        left.append(delay.remainingTime())
        window.document.add([[0.25, 0.5]], 1, merge="stroke")
        return [time > 0 for time in left[-3:]] == [True, True, False]  # two changes, and the write

    qtbot.waitUntil(over)
    assert all(after <= before for before, after in pairwise(left) if before > 0)


@pytest.mark.parametrize("saved", [False, True])
def test_work_that_is_saved_or_discarded_leaves_nothing_to_recover(window, folder, answer, tmp_path, saved):
    """That of a running window is not offered to another one."""
    answer("discard")
    window.document.add([[0.25, 0.5]], 1)
    window.recovery.write()
    assert kept(folder) != []
    assert list(unsaved_works(folder)) == []
    assert window.files.save_to(tmp_path / "mine.vizml") if saved else window.close()
    assert kept(folder) == []


def test_what_a_killed_program_left_is_offered_and_restored_with_its_file(window, killed, tmp_path):
    path = killed(origin=str(tmp_path / "lecture.vizml"))
    window.recovery.offer()
    message = window.messages.current
    assert message.kind == "question"
    assert "unsaved work on lecture.vizml" in message.text
    dict(message.choices)["&Restore"]()
    assert len(window.document.dataset) == 50
    assert window.isWindowModified()
    assert window.files.path == tmp_path / "lecture.vizml"
    assert not path.exists()
    assert window.recovery.autosave.path.exists()


def test_restoring_over_unsaved_work_can_be_undone(window, killed):
    window.document.add([[0.25, 0.5]], 1)
    killed()
    window.recovery.offer()
    dict(window.messages.current.choices)["&Restore"]()
    assert len(window.document.dataset) == 50
    window.document.undo()
    assert len(window.document.dataset) == 5


def test_discarded_remains_are_gone(window, killed, folder):
    path = killed(origin="/somewhere/a.vizml")
    window.recovery.offer()
    dict(window.messages.current.choices)["Di&scard"]()
    assert not path.exists()
    assert list(unsaved_works(folder)) == []


def test_an_offer_that_nobody_answered_is_made_again(start, killed):
    first = start()
    killed()
    first.recovery.offer()
    first.messages.close_newest()
    first.close()
    second = start()
    second.recovery.offer()
    assert second.messages.current.kind == "question"


def test_only_one_window_is_offered_the_same_work(start, killed):
    killed()
    first, second = start(), start()
    first.recovery.offer()
    second.recovery.offer()
    assert first.messages.current is not None
    assert second.messages.current is None


def test_remains_that_cannot_be_read_are_told_of_and_kept(window, killed):
    path = killed()
    path.write_text("{")
    window.recovery.offer()
    dict(window.messages.current.choices)["&Restore"]()
    assert "cannot be restored" in window.messages.current.text
    assert path.exists()
    assert len(window.document.dataset) == 4


def test_a_disk_that_is_full_is_told_of_in_a_sentence_and_once_until_it_works(window, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    recovery, told = window.recovery, []
    window.messages.posted.connect(lambda message: told.append(message.text))
    monkeypatch.setattr("vizml.data.files.os.fsync", full)
    window.document.add([[0.25, 0.5]], 1)
    assert not recovery.write()
    assert not recovery.write()
    folder = recovery.autosave.path.parent
    assert told == [f"Unsaved work cannot be kept in {folder}: no space left on device"]
    monkeypatch.undo()
    assert recovery.write()
    assert project.load(recovery.autosave.path).dataset == window.document.dataset
    monkeypatch.setattr("vizml.data.files.os.fsync", full)
    assert not recovery.write()
    assert len(told) == 2


def test_what_cannot_be_kept_anew_stays_where_it_was_found(window, killed, monkeypatch):
    path = killed()
    window.recovery.offer()
    monkeypatch.setattr(window.recovery, "write", lambda: False)
    dict(window.messages.current.choices)["&Restore"]()
    assert len(window.document.dataset) == 50
    assert path.exists()


class Disk:
    """Holds every write up until it may go on."""

    def __init__(self, monkeypatch):
        self.free, self.busy = threading.Event(), threading.Event()
        monkeypatch.setattr("vizml.data.files.os.fsync", self._fsync)

    def _fsync(self, _):
        self.busy.set()
        self.free.wait(LIMIT)


@pytest.fixture
def disk(monkeypatch):
    disk = Disk(monkeypatch)
    yield disk
    disk.free.set()


def writers():
    return [thread for thread in threading.enumerate() if thread.name.startswith("autosave")]


def test_a_slow_disk_does_not_hold_up_the_window(window, disk, qtbot, folder, delay):
    window.document.add([[0.25, 0.5]], 1)
    qtbot.waitUntil(disk.busy.is_set)
    window.document.add([[0.75, 0.5]], 1)
    qtbot.waitUntil(lambda: not delay.isActive())
    assert len(writers()) == 1
    assert kept(folder) == []
    disk.free.set()
    path = window.recovery.autosave.path
    qtbot.waitUntil(lambda: path.exists() and len(project.load(path).dataset) == 6)
    qtbot.waitUntil(lambda: not window.recovery.autosave.writing)


def test_what_is_saved_or_thrown_away_meanwhile_does_not_come_back(window, disk, qtbot, folder):
    window.document.add([[0.25, 0.5]], 1)
    qtbot.waitUntil(disk.busy.is_set)

    def free():
        wait_for(lambda: not window.document.modified)
        disk.free.set()

    threading.Thread(target=free).start()
    window.document.undo()
    assert not window.document.modified
    qtbot.waitUntil(lambda: disk.free.is_set() and list(folder.iterdir()) == [])
    assert window.recovery.autosave.wait()
    assert kept(folder) == []
    assert list(folder.iterdir()) == []


def test_a_program_that_ends_without_a_close_leaves_its_work_on_the_disk(window):
    window.document.add([[0.25, 0.5]], 1)
    window.close_down()
    assert project.load(window.recovery.autosave.path).dataset == window.document.dataset
    window.recovery.autosave.clear()
