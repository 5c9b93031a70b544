"""A painting as the bytes of a file: PNG, SVG or PDF; the same painting gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

Painting: TypeAlias = Callable[[QPainter], None]
DPI = 96
POINTS = 72 / DPI
"""Points of paper for each logical pixel."""
LARGEST = 30_000
"""Pixels in width and in height that Qt can paint on (its coordinates have 16 bits)."""
CREATOR = "VizML"


@dataclass(frozen=True)
class Paper:
    """Width and height in logical pixels, how many pixels an image has for each, and what is under it all."""

    width: int
    height: int
    scale: float = 1.0
    transparent: bool = False

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or not self.scale > 0:
            given = f"{self.width}x{self.height} times {self.scale:g}"
            raise ValueError(f"a picture must have a size and a scale above 0, not {given}")
        width, height = self.pixels
        if max(width, height) > LARGEST:
            raise ValueError(
                f"a picture of {width}x{height} pixels is too large: at most {LARGEST} in each direction"
            )

    @property
    def pixels(self) -> tuple[int, int]:
        """Its size as an image."""
        return max(round(self.width * self.scale), 1), max(round(self.height * self.scale), 1)


def image(paper: Paper, painting: Painting) -> QImage:
    """A painting in pixels."""
    form = QImage.Format.Format_ARGB32_Premultiplied if paper.transparent else QImage.Format.Format_RGB32
    made = QImage(QSize(*paper.pixels), form)
    if made.isNull():
        width, height = paper.pixels
        raise ValueError(f"there is not enough memory for a picture of {width}x{height} pixels")
    made.setDevicePixelRatio(paper.scale)
    made.fill(Qt.GlobalColor.transparent if paper.transparent else Qt.GlobalColor.white)
    _paint(QPainter(made), painting)
    for put in (made.setDotsPerMeterX, made.setDotsPerMeterY):
        put(round(DPI * paper.scale / 0.0254))
    return made


def png(paper: Paper, painting: Painting, title: str = "", description: str = "") -> bytes:
    """A painting as PNG; no words and no date go into it."""
    del title, description
    buffer = _buffer()
    QImageWriter(buffer, QByteArray(b"png")).write(image(paper, painting))
    return bytes(buffer.data().data())


def svg(paper: Paper, painting: Painting, title: str = "", description: str = "") -> bytes:
    """A painting as SVG: lines and letters stay what they are."""
    buffer = _buffer()
    writer = QSvgGenerator()
    writer.setOutputDevice(buffer)
    writer.setResolution(DPI)
    writer.setSize(QSize(paper.width, paper.height))
    writer.setViewBox(QRectF(0, 0, paper.width, paper.height))
    writer.setTitle(title)
    writer.setDescription(description)
    _paint(QPainter(writer), painting)
    return _tidy(bytes(buffer.data().data()).decode(), paper).encode()


def pdf(paper: Paper, painting: Painting, title: str = "", description: str = "") -> bytes:
    """A painting as a PDF page of just its size, fonts embedded, without the time of day."""
    del description
    buffer = _buffer()
    writer = QPdfWriter(buffer)
    size = QSizeF(paper.width * POINTS, paper.height * POINTS)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", exact))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(DPI * 10)
    writer.setTitle(title)
    writer.setCreator(CREATOR)
    painter = QPainter(writer)
    painter.scale(writer.width() / paper.width, writer.height() / paper.height)
    _paint(painter, painting)
    return _timeless(bytes(buffer.data().data()))


def _paint(painter: QPainter, painting: Painting) -> None:
    try:
        painting(painter)
    finally:
        painter.end()  # or Qt would crash on what a painter was left at work on by an error


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


_FACE = r'font-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" font-style="[^"]*"'


def _tidy(text: str, paper: Paper) -> str:
    """Its size in whole pixels, any sans as second choice of font, groups without what no reader needs."""
    size = f'width="{paper.width}" height="{paper.height}"'
    text = re.sub(r'width="[^"]*mm" height="[^"]*mm"', size, text, count=1)
    text = re.sub(rf"(<g [^>]*?)\n?{_FACE} \n", r"\1 ", text)
    text = text.replace(' transform="matrix(1,0,0,1,0,0)"', "").replace(' vector-effect="none"', "")
    text = re.sub(r"<g [^>]*>\s*</g>\s*", "", text)
    return re.sub(r'font-family="([^"]*)"', r'font-family="\1, sans-serif"', text)


def _timeless(raw: bytes) -> bytes:
    """With all dates and chance numbers of a PDF set to zero; every byte stays at its place."""
    raw = re.sub(rb"Date \(D:\d{14}", b"Date (D:20000101000000", raw)
    raw = re.sub(rb'Date="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d', b'Date="2000-01-01T00:00:00', raw)
    known = re.search(rb"uuid:([0-9a-f-]{36})", raw)
    if known is None:
        return raw
    chance = known[1]
    still = re.sub(rb"[0-9a-f]", b"0", chance)
    raw = raw.replace(chance, still)
    return raw.replace(chance.hex().encode(), still.hex().encode())
