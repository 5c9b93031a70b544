"""The overview of all keys, over the window until the next key; and which widget a key belongs to."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from vizml.ui.widgets.appearance import BODY, current, role
from vizml.ui.widgets.boxes import emptied
from vizml.ui.widgets.keys import told
from vizml.ui.window.actions import Actions, Command

MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
WRITING = (QLineEdit, QAbstractSpinBox, QTextEdit, QPlainTextEdit)
CHOOSING = (QComboBox, QAbstractItemView)
OWN_KEYS = {
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Space,
}


Row: TypeAlias = tuple[str, str]
"""What a key does, and the key."""
SMALLEST = 9
"""Pixels of the type that is still read."""
HEAD = 2.5
"""How many rows the title of a group and the gap before it take."""
CANVAS: tuple[Row, ...] = (
    ("Remove a point", "Right click"),
    ("Zoom", "Wheel"),
    ("Pan", "Space and drag"),
    ("Radius of brush and eraser", "[  ]"),
    ("Select all", "Ctrl+A"),
    ("Delete the selection", "Del"),
    ("Duplicate the selection", "Ctrl+D"),
    ("Nudge the selection", "Arrows"),
    ("Let go", "Esc"),
)


def belongs_to(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Whether a key is for the widget with the focus, not for the window: text, or moving a slider."""
    if widget is None or event.modifiers() & MODIFIERS:
        return False
    key = event.key()
    if isinstance(widget, WRITING) or (isinstance(widget, QComboBox) and widget.isEditable()):
        return bool(event.text()) or key in OWN_KEYS
    if isinstance(widget, QAbstractSlider):
        return key in OWN_KEYS - {Qt.Key.Key_Space}
    if isinstance(widget, CHOOSING):
        return key in OWN_KEYS
    return isinstance(widget, QAbstractButton) and key == Qt.Key.Key_Space


class KeysOverview(QWidget):
    """All keys in columns on a veil over its parent; any key or click takes it away."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
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
        """All of a window, with type as large as lets every key be read."""
        self.setGeometry(parent.rect())
        size = current().px(BODY)
        self._lay(size)
        while size > SMALLEST and (share := self._share()) < 1.0:
            size = max(min(int(size * share), size - 1), SMALLEST)
            self._lay(size)

    def _lay(self, size: int) -> None:
        """Have a card in type of a size."""
        emptied(self._row)
        self._card = _card(self._actions, size)
        self._row.addStretch()
        self._row.addWidget(self._card)
        self._row.addStretch()

    def _share(self) -> float:
        """How much of the card there is room for."""
        wanted, room = self._card.sizeHint(), self.rect().marginsRemoved(self._column.contentsMargins())
        return min(room.width() / wanted.width(), room.height() / wanted.height())

    def event(self, event: QEvent) -> bool:
        """Keys that are shortcuts elsewhere only close it."""
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
        veil = QColor(0, 0, 0, 110)
        painter = QPainter(self)
        painter.fillRect(self.rect(), veil)
        painter.end()

    def close_down(self) -> None:
        """Give the focus back and go."""
        parent = self.parentWidget()
        if parent is not None:
            parent.removeEventFilter(self)
        if self._focus_before is not None and isValid(self._focus_before):
            self._focus_before.setFocus()
        self.hide()
        self.deleteLater()


def rows(actions: Actions) -> dict[str, list[Row]]:
    """All there is to tell, by group: the commands, and what the canvas does while it has the focus."""
    found = {title: [_row(command) for command in commands] for title, commands in actions.groups().items()}
    found["Tools"] = [row for row in found["Tools"] if not row[0].startswith("Class ")]
    found["Tools"].append(("Class", "1 \N{EN DASH} 8"))
    return {"Tools": found.pop("Tools"), "Canvas": [(words, told(key)) for words, key in CANVAS], **found}


def _row(command: Command) -> Row:
    return command.text.rstrip("\N{HORIZONTAL ELLIPSIS}"), _native(command.sequences[0])


def _card(actions: Actions, size: int) -> QFrame:
    """The columns in type of a size."""
    card = QFrame()
    card.setObjectName("card")
    role(card, "popup")
    row = QHBoxLayout(card)
    row.setContentsMargins(32, 24, 32, 24)
    row.setSpacing(40)
    for groups in _columns(rows(actions)):
        column = QVBoxLayout()
        column.setSpacing(16)
        for title, lines in groups:
            column.addWidget(_group(title, lines, size))
        column.addStretch()
        row.addLayout(column)
    return card


def _columns(groups: dict[str, list[Row]], count: int = 3) -> list[list[tuple[str, list[Row]]]]:
    """The groups in their order, broken into columns of about the same height."""
    share = sum(len(lines) + HEAD for lines in groups.values()) / count
    columns: list[list[tuple[str, list[Row]]]] = [[]]
    used = 0.0
    for title, lines in groups.items():
        size = len(lines) + HEAD
        if columns[-1] and len(columns) < count and used + size / 2 > share * len(columns):
            columns.append([])
        columns[-1].append((title, lines))
        used += size
    return columns


def _group(title: str, lines: list[Row], size: int) -> QWidget:
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(4)
    grid.addWidget(_label(title, size + 2, bold=True), 0, 0, 1, 2)
    for number, (words, key) in enumerate(lines, start=1):
        keys = _label(key, size)
        keys.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        grid.addWidget(_label(words, size), number, 0)
        grid.addWidget(keys, number, 1, Qt.AlignmentFlag.AlignRight)
    grid.setColumnStretch(0, 1)
    return box


def _label(words: str, size: int, *, bold: bool = False) -> QLabel:
    label = QLabel(words)
    font = label.font()
    font.setPixelSize(size)
    font.setBold(bold)
    label.setFont(font)
    return label


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
