"""Autosave and recovery: unsaved work in the state folder, locked by the process that it belongs to."""

from __future__ import annotations

import logging
import os
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from vizml.data import project
from vizml.data.project import SUFFIX, Project
from vizml.files import PART, error_text, write_pieces, write_whole
from vizml.run.latest_worker import LatestWorker
from vizml.workspace.observer import Event

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

log = logging.getLogger(__name__)


class FileLock:
    """An exclusive lock that the system releases when the process ends, however it ends."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file

    @classmethod
    def acquire(cls, path: Path) -> FileLock | None:
        """Lock a file; None where another process, or another lock of this one, holds it."""
        try:
            file = path.open("ab")
        except OSError:
            return None
        try:
            if sys.platform == "win32":
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = os.fstat(file.fileno()).st_ino != path.stat().st_ino  # removed by its holder meanwhile
        except (BlockingIOError, PermissionError, FileNotFoundError):
            held = True
        except OSError:  # a file system without locks
            held = False
        if held:
            file.close()
            return None
        return cls(path, file)

    def release(self) -> None:
        """Release the lock and remove its file."""
        with suppress(OSError):  # Windows does not remove open files
            self._path.unlink()
        self._file.close()
        if sys.platform == "win32":
            self._path.unlink(missing_ok=True)


@dataclass(frozen=True)
class UnsavedWork:
    """Unsaved work of a program that did not end cleanly, and the file that it belonged to, if any."""

    path: Path
    origin: Path | None
    lock: FileLock

    def discard(self) -> None:
        """Remove the work."""
        _remove(self.path)
        self.lock.release()

    def keep(self) -> None:
        """Leave the work for another start."""
        self.lock.release()


def unsaved_works(folder: Path) -> Iterator[UnsavedWork]:
    """Find the works of programs that did not end cleanly, and remove temporary files that these left.

    Each work is locked, so that it is offered in one window only.
    """
    files = (*folder.glob("work-*"), *folder.glob(".work-*"))
    for stem in sorted({path.name.lstrip(".").partition(".")[0] for path in files}):
        path = folder / (stem + SUFFIX)
        lock = FileLock.acquire(path.with_suffix(".lock"))
        if lock is None:
            continue
        for part in folder.glob(f".{stem}.*{PART}"):
            part.unlink(missing_ok=True)
        if path.exists():
            yield UnsavedWork(path, _read_origin(path), lock)
        else:
            _remove(path)
            lock.release()


class Autosave:
    """Keep unsaved work in a file of this process. A thread writes the newest version."""

    def __init__(self, folder: Path, written: Callable[[], object] = lambda: None) -> None:
        """`written` is called in the thread after each write; `report` then belongs into the caller's."""
        self.failed: Event[[str]] = Event()
        """A write failed for a reason; announced once until a write succeeds."""
        self.path = folder / f"work-{os.getpid()}-{uuid.uuid4().hex[:8]}{SUFFIX}"
        self._written = written
        self._origin: Path | None = None
        self._lock: FileLock | None = None
        self._problem = self._reported = ""
        self._worker = LatestWorker("autosave", self._write, self._on_error)

    @property
    def writing(self) -> bool:
        """Whether a version is being written."""
        return self._worker.busy

    def save(self, work: Project, origin: Path | None = None) -> None:
        """Write a version soon; `origin` is the file that the work belongs to."""
        self._worker.submit((work, origin))

    def wait(self) -> bool:
        """Wait until nothing is being written; False where the last write failed."""
        self._worker.wait()
        self.report()
        return not self._problem

    def report(self) -> None:
        """Announce a failure that was not announced yet."""
        problem, before, self._reported = self._problem, self._reported, self._problem
        if problem and not before:
            self.failed.emit(problem)

    def clear(self) -> None:
        """Remove the file: everything is saved or unwanted."""
        self._worker.cancel()
        self._worker.wait()
        with suppress(OSError):
            _remove(self.path)
        self._origin = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def close(self) -> None:
        """Finish the current write and end the thread."""
        self.wait()
        self._worker.close()

    def _write(self, request: tuple[Project, Path | None]) -> None:
        work, origin = request
        try:
            self._lock_file()
            if origin != self._origin:
                _write_origin(self.path, origin)
                self._origin = origin
            write_pieces(self.path, self._pieces(work))
            self._problem = ""
        except _Cancelled:
            return
        except OSError as problem:
            self._problem = error_text(problem)
        self._written()

    def _on_error(self, _: object, error: Exception) -> None:
        log.error("Autosave failed", exc_info=error)
        self._problem = str(error)
        self._written()

    def _lock_file(self) -> None:
        if self._lock is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock.acquire(self.path.with_suffix(".lock"))

    def _pieces(self, work: Project) -> Iterator[bytes]:
        for piece in project.pieces(work):
            if self._worker.newest() is None:
                raise _Cancelled
            yield piece.encode("utf-8")


class _Cancelled(Exception):
    """The work is no longer wanted on the disk."""


def _origin_of(path: Path) -> Path:
    return path.with_suffix(".origin")


def _remove(path: Path) -> None:
    for each in (path, _origin_of(path)):
        each.unlink(missing_ok=True)


def _write_origin(path: Path, origin: Path | None) -> None:
    if origin is None:
        _origin_of(path).unlink(missing_ok=True)
    else:
        write_whole(_origin_of(path), str(origin).encode("utf-8"))


def _read_origin(path: Path) -> Path | None:
    try:
        text = _origin_of(path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    return Path(text) if text else None
