"""The points of a chart's series: small discs, however many there are."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from vizml.data.dataset import Floats
from vizml.paint.clip import box_of, inside
from vizml.paint.lines import qpolygon
from vizml.paint.pens import colour, pen, vectorial
from vizml.scene import Series, Theme
from vizml.scene.palette import mixed
from vizml.ui.charts.plan import Plan

SIZE, SMALL, RIM = 7.0, 4.0, 1.2
"""Diameters of a few discs and of many, and the ring of ground around the few."""
MANY = 1500


def paint_dots(painter: QPainter, plan: Plan, theme: Theme) -> None:
    """The series that have discs: dots, and the heads of stems that stand apart."""
    for series in plan.chart.series:
        if series.kind == "dots" or (series.kind == "stems" and _apart(plan, series)):
            _paint(painter, plan, theme, series)


def _apart(plan: Plan, series: Series) -> bool:
    """Whether the heads of stems would be discs and not a chain of beads."""
    at = np.sort(plan.pixels(series)[:, 0])
    step = np.diff(at[np.isfinite(at)])
    return not len(step) or float(np.median(step)) >= SIZE / 2 * plan.geometry.type_scale


def paint_disc(painter: QPainter, theme: Theme, series: Series, x: float, y: float, k: float) -> None:
    """One disc that stands out."""
    painter.setPen(pen(theme.ground, 2 * k))
    painter.setBrush(colour(theme.colour(series.ink)))
    painter.drawEllipse(QPointF(x, y), SIZE / 2 * k + k, SIZE / 2 * k + k)


def _paint(painter: QPainter, plan: Plan, theme: Theme, series: Series) -> None:
    places = plan.pixels(series)
    places = places[np.isfinite(places).all(axis=1)]
    places = places[inside(places, box_of(plan.geometry.plot, 0.5))]
    rgb, k = theme.colour(series.ink), plan.geometry.type_scale
    if len(places) > MANY and not vectorial(painter):
        painter.setPen(pen(rgb, SMALL * k, min(series.opacity, 0.6)))
        painter.drawPoints(qpolygon(places))
        return
    size = SIZE if len(places) <= MANY else SMALL
    edge = mixed(rgb, theme.ground, 0.85)
    painter.setPen(pen(edge, RIM * k) if len(places) <= MANY else Qt.PenStyle.NoPen)
    painter.setBrush(colour(rgb, series.opacity))
    _ellipses(painter, places, size / 2 * k)


def _ellipses(painter: QPainter, places: Floats, radius: float) -> None:
    for x, y in places.tolist():
        painter.drawEllipse(QPointF(x, y), radius, radius)
