"""What a node of a state's diagram is on the canvas, found away from the window: the newest node first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from vizml.learn.state import Focus
from vizml.run.compose import focus_of
from vizml.run.runner import POINTER, BackgroundQuery

if TYPE_CHECKING:
    from vizml.learn import State

NOBODY = (None, "")


class Spotlight(QObject):
    """Follows a node from state to state; nothing is found out before one is pointed at."""

    found = Signal(object)
    """The Focus of the node that is pointed at, empty where none is."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._query = BackgroundQuery(self, POINTER)
        self._query.answered.connect(self._tell)
        self._asked: tuple[State | None, str] = NOBODY
        self._wanted: tuple[State | None, str] = NOBODY

    def follow(self, state: State | None, node: str) -> None:
        """Find a node of a state: another node at once, another state when the one before it is told."""
        self._wanted = state, node
        if state is None or not node:
            self._asked = NOBODY
            self._query.cancel()
            self.found.emit(Focus())
        elif not self._query.waiting or node != self._asked[1]:
            self._ask()

    def close_down(self) -> None:
        """End the thread, as a window does before it goes."""
        self._query.close()

    def _ask(self) -> None:
        if self._asked[0] is not self._wanted[0] or self._asked[1] != self._wanted[1]:
            self._asked = self._wanted
            self._query.ask(partial(_focus, *self._wanted))

    @Slot(object)
    def _tell(self, focus: Focus) -> None:
        self.found.emit(focus)
        self._ask()


def _focus(state: State | None, node: str) -> Focus:
    return focus_of(state, node) if state is not None else Focus()
