"""Our own icons: stroke drawings of 24 x 24, tinted for the theme, crisp at one and two device pixels."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from vizml.data.resources import resource
from vizml.scene import Theme
from vizml.scene.palette import Rgb
from vizml.ui.widgets.appearance import Appearance, colour

RATIOS = (1, 2)


def names() -> tuple[str, ...]:
    """All icons there are."""
    folder = resource("icons")
    return tuple(sorted(f.name.removesuffix(".svg") for f in folder.iterdir() if f.name.endswith(".svg")))


def icon(name: str, theme: Theme, size: int = 20) -> QIcon:
    """An icon in the theme's text colour; muted where disabled, in the accent where switched on."""
    made = QIcon()
    off, on = QIcon.State.Off, QIcon.State.On
    faint = Appearance(theme).faint
    tones = (
        (QIcon.Mode.Normal, off, theme.text),
        (QIcon.Mode.Selected, off, theme.text),
        (QIcon.Mode.Normal, on, theme.accent),
        (QIcon.Mode.Selected, on, theme.accent),
        (QIcon.Mode.Disabled, off, faint),
        (QIcon.Mode.Disabled, on, faint),
    )
    for ratio in RATIOS:
        shape = _shape(name, round(size * ratio))
        for mode, state, rgb in tones:
            made.addPixmap(_tinted(shape, rgb, ratio), mode, state)
    return made


def _shape(name: str, side: int) -> QPixmap:
    """The lines of an icon, opaque in no colour of importance."""
    shape = QPixmap(side, side)
    shape.fill(Qt.GlobalColor.transparent)
    painter = QPainter(shape)
    QSvgRenderer(_source(name)).render(painter, QRectF(shape.rect()))
    painter.end()
    return shape


def _tinted(shape: QPixmap, rgb: Rgb, ratio: float) -> QPixmap:
    picture = QPixmap(shape)
    painter = QPainter(picture)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(picture.rect(), colour(rgb))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


@cache
def _source(name: str) -> QByteArray:
    text = resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    return QByteArray(text.replace("currentColor", "#000000").encode())
