"""The log: every message of this session with its time, its details folded under it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QTime
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.window.messages import Message
from vizml.ui.window.parts import button, named

KEPT = 500
MARGINS = 16
"""Pixels around the words of a message."""


class Wrapped(QStyledItemDelegate):
    """Gives words as many lines as they need in their column: a style sheet makes Qt forget that."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        found, tree = super().sizeHint(option, index), self.parent()
        if isinstance(tree, QTreeWidget):
            wide = tree.columnWidth(index.column()) - MARGINS
            box = tree.fontMetrics().boundingRect(0, 0, wide, 0, Qt.TextFlag.TextWordWrap, index.data())
            found.setHeight(max(found.height(), box.height() + MARGINS))
        return found


class Log(Box):
    """A list of messages, the newest last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Direction.TopToBottom, 8, (16, 8, 16, 12), parent)
        tip = "Every message of this session; those with an arrow open to their details"
        self.tree = named(QTreeWidget(), "Log of messages", tip)
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(16)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.tree.setWordWrap(True)
        self.tree.setItemDelegateForColumn(1, Wrapped(self.tree))
        self.tree.header().sectionResized.connect(self.tree.scheduleDelayedItemsLayout)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(button("Clear", "Empty the log", self.tree.clear))
        row.addWidget(button("Copy all", "Copy the whole log with its details", self.copy))
        self.box.addWidget(self.tree)
        self.box.addLayout(row)

    def add(self, message: Message) -> None:
        """Write a message down; questions are not news."""
        if message.kind in ("question", "tip"):
            return
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
