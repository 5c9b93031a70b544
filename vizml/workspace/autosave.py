"""Autosave and recovery: unsaved work in the state folder, locked by the process that it belongs to."""

from __future__ import annotations

import logging
import os
import sys
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from vizml.data import project
from vizml.data.files import PART, error_text
from vizml.data.project import SUFFIX, Project
from vizml.data.project_parts import remove_attached
from vizml.workspace.observer import Event

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

log = logging.getLogger(__name__)
_ORIGIN, _SAVED = "origin: ", "saved"
"""Beginning of the text of a lock file with the user's file, and the text where the work was saved in it."""


class FileLock:
    """An exclusive lock that the system releases when the process ends, however it ends."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file

    @property
    def origin(self) -> Path | None:
        """The user's file that the locked work belongs to, which the lock file holds."""
        text = self._text()
        return Path(text.removeprefix(_ORIGIN)) if text.startswith(_ORIGIN) else None

    @origin.setter
    def origin(self, origin: Path | None) -> None:
        self._write(f"{_ORIGIN}{origin}" if origin else "")

    @property
    def saved(self) -> bool:
        """Whether the locked work was saved or discarded, so that what is left of it is to be removed."""
        return self._text() == _SAVED

    def mark_saved(self) -> None:
        self._write(_SAVED)

    def _text(self) -> str:
        self._file.seek(0)
        return self._file.read().decode("utf-8", "replace")

    def _write(self, text: str) -> None:
        self._file.truncate(0)
        self._file.write(text.encode())
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
        if path.exists() and not lock.saved:
            yield UnsavedWork(path, lock)
        else:
            remove_attached(path)
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
        self._locking = Lock()
        """Held while `_lock` and the text of its file are changed."""
        self._cleared = False
        self._problem = self._reported = ""
        self._thread = ThreadPoolExecutor(1, "autosave")
        self._newest: Future[None] | None = None

    @property
    def writing(self) -> bool:
        """Whether a version is being written."""
        return self._newest is not None and not self._newest.done()

    def save(self, work: Project, origin: Path | None = None) -> None:
        """Write a version soon, in place of one that waits; `origin` is the file that it belongs to."""
        if self._newest is not None:
            self._newest.cancel()
        self._newest = self._thread.submit(self._write, work, origin)

    def wait(self) -> bool:
        """Wait until nothing is being written; False where the last write failed."""
        wait([] if self._newest is None else [self._newest])
        self.report()
        return not self._problem

    def report(self) -> None:
        """Announce a failure that was not announced yet."""
        problem, before, self._reported = self._problem, self._reported, self._problem
        if problem and not before:
            self.failed.emit(problem)

    def clear(self) -> None:
        """Remove the file: everything is saved or unwanted, also where the process is killed meanwhile."""
        with self._locking:
            self._cleared = True
            if self._lock is not None:
                with suppress(OSError):
                    self._lock.mark_saved()
        self._thread.shutdown(cancel_futures=True)
        self._thread, self._newest, self._cleared = ThreadPoolExecutor(1, "autosave"), None, False
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        remove_attached(self.path)
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def close(self) -> None:
        """Finish the current write and end the thread."""
        self.wait()
        self._thread.shutdown()

    def _write(self, work: Project, origin: Path | None) -> None:
        problem = ""
        try:
            with self._locking:
                if self._cleared:
                    return
                if self._lock is None:
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                    self._lock = FileLock.acquire(self.path.with_suffix(".lock"))
                if self._lock is not None and (self._lock.saved or self._lock.origin != origin):
                    self._lock.origin = origin
            project.save(work, self.path, packed=True)
        except OSError as error:
            problem = error_text(error)
        except Exception as error:
            log.exception("Autosave failed")
            problem = str(error)
        before, self._problem = self._problem, problem
        if problem != before:
            self._changed()
