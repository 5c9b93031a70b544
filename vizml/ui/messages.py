"""Messages: the bar above the stages, and the log of the session with logged errors."""

from __future__ import annotations

import logging
import platform
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, TypeVar

import numpy as np
import PySide6
from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTime,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

import vizml
from vizml.scene import CLASSES
from vizml.ui.widget_helpers import button, named
from vizml.ui.widgets.focus import ArrowsAfterTab
from vizml.ui.widgets.layouts import Box, Direction, clear_layout

B = TypeVar("B", QPushButton, QToolButton)
Kind: TypeAlias = Literal["info", "tip", "error", "question"]
PROGRESS_HEIGHT = 3
"""Height in pixels of the progress line."""
INFO_TIMEOUT = 7000
"""Milliseconds after which information is hidden."""
WARNING = QColor(*CLASSES[1].colour)


@dataclass(frozen=True, kw_only=True)
class Message:
    """A sentence with details and choices. It replaces a message with the same key.

    In the text of a choice, the letter after `&` is its key, with Alt.
    """

    text: str
    kind: Kind = "info"
    details: str = ""
    choices: tuple[tuple[str, Callable[[], object]], ...] = ()
    key: str = ""


class Messages(QFrame):
    """Show the newest message; earlier ones reappear when it is closed. The bar never takes the focus."""

    posted = Signal(object)
    """Each Message, for the log."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Messages")
        self._stack: list[Message] = []
        self._done: dict[str, float] = {}
        self.text_label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.text_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text_label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._choices = QHBoxLayout()
        self._choices.setSpacing(8)
        self.details = named(QPlainTextEdit(), "Details", "Details of this message")
        self.details.setReadOnly(True)
        self.details.setMaximumHeight(160)
        self.details_button = _without_focus(QPushButton("Details"), "Show the details of this message")
        self.details_button.setCheckable(True)
        self.details_button.toggled.connect(self.details.setVisible)
        self.close_button = _without_focus(QToolButton(), "Close this message")
        self.close_button.setText("\N{MULTIPLICATION SIGN}")
        self.close_button.clicked.connect(self.close_newest)
        self._lay_out()
        self.timer = QTimer(self, singleShot=True, interval=INFO_TIMEOUT)
        self.timer.timeout.connect(self.close_newest)
        self._show_newest()

    @property
    def current(self) -> Message | None:
        """The message that is shown."""
        return self._stack[-1] if self._stack else None

    def post(self, message: Message) -> None:
        """Show a message in place of one with the same key."""
        if self.current is not None and self.current.kind == "info":
            self._stack.pop()
        self._remove(message.key)
        self._stack.append(message)
        self.posted.emit(message)
        self._show_newest()

    def info(self, text: str) -> None:
        """Show information, which disappears after a while."""
        self.post(Message(text=text))

    def error(self, text: str, details: str = "", key: str = "") -> None:
        """Show an error, which stays until it is closed."""
        self.post(Message(text=text, kind="error", details=details, key=key))

    def advance(self, key: str, share: float) -> None:
        """Show the progress of the work that the message with a key is about."""
        self._done[key] = share
        self.update()

    def dismiss(self, key: str) -> None:
        """Remove the message with a key, where there is one."""
        if any(message.key == key for message in self._stack):
            self._remove(key)
            self._show_newest()

    def close_newest(self) -> None:
        if self._stack:
            self._stack.pop()
        self._show_newest()

    def _remove(self, key: str) -> None:
        self._done.pop(key, None)
        if key:
            self._stack = [message for message in self._stack if message.key != key]

    def _show_newest(self) -> None:
        self.timer.stop()
        message = self.current
        self.setVisible(message is not None)
        if message is None:
            return
        self.text_label.setText(message.text)
        self.details_button.setVisible(bool(message.details))
        self.details_button.setChecked(False)
        self.details.setPlainText(message.details)
        self.details.hide()
        self._offer(message)
        if message.kind == "info":
            self.timer.start()
        self.update()

    def _offer(self, message: Message) -> None:
        clear_layout(self._choices)
        for words, run in message.choices:
            button = _without_focus(QPushButton(words), words.replace("&", ""))
            button.clicked.connect(partial(self._choose, message, run))
            self._choices.addWidget(button)

    def _choose(self, message: Message, run: Callable[[], object], _checked: bool = False) -> None:
        self._stack = [other for other in self._stack if other is not message]
        self._show_newest()
        run()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.text_label, self.details_button):
            row.addWidget(widget)
        row.addLayout(self._choices)
        row.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 4, 8, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.details)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a tint and a stripe of the accent or warning colour, and progress as a line at the bottom."""
        kind = self.current.kind if self.current else "info"
        colour = WARNING if kind == "error" else self.palette().highlight().color()
        tint = QColor(colour)
        tint.setAlpha(28)
        painter = QPainter(self)
        painter.fillRect(self.rect(), tint)
        painter.fillRect(0, 0, 4, self.height(), colour)
        done = self._done.get(self.current.key, 0.0) if self.current else 0.0
        painter.fillRect(
            QRectF(0, self.height() - PROGRESS_HEIGHT, done * self.width(), PROGRESS_HEIGHT), colour
        )
        painter.end()


def _without_focus(button: B, tip: str) -> B:
    """A button that does not take the focus when clicked."""
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return named(button, tip)


KEPT = 500
MARGINS = 16
"""Pixels around the text of a message."""


class LogRelay(QObject):
    """Bring errors that any thread logs to the window's thread, as messages."""

    received = Signal(object)
    """A Message."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._handler = _RelayHandler(self)
        logging.getLogger("vizml").addHandler(self._handler)

    def close_down(self) -> None:
        """Receive no more records."""
        logging.getLogger("vizml").removeHandler(self._handler)


class _RelayHandler(logging.Handler):
    def __init__(self, relay: LogRelay) -> None:
        super().__init__(logging.ERROR)
        self._relay = relay

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        details = "".join(traceback.format_exception(error)) if error is not None else ""
        self._relay.received.emit(Message(text=record.getMessage(), kind="error", details=details))


class WrappedTextDelegate(QStyledItemDelegate):
    """Give a text as many lines as it needs: with a style sheet, Qt does not."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        found, tree = super().sizeHint(option, index), self.parent()
        if isinstance(tree, QTreeWidget):
            wide = tree.columnWidth(index.column()) - MARGINS
            box = tree.fontMetrics().boundingRect(0, 0, wide, 0, Qt.TextFlag.TextWordWrap, index.data())
            found.setHeight(max(found.height(), box.height() + MARGINS))
        return found


class LogTree(ArrowsAfterTab, QTreeWidget):
    """Entries with details below them."""


class Log(Box):
    """A list of messages and logged errors, the newest last."""

    def __init__(self) -> None:
        super().__init__(Direction.TopToBottom, 8, (16, 8, 16, 12))
        tip = "Messages and errors of this session. An arrow opens the details."
        self._details = ""
        self.tree = named(LogTree(), "Log of messages", tip)
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(16)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.tree.setWordWrap(True)
        self.tree.setItemDelegateForColumn(1, WrappedTextDelegate(self.tree))
        self.tree.header().sectionResized.connect(self.tree.scheduleDelayedItemsLayout)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(button("Clear", "Remove all entries.", self.tree.clear))
        tip = "Copy the versions and the whole log with its details, for an error report."
        row.addWidget(button("Copy report", tip, self.copy))
        self.box.addWidget(self.tree)
        self.box.addLayout(row)

    def add(self, message: Message) -> None:
        """Add a message; questions and tips are left out, and so are details that stand there already."""
        if message.kind in ("question", "tip") or (message.details and message.details == self._details):
            return
        self._details = message.details
        item = QTreeWidgetItem([QTime.currentTime().toString("HH:mm:ss"), message.text])
        item.setToolTip(1, message.text)
        for column in (0, 1):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignTop)
        if message.details:
            item.addChild(QTreeWidgetItem(["", message.details]))
        self.tree.addTopLevelItem(item)
        if self.tree.topLevelItemCount() > KEPT:
            self.tree.takeTopLevelItem(0)
        self.tree.scrollToItem(item)

    @property
    def text(self) -> str:
        """The whole log, one message a line, details indented."""
        items = (self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount()))
        return "\n".join(_line(item) for item in items if item is not None)

    def copy(self) -> None:
        """Put the report on the clipboard."""
        QGuiApplication.clipboard().setText(f"{versions()}\n\n{self.text}\n")


def versions() -> str:
    """The versions that an error report needs, one a line."""
    return "\n".join(
        (
            f"VizML {vizml.__version__}",
            f"Python {sys.version.split()[0]}, PySide6 {PySide6.__version__}, numpy {np.__version__}",
            platform.platform(),
        )
    )


def _line(item: QTreeWidgetItem) -> str:
    line = f"{item.text(0)}  {item.text(1)}"
    detail = item.child(0)
    return line + "".join(f"\n    {part}" for part in detail.text(1).splitlines()) if detail else line
