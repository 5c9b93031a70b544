"""A chart in a dock: figures under the pointer, the timeline's position, clicks that set parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from vizml.paint.pens import colour
from vizml.scene import Chart
from vizml.scene.chart import Value
from vizml.ui.canvas.sheet import Sheet
from vizml.ui.charts.blank import paint_blank
from vizml.ui.charts.hover import Hover, find
from vizml.ui.charts.paint import Layout, handle_at, lay_out, paint_moving, paint_still
from vizml.ui.charts.plan import Plan
from vizml.ui.widgets.appearance import Appearance, Dressed, current

SMALLEST = QSize(160, 120)
GRIP = 14.0


class ChartView(Dressed, QWidget):
    """Shows one chart, without its title, which is above it."""

    moment_asked = Signal(object)
    """A number of a step, counted from 1, that the timeline should show."""
    picked = Signal(object)
    """A mapping of parameters to the values that a click, or a drag, wants them to have."""
    handled = Signal(str, float)
    """What the dragged handle sets, and to which value."""
    lit = Signal(object)
    """The ids of the points that a cell counts, when it is clicked."""
    released = Signal()
    """The drag is over: what it set is one thing done."""
    menu_asked = Signal(object)
    """Where on the screen a menu of ways to save is wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chart: Chart | None = None
        self._words = ""
        self._laid: Layout | None = None
        self._step: float | None = None
        self._cell: tuple[int, int] | None = None
        self._hover: Hover | None = None
        self._held: dict[str, Value] | None = None
        self._pressed = self._handling = False
        self._sheet = Sheet(self)
        self.setMouseTracking(True)
        self.setMinimumSize(SMALLEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Chart")
        self.redress()

    @property
    def chart(self) -> Chart | None:
        return self._chart

    @property
    def hover(self) -> Hover | None:
        """What the pointer is on."""
        return self._hover

    @property
    def plan(self) -> Plan | None:
        """Where the parts of the chart lie."""
        laid = self._layout()
        return laid.plan if laid else None

    def set_chart(self, chart: Chart | None, words: str = "") -> None:
        """Show another chart; without one, words that say why."""
        if chart is self._chart and words == self._words:
            return
        self._chart, self._words, self._laid = chart, words, None
        self._hover = None if chart is None else self._kept(chart)
        self.setAccessibleDescription(_described(chart) if chart else words)
        self.update()

    def set_step(self, step: float | None) -> None:
        """Where the timeline stands on the x-axis, or the parameter that it varies."""
        if step != self._step:
            self._step = step
            self.update()

    def set_cell(self, cell: tuple[int, int] | None) -> None:
        """Row and column of what is set now, in a heat."""
        if cell != self._cell:
            self._cell = cell
            self.update()

    def dress(self, look: Appearance) -> None:
        self._laid = None
        self.update()

    # -- the hand ------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._handling = True, self._grabs(event.position())
            self._act(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed:
            self._act(event.position())
        self._point_at(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._pressed:
            over = self._handling or self._held is not None
            self._pressed, self._handling, self._held = False, False, None
            if over:
                self.released.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = None
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._chart is not None:
            self.menu_asked.emit(event.globalPos())

    def _act(self, at: QPointF) -> None:
        """Ask for a moment, or set what the place stands for."""
        plan = self.plan
        if plan is None:
            return
        if self._handling:
            self._handle(plan, at)
        elif plan.chart.cursor == "step":
            self.moment_asked.emit(max(round(plan.x_at(at.x())), 1))
        elif plan.chart.sets:
            values = chosen(plan, at.x(), at.y())
            if values and values != self._held:
                self._held = values
                self.picked.emit(values)
        elif plan.chart.heat is not None and plan.chart.heat.members:
            cell = plan.cell_at(at.x(), at.y())
            if cell is not None:
                self.lit.emit(plan.chart.heat.members[cell[0]][cell[1]])

    def _grabs(self, at: QPointF) -> bool:
        """Whether a place is on the handle."""
        knob = handle_at(self.plan) if self.plan else None
        return knob is not None and (knob - at).manhattanLength() <= GRIP * current().type_scale

    def _handle(self, plan: Plan, at: QPointF) -> None:
        """Set what the handle sets to the value at the nearest point of its series."""
        handle = plan.chart.handle
        if handle is None:
            return
        places = plan.pixels(plan.chart.series[handle.series])
        apart = np.nan_to_num(np.hypot(*(places - (at.x(), at.y())).T), nan=np.inf)
        self.handled.emit(handle.sets, float(handle.values[int(np.argmin(apart))]))

    def _point_at(self, at: QPointF) -> None:
        plan = self.plan
        found = find(plan, at.x(), at.y()) if plan else None
        active = plan is not None and (plan.chart.cursor == "step" or clickable(plan, at) or self._grabs(at))
        self.setCursor(Qt.CursorShape.PointingHandCursor if active else Qt.CursorShape.ArrowCursor)
        if found != self._hover:
            self._hover = found
            self.update()

    def _kept(self, chart: Chart) -> Hover | None:
        """What the pointer is still on when a chart is renewed under it."""
        hover = self._hover
        if hover is None or hover.cell is not None or hover.series >= len(chart.series):
            return None
        return hover if hover.point < len(chart.series[hover.series].x) else None

    # -- the picture ---------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(320, 240) * current().type_scale

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._laid = None

    def paintEvent(self, event: QPaintEvent) -> None:
        look, laid = current(), self._layout()
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(look.theme.ground))
        if laid is None:
            paint_blank(painter, QRectF(self.rect()), look, self._words)
        else:
            self._sheet.put(painter, (laid, look.theme), partial(_still, laid, look))
            paint_moving(painter, laid, look.theme, self._step, self._hover, self._cell)
        painter.end()

    def _layout(self) -> Layout | None:
        if self._laid is None and self._chart is not None:
            look = current()
            self._laid = lay_out(self._chart, QSizeF(self.size()), look.type_scale, titled=False)
        return self._laid


def clickable(plan: Plan, at: QPointF) -> bool:
    """Whether a click at a place would set something, or light up points."""
    if plan.chart.heat is not None and plan.chart.heat.members:
        return plan.cell_at(at.x(), at.y()) is not None
    return bool(chosen(plan, at.x(), at.y()))


def chosen(plan: Plan, x: float, y: float) -> dict[str, Value]:
    """The values that a place in pixels stands for: those of a cell, or of the nearest point along x."""
    chart = plan.chart
    if not chart.sets or not plan.geometry.plot.contains(x, y):
        return {}
    if chart.heat is not None:
        cell = plan.cell_at(x, y)
        places = (cell[1], cell[0]) if cell else ()
        found = {name: values[at] for name, values, at in zip(chart.sets, chart.choices, places)}
        return found and found | dict(chart.also)
    if not chart.series:
        return {}
    series = max(chart.series, key=lambda one: len(one.x))
    apart = np.abs(plan.pixels(replace(series, y=np.ones(len(series.x))))[:, 0] - x)
    if not np.isfinite(apart).any():
        return {}
    nearest = int(np.nanargmin(apart))
    values = chart.choices[0] if chart.choices else tuple(series.x.tolist())
    return {chart.sets[0]: values[nearest], **dict(chart.also)} if nearest < len(values) else {}


def _still(laid: Layout, look: Appearance, painter: QPainter) -> None:
    paint_still(painter, laid, look.theme)


def _described(chart: Chart) -> str:
    """The chart in a sentence, for those who cannot see it."""
    if chart.heat is not None:
        return f"{chart.title}: {len(chart.heat.rows)} rows, {len(chart.heat.columns)} columns. {chart.note}"
    names = ", ".join(series.name for series in chart.series if series.name)
    return f"{chart.title}: {chart.y.title} over {chart.x.title} of {names}. {chart.note}".strip()
