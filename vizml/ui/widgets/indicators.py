"""Note and progress bar below a stage."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QMenu, QProgressBar, QSizePolicy, QWidget

from vizml.paint.text import typeset
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, colour, current


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


PIECE, STRIDE = 0.3, 0.04


class TrainingProgress(FollowsAppearance, QProgressBar):
    """Needs no timer of its own: it moves when there is something to tell, and is empty when there is not."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running, self._phase = False, 0.0
        self.setRange(0, 1000)
        self.setTextVisible(False)
        self.setAccessibleName("progress of training")
        self.update_appearance()

    def show_run(self, *, running: bool, progress: float | None) -> None:
        """Where the run is now."""
        self._running = running
        self._phase = (self._phase + STRIDE) % (1 + PIECE)
        unknown = running and progress is None
        self.setRange(0, 0 if unknown else 1000)
        self.setValue(round(1000 * (progress or 0.0)) if running else 0)
        self.update()

    def apply_appearance(self, look: Appearance) -> None:
        self.setFixedSize(look.px(96), look.px(6))

    def sizeHint(self) -> QSize:
        return QSize(current().px(96), current().px(6))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._running:
            return
        look, radius = current(), self.height() / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.pressed))
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        start, stop = (self._phase - PIECE, self._phase) if not self.maximum() else (0.0, self.value() / 1000)
        left, right = max(start, 0.0) * self.width(), min(stop, 1.0) * self.width()
        painter.setBrush(colour(look.theme.accent))
        painter.drawRoundedRect(QRectF(left, 0, right - left, self.height()), radius, radius)
        painter.end()
