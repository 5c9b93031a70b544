"""Colours, pens and fonts of a theme; text, panels, and translucent strokes and fills."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QTransform,
)

from vizml.resource_files import FONT_FAMILY, FONT_FILES
from vizml.scene import Theme
from vizml.scene.marks import Stroke
from vizml.scene.palette import Rgb, contrast
from vizml.scene.typesetting import typeset

DASHES: dict[Stroke, list[float]] = {"solid": [], "dash": [5.0, 3.5], "dot": [0.1, 2.4]}
"""Lengths of dash and gap in units of the pen's width; a dot is a dash that is all cap."""
BODY, LABEL, SMALL, HEADING = 13.0, 12.0, 11.0, 15.0
"""Font sizes in pixels."""
THIN = 2.0
"""Lines below this width look the same with bevel joins and flat caps, which are several times as fast."""
SMOOTH = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
TABULAR = QFont.Tag("tnum")
"""Font feature of digits of equal width."""
CONTEXTUAL = QFont.Tag("calt")
"""Font feature of contextual forms, which would show 3x4 as 3×4 and -> as an arrow."""


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


def family() -> str:
    """Return the bundled font family, which is added to the application at the first call."""
    app = QGuiApplication.instance()
    if app is not None and not app.property(FONT_FAMILY):
        for file in FONT_FILES:
            QFontDatabase.addApplicationFontFromData(file.read_bytes())
        app.setProperty(FONT_FAMILY, True)
    return FONT_FAMILY


def font(size: float, scale: float, *, bold: bool = False) -> QFont:
    """Return the bundled font in pixels with tabular digits."""
    made = QFont(family())
    made.setFeature(CONTEXTUAL, 0)
    made.setPixelSize(max(round(size * scale), 1))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    made.setFeature(TABULAR, 1)
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


def typeface(size: float, scale: float, *, bold: bool = False) -> tuple[QFont, QFontMetricsF]:
    """Return a font and its metrics."""
    face = font(size, scale, bold=bold)
    return face, QFontMetricsF(face)


def draw_text(
    painter: QPainter, face: QFont, rgb: Rgb, at: QPointF, text: str, width: float | None = None
) -> None:
    """Draw text from a position on its baseline, cut at its right end to a width."""
    painter.setFont(face)
    painter.setPen(colour(rgb))
    if width is not None:
        text = QFontMetricsF(face).elidedText(text, Qt.TextElideMode.ElideRight, width)
    painter.drawText(at, text)


def vectorial(painter: QPainter) -> bool:
    """Whether a painter writes vectors (SVG, PDF) rather than pixels."""
    return painter.paintEngine().type() in (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


class ImageCollector:
    """A paint device that keeps its images apart, to be encoded while other threads go on."""

    images: list[QImage]

    def placeholder(self, image: QImage) -> QImage:
        """Return the pixel that stands for an image."""
        return clear_image(1, 1)


def draw_image(painter: QPainter, rect: QRectF, image: QImage) -> None:
    """Draw an image, or a placeholder of one pixel on a device that keeps images apart."""
    device = painter.device()
    if isinstance(device, ImageCollector):
        device.images.append(image)
        image = device.placeholder(image)
    painter.drawImage(rect, image)


def clear_image(width: int, height: int) -> QImage:
    """Return a transparent image."""
    image = QImage(max(width, 1), max(height, 1), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


@contextmanager
def antialiased(painter: QPainter) -> Iterator[None]:
    """Switch antialiasing on, and restore the painter afterwards."""
    painter.save()
    painter.setRenderHints(SMOOTH)
    try:
        yield
    finally:
        painter.restore()


@contextmanager
def stroking(painter: QPainter, pen: QPen, around: QRectF) -> Iterator[QPainter]:
    """Yield a painter with a pen for lines within a rectangle; on pixels crossings are not denser."""
    with _opaque_layer(painter, pen.color(), around) as (brush, ink):
        inner = QPen(pen)
        inner.setColor(ink)
        brush.setPen(inner)
        brush.setBrush(Qt.BrushStyle.NoBrush)
        yield brush


def fill_path(painter: QPainter, path: QPainterPath, colour: QColor) -> None:
    """Fill a path with a colour that may be translucent."""
    with _opaque_layer(painter, colour, path.boundingRect()) as (brush, ink):
        brush.fillPath(path, ink)


@contextmanager
def _opaque_layer(painter: QPainter, colour: QColor, around: QRectF) -> Iterator[tuple[QPainter, QColor]]:
    """Yield a painter and an opaque colour for an image, which is then drawn as translucent as the colour.

    Qt distributes the spans of each translucent shape to threads and waits, so that 500 short lines take
    25 ms on a busy machine, and 1 ms as a layer. Opaque and vector painting is direct.
    """
    if colour.alphaF() >= 1 or painter.paintEngine().type() is not QPaintEngine.Type.Raster:
        yield painter, colour
        return
    box = painter.deviceTransform().mapRect(around).toAlignedRect()
    layer = clear_image(box.width(), box.height())
    with QPainter(layer) as inner:  # Qt crashes on one that an error leaves active
        inner.setRenderHints(painter.renderHints())
        inner.setTransform(painter.deviceTransform() * QTransform.fromTranslate(-box.x(), -box.y()))
        yield inner, QColor(colour.rgb())
    painter.save()
    painter.resetTransform()
    plain = painter.deviceTransform()  # the device's own scale, which the pixels of the layer have already
    layer.setDevicePixelRatio(plain.m11())
    painter.setOpacity(painter.opacity() * colour.alphaF())
    painter.drawImage(plain.inverted()[0].map(QPointF(box.topLeft())), layer)
    painter.restore()


TITLE_HEIGHT, LINE_HEIGHT = 26.0, 18.0
"""Heights of the title and of a line of text below it, in pixels."""
MESSAGE_MARGIN = 24.0
"""Least distance of a message to the edges, in pixels."""


def title_height(title: str, note: str, k: float) -> float:
    """Return the height of a title and a note, in pixels."""
    return (TITLE_HEIGHT * bool(title) + LINE_HEIGHT * bool(note)) * k


def paint_title(painter: QPainter, theme: Theme, room: QRectF, title: str, note: str, k: float) -> None:
    """Draw title and note at the top of a rectangle, elided at its right edge."""
    lines = (
        (title, TITLE_HEIGHT * k, font(HEADING, k, bold=True), theme.text),
        (note, LINE_HEIGHT * k, font(LABEL, k), theme.muted),
    )
    y = room.top()
    for text, height, face, rgb in lines:
        if text:
            cap = QFontMetricsF(face).capHeight()
            at = QPointF(room.left(), y + (height + cap) / 2)
            draw_text(painter, face, rgb, at, typeset(text), room.width())
            y += height


def paint_message(painter: QPainter, rect: QRectF, theme: Theme, k: float, text: str) -> None:
    """Draw a message in the middle of a rectangle, on as many lines as it needs."""
    painter.setFont(font(BODY, k))
    painter.setPen(colour(theme.muted))
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    x, y = MESSAGE_MARGIN * k, MESSAGE_MARGIN * k / 2
    painter.drawText(rect.adjusted(x, y, -x, -y), int(flags), text)


def legible_on(fill: Rgb, theme: Theme) -> Rgb:
    """Return the theme's text or ground, whichever has more contrast with a colour."""
    return max((theme.text, theme.ground), key=lambda rgb: contrast(rgb, fill))


def paint_panel(painter: QPainter, theme: Theme, rect: QRectF, scale: float) -> None:
    """Draw the translucent ground and the outline of a panel."""
    half, outline = scale / 2, QPainterPath()
    outline.addRoundedRect(rect.adjusted(half, half, -half, -half), 4 * scale, 4 * scale)
    fill_path(painter, outline, colour(theme.ground, 0.88))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme.line, scale))
    painter.drawPath(outline)
