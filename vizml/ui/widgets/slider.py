"""A slider for numbers on any track: click anywhere, drag, keys and wheel; a tick shows the default."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from vizml.ui.widgets.appearance import Appearance, Dressed, colour, current
from vizml.ui.widgets.keys import KeepsKeys
from vizml.ui.widgets.track import Track

FINE = 10_000
KEYS = {
    Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10, Qt.Key.Key_PageUp: 10,
}  # fmt: skip


class Slider(KeepsKeys, Dressed, QSlider):
    """Tells what a hand does to it; it shows a number only when told."""

    pressed = Signal()
    slid = Signal(float)
    """A number, on press and while dragging."""
    released = Signal()
    stepped = Signal(int)
    """Steps of a key or the wheel."""

    def __init__(self, track: Track, default: float | None = None, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.track = track
        self.default = default
        self.idle = False
        self.setRange(0, FINE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.redress()

    def show_number(self, number: float, *, idle: bool = False) -> None:
        """Stand at a number; idle where another rule is in force and the number waits."""
        self.idle = idle
        self.setValue(round(self.track.position(number) * FINE))
        self.update()

    def dress(self, look: Appearance) -> None:
        self.setFixedHeight(look.px(20))

    def sizeHint(self) -> QSize:
        return QSize(current().px(120), current().px(20))

    minimumSizeHint = sizeHint

    # -- the hand --------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.pressed.emit()
            self._slide(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._slide(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.isSliderDown():
            self.setSliderDown(False)
            self.released.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ends = {Qt.Key.Key_Home: self.track.lo, Qt.Key.Key_End: self.track.hi}
        key = Qt.Key(event.key())
        if key in KEYS:
            self.stepped.emit(KEYS[key])
        elif key in ends:
            self.slid.emit(ends[key])
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = (event.angleDelta().y() > 0) - (event.angleDelta().y() < 0)
        if self.hasFocus() and steps:
            self.stepped.emit(steps)
            event.accept()
        else:
            event.ignore()

    def _slide(self, event: QMouseEvent) -> None:
        way = max(self.width() - 2 * self._inset, 1)
        self.slid.emit(self.track.value((event.position().x() - self._inset) / way))

    # -- the picture -----------------------------------------------------------------------------------------

    @property
    def _inset(self) -> float:
        return current().px(8)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        way, middle, thick = self.width() - 2 * self._inset, self.height() / 2, look.px(4)
        at = self._inset + way * self.value() / FINE
        live = self.isEnabled() and not self.idle
        groove = QRectF(0, middle - thick / 2, self.width(), thick)
        painter.setBrush(colour(look.pressed))
        painter.drawRoundedRect(groove, thick / 2, thick / 2)
        painter.setBrush(colour(look.theme.accent if live else look.edge))
        painter.drawRoundedRect(QRectF(0, groove.top(), at, thick), thick / 2, thick / 2)
        if self.default is not None:
            self._paint_default(painter, look, self._inset + way * self.track.position(self.default))
        self._paint_handle(painter, look, QPointF(at, middle), live)
        painter.end()

    def _paint_default(self, painter: QPainter, look: Appearance, x: float) -> None:
        painter.setBrush(colour(look.edge))
        painter.drawRect(QRectF(round(x) - 0.5, self.height() / 2 + look.px(5), 1, look.px(4)))

    def _paint_handle(self, painter: QPainter, look: Appearance, at: QPointF, live: bool) -> None:
        radius = look.px(7)
        if self.hasFocus():
            painter.setBrush(colour(look.theme.accent, 0.3))
            painter.drawEllipse(at, radius + look.px(3), radius + look.px(3))
        strong = live and (self.isSliderDown() or self.underMouse() or self.hasFocus())
        edge = look.theme.accent if live else look.edge
        painter.setPen(QPen(colour(edge), look.px(2 if live else 1)))
        painter.setBrush(colour(edge if strong else look.control))
        painter.drawEllipse(at, radius - 1, radius - 1)
