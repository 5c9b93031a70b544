"""Unsaved work reaches the disk in a thread, and belongs to the process that holds its lock."""

import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.events import LIMIT
from vizml.data import generate, project
from vizml.data.project import Project
from vizml.workspace.autosave import Autosave, FileLock, unsaved_works

ROOT = Path(__file__).parents[2]
MOONS = Project(generate("moons", n=50))
KILLED = """
import os, signal, sys
from pathlib import Path
from vizml.data import Project, generate
from vizml.workspace import autosave
kept = autosave.Autosave(Path(sys.argv[1]))
kept.save(Project(generate("moons", n=50)), Path("/lessons/a.vizml"))
kept.wait()
if len(sys.argv) > 2:
    def pieces(*_, **__):
        yield "half"
        os.kill(os.getpid(), signal.SIGKILL)
    autosave.project.pieces = pieces
    kept.save(Project(generate("circles", n=50)))
    kept.wait()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def autosave(tmp_path):
    autosave = Autosave(tmp_path)
    yield autosave
    autosave.close()
    autosave.clear()


def names(folder):
    return sorted(path.suffix for path in folder.iterdir())


@pytest.mark.parametrize("midst", [(), ("midst",)])
def test_work_of_a_killed_process_is_found_and_its_partial_files_are_removed(tmp_path, midst):
    subprocess.run([sys.executable, "-c", KILLED, tmp_path, *midst], check=False, cwd=ROOT)
    assert (".part" in names(tmp_path)) == bool(midst)
    (found,) = unsaved_works(tmp_path)
    assert ".part" not in names(tmp_path)
    assert project.load(found.path).dataset == MOONS.dataset
    assert list(unsaved_works(tmp_path)) == []
    found.keep()
    (again,) = unsaved_works(tmp_path)
    assert again.origin == (None if midst else Path("/lessons/a.vizml"))
    again.discard()
    assert names(tmp_path) == []


def test_files_of_a_first_write_that_was_killed_are_removed(tmp_path):
    for name in (".work-7-ab.vizml.7.part", "work-7-ab.lock", ".work-8-cd.vizml.8.part"):
        (tmp_path / name).write_text("half")
    (tmp_path / "session.vizml").write_text("mine")
    assert list(unsaved_works(tmp_path)) == []
    assert [path.name for path in tmp_path.iterdir()] == ["session.vizml"]


def test_work_that_was_saved_is_not_offered_where_its_removal_was_killed(tmp_path):
    """The file holds newer work than the autosave, which a write in progress may delay to remove."""
    killed = "kept._thread.shutdown = lambda **_: os.kill(os.getpid(), signal.SIGKILL)\nkept.clear()\n"
    program = KILLED.partition("if len")[0] + killed
    done = subprocess.run([sys.executable, "-c", program, tmp_path], check=False, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    assert ".vizml" in names(tmp_path)
    assert list(unsaved_works(tmp_path)) == []
    assert names(tmp_path) == []


def test_a_write_that_begins_while_the_work_is_removed_writes_nothing(tmp_path, monkeypatch):
    texts, calls = [], []

    class Late(ThreadPoolExecutor):
        def submit(self, *call):
            calls.append(call)
            return super().submit(*call)

        def shutdown(self, **options):
            if calls:
                super().submit(*calls.pop()).result(LIMIT)
                texts.append(autosave.path.with_suffix(".lock").read_text())
            super().shutdown(**options)

    monkeypatch.setattr("vizml.workspace.autosave.ThreadPoolExecutor", Late)
    autosave = Autosave(tmp_path)
    autosave.save(MOONS, Path("/lessons/a.vizml"))
    assert autosave.wait()
    autosave.clear()
    assert texts == ["saved"]
    assert names(tmp_path) == []
    autosave.close()


def test_work_after_a_save_is_kept_beside_a_lock_that_could_not_be_removed(tmp_path, autosave):
    autosave.save(MOONS)
    assert autosave.wait()
    autosave.clear()
    lock = autosave.path.with_suffix(".lock")
    lock.write_text("saved")
    autosave.save(MOONS)
    assert autosave.wait()
    assert lock.read_text() == ""


def test_the_lock_of_a_live_program_holds(tmp_path, autosave):
    autosave.save(MOONS, Path("/lessons/a.vizml"))
    assert autosave.wait()
    lock = autosave.path.with_suffix(".lock")
    assert FileLock.acquire(lock) is None
    code = "import sys; from pathlib import Path; from vizml.workspace.autosave import FileLock\n"
    code += "sys.exit(FileLock.acquire(Path(sys.argv[1])) is not None)"
    assert subprocess.run([sys.executable, "-c", code, lock], check=False, cwd=ROOT).returncode == 0
    assert list(unsaved_works(tmp_path)) == []
    autosave.clear()
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_reported_once(tmp_path):
    (tmp_path / "file").write_text("in the way")
    autosave, reasons = Autosave(tmp_path / "file"), []
    autosave.failed.connect(reasons.append)
    for _ in range(2):
        autosave.save(MOONS)
        assert not autosave.wait()
    assert reasons == ["file exists"]
    autosave.close()


def test_the_newest_version_is_written_after_the_current_one(tmp_path, autosave, monkeypatch):
    free = threading.Event()
    monkeypatch.setattr("vizml.data.files.os.fsync", lambda _: free.wait(LIMIT))
    for count in (10, 20, 30):
        autosave.save(Project(generate("moons", n=count)))
    free.set()
    assert autosave.wait()
    assert len(project.load(autosave.path).dataset) == 30


def test_unwanted_versions_leave_no_file(tmp_path, autosave, monkeypatch):
    begun, free = threading.Event(), threading.Event()
    monkeypatch.setattr("vizml.data.files.os.fsync", lambda _: begun.set() or free.wait(LIMIT))
    for _ in range(3):
        autosave.save(MOONS)
    begun.wait(LIMIT)
    cleared = threading.Thread(target=autosave.clear)
    cleared.start()
    free.set()
    cleared.join()
    assert not autosave.writing
    assert names(tmp_path) == []
