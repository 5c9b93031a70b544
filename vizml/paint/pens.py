"""Colours, pens and fonts of a theme, and translucent strokes and fills."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QTransform,
)

from vizml.scene.marks import Stroke
from vizml.scene.palette import Rgb

DASHES: dict[Stroke, list[float]] = {"solid": [], "dash": [5.0, 3.5], "dot": [0.1, 2.4]}
"""Lengths of dash and gap in units of the pen's width; a dot is a dash that is all cap."""
BODY, LABEL, SMALL, HEADING = 13.0, 12.0, 11.0, 15.0
"""Font sizes in pixels."""
THIN = 2.0
"""Lines below this width look the same with bevel joins and flat caps, which are several times as fast."""
TABULAR = QFont.Tag("tnum")
"""Font feature of digits of equal width."""


def colour(rgb: Rgb, opacity: float = 1.0) -> QColor:
    """Convert a colour to one of Qt."""
    made = QColor(*rgb)
    made.setAlphaF(min(max(opacity, 0.0), 1.0))
    return made


def pen(rgb: Rgb, width: float, opacity: float = 1.0, stroke: Stroke = "solid") -> QPen:
    """Return a pen with round joins and caps where they are visible."""
    made = QPen(colour(rgb, opacity), width)
    thin = width < THIN
    flat = stroke == "dash" or (thin and stroke == "solid")
    made.setJoinStyle(Qt.PenJoinStyle.BevelJoin if thin else Qt.PenJoinStyle.RoundJoin)
    made.setCapStyle(Qt.PenCapStyle.FlatCap if flat else Qt.PenCapStyle.RoundCap)
    if DASHES[stroke]:
        made.setDashPattern(DASHES[stroke])
    return made


def font(size: float, scale: float, *, bold: bool = False) -> QFont:
    """Return the application's font in pixels with tabular digits, by its installed name."""
    made = QFont(QFontInfo(QGuiApplication.font()).family())
    made.setPixelSize(max(round(size * scale), 1))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    made.setFeature(TABULAR, 1)
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


def measure(face: QFont) -> QFontMetricsF:
    """Metrics of a font, for widths and heights of text."""
    return QFontMetricsF(face)


def elided(metrics: QFontMetricsF, text: str, width: float) -> str:
    """Return text cut at its right end to a width."""
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


def draw_text(painter: QPainter, face: QFont, rgb: Rgb, at: QPointF, text: str) -> None:
    """Draw text from a position on its baseline."""
    painter.setFont(face)
    painter.setPen(colour(rgb))
    painter.drawText(at, text)


def vectorial(painter: QPainter) -> bool:
    """Whether a painter writes vectors (SVG, PDF) rather than pixels."""
    return painter.paintEngine().type() in (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def device_ratio(painter: QPainter) -> float:
    """Return the device pixels for each logical pixel."""
    return painter.device().devicePixelRatioF()


def stroke_lines(painter: QPainter, pen: QPen, around: QRectF, draw: Callable[[QPainter], None]) -> None:
    """Draw lines within a rectangle; on pixels translucent lines are not denser where they cross.

    Translucent shapes are drawn opaque on a layer of their own: Qt distributes the spans of each translucent
    shape to threads and waits, so that 500 short lines take 25 ms on a busy machine, and 1 ms as a layer.
    """

    def lines(brush: QPainter, colour: QColor) -> None:
        inner = QPen(pen)
        inner.setColor(colour)
        brush.setPen(inner)
        brush.setBrush(Qt.BrushStyle.NoBrush)
        draw(brush)

    _put(painter, pen.color(), around, lines)


def fill_path(painter: QPainter, path: QPainterPath, colour: QColor) -> None:
    """Fill a path with a colour that may be translucent."""
    _put(painter, colour, path.boundingRect(), lambda brush, ink: brush.fillPath(path, ink))


def _put(painter: QPainter, colour: QColor, around: QRectF, draw: Callable[[QPainter, QColor], None]) -> None:
    """Draw directly where the colour is opaque or there are no pixels, else by way of an opaque layer."""
    if colour.alphaF() >= 1 or painter.paintEngine().type() is not QPaintEngine.Type.Raster:
        draw(painter, colour)
        return
    box = painter.deviceTransform().mapRect(around).toAlignedRect()
    if box.isEmpty():
        return
    layer = QImage(box.size(), QImage.Format.Format_ARGB32_Premultiplied)
    layer.fill(Qt.GlobalColor.transparent)
    inner = QPainter(layer)
    inner.setRenderHints(painter.renderHints())
    inner.setTransform(painter.deviceTransform() * QTransform.fromTranslate(-box.x(), -box.y()))
    draw(inner, QColor(colour.rgb()))
    inner.end()
    _lay(painter, layer, QPointF(box.topLeft()), colour.alphaF())


def _lay(painter: QPainter, layer: QImage, corner: QPointF, opacity: float) -> None:
    """Draw a layer pixel by pixel, whatever the scale of the painter."""
    painter.save()
    painter.resetTransform()
    plain = painter.deviceTransform()
    layer.setDevicePixelRatio(plain.m11())
    painter.setOpacity(painter.opacity() * opacity)
    painter.drawImage(plain.inverted()[0].map(corner), layer)
    painter.restore()
