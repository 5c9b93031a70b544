"""Bases of the docks: panels that listen while they are visible, and those about the state on a stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from vizml.learn import Model, State
from vizml.run.request import Frame
from vizml.run.runner import BackgroundQuery
from vizml.ui.widget_helpers import Throttle
from vizml.ui.widgets.layouts import Box, Direction
from vizml.workspace.observer import Event


class FollowingPanel(Box):
    """Listens to signals and events while it is visible."""

    def __init__(
        self, spacing: int, margins: tuple[float, float, float, float], parent: QWidget | None = None
    ) -> None:
        super().__init__(Direction.TopToBottom, spacing, margins, parent)
        self._followed: list[tuple[SignalInstance | Event[...], Callable[..., object]]] = []
        self._following = False

    def follow(self, signal: SignalInstance | Event[...], slot: Callable[..., object]) -> None:
        """Call a slot whenever the panel becomes visible, and on a signal while it is visible."""
        self._followed.append((signal, slot))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._listen(on=True)
        for _, slot in self._followed:
            slot()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._listen(on=False)

    def _listen(self, *, on: bool) -> None:
        if on is not self._following:
            self._following = on
            for signal, slot in self._followed:
                (signal.connect if on else signal.disconnect)(slot)


class StatePanel(FollowingPanel):
    """Computes its content from each new state in a thread; a hidden panel does no work.

    Subclasses define `computation`, which returns the function to call for a state, and `show_found`.
    """

    def __init__(
        self, spacing: int, margins: tuple[float, float, float, float], parent: QWidget | None = None
    ) -> None:
        super().__init__(spacing, margins, parent)
        self._model: Model | None = None
        self._frame: Frame | None = None
        self._query = BackgroundQuery(self)
        self._query.answered.connect(self.show_found)
        self._throttle = Throttle(self.refresh, self)

    @property
    def settled(self) -> bool:
        """Whether neither a refresh nor an answer is pending."""
        return not self._throttle.isActive() and not self._query.waiting

    def set_frame(self, model: Model, frame: Frame | None) -> None:
        """Set model and frame to show."""
        self._model, self._frame = model, frame
        self._throttle.request()

    def computation(self, state: State) -> Callable[[], object]:
        """Return the function that computes the content for a state; it is called in a thread."""
        raise NotImplementedError

    def show_found(self, found: Any) -> None:
        """Show the content for the newest known state, or that there is none."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Ask for the content of the state that is shown now."""
        state = self._frame.state if self._frame is not None else None
        if state is None:
            self._query.cancel()
            self.show_found(None)
        else:
            self._query.follow(state, self.computation(state))

    def close_down(self) -> None:
        """End the thread, as a window does before it goes."""
        self._throttle.stop()
        self._query.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._throttle.request()

    def hideEvent(self, event: QHideEvent) -> None:
        """Let go of the run: a hidden panel would keep its data in memory."""
        super().hideEvent(event)
        self._throttle.stop()
        self._query.cancel()
        self._frame = None
