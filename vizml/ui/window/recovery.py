"""Autosave while there is unsaved work, recovery after a crash, and the last session."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from vizml.data import project
from vizml.ui.messages import Message, Messages
from vizml.ui.preferences import Preferences
from vizml.ui.widget_helpers import listen
from vizml.ui.window.autosave import Autosave, Remains, remains
from vizml.ui.window.files import Files
from vizml.ui.window.session import remember
from vizml.workspace import Document
from vizml.workspace.projects import to_work


class Recovery(QObject):
    """Save unsaved work in the state folder, and offer what an earlier program left there."""

    def __init__(
        self, document: Document, files: Files, preferences: Preferences, messages: Messages, folder: Path
    ) -> None:
        super().__init__(files)
        self._document, self._files = document, files
        self._preferences, self._messages = preferences, messages
        self._folder = folder
        self._open_offers: list[Remains] = []
        self.autosave = Autosave(folder, files.project, self)
        self.autosave.failed.connect(self._on_failure)
        listen(document.changed, self._follow)
        listen(document.history_changed, self._follow)

    def offer(self) -> None:
        """Ask about each unsaved work of a program that did not end cleanly."""
        for left in remains(self._folder):
            self._open_offers.append(left)
            self._messages.post(
                Message(
                    text=_offer(left),
                    kind="question",
                    choices=(
                        ("&Restore", partial(self._restore, left)),
                        ("Di&scard", partial(self._discard, left)),
                    ),
                    key=str(left.path),
                )
            )

    def close_down(self) -> None:
        """End cleanly: leave nothing to recover, and remember the session for the next start."""
        unsaved = None
        if self._files.path is None and not self._document.modified and len(self._document.dataset):
            unsaved = self._files.project()
        remember(self._preferences, self._folder, self._files.path, unsaved)
        self.autosave.clear()
        for left in self._open_offers:
            left.keep()

    @Slot()
    def _follow(self) -> None:
        self.autosave.work_changed(unsaved=self._document.modified, origin=self._files.path)

    def _restore(self, left: Remains) -> None:
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
        if self.autosave.write():  # or else the file of the other program is the only copy
            self._discard(left)

    def _discard(self, left: Remains) -> None:
        left.discard()
        self._open_offers.remove(left)

    @Slot(str)
    def _on_failure(self, problem: str) -> None:
        self._messages.error(f"Unsaved work cannot be kept in {self._folder}: {problem}", key="autosave")


def _offer(left: Remains) -> str:
    name = f" on {left.origin.name}" if left.origin else ""
    return f"VizML did not end cleanly. There is unsaved work{name} from {left.when}."
