"""Charts: the first paint of a new chart in a dock, a move of the pointer on it, and its export as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, cycle

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from benchmarks.timing import best
from vizml.paint.charts.plot import chart_painting
from vizml.paint.export import Paper, svg
from vizml.scene import Axis, Chart, HeatMap, Rule, Series
from vizml.ui.charts.chart_view import ChartView
from window_driver import WindowDriver

DOCK, PAPER = QSize(288, 240), Paper(640, 440)
POINTER, SVG = 8.0, 145.0
"""Goals in milliseconds of a move of the pointer and of an SVG; `measure` has those of new charts."""
NONE = Qt.MouseButton.NoButton


@dataclass(frozen=True)
class ChartTimes:
    """Milliseconds for a chart, and the goal of its first paint."""

    chart: str
    new: float
    goal: float
    pointer: float
    svg: float


HEADER = f"{'chart':14}{'new':16}{'pointer':16}{'SVG'}"


def line(row: ChartTimes) -> str:
    """Format a row; times in milliseconds, with their goals."""
    new, pointer = f"{row.new:.1f} ({row.goal:g})", f"{row.pointer:.2f} ({POINTER:g})"
    return f"{row.chart:14}{new:16}{pointer:16}{row.svg:.1f} ({SVG:g})"


def measure(driver: WindowDriver, _: Sequence[str] = ()) -> Iterator[ChartTimes]:
    """Time charts in a view of the size of a dock."""
    view = ChartView()
    view.resize(DOCK)
    view.show()
    driver.until(lambda: view.canvas is not None)
    for chart, goal in ((_roc(), 6.3), (_grid(), 9.0), (_curves(), 5.9), (_silhouettes(), 25.0)):
        titles, places = count(), cycle(np.linspace(60, 240, 19).tolist())
        new = best(lambda: _renew(view, replace(chart, title=str(next(titles)))))[0]  # noqa: B023 (called here)
        pointer = best(lambda: _move(view, next(places)))[0]  # noqa: B023
        paper = best(lambda: svg(PAPER, chart_painting(chart, PAPER)))[0]  # noqa: B023
        yield ChartTimes(chart.title, new * 1e3, goal, pointer * 1e3, paper * 1e3)
    view.close()
    view.deleteLater()


def _renew(view: ChartView, chart: Chart) -> None:
    view.set_chart(chart)
    if view.canvas is not None:
        view.canvas.viewport().repaint()


def _move(view: ChartView, x: float) -> None:
    if view.canvas is not None:
        target, place = view.canvas.viewport(), QPointF(x, x / 2)
        spot, plain = target.mapToGlobal(place), Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(target, QMouseEvent(QEvent.Type.MouseMove, place, spot, NONE, NONE, plain))
        target.repaint()


def _roc() -> Chart:
    rate = np.linspace(0, 1, 200)
    parts = [
        Series(name=name, x=rate, y=rate**power, kind="step")
        for name, power in (("train", 0.1), ("held", 0.3))
    ]
    axes = {"x": Axis(title="false positive rate", low=0, high=1), "y": Axis(title="recall", low=0, high=1)}
    return Chart(title="ROC", series=tuple(parts), rules=(Rule(diagonal=True),), **axes)  # type: ignore[arg-type]


def _grid() -> Chart:
    values, names = np.linspace(0.5, 1, 100).reshape(10, 10), tuple(f"{10.0**k:g}" for k in range(-4, 6))
    texts = tuple(tuple(f"{value:.2f}" for value in row) for row in values.tolist())
    heat = HeatMap(values=values, rows=names, columns=names, texts=texts, marked=(9, 9))
    return Chart(title="grid", x=Axis(title="C"), y=Axis(title="gamma"), heat=heat)


def _curves() -> Chart:
    steps = np.arange(1.0, 101.0)
    band = {"low": 1 / steps + 0.1, "high": 1 / steps + 0.3}
    held = Series(name="held out", x=steps, y=1 / steps + 0.2, ink=1, **band)  # type: ignore[arg-type]
    series = (Series(name="train", x=steps, y=1 / steps, ink=0), held)
    return Chart(title="curves", x=Axis(title="Step"), y=Axis(title="Error"), series=series, cursor="step")


def _silhouettes() -> Chart:
    x = np.arange(120.0)
    groups = [slice(start, start + 40) for start in (0, 40, 80)]
    series = [
        Series(name=f"cluster {k + 1}", x=x[part], y=np.linspace(0.8, 0.1, 40), ink=k, kind="stems")
        for k, part in enumerate(groups)
    ]
    return Chart(
        title="silhouettes", x=Axis(title="points"), y=Axis(title="silhouette"), series=tuple(series)
    )
