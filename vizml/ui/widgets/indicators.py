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

BUSY_WIDTH, BUSY_STEP = 0.3, 0.04
"""Width and step of the moving bar of an unknown progress, as shares of the whole."""


class Note(QLabel):
    """A text that is elided after some lines; tooltip, clipboard and screen readers have all of it."""

    def __init__(self, parent: QWidget | None = None, *, lines: int = 1) -> None:
        super().__init__(parent)
        self._full_text = ""
        self._lines, self._used_lines = lines, 1
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)

    @property
    def full_text(self) -> str:
        """The whole text."""
        return self._full_text

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        if text != self._full_text:
            self._full_text = text
            self.setToolTip(f"<p>{escape(text)}</p>" if text else "")
            self.setAccessibleName(text)
            self._fit()

    def copy(self) -> None:
        """Copy the selected part, or the whole text including what is elided."""
        selected = self.selectedText()
        whole = not selected or selected == self.text()
        QGuiApplication.clipboard().setText(self._full_text if whole else selected)

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
        """Break and elide the text; its height shrinks only when it is empty, or it would flicker."""
        metrics = self.fontMetrics()
        shown = wrapped(typeset(self._full_text), metrics, self.width() - 2, self._lines)
        self._used_lines = max(self._used_lines, len(shown)) if self._full_text else 1
        self.setMinimumHeight(self._used_lines * metrics.lineSpacing() if self._lines > 1 else 0)
        if "\n".join(shown) != self.text():
            self.setText("\n".join(shown))

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy note").triggered.connect(self.copy)
        menu.exec(self.cursor().pos())


def wrapped(text: str, metrics: QFontMetrics, width: int, count: int) -> list[str]:
    """Break a text into at most `count` lines and elide the last one."""
    lines: list[str] = []
    rest = text
    while len(lines) < count - 1 and metrics.horizontalAdvance(rest) > width:
        ends = [position for position, letter in enumerate(rest) if letter == " "]
        fitting = [end for end in ends if metrics.horizontalAdvance(rest[:end]) <= width]
        if not fitting:
            break
        lines.append(rest[: fitting[-1]])
        rest = rest[fitting[-1] + 1 :]
    return [*lines, metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)]


class TrainingProgress(FollowsAppearance, QProgressBar):
    """Progress of a run; where it is unknown, a bar that moves with each frame instead of a timer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running, self._phase = False, 0.0
        self.setRange(0, 1000)
        self.setTextVisible(False)
        self.setAccessibleName("progress of training")
        self.update_appearance()

    def show_run(self, *, running: bool, progress: float | None) -> None:
        """Show the progress of a run from 0 to 1, None where it is unknown."""
        self._running = running
        self._phase = (self._phase + BUSY_STEP) % (1 + BUSY_WIDTH)
        self.setRange(0, 0 if running and progress is None else 1000)
        self.setValue(round(1000 * (progress or 0.0)) if running else 0)
        self.update()

    def apply_appearance(self, look: Appearance) -> None:
        self.setFixedSize(self.sizeHint())

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
        known = (0.0, self.value() / 1000)
        start, stop = known if self.maximum() else (self._phase - BUSY_WIDTH, self._phase)
        left, right = max(start, 0.0) * self.width(), min(stop, 1.0) * self.width()
        painter.setBrush(colour(look.theme.accent))
        painter.drawRoundedRect(QRectF(left, 0, right - left, self.height()), radius, radius)
        painter.end()
