"""A line or two of words that give way where it is narrow, and can be read and copied in full."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from vizml.paint.letters import typeset


class Note(QLabel):
    """Elided on screen after so many lines; the tooltip, the clipboard and a screen reader have all of it."""

    def __init__(self, parent: QWidget | None = None, *, lines: int = 1) -> None:
        super().__init__(parent)
        self._words = ""
        self._lines, self._tall = lines, 1
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._offer)

    @property
    def words(self) -> str:
        return self._words

    def say(self, words: str) -> None:
        """Show another line."""
        if words != self._words:
            self._words = words
            self.setToolTip(f"<p>{escape(words)}</p>" if words else "")
            self.setAccessibleName(words)
            self._fit()

    def copy(self) -> None:
        """All of it to the clipboard, whatever is to be seen."""
        chosen = self.selectedText()
        whole = not chosen or chosen == self.text()
        QGuiApplication.clipboard().setText(self._words if whole else chosen)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        """What once needed a second line keeps it until it is empty: figures change, heights do not."""
        metrics, room = self.fontMetrics(), self.width() - 2
        shown = broken(typeset(self._words), metrics, room, self._lines)
        self._tall = max(self._tall, len(shown)) if self._words else 1
        self.setMinimumHeight(self._tall * metrics.lineSpacing() if self._lines > 1 else 0)
        if "\n".join(shown) != self.text():
            self.setText("\n".join(shown))

    def _offer(self) -> None:
        menu = QMenu(self)
        menu.addAction("Copy note").triggered.connect(self.copy)
        menu.exec(self.cursor().pos())


def broken(words: str, metrics: QFontMetrics, room: int, most: int) -> list[str]:
    """Words in at most so many lines; what is left over is cut from the last."""
    lines: list[str] = []
    rest = words
    while len(lines) < most - 1 and metrics.horizontalAdvance(rest) > room:
        ends = [place for place, letter in enumerate(rest) if letter == " "]
        fitting = [end for end in ends if metrics.horizontalAdvance(rest[:end]) <= room]
        if not fitting:
            break
        lines.append(rest[: fitting[-1]])
        rest = rest[fitting[-1] + 1 :]
    return [*lines, metrics.elidedText(rest, Qt.TextElideMode.ElideRight, room)]
