"""The slim bar above the canvas: what happened, what went wrong, and questions that can wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, TypeVar

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from vizml.scene import CLASSES
from vizml.ui.widget_helpers import named

B = TypeVar("B", QPushButton, QToolButton)
Kind: TypeAlias = Literal["info", "tip", "error", "question"]
FOOT = 3
"""Pixels of height of the line that tells how much is done."""
READ_FOR = 7000
"""Milliseconds after which information goes by itself."""
WARNING = QColor(*CLASSES[1].colour)


@dataclass(frozen=True, kw_only=True)
class Message:
    """One sentence, what lies behind it, and what can be done about it. The same key takes the same place.

    Of a choice the letter after `&` is its key, with Alt.
    """

    text: str
    kind: Kind = "info"
    details: str = ""
    choices: tuple[tuple[str, Callable[[], object]], ...] = ()
    key: str = ""


class Messages(QFrame):
    """Shows the newest message; those before it come back when it is closed. It never takes the focus."""

    posted = Signal(object)
    """Every message, for the log."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Messages")
        self._stack: list[Message] = []
        self._done: dict[str, float] = {}
        self._text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._choices = QHBoxLayout()
        self._choices.setSpacing(8)
        self._details = named(QPlainTextEdit(), "Details", "What lies behind this message")
        self._details.setReadOnly(True)
        self._details.setMaximumHeight(160)
        self._more = _quiet(QPushButton("Details"), "Show what lies behind this message")
        self._more.setCheckable(True)
        self._more.toggled.connect(self._details.setVisible)
        self._close = _quiet(QToolButton(), "Close this message")
        self._close.setText("\N{MULTIPLICATION SIGN}")
        self._close.clicked.connect(self.close_newest)
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=READ_FOR)
        self._timer.timeout.connect(self.close_newest)
        self._show_newest()

    @property
    def current(self) -> Message | None:
        """The message on show."""
        return self._stack[-1] if self._stack else None

    def post(self, message: Message) -> None:
        """Show a message, in the place of one with the same key."""
        if self.current is not None and self.current.kind == "info":
            self._stack.pop()
        self._remove(message.key)
        self._stack.append(message)
        self.posted.emit(message)
        self._show_newest()

    def info(self, text: str) -> None:
        """Something went well; it goes by itself."""
        self.post(Message(text=text))

    def error(self, text: str, details: str = "", key: str = "") -> None:
        """Something did not work; it stays until it is closed."""
        self.post(Message(text=text, kind="error", details=details, key=key))

    def advance(self, key: str, share: float) -> None:
        """Show how much is done of what the message with a key tells of."""
        self._done[key] = share
        self.update()

    def dismiss(self, key: str) -> None:
        """Take back the message with a key."""
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
        self._timer.stop()
        message = self.current
        self.setVisible(message is not None)
        if message is None:
            return
        self._text.setText(message.text)
        self._more.setVisible(bool(message.details))
        self._more.setChecked(False)
        self._details.setPlainText(message.details)
        self._details.hide()
        self._offer(message)
        if message.kind == "info":
            self._timer.start()
        self.update()

    def _offer(self, message: Message) -> None:
        while (item := self._choices.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for words, run in message.choices:
            button = _quiet(QPushButton(words), words.replace("&", ""))
            button.clicked.connect(partial(self._choose, message, run))
            self._choices.addWidget(button)

    def _choose(self, message: Message, run: Callable[[], object], _checked: bool = False) -> None:
        self._stack = [other for other in self._stack if other is not message]
        self._show_newest()
        run()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self._text, self._more):
            row.addWidget(widget)
        row.addLayout(self._choices)
        row.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 4, 8, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._details)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A tint of the accent, or of the warning colour, with a stripe of it at the left edge.

        How much is done of something is a line of it along the foot.
        """
        kind = self.current.kind if self.current else "info"
        colour = WARNING if kind == "error" else self.palette().highlight().color()
        tint = QColor(colour)
        tint.setAlpha(28)
        painter = QPainter(self)
        painter.fillRect(self.rect(), tint)
        painter.fillRect(0, 0, 4, self.height(), colour)
        done = self._done.get(self.current.key, 0.0) if self.current else 0.0
        painter.fillRect(QRectF(0, self.height() - FOOT, done * self.width(), FOOT), colour)
        painter.end()


def _quiet(button: B, tip: str) -> B:
    """A button that leaves the focus where it is."""
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return named(button, tip)
