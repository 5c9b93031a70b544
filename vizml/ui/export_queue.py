"""Exports in the background: calls that an export yields run in a thread, the rest in the window's thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from functools import partial
from typing import Any, TypeAlias

from PySide6.QtCore import QObject, Slot

from vizml.run.runner import BackgroundQuery, query_worker
from vizml.ui.messages import Message, Messages

Export: TypeAlias = Generator[Callable[[], object], Any, str]
"""Yields calls for the thread and receives their results; returns the message of its success."""


class ExportQueue(QObject):
    """Makes one export after the other, and posts what has become of each."""

    def __init__(self, kind: str, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._kind, self._messages = kind, messages
        self._exports: deque[Export] = deque()
        self._call: Callable[[], object] = _nothing
        self._query = BackgroundQuery(self, query_worker(f"vizml-{kind}"))
        self._query.answered.connect(self._go_on)
        self._query.failed.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether an export is not done yet."""
        return bool(self._exports)

    def add(self, export: Export, told: str) -> None:
        """Start an export, after those before it, and post a message that can cancel all."""
        self._exports.append(export)
        if len(self._exports) == 1:
            self._go_on(None)
        if export in self._exports:
            choices = (("Cancel", self.cancel),)
            self._messages.post(Message(text=told, kind="tip", key=self._kind, choices=choices))

    def cancel(self) -> None:
        """Drop all exports."""
        self._exports.clear()
        self._query.cancel()
        self._call = _nothing
        self._messages.dismiss(self._kind)

    def close(self) -> None:
        """Drop all exports, and end the thread."""
        self.cancel()
        self._query.close()

    def finish(self) -> None:
        """End the thread, and complete all exports in this one: a file that was asked for is written."""
        self._query.close()
        self._query.wait()
        while self._exports:
            self._go_on(outcome(self._call))

    @Slot(object)
    def _go_on(self, found: object) -> None:
        """Hand the result of a call, or its error, to the export, and make its next call."""
        export = self._exports[0]
        try:
            self._call = export.throw(found) if isinstance(found, Exception) else export.send(found)
            self._query.ask(partial(outcome, self._call))
        except StopIteration as end:
            self._end(partial(self._messages.info, end.value))
        except Exception as problem:  # noqa: BLE001 (a picture holds what a model of anyone's has to show)
            told = f"The {self._kind} could not be made: {problem}"
            self._end(partial(self._messages.error, told, key="export"))

    def _end(self, tell: Callable[[], None]) -> None:
        """End the first export, tell what has become of it, and start the next one."""
        self._exports.popleft()
        self._call = _nothing  # the last call holds the whole file, or all pictures of an animation
        if not self._exports:
            self._messages.dismiss(self._kind)
        tell()
        if self._exports:
            self._go_on(None)


def _nothing() -> None:
    """Stand for a call where no export is being made."""


def outcome(call: Callable[[], object]) -> object:
    """Return the result of a call, or an error that is to be told but is no fault of the program."""
    try:
        return call()
    except (ValueError, OSError, MemoryError) as problem:
        return problem
