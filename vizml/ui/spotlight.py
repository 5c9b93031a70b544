"""The focus of a diagram's node on the canvas, computed in the background, the newest node first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from vizml.learn import Focus
from vizml.run.compose import focus_of
from vizml.run.runner import POINTER, BackgroundQuery

if TYPE_CHECKING:
    from vizml.learn import State

NO_NODE = (None, "")


class Spotlight(QObject):
    """Find the focus of a node in each new state, while a node is pointed at."""

    found = Signal(object)
    """The Focus of the node that is pointed at, empty where none is."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._query = BackgroundQuery(self, POINTER)
        self._query.answered.connect(self._on_answer)
        self._asked: tuple[State | None, str] = NO_NODE
        self._wanted: tuple[State | None, str] = NO_NODE

    def follow(self, state: State | None, node: str) -> None:
        """Find the focus of a node: for another node at once, for another state after the pending answer."""
        self._wanted = state, node
        if state is None or not node:
            self._asked = NO_NODE
            self._query.cancel()
            self.found.emit(Focus())
        elif not self._query.waiting or node != self._asked[1]:
            self._ask()

    def close_down(self) -> None:
        """End the thread."""
        self._query.close()

    def _ask(self) -> None:
        if self._asked[0] is not self._wanted[0] or self._asked[1] != self._wanted[1]:
            self._asked = self._wanted
            self._query.ask(partial(_focus, *self._wanted))

    @Slot(object)
    def _on_answer(self, focus: Focus) -> None:
        self.found.emit(focus)
        self._ask()


def _focus(state: State | None, node: str) -> Focus:
    return focus_of(state.on(), node) if state is not None else Focus()
