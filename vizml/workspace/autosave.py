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
from typing import Any, BinaryIO

from vizml.data import project
from vizml.data.attached import remove_attached
from vizml.data.files import PART, error_text
from vizml.data.project import SUFFIX, Project
from vizml.field.cancellation import Cancelled
from vizml.run.worker import LatestWorker
from vizml.workspace.observer import Event

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

log = logging.getLogger(__name__)
_ORIGIN = "origin: "


class FileLock:
    """An exclusive lock that the system releases when the process ends, however it ends."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file

    @property
    def origin(self) -> Path | None:
        """The user's file that the locked work belongs to, which the lock file holds."""
        self._file.seek(0)
        text = self._file.read().decode("utf-8", "replace")
        return Path(text.removeprefix(_ORIGIN)) if text.startswith(_ORIGIN) else None

    @origin.setter
    def origin(self, origin: Path | None) -> None:
        self._file.truncate(0)
        self._file.write(f"{_ORIGIN}{origin}".encode() if origin else b"")
        self._file.flush()

    @classmethod
    def acquire(cls, path: Path) -> FileLock | None:
        """Lock a file; None where another process, or another lock of this one, holds it."""
        try:
            file = path.open("a+b")
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

    def release(self, *, remove: bool = True) -> None:
        """Release the lock and remove its file."""
        if sys.platform == "win32":  # open files cannot be removed there
            self._file.close()
        if remove:
            with suppress(OSError):
                self._path.unlink()
        self._file.close()


@dataclass(frozen=True)
class UnsavedWork:
    """Unsaved work of a program that did not end cleanly."""

    path: Path
    lock: FileLock

    @property
    def origin(self) -> Path | None:
        """The user's file that the work belongs to, if any."""
        return self.lock.origin

    def discard(self) -> None:
        """Remove the work."""
        self.path.unlink(missing_ok=True)
        remove_attached(self.path)
        self.lock.release()

    def keep(self) -> None:
        """Leave the work for another start."""
        self.lock.release(remove=self.origin is None)


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
            yield UnsavedWork(path, lock)
        else:
            for left in folder.glob(f"{stem}.*"):
                left.unlink(missing_ok=True)
            lock.release()


class Autosave:
    """Keep unsaved work in a file of this process. A thread writes the newest version."""

    def __init__(self, folder: Path, changed: Callable[[], object] = lambda: None) -> None:
        """`changed` is called in the thread when writes begin or cease to fail; then call `report`."""
        self.failed: Event[[str]] = Event()
        """A write failed for a reason; announced once until a write succeeds."""
        self.path = folder / f"work-{os.getpid()}-{uuid.uuid4().hex[:8]}{SUFFIX}"
        self._changed = changed
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
            self.path.unlink(missing_ok=True)
        remove_attached(self.path)
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def close(self) -> None:
        """Finish the current write and end the thread."""
        self.wait()
        self._worker.close()

    def _write(self, request: tuple[Project, Path | None]) -> None:
        work, origin = request
        self._lock_file(origin)
        project.write(work, self.path, self._pieces)
        self._finish("")

    def _on_error(self, _: object, error: Exception) -> None:
        if isinstance(error, OSError):
            self._finish(error_text(error))
        else:
            log.error("Autosave failed", exc_info=error)
            self._finish(str(error))

    def _finish(self, problem: str) -> None:
        before, self._problem = self._problem, problem
        if problem != before:
            self._changed()

    def _lock_file(self, origin: Path | None) -> None:
        if self._lock is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock.acquire(self.path.with_suffix(".lock"))
        if self._lock is not None and self._lock.origin != origin:
            self._lock.origin = origin

    def _pieces(self, work: Project, **options: Any) -> Iterator[str]:
        for piece in project.pieces(work, packed=True, **options):
            if self._worker.newest() is None:
                raise Cancelled
            yield piece
