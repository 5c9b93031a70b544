"""The overview of all keys, shown over the window until the next key or click."""

from __future__ import annotations

from html import escape
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from shiboken6 import isValid

from vizml.ui.canvas.keyboard_input import CANVAS_KEYS
from vizml.ui.widgets.appearance import BODY, current, hexed, role
from vizml.ui.widgets.focus import native_keys
from vizml.ui.window.actions import Command
from vizml.ui.window.commands import COMMANDS

if TYPE_CHECKING:
    from vizml.ui.window.window import Window

KeyRow: TypeAlias = tuple[str, str]
"""The text of a command, and its key."""
MIN_TYPE = 9
"""Pixels of the smallest legible type."""
GAP = 24
"""Pixels between columns."""
HEADING_ROWS = 2.5
"""Height of a group's title and the gap before it, in rows."""


def open_dialog(window: Window) -> None:
    """Show the overview of all keys over a window, or close the one that is shown."""
    shown = [overview for overview in window.findChildren(KeysOverview) if overview.isVisible()]
    if shown:
        shown[0].close_down()
    else:
        KeysOverview(window)


class KeysOverview(QWidget):
    """All keys in columns over a dimmed window; any key or click closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Keys")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.card = QLabel(margin=12)
        role(self.card, "popup")
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.card, 0, Qt.AlignmentFlag.AlignCenter)
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
        self.card.setText(_page(size))
        while size > MIN_TYPE and (share := self._share()) < 1.0:
            size = max(min(int(size * share), size - 1), MIN_TYPE)
            self.card.setText(_page(size))

    def _share(self) -> float:
        """The share of the card that there is room for."""
        wanted, room = self.card.sizeHint(), self.rect().marginsRemoved(self._column.contentsMargins())
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


def key_rows() -> dict[str, list[KeyRow]]:
    """All keys by group: those of commands, and those of the canvas with the focus."""
    found = {
        title: [_row(command) for command in group if command is not None and command.keys]
        for title, group in COMMANDS.items()
    }
    tools = [row for row in found.pop("Tools") if not row[0].startswith("Class ")]
    return {
        "Tools": [*tools, ("Class", "1 \N{EN DASH} 8")],
        "Canvas": [(text, native_keys(key)) for text, key in CANVAS_KEYS],
        **found,
    }


def _row(command: Command) -> KeyRow:
    key = QKeySequence(command.keys.split()[0]).toString(QKeySequence.SequenceFormat.NativeText)
    return command.text.rstrip("\N{HORIZONTAL ELLIPSIS}"), key


def columns_of(groups: dict[str, list[KeyRow]], count: int = 3) -> list[list[tuple[str, list[KeyRow]]]]:
    """The groups in their order, split into columns so that the highest one is as low as possible."""
    items = list(groups.items())
    heights = [len(lines) + HEADING_ROWS for _, lines in items]
    cut = min(count, len(items)) - 1
    splits = (pairwise((0, *cuts, len(items))) for cuts in combinations(range(1, len(items)), cut))
    best = min(map(tuple, splits), key=lambda parts: max(sum(heights[i:j]) for i, j in parts))
    return [items[i:j] for i, j in best]


def _page(size: int) -> str:
    """The columns as rich text in type of a size."""
    columns = ("".join(_table(*group, size) for group in column) for column in columns_of(key_rows()))
    cells = f"<td width={GAP}></td>".join(f"<td>{column}</td>" for column in columns)
    return f"<table style='font-size: {size}px'><tr>{cells}</tr></table>"


def _table(title: str, lines: list[KeyRow], size: int) -> str:
    muted = hexed(current().theme.muted)
    rows = "".join(
        f"<tr><td>{escape(text)}</td><td width={GAP}></td>"
        f"<td align=right style='color: {muted}'>{escape(key)}</td></tr>"
        for text, key in lines
    )
    heading = f"<tr><td colspan=3 style='font-size: {size + 2}px'><b>{title}</b></td></tr>"
    style = f"margin-bottom: {size // 4}px"
    return f"<table width='100%' cellpadding={size // 6} style='{style}'>{heading}{rows}</table>"
