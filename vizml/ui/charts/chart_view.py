"""A chart in a dock. pyqtgraph, whose import takes 0.13 s, is imported in a thread after the first paint."""

from __future__ import annotations

import threading
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from vizml.evaluate.diagnostic import diagnostics
from vizml.learn.registry import discover
from vizml.paint.pens import colour, paint_message
from vizml.scene import Chart
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current

if TYPE_CHECKING:
    from vizml.paint.charts.layout import ChartLayout
    from vizml.ui.charts.chart_canvas import ChartCanvas

CANVAS = "vizml.ui.charts.chart_canvas"
SMALLEST = QSize(160, 120)
POLL = 15
"""Milliseconds between two looks at the thread that imports pyqtgraph."""


def import_charts() -> threading.Thread:
    """Import the charts, and with them pyqtgraph, in a thread."""
    thread = threading.Thread(target=import_module, args=(CANVAS,), name="import of charts")
    thread.start()
    return thread


def import_the_rest() -> None:
    """Import the charts, then the models and the diagnostics that the window has not needed yet."""
    import_module(CANVAS)
    discover()
    diagnostics()


class ImportAfterPaint(QObject):
    """Imports charts and models in a thread as soon as a window has been painted for the first time."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            thread = threading.Thread(target=import_the_rest, name="imports after the first paint")
            QTimer.singleShot(0, self, thread.start)
        return False


class DrawingView(FollowsAppearance, QWidget):
    """Base of the views of a chart and of a diagram: its size, its signals, and the message in its place."""

    released = Signal()
    """The end of a drag, whose changes are one step of undo."""
    menu_requested = Signal(object)
    """The global position of a context menu."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._message = ""
        self.setMinimumSize(SMALLEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(320, 240) * current().type_scale

    def paint_ground(self, painter: QPainter, message: str) -> None:
        """Draw the ground of the theme, and a message on it."""
        look, rect = current(), QRectF(self.rect())
        painter.fillRect(rect, colour(look.theme.ground))
        paint_message(painter, rect, look.theme, look.type_scale, message)


class ChartView(DrawingView):
    """Shows one chart, without its title, or a message in its place."""

    step_requested = Signal(object)
    """A step of the training, counted from 1, that the timeline should show."""
    picked = Signal(object)
    """A mapping of parameters to the values that a click or a drag sets."""
    handled = Signal(str, float)
    """The parameter of the dragged handle, and its value."""
    points_picked = Signal(object)
    """The ids of the points that the clicked cell counts."""

    def __init__(self) -> None:
        super().__init__("Chart")
        self.canvas: ChartCanvas | None = None
        self.chart: Chart | None = None
        self.step: float | None = None
        """The position of the timeline, or of the parameter on the x-axis."""
        self._cell: tuple[int, int] | None = None
        self._import: threading.Thread | None = None
        self._poll = QTimer(self, interval=POLL)
        self._poll.timeout.connect(self._make_canvas)
        self.update_appearance()

    @property
    def chart_layout(self) -> ChartLayout | None:
        """The layout of the chart, once it can be shown."""
        return self.canvas.plot.chart_layout if self.canvas is not None and self.chart is not None else None

    def set_chart(self, chart: Chart | None, message: str = "") -> None:
        """Show another chart, or a message that says why there is none."""
        if chart is self.chart and message == self._message:
            return
        self.chart, self._message = chart, message
        self.setAccessibleDescription(accessible_description(chart) if chart else message)
        self._show_chart()

    def set_step(self, step: float | None) -> None:
        """Set the position of the timeline, or of the parameter, on the x-axis."""
        self.step = step
        self._show_highlight()

    def set_cell(self, cell: tuple[int, int] | None) -> None:
        """Set row and column of the current parameters in a heat map."""
        self._cell = cell
        self._show_highlight()

    def fit(self) -> None:
        """Show the whole chart."""
        if self.canvas is not None:
            self.canvas.plot.fit()

    def apply_appearance(self, look: Appearance) -> None:
        if self.canvas is not None:
            self.canvas.plot.set_style(look.theme, look.type_scale)
        self.update()

    # -- the pyqtgraph view ----------------------------------------------------------------------------------

    def _show_chart(self) -> None:
        if self.canvas is not None:
            if self.chart is not None:
                self.canvas.set_chart(self.chart)
            self.canvas.setVisible(self.chart is not None)
            self.canvas.setAccessibleDescription(self.accessibleDescription())
        self.update()

    def _show_highlight(self) -> None:
        if self.canvas is not None:
            self.canvas.set_highlight(step=self.step, cell=self._cell)

    def _start_import(self) -> None:
        if self._import is None:
            self._import = import_charts()
            self._poll.start()
            self._make_canvas()

    def _make_canvas(self) -> None:
        """Create the view once its module is imported."""
        if self._import is None or self._import.is_alive():
            return
        self._poll.stop()
        self.canvas = import_module(CANVAS).ChartCanvas(self)
        self.canvas.setAccessibleName(self.accessibleName())
        self.canvas.setGeometry(self.rect())
        self._show_chart()
        self._show_highlight()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.canvas is not None:
            self.canvas.setGeometry(self.rect())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_ground(painter, self._message if self.chart is None else "")
        painter.end()
        if self._import is None:
            QTimer.singleShot(0, self, self._start_import)


def accessible_description(chart: Chart) -> str:
    """Describe a chart in a sentence for screen readers."""
    if chart.heat is not None:
        return f"{chart.title}: {len(chart.heat.rows)} rows, {len(chart.heat.columns)} columns. {chart.note}"
    names = ", ".join(series.name for series in chart.series if series.name)
    return f"{chart.title}: {chart.y.title} over {chart.x.title} of {names}. {chart.note}".strip()
