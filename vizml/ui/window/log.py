"""The log: every message and logged error of this session with its time, details folded under it."""

from __future__ import annotations

import logging
import platform
import sys
import traceback

import numpy as np
import PySide6
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, QTime, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

import vizml
from vizml.ui.messages import Message
from vizml.ui.widget_helpers import button, named
from vizml.ui.widgets.focus import ArrowsAfterTab
from vizml.ui.widgets.layouts import Box, Direction

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
