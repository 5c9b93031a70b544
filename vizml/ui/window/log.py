"""The log: every message of this session with its time, its details folded under it."""

from __future__ import annotations

from PySide6.QtCore import QTime
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from vizml.ui.window.messages import Message
from vizml.ui.window.parts import button, named

KEPT = 500


class Log(QWidget):
    """A list of messages, the newest last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tip = "Every message of this session; those with an arrow open to their details"
        self.tree = named(QTreeWidget(), "Log of messages", tip)
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(16)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(button("Clear", "Empty the log", self.tree.clear))
        row.addWidget(button("Copy all", "Copy the whole log with its details", self.copy))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.tree)
        column.addLayout(row)

    def add(self, message: Message) -> None:
        """Write a message down; questions are not news."""
        if message.kind in ("question", "tip"):
            return
        item = QTreeWidgetItem([QTime.currentTime().toString("HH:mm:ss"), message.text])
        item.setToolTip(1, message.text)
        if message.details:
            item.addChild(QTreeWidgetItem(["", message.details]))
        self.tree.addTopLevelItem(item)
        if self.tree.topLevelItemCount() > KEPT:
            self.tree.takeTopLevelItem(0)
        self.tree.scrollToItem(item)

    @property
    def text(self) -> str:
        """All of it, one message a line, details indented."""
        items = (self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount()))
        return "\n".join(_line(item) for item in items if item is not None)

    def copy(self) -> None:
        """All of it to the clipboard."""
        QGuiApplication.clipboard().setText(self.text)


def _line(item: QTreeWidgetItem) -> str:
    line = f"{item.text(0)}  {item.text(1)}"
    detail = item.child(0)
    return line + "".join(f"\n    {part}" for part in detail.text(1).splitlines()) if detail else line
