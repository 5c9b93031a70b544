"""Helpers of widgets: names, buttons, entries of menus, throttled refreshes, slots for events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, TypeVar, cast

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QDialog, QMenu, QPushButton, QWidget
from shiboken6 import isValid

from vizml.workspace.observer import Event
from vizml.workspace.work import Change

GAP, BELOW = 16, 56
"""Pixels between a dialog and the right edge, and the top edge, of its window."""
INTERVAL = 100
"""Least milliseconds between two refreshes."""
SHARE = 4
"""The interval is at least so many times as long as a refresh takes."""
W = TypeVar("W", bound=QWidget)


class EventRelay(QObject):
    """Emit a Qt signal whenever an event of the workspace occurs, for as long as the receiver exists."""

    _occurred = Signal(object)

    def __init__(
        self, event: Event[...], slot: Callable[..., object], receiver: QObject, to: Change | None
    ) -> None:
        super().__init__(receiver)
        self._to = to
        self._occurred.connect(slot)
        event.connect(self._emit)

    def _emit(self, value: Any = None) -> None:
        # Python may keep a relay after Qt has deleted it with its receiver
        if isValid(self) and (self._to is None or value & self._to):
            self._occurred.emit(value)


def listen(event: Event[...], *slots: Callable[..., object], to: Change | None = None) -> None:
    """Call slots of QObjects whenever an event of the workspace occurs, or only for some of its changes."""
    for slot in slots:
        EventRelay(event, slot, cast("QObject", getattr(slot, "__self__", None)), to)


def named(widget: W, name: str, tip: str = "") -> W:
    """Set the accessible name and the tooltip of a widget (the name, where there is no tip)."""
    widget.setAccessibleName(name)
    widget.setToolTip(tip or name)
    return widget


def beside(dialog: QDialog, window: QWidget) -> None:
    """Show a dialog over the right edge of a window, where it leaves the stage visible."""
    dialog.adjustSize()
    corner = window.mapToGlobal(window.rect().topRight())
    dialog.move(corner.x() - dialog.width() - GAP, corner.y() + BELOW)
    dialog.finished.connect(window.activateWindow)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


def button(text: str, tip: str, run: Callable[[], object], *, default: bool = False) -> QPushButton:
    """A push button; Enter triggers the default one."""
    made = QPushButton(text)
    made.setToolTip(tip)
    made.setAutoDefault(default)
    made.setDefault(default)
    made.clicked.connect(lambda: run())  # noqa: PLW0108 (the signal passes whether it is checked)
    return made


def add_entry(menu: QMenu, text: str, run: Callable[[], object]) -> QAction:
    """Add an entry that is no command of its own to a menu."""
    action = menu.addAction(text)
    action.triggered.connect(lambda _checked=False: run())
    return action


def add_choice(menu: QMenu, options: Iterable[tuple[str, bool, Callable[[], object]]]) -> QActionGroup:
    """Add options of which one is checked: the text, whether it is checked, and what it runs."""
    group = QActionGroup(menu)
    for text, checked, run in options:
        action = add_entry(menu, text, run)
        action.setCheckable(True)
        action.setChecked(checked)
        group.addAction(action)
    return group


class Throttle(QTimer):
    """Calls a function at once or at the end of an interval, while its widget is visible."""

    def __init__(self, call: Callable[[], None], widget: QWidget) -> None:
        super().__init__(widget)
        self.setSingleShot(True)
        self._call, self._widget, self._pending = call, widget, False
        self.timeout.connect(self._on_timeout)

    def request(self) -> None:
        """Call the function as soon as the interval allows."""
        self._pending = True
        if self._widget.isVisible() and not self.isActive():
            self._run()

    def _on_timeout(self) -> None:
        if self._pending and self._widget.isVisible():
            self._run()

    def _run(self) -> None:
        self._pending, started = False, perf_counter()
        self._call()
        self.start(max(INTERVAL, round(SHARE * 1000 * (perf_counter() - started))))
