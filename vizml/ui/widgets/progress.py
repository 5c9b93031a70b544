"""How far training has come; where that is unknown, a piece that moves on with each frame."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from vizml.ui.widgets.appearance import Appearance, Dressed, colour, current

PIECE, STRIDE = 0.3, 0.04


class Progress(Dressed, QProgressBar):
    """Needs no timer of its own: it moves when there is something to tell, and is empty when there is not."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running, self._phase = False, 0.0
        self.setRange(0, 1000)
        self.setTextVisible(False)
        self.setAccessibleName("progress of training")
        self.redress()

    def show_run(self, *, running: bool, progress: float | None) -> None:
        """Where the run is now."""
        self._running = running
        self._phase = (self._phase + STRIDE) % (1 + PIECE)
        unknown = running and progress is None
        self.setRange(0, 0 if unknown else 1000)
        self.setValue(round(1000 * (progress or 0.0)) if running else 0)
        self.update()

    def dress(self, look: Appearance) -> None:
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
