"""What one can see through, on pixels: drawn opaque on a layer of its own, which is laid over the rest.

Qt shares out the spans of each translucent shape among threads and waits for them, shape by shape: on a busy
machine 500 short lines took 25 ms so, and take 1 ms as a layer.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPainterPath, QPen, QTransform


def stroke(painter: QPainter, pen: QPen, around: QRectF, draw: Callable[[QPainter], None]) -> None:
    """Draw lines within a rectangle with a pen; on pixels they are not twice as dense where they cross."""

    def lines(brush: QPainter, colour: QColor) -> None:
        inner = QPen(pen)
        inner.setColor(colour)
        brush.setPen(inner)
        brush.setBrush(Qt.BrushStyle.NoBrush)
        draw(brush)

    _put(painter, pen.color(), around, lines)


def fill(painter: QPainter, path: QPainterPath, colour: QColor) -> None:
    """Fill a path."""
    _put(painter, colour, path.boundingRect(), lambda brush, ink: brush.fillPath(path, ink))


def _put(painter: QPainter, colour: QColor, around: QRectF, draw: Callable[[QPainter, QColor], None]) -> None:
    """Have something drawn in a colour: as it is, where it is opaque or there are no pixels (SVG, PDF)."""
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
    """Pixel upon pixel, whatever the painter's scale is."""
    painter.save()
    painter.resetTransform()
    plain = painter.deviceTransform()
    layer.setDevicePixelRatio(plain.m11())
    painter.setOpacity(painter.opacity() * opacity)
    painter.drawImage(plain.inverted()[0].map(corner), layer)
    painter.restore()
