"""Autosave of unsaved work, recovery after a crash, and the last session."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QObject, QStandardPaths, QTimer, Signal, Slot

from vizml.data import project
from vizml.ui.messages import Message, Messages
from vizml.ui.widget_helpers import listen
from vizml.ui.window.files import Files
from vizml.workspace import Document
from vizml.workspace.autosave import Autosave, UnsavedWork, unsaved_works
from vizml.workspace.preferences import Preferences
from vizml.workspace.projects import remember, to_work

DELAY = 200
"""Milliseconds from the first change that is not on the disk to the next write."""


def state_folder() -> Path:
    """Return the folder of the system for the state of programs."""
    location = QStandardPaths.StandardLocation.GenericStateLocation
    return Path(QStandardPaths.writableLocation(location)) / "vizml"


class Recovery(QObject):
    """Save unsaved work in the state folder, and offer what an earlier program left there."""

    _outcome_changed = Signal()
    """Emitted in the thread of the autosave."""

    def __init__(
        self, document: Document, files: Files, preferences: Preferences, messages: Messages, folder: Path
    ) -> None:
        super().__init__(files)
        self._document, self._files = document, files
        self._preferences, self._messages = preferences, messages
        self._folder = folder
        self._open_offers: list[UnsavedWork] = []
        self.autosave = Autosave(folder, self._outcome_changed.emit)
        self.autosave.failed.connect(self._on_failure)
        self._outcome_changed.connect(self._on_outcome)
        self._timer = QTimer(self, singleShot=True, interval=DELAY)
        self._timer.timeout.connect(self._save)
        listen(document.history_changed, self._follow)

    def offer(self) -> None:
        """Ask about each unsaved work of a program that did not end cleanly."""
        for work in unsaved_works(self._folder):
            self._open_offers.append(work)
            choices = (("&Restore", partial(self._restore, work)), ("Di&scard", partial(self._discard, work)))
            message = Message(text=_offer(work), kind="question", choices=choices, key=str(work.path))
            self._messages.post(message)

    def write(self) -> bool:
        """Write unsaved work now; False where that failed."""
        self._timer.stop()
        self._save()
        return self.autosave.wait()

    def flush(self) -> None:
        """Write a change that waits to be written, and end the thread."""
        if self._timer.isActive():
            self.write()
        self.autosave.close()

    def close_down(self) -> None:
        """End cleanly: leave nothing to recover, and remember the session for the next start."""
        unsaved = None
        if self._files.path is None and not self._document.modified and len(self._document.dataset):
            unsaved = self._files.project()
        remember(self._preferences, self._folder, self._files.path, unsaved)
        self._timer.stop()
        self.autosave.clear()
        for work in self._open_offers:
            work.keep()

    @Slot()
    def _follow(self) -> None:
        if not self._document.modified:
            self._timer.stop()
            self.autosave.clear()
        elif not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _save(self) -> None:
        self.autosave.save(self._files.project(), self._document.saved.path)

    @Slot()
    def _on_outcome(self) -> None:
        self.autosave.report()

    def _restore(self, left: UnsavedWork) -> None:
        """Restore a work: in place of saved work, or else as an undo entry."""
        try:
            found = project.load(left.path)
            work = to_work(found)
        except ValueError as problem:
            self._messages.error(f"The unsaved work cannot be restored: {problem}", key="file")
            return
        if self._document.modified:
            self._document.do("restore unsaved work", work)
        else:
            self._document.open(work, saved=False)
            self._files.set_path(left.origin)
        self._files.restore_view(found)
        if self.write():  # or else the file of the other program is the only copy
            self._discard(left)

    def _discard(self, left: UnsavedWork) -> None:
        left.discard()
        self._open_offers.remove(left)

    def _on_failure(self, problem: str) -> None:
        self._messages.error(f"Unsaved work cannot be kept in {self._folder}: {problem}", key="autosave")


def _offer(work: UnsavedWork) -> str:
    name = f" on {work.origin.name}" if work.origin else ""
    time = QDateTime.fromSecsSinceEpoch(int(work.path.stat().st_mtime)).toString("ddd HH:mm")
    return f"VizML did not end cleanly. There is unsaved work{name} from {time}."
