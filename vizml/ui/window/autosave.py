"""Unsaved work on the disk within two seconds of a change, and what a killed program left there."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QDateTime, QLockFile, QObject, QStandardPaths, Qt, QTimer, Signal, Slot

from vizml.data import Project
from vizml.files import write_whole
from vizml.ui.window.writing import Writing

DELAY = 1000
"""Milliseconds from the first change that is not on the disk to the next write."""
SUFFIX = ".vizml"


def state_folder() -> Path:
    """Where programs of this system keep what they need to go on where they were."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)
    return Path(place) / "vizml"


@dataclass(frozen=True)
class Remains:
    """Unsaved work of a program that is gone. `origin` is the file that it belonged to, if any."""

    path: Path
    origin: Path | None
    lock: QLockFile

    @property
    def when(self) -> str:
        """When it was last written, in the words of the user's country."""
        return QDateTime.fromSecsSinceEpoch(int(self.path.stat().st_mtime)).toString("ddd HH:mm")

    def discard(self) -> None:
        """Nobody will ask for it again."""
        for path in (self.path, _origin_of(self.path)):
            path.unlink(missing_ok=True)
        self.lock.unlock()

    def keep(self) -> None:
        """Leave it for another start."""
        self.lock.unlock()


def remains(folder: Path) -> Iterator[Remains]:
    """The unsaved works of programs that ended without a word; each is taken by one window only."""
    for path in sorted(folder.glob(f"work-*{SUFFIX}")):
        lock = _lock(path)
        if lock.tryLock(0):
            yield Remains(path, _read_origin(path), lock)


class Autosave(QObject):
    """Keeps one file for this running program while there is unsaved work, and holds its lock."""

    failed = Signal(str)
    """Why it could not be written; told once until it works again."""
    _ended = Signal()

    def __init__(self, folder: Path, take: Callable[[], Project], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._take = take
        self.path = folder / f"work-{os.getpid()}-{uuid.uuid4().hex[:8]}{SUFFIX}"
        self._origin: Path | None = None
        self._told_origin: Path | None = None
        self._lock: QLockFile | None = None
        self._writing: Writing | None = None
        self._complained = False
        self._timer = QTimer(self, singleShot=True, interval=DELAY)
        self._timer.timeout.connect(self._begin)
        self._ended.connect(self._look_after, Qt.ConnectionType.QueuedConnection)

    def work_changed(self, *, unsaved: bool, origin: Path | None) -> None:
        """Write soon, or take the file away where everything is in the user's own."""
        self._origin = origin
        if not unsaved:
            self.clear()
        elif not self._timer.isActive():
            self._timer.start()

    def write(self) -> bool:
        """Write now and wait for it; whether it is on the disk."""
        self._timer.stop()
        self._end()
        self._begin()
        return self._end()

    def flush(self) -> None:
        """Have on the disk what a change was to bring there soon."""
        if self._timer.isActive():
            self.write()
        self._end()

    def clear(self) -> None:
        """There is nothing unsaved."""
        self._timer.stop()
        if self._writing is not None:
            self._writing.abandon()
            self._writing = None
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
            _origin_of(self.path).unlink(missing_ok=True)
        self._told_origin = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _begin(self) -> None:
        """Write what is there now; a slow disk may still be busy with what was there before."""
        self._look_after()
        if self._writing is not None:
            self._timer.start()
            return
        try:
            self._hold()
        except OSError as problem:
            self._tell((problem.strerror or str(problem)).lower())
        else:
            self._writing = Writing(self.path, self._take(), self._ended.emit)

    @Slot()
    def _look_after(self) -> None:
        """Told by a writing that is over; by now there may be another one."""
        if self._writing is not None and self._writing.over:
            self._end()

    def _end(self) -> bool:
        """Wait for what is being written; whether nothing went wrong."""
        if self._writing is not None:
            writing, self._writing = self._writing, None
            self._tell(writing.wait())
        return not self._complained

    def _tell(self, problem: str) -> None:
        if problem and not self._complained:
            self.failed.emit(problem)
        self._complained = bool(problem)

    def _hold(self) -> None:
        if self._lock is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(self.path)
            self._lock.tryLock(0)
        if self._origin != self._told_origin:
            _write_origin(self.path, self._origin)
            self._told_origin = self._origin


def _lock(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # a program may run for weeks: only that it is gone makes its lock stale
    return lock


def _origin_of(path: Path) -> Path:
    return path.with_suffix(".origin")


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
