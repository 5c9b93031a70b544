"""Sparkline of the loss over the steps of a run, with a handle that selects a step."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QSizePolicy,
    QToolTip,
)

from vizml.field.arrays import Floats
from vizml.paint.pens import colour
from vizml.ui.widgets.appearance import Appearance, current
from vizml.ui.widgets.slider import INSET, Track

DECADES = 100.0
"""Ratio of highest and lowest loss above which its logarithm is drawn."""


def heights(losses: Floats) -> Floats:
    """Scale losses to the range 0 to 1, logarithmically where they span decades; NaN where there is none."""
    seen = losses[np.isfinite(losses)]
    if not seen.size:
        return np.full(len(losses), np.nan)
    values = np.where(np.isfinite(losses), losses, np.nan)
    if seen.min() > 0 and seen.max() / seen.min() > DECADES:
        values, seen = np.log(values), np.log(seen)
    span = seen.max() - seen.min()
    return (values - seen.min()) / span if span > 0 else values * 0 + 0.5


def corners(up: Floats, columns: int) -> Floats:
    """Return positions 0 to 1 and heights (m, 2): all of them, or minimum and maximum of each column."""
    count = len(up)
    places = np.arange(count) / max(count - 1, 1)
    if count <= 2 * columns:
        return np.column_stack([places, up])
    edges = np.linspace(0, count, columns + 1).astype(int)[:-1]
    low, high = np.fmin.reduceat(up, edges), np.fmax.reduceat(up, edges)
    rising = up[edges] <= up[np.append(edges[1:], count) - 1]
    pairs = np.where(rising[:, None], np.column_stack([low, high]), np.column_stack([high, low]))
    line = np.column_stack([np.repeat(places[edges], 2), pairs.ravel()])
    return np.vstack([[0.0, up[0]], line, [1.0, up[-1]]])


HEIGHT, AIR = 36, 6
CONTROLS = (QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit)
"""Controls of the side panel, which keep the arrow keys while they have the focus."""


class Sparkline(Track):
    """Slider over the recorded steps 0 ... count - 1, drawn over their losses."""

    step_requested = Signal(int)

    def __init__(self) -> None:
        super().__init__(48, HEIGHT)
        self._losses: Floats = np.empty(0)
        self._up: Floats = np.empty(0)
        self._hover: int | None = None
        self.setAccessibleName("training step")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.sliderPressed.connect(self._take_keys)

    def show_run(self, losses: Floats, count: int) -> None:
        """Show the losses so far, at most one for each recorded step."""
        self.setRange(0, max(count - 1, 0))
        self.setEnabled(count > 1)
        if losses is not self._losses:
            self._losses, self._up = losses, heights(losses)
        self.update()

    def move_to(self, share: float) -> None:
        self._ask(self._step_at(share))

    def step(self, steps: int) -> None:
        self._ask(self.value() + steps)

    def tip(self, step: int) -> str:
        """Return the tooltip of a step."""
        loss = self._losses[step] if step < len(self._losses) else math.nan
        return "" if math.isnan(loss) else f"loss {loss:.4g}"

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover = self._step_at(self.share_at(event))
        if tip := self.tip(self._hover):
            QToolTip.showText(event.globalPosition().toPoint(), tip, self)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = None
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _take_keys(self) -> None:
        """Take the focus, and with it the arrow keys, from a control of the panel; not from the canvas."""
        if isinstance(QApplication.focusWidget(), CONTROLS):
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def _ask(self, step: int) -> None:
        wanted = min(max(step, 0), self.maximum())
        if wanted != self.value():
            self.setValue(wanted)
            self.step_requested.emit(wanted)
            self.update()

    def _step_at(self, share: float) -> int:
        return round(min(max(share, 0.0), 1.0) * self.maximum())

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = self._line(look)
        at = self._point(self.value(), look) if self.isEnabled() else QPointF()
        self._paint_track(painter, look, at.x(), plain=line is None)
        if line is not None:
            self._paint_line(painter, look, line, at.x())
        if self._hover is not None and self.isEnabled() and not self.isSliderDown():
            x = round(self._point(self._hover, look).x()) + 0.5
            painter.setPen(QPen(colour(look.edge), 1))
            painter.drawLine(QPointF(x, 2), QPointF(x, self.height() - 2))
        if self.isEnabled():
            painter.setPen(QPen(colour(look.theme.accent, 0.6), 1))
            painter.drawLine(QPointF(at.x(), 0), QPointF(at.x(), self.height()))
            strong = self.isSliderDown() or self.underMouse()
            self.paint_handle(painter, at, look.px(5), look.px(9), strong=strong)
        painter.end()

    def _point(self, step: int, look: Appearance) -> QPointF:
        """Return the pixels of a step, half-way up where it has no loss."""
        inset, air = look.px(INSET), look.px(AIR)
        x = inset + (self.width() - 2 * inset) * step / max(self.maximum(), 1)
        up = self._up[step] if step < len(self._up) else math.nan
        return QPointF(x, self.height() - air - (0.5 if math.isnan(up) else up) * (self.height() - 2 * air))

    def _line(self, look: Appearance) -> QPolygonF | None:
        """Return the curve in pixels; None where there is no loss."""
        if len(self._up) < 2 or not np.isfinite(self._up).any():
            return None
        inset, air = look.px(INSET), look.px(AIR)
        share = (len(self._up) - 1) / max(self.maximum(), 1)
        points = corners(self._up, max(self.width() - 2 * inset, 1))
        points = points[np.isfinite(points[:, 1])]
        x = inset + points[:, 0] * share * (self.width() - 2 * inset)
        y = self.height() - air - points[:, 1] * (self.height() - 2 * air)
        return QPolygonF([QPointF(*corner) for corner in zip(x.tolist(), y.tolist())])

    def _paint_track(self, painter: QPainter, look: Appearance, at: float, *, plain: bool) -> None:
        thick, inset = look.px(4), look.px(INSET)
        middle = self.height() / 2 if plain else self.height() - thick / 2
        painter.setPen(Qt.PenStyle.NoPen)
        for right, tone in ((self.width() - inset, look.pressed), (at, look.theme.accent)):
            painter.setBrush(colour(tone, 1.0 if plain else 0.5))
            if right > inset:
                bar = QRectF(inset, middle - thick / 2, right - inset, thick if plain else thick / 2)
                painter.drawRoundedRect(bar, thick / 4, thick / 4)

    def _paint_line(self, painter: QPainter, look: Appearance, line: QPolygonF, at: float) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        end = self.width() - look.px(INSET)
        parts = ((0.0, at, look.theme.accent), (at, float(self.width()), look.theme.muted))
        for left, right, tone in parts[:1] if at >= end else parts:
            painter.save()
            painter.setClipRect(QRectF(left, 0, right - left, self.height()))
            painter.setPen(QPen(colour(tone), 1.5 * look.type_scale))
            painter.drawPolyline(line)
            painter.restore()
