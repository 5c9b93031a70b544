"""Slider over a range of numbers, linear or logarithmic."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, colour, current
from vizml.ui.widgets.focus import KeepsKeys

ZERO = 0.04
"""The share of a logarithmic track that stands for zero, where its range begins there."""
FLOOR = 1e-6
"""Of such a track's upper end: where the logarithm begins."""


@dataclass(frozen=True)
class NumberScale:
    """A range from lo to hi; positions run from 0 to 1."""

    lo: float
    hi: float
    log: bool = False
    whole: bool = False
    grain: float = 0.0
    """The distance of neighbouring values on a linear track; without one it is found from the range."""

    def position(self, value: float) -> float:
        """Where a value lies."""
        clipped = min(max(value, self.lo), self.hi)
        if self.hi <= self.lo:
            return 0.0
        if not self.log:
            return (clipped - self.lo) / (self.hi - self.lo)
        if clipped < self._floor:
            return 0.0
        return self._start + (1 - self._start) * math.log(clipped / self._floor) / self._decades

    def value(self, position: float) -> float:
        """The round value nearest to a position."""
        if position <= 0:
            return self._typed(self.lo)
        if position >= 1:
            return self._typed(self.hi)
        if not self.log:
            return self._round(self.lo + position * (self.hi - self.lo))
        if position < self._start:
            return self._typed(self.lo if position < self._start / 2 else self._floor)
        share = (position - self._start) / (1 - self._start)
        return self._round(self._floor * math.exp(share * self._decades))

    def moved(self, value: float, steps: int) -> float:
        """The round value some steps of a key or the wheel away."""
        if not self.log:
            return self._round(value + steps * self.step)
        if value < self._floor:
            return self._typed(self._floor if steps > 0 else self.lo)
        goal = max(value, self._floor) * 10 ** (steps / 10)
        if goal < self._floor:
            return self._typed(self.lo)
        if self.whole and abs(goal - value) < abs(steps):
            goal = value + steps
        return self._round(goal)

    @property
    def step(self) -> float:
        """The distance of neighbouring values on a linear track: 1, 2 or 5 times a power of ten."""
        if self.whole or self.grain:
            return self.grain or 1.0
        rough = (self.hi - self.lo) / 200
        power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
        return next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9))

    def text(self, value: float) -> str:
        """A value as the panel writes it: no figure is lost, and no exponent where none is needed."""
        if self.whole:
            return str(int(value)) if abs(value) < 1e7 else _plain(f"{value:.6g}")
        if not self.log:
            places = max(0, -math.floor(math.log10(self.step) + 1e-9))
            fixed = f"{value:.{places}f}"
            if math.isclose(float(fixed), value, rel_tol=1e-9, abs_tol=1e-15):
                return fixed
        elif 0.01 <= abs(value) < 1000:
            fixed = f"{value:#.3g}".rstrip(".") if abs(value) >= 1 else f"{value:.2f}"
            if math.isclose(float(fixed), value, rel_tol=1e-9):
                return fixed
        return _plain(f"{value:.6g}")

    @property
    def _floor(self) -> float:
        least = 1.0 if self.whole else self.hi * FLOOR
        return self.lo if self.lo > 0 else least

    @property
    def _start(self) -> float:
        return 0.0 if self.lo > 0 else ZERO

    @property
    def _decades(self) -> float:
        return math.log(self.hi / self._floor)

    def _round(self, value: float) -> float:
        if self.whole or not self.log:
            digits = value / self.step
            rounded = round(digits) * self.step
        else:
            rounded = value
        if self.log and (not self.whole or value >= 100):
            rounded = float(f"{value:.{2 if self._decades > 3 * math.log(10) else 3}g}")
        return self._typed(min(max(rounded, self.lo), self.hi))

    def _typed(self, value: float) -> float:
        return int(value) if self.whole else float(f"{value:.12g}")


def _plain(text: str) -> str:
    """1e-05 as 1e-5."""
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if mark else text


FINE = 10_000
KEYS = {
    Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10, Qt.Key.Key_PageUp: 10,
}  # fmt: skip


class Slider(KeepsKeys, FollowsAppearance, QSlider):
    """Tells what a hand does to it; it shows a number only when told."""

    pressed = Signal()
    slid = Signal(float)
    """A number, on press and while dragging."""
    released = Signal()
    stepped = Signal(int)
    """Steps of a key or the wheel."""

    def __init__(
        self, track: NumberScale, default: float | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.track = track
        self.default = default
        self.idle = False
        self.setRange(0, FINE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.update_appearance()

    def show_number(self, number: float, *, idle: bool = False) -> None:
        """Stand at a number; idle where another rule is in force and the number waits."""
        self.idle = idle
        self.setValue(round(self.track.position(number) * FINE))
        self.update()

    def apply_appearance(self, look: Appearance) -> None:
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
