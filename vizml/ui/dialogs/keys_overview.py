"""The overview of all keys, shown over the window until the next key or click."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from vizml.ui.widgets.appearance import BODY, current, role
from vizml.ui.widgets.focus import native_keys
from vizml.ui.widgets.layouts import clear_layout

if TYPE_CHECKING:
    from vizml.ui.window.commands import Command, CommandActions
    from vizml.ui.window.window import Window

KeyRow: TypeAlias = tuple[str, str]
"""The text of a command, and its key."""
MIN_TYPE = 9
"""Pixels of the smallest legible type."""
HEADING_ROWS = 2.5
"""Height of a group's title and the gap before it, in rows."""
CANVAS: tuple[KeyRow, ...] = (
    ("Remove a point", "Right click"),
    ("Zoom", "Wheel"),
    ("Pan", "Space and drag"),
    ("Radius of brush and eraser", "[  ]"),
    ("Select all", "Ctrl+A"),
    ("Delete the selection", "Del"),
    ("Duplicate the selection", "Ctrl+D"),
    ("Move the selection", "Arrows"),
    ("Cancel", "Esc"),
)


def open_dialog(window: Window) -> None:
    """Show the overview of all keys over a window."""
    KeysOverview(window.commands, window)


class KeysOverview(QWidget):
    """All keys in columns over a dimmed window; any key or click closes it."""

    def __init__(self, actions: CommandActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Keys")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._column = column = QVBoxLayout(self)
        column.addStretch()
        self._actions, self._row = actions, QHBoxLayout()
        column.addLayout(self._row)
        column.addStretch()
        self._focus_before = QApplication.focusWidget()
        parent.installEventFilter(self)
        self._cover(parent)
        self.show()
        self.raise_()
        self.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self._cover(watched)
        return super().eventFilter(watched, event)

    def _cover(self, parent: QWidget) -> None:
        """Cover the window, with the largest type that lets every key fit."""
        self.setGeometry(parent.rect())
        size = current().px(BODY)
        self._lay(size)
        while size > MIN_TYPE and (share := self._share()) < 1.0:
            size = max(min(int(size * share), size - 1), MIN_TYPE)
            self._lay(size)

    def _lay(self, size: int) -> None:
        """Show the card in type of a size."""
        clear_layout(self._row)
        self._card = _card(self._actions, size)
        self._row.addStretch()
        self._row.addWidget(self._card)
        self._row.addStretch()

    def _share(self) -> float:
        """The share of the card that there is room for."""
        wanted, room = self._card.sizeHint(), self.rect().marginsRemoved(self._column.contentsMargins())
        return min(room.width() / wanted.width(), room.height() / wanted.height())

    def event(self, event: QEvent) -> bool:
        """Let keys that are shortcuts elsewhere only close it."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta):
            self.close_down()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.close_down()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0, 110))
        painter.end()

    def close_down(self) -> None:
        """Close the overview and give the focus back."""
        parent = self.parentWidget()
        if parent is not None:
            parent.removeEventFilter(self)
        if self._focus_before is not None and isValid(self._focus_before):
            self._focus_before.setFocus()
        self.hide()
        self.deleteLater()


def key_rows(actions: CommandActions) -> dict[str, list[KeyRow]]:
    """All keys by group: those of commands, and those of the canvas with the focus."""
    found = {title: [_row(command) for command in commands] for title, commands in actions.groups().items()}
    found["Tools"] = [row for row in found["Tools"] if not row[0].startswith("Class ")]
    found["Tools"].append(("Class", "1 \N{EN DASH} 8"))
    return {
        "Tools": found.pop("Tools"),
        "Canvas": [(text, native_keys(key)) for text, key in CANVAS],
        **found,
    }


def _row(command: Command) -> KeyRow:
    return command.text.rstrip("\N{HORIZONTAL ELLIPSIS}"), _native(command.sequences[0])


def _card(actions: CommandActions, size: int) -> QFrame:
    """The card of columns in type of a size."""
    card = QFrame()
    card.setObjectName("card")
    role(card, "popup")
    row = QHBoxLayout(card)
    row.setContentsMargins(32, 24, 32, 24)
    row.setSpacing(40)
    for groups in columns_of(key_rows(actions)):
        column = QVBoxLayout()
        column.setSpacing(16)
        for title, lines in groups:
            column.addWidget(_group(title, lines, size))
        column.addStretch()
        row.addLayout(column)
    return card


def columns_of(groups: dict[str, list[KeyRow]], count: int = 3) -> list[list[tuple[str, list[KeyRow]]]]:
    """The groups in their order, split into columns of about equal height."""
    share = sum(len(lines) + HEADING_ROWS for lines in groups.values()) / count
    columns: list[list[tuple[str, list[KeyRow]]]] = [[]]
    used = 0.0
    for title, lines in groups.items():
        size = len(lines) + HEADING_ROWS
        if columns[-1] and len(columns) < count and used + size / 2 > share * len(columns):
            columns.append([])
        columns[-1].append((title, lines))
        used += size
    return columns


def _group(title: str, lines: list[KeyRow], size: int) -> QWidget:
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(4)
    grid.addWidget(_label(title, size + 2, bold=True), 0, 0, 1, 2)
    for number, (text, key) in enumerate(lines, start=1):
        keys = _label(key, size)
        keys.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        grid.addWidget(_label(text, size), number, 0)
        grid.addWidget(keys, number, 1, Qt.AlignmentFlag.AlignRight)
    grid.setColumnStretch(0, 1)
    return box


def _label(text: str, size: int, *, bold: bool = False) -> QLabel:
    label = QLabel(text)
    font = label.font()
    font.setPixelSize(size)
    font.setBold(bold)
    label.setFont(font)
    return label


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
