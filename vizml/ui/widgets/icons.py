"""Our own icons: stroke drawings of 24 x 24, tinted for the theme, crisp at one and two device pixels."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from vizml.scene import Theme
from vizml.scene.palette import Rgb
from vizml.ui.widgets.appearance import Appearance, hexed

RATIOS = (1, 2)


def names() -> tuple[str, ...]:
    """All icons there are."""
    folder = files("vizml") / "resources" / "icons"
    return tuple(sorted(f.name.removesuffix(".svg") for f in folder.iterdir() if f.name.endswith(".svg")))


def icon(name: str, theme: Theme, size: int = 20) -> QIcon:
    """An icon in the theme's text colour; muted where disabled, in the accent where switched on."""
    made = QIcon()
    off, on = QIcon.State.Off, QIcon.State.On
    faint = Appearance(theme).faint
    for ratio in RATIOS:
        made.addPixmap(drawn(name, theme.text, size, ratio), QIcon.Mode.Normal, off)
        made.addPixmap(drawn(name, theme.accent, size, ratio), QIcon.Mode.Normal, on)
        for state in (off, on):
            made.addPixmap(drawn(name, faint, size, ratio), QIcon.Mode.Disabled, state)
    return made


def drawn(name: str, colour: Rgb, size: int, ratio: float = 1) -> QPixmap:
    """An icon as a picture of size x size logical pixels."""
    picture = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    source = _source(name).replace("currentColor", hexed(colour))
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


@cache
def _source(name: str) -> str:
    return (files("vizml") / "resources" / "icons" / f"{name}.svg").read_text(encoding="utf-8")
