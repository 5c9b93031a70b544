"""Slider over a range of numbers, linear or logarithmic."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSlider

from vizml.paint.pens import colour
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current
from vizml.ui.widgets.focus import STEP_KEYS

ZERO = 0.04
"""Share of a logarithmic scale that stands for zero, where its range begins there."""
FLOOR = 1e-6
"""Start of the logarithm in such a range, as a share of its upper end."""
POSITIONS = 10_000
"""Positions of the slider: more than pixels on any screen."""


@dataclass(frozen=True)
class NumberScale:
    """Mapping between numbers from lo to hi and positions from 0 to 1, rounded to readable numbers."""

    lo: float
    hi: float
    log: bool = False
    whole: bool = False
    grain: float = 0.0
    """Distance of neighbouring values on a linear scale; 0 derives it from the range."""

    def position(self, value: float) -> float:
        """Return the position of a value."""
        clipped = min(max(value, self.lo), self.hi)
        if self.hi <= self.lo:
            return 0.0
        if not self.log:
            return (clipped - self.lo) / (self.hi - self.lo)
        if clipped < self._floor:
            return 0.0
        return self._start + (1 - self._start) * math.log(clipped / self._floor) / self._log_range

    def value(self, position: float) -> float:
        """Return the round value nearest to a position."""
        if position <= 0 or position >= 1:
            return self._typed(self.lo if position <= 0 else self.hi)
        if not self.log:
            return self._round(self.lo + position * (self.hi - self.lo))
        if position < self._start:
            return self._typed(self.lo if position < self._start / 2 else self._floor)
        share = (position - self._start) / (1 - self._start)
        return self._round(self._floor * math.exp(share * self._log_range))

    def moved(self, value: float, steps: int) -> float:
        """Return the round value some steps of a key or the wheel away: tenths of a decade on a log scale."""
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
        """Distance of neighbouring values on a linear scale: 1, 2 or 5 times a power of ten."""
        if self.whole or self.grain:
            return self.grain or 1.0
        rough = (self.hi - self.lo) / 200
        power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
        return next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9))

    def text(self, value: float) -> str:
        """Return a value as text that loses no digit, without an exponent where it can."""
        if self.whole:
            return str(int(value)) if abs(value) < 1e7 else _short(f"{value:.6g}")
        if not self.log:
            places = max(0, -math.floor(math.log10(self.step) + 1e-9))
            fixed = f"{value:.{places}f}"
            if math.isclose(float(fixed), value, rel_tol=1e-9, abs_tol=1e-15):
                return fixed
        elif 0.01 <= abs(value) < 1000:
            fixed = f"{value:#.3g}".rstrip(".") if abs(value) >= 1 else f"{value:.2f}"
            if math.isclose(float(fixed), value, rel_tol=1e-9):
                return fixed
        return _short(f"{value:.6g}")

    @property
    def _floor(self) -> float:
        """Start of the logarithm."""
        least = 1.0 if self.whole else self.hi * FLOOR
        return self.lo if self.lo > 0 else least

    @property
    def _start(self) -> float:
        """Position of that start."""
        return 0.0 if self.lo > 0 else ZERO

    @property
    def _log_range(self) -> float:
        return math.log(self.hi / self._floor)

    def _round(self, value: float) -> float:
        rounded = value
        if self.whole or not self.log:
            rounded = round(value / self.step) * self.step
        if self.log and (not self.whole or value >= 100):
            rounded = float(f"{value:.{2 if self._log_range > 3 * math.log(10) else 3}g}")
        return self._typed(min(max(rounded, self.lo), self.hi))

    def _typed(self, value: float) -> float:
        return int(value) if self.whole else float(f"{value:.12g}")


class LimitScale(NumberScale):
    """Scale of a limit, from `lo` on; 0 stands for no limit, at the end."""

    def position(self, value: float) -> float:
        return (1 - ZERO) * super().position(value) if value else 1.0

    def value(self, position: float) -> float:
        return super().value(position / (1 - ZERO)) if position < 1 - ZERO / 2 else 0

    def moved(self, value: float, steps: int) -> float:
        if not value:
            return self.hi if steps < 0 else 0
        return super().moved(value, steps) if value < self.hi or steps < 0 else 0


def _short(text: str) -> str:
    """Shorten 1e-05 to 1e-5."""
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if mark else text


SIZE = 120, 20
"""Width and height of a slider for a number."""
INSET = 8
"""Pixels from the edges of a slider to the ends of its track."""
ENDS = {Qt.Key.Key_Home: 0.0, Qt.Key.Key_End: 1.0}


class Track(FollowsAppearance, QSlider):
    """Base of sliders that paint themselves: `move_to` is called for a place, `step` for keys."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._size = width, height
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.update_appearance()

    def move_to(self, share: float) -> None:
        """Move the handle to a share of the track, which may lie beyond its ends."""
        raise NotImplementedError

    def step(self, steps: int) -> None:
        """Move by steps of a key."""
        raise NotImplementedError

    def apply_appearance(self, look: Appearance) -> None:
        self.setFixedHeight(look.px(self._size[1]))

    def sizeHint(self) -> QSize:
        return QSize(*(current().px(length) for length in self._size))

    minimumSizeHint = sizeHint

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.move_to(self.share_at(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.move_to(self.share_at(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEP_KEYS:
            self.step(STEP_KEYS[key])
        elif key in ENDS:
            self.move_to(ENDS[key])
        else:
            event.ignore()

    def share_at(self, event: QMouseEvent) -> float:
        """Return the share of the track left of the pointer."""
        inset = current().px(INSET)
        return (event.position().x() - inset) / max(self.width() - 2 * inset, 1)

    def paint_handle(
        self, painter: QPainter, at: QPointF, radius: int, ring: int, *, strong: bool, live: bool = True
    ) -> None:
        """Paint the handle, filled where it is strong, with a ring around it that shows the focus."""
        look = current()
        if self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(look.theme.accent, 0.3))
            painter.drawEllipse(at, ring, ring)
        edge = look.theme.accent if live else look.edge
        painter.setPen(QPen(colour(edge), look.px(2 if live else 1)))
        painter.setBrush(colour(edge if strong else look.control))
        painter.drawEllipse(at, radius, radius)


class Slider(Track):
    """Slider that reports drags, keys and wheel; it moves only by `show_number`."""

    dragged = Signal(float)
    """A number, on press and while dragging."""
    stepped = Signal(int)
    """Steps of a key or the wheel."""

    def __init__(self, scale: NumberScale, default: float | None = None) -> None:
        super().__init__(*SIZE)
        self.scale, self.default, self.idle = scale, default, False
        self.setRange(0, POSITIONS)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_number(self, number: float, *, idle: bool = False) -> None:
        """Show a number; idle where an automatic value is used instead."""
        self.idle = idle
        self.setValue(round(self.scale.position(number) * POSITIONS))
        self.update()

    def move_to(self, share: float) -> None:
        self.dragged.emit(self.scale.value(share))

    def step(self, steps: int) -> None:
        self.stepped.emit(steps)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = (event.angleDelta().y() > 0) - (event.angleDelta().y() < 0)
        event.setAccepted(self.hasFocus() and steps != 0)
        if event.isAccepted():
            self.stepped.emit(steps)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, live = current(), self.isEnabled() and not self.idle
        inset, middle, thickness = look.px(INSET), self.height() / 2, look.px(4)
        length = self.width() - 2 * inset
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        at = inset + length * self.value() / POSITIONS
        for width, tone in ((self.width(), look.pressed), (at, look.theme.accent if live else look.edge)):
            painter.setBrush(colour(tone))
            groove = QRectF(0, middle - thickness / 2, width, thickness)
            painter.drawRoundedRect(groove, thickness / 2, thickness / 2)
        if self.default is not None:
            x = round(inset + length * self.scale.position(self.default))
            painter.setBrush(colour(look.edge))
            painter.drawRect(QRectF(x - 0.5, middle + look.px(5), 1, look.px(4)))
        strong = live and (self.isSliderDown() or self.underMouse() or self.hasFocus())
        self.paint_handle(painter, QPointF(at, middle), look.px(7) - 1, look.px(10), strong=strong, live=live)
        painter.end()
