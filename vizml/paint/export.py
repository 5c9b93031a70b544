"""Export of figures and of anything that paints as PNG, SVG and PDF, and to the clipboard.

The same painting gives the same bytes with the same version of Qt.
"""

from __future__ import annotations

import base64
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QMimeData, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from vizml.field.arrays import Bounds, Floats
from vizml.paint.figure import paint
from vizml.paint.geometry import Geometry, Margins, padded
from vizml.paint.pens import ImageCollector, clear_image
from vizml.scene.figure import Figure, RenderOptions
from vizml.scene.viewport import Categories, Viewport

Painting: TypeAlias = Callable[[QPainter], None]
DPI = 96
VECTOR_DPI = 300
"""Resolution of regions in SVG and PDF: that of print."""
LARGEST_REGION = 10_000
"""Most pixels of such a region in width and in height, unless a resolution is given."""
POINTS = 72 / DPI
"""Typographic points for each logical pixel."""
LARGEST = 30_000
"""Most pixels in width and in height: Qt's coordinates have 16 bits."""
CREATOR = "VizML"


@dataclass(frozen=True)
class Paper:
    """Size in logical pixels (96 to the inch), pixels of an image for each of them, and the background."""

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
        """Width and height of an image."""
        return max(round(self.width * self.scale), 1), max(round(self.height * self.scale), 1)


def image(paper: Paper, painting: Painting) -> QImage:
    """Return a painting as an image."""
    form = QImage.Format.Format_ARGB32_Premultiplied if paper.transparent else QImage.Format.Format_RGB32
    made = QImage(QSize(*paper.pixels), form)
    if made.isNull():
        width, height = paper.pixels
        raise ValueError(f"there is not enough memory for a picture of {width}x{height} pixels")
    made.setDevicePixelRatio(paper.scale)
    made.fill(Qt.GlobalColor.transparent if paper.transparent else Qt.GlobalColor.white)
    with QPainter(made) as painter:
        painting(painter)
    for put in (made.setDotsPerMeterX, made.setDotsPerMeterY):
        put(round(DPI * paper.scale / 0.0254))
    return made


def png(paper: Paper, painting: Painting, title: str = "", description: str = "") -> bytes:
    """Return a painting as PNG, without text and date."""
    del title, description
    return encoded_png(image(paper, painting))


def encoded_png(pixels: QImage) -> bytes:
    """Return an image as PNG; other threads go on meanwhile."""
    buffer = _buffer()
    QImageWriter(buffer, QByteArray(b"png")).write(pixels)
    return bytes(buffer.data().data())


def svg(paper: Paper, painting: Painting, title: str = "", description: str = "") -> bytes:
    """Return a painting as SVG, with lines and text as vectors."""
    buffer = _buffer()
    writer = SvgWriter()
    writer.setOutputDevice(buffer)
    writer.setResolution(DPI)
    writer.setSize(QSize(paper.width, paper.height))
    writer.setViewBox(QRectF(0, 0, paper.width, paper.height))
    writer.setTitle(title)
    writer.setDescription(description)
    with QPainter(writer) as painter:
        painting(painter)
    text, empty = _tidy(bytes(buffer.data().data()).decode(), paper), _base64(clear_image(1, 1))
    for pixels in writer.images:
        text = text.replace(empty, _base64(pixels), 1)
    return text.encode()


class SvgWriter(QSvgGenerator, ImageCollector):
    """Writes SVG, but for its images: Qt would hold the interpreter while it encodes them."""

    def __init__(self) -> None:
        super().__init__()
        self.images = []


def _base64(pixels: QImage) -> str:
    return base64.b64encode(encoded_png(pixels)).decode()


def pdf(paper: Paper, painting: Painting, title: str = "", description: str = "") -> bytes:
    """Return a painting as a PDF page of its size, with embedded fonts and without a date."""
    del description
    buffer = _buffer()
    writer = PdfWriter(buffer)
    size = QSizeF(paper.width * POINTS, paper.height * POINTS)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", exact))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(DPI * 10)
    writer.setTitle(title)
    writer.setCreator(CREATOR)
    with QPainter(writer) as painter:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)  # JPEG otherwise
        painter.scale(writer.width() / paper.width, writer.height() / paper.height)
        painting(painter)
    return _with_images(_timeless(bytes(buffer.data().data())), writer.images)


class PdfWriter(QPdfWriter, ImageCollector):
    """Writes PDF, but for its images: Qt would hold the interpreter while it compresses them."""

    def __init__(self, buffer: QBuffer) -> None:
        super().__init__(buffer)
        self.images = []

    def placeholder(self, image: QImage) -> QImage:
        pixel = clear_image(1, 1)
        pixel.fill(QColor(0, 0, 0, 128 if image.hasAlphaChannel() else 255))
        return pixel


PLACEHOLDER = re.compile(
    rb"/Width (1)\n/Height (1)\n/BitsPerComponent 8\n/ColorSpace /Device(?:RGB|Gray)\n"
    rb"(?:/SMask \d+ 0 R\n)?/Length \d+ 0 R\n/Filter /FlateDecode\n>>\n"
    rb"stream\n(.{1,40}?)\nendstream\nendobj\n\d+ 0 obj\n(\d+)\n",
    re.DOTALL,
)
"""A pixel in a PDF: its width, its height, its data, and their length in an object of its own."""


def _with_images(raw: bytes, images: Iterable[QImage]) -> bytes:
    """Put images in place of their placeholders in a PDF, and correct its table of positions."""
    found: list[tuple[int, int, bytes]] = []
    planes = [plane for pixels in images for plane in _planes(pixels)]
    for place, plane in zip(PLACEHOLDER.finditer(raw), planes, strict=True):
        packed = zlib.compress(plane.tobytes())
        height, width = plane.shape[:2]
        for group, value in enumerate((b"%d" % width, b"%d" % height, packed, b"%d" % len(packed)), 1):
            found.append((*place.span(group), value))
    if not found:
        return raw
    head, mark, tail = raw.rpartition(b"xref\n0 ")

    def moved(at: int) -> int:
        return at + sum(len(value) - (end - start) for start, end, value in found if end <= at)

    table = re.sub(rb"(\d{10})(?= 00000 n)", lambda entry: b"%010d" % moved(int(entry[1])), tail)
    table = re.sub(rb"(?<=startxref\n)\d+", lambda start: b"%d" % moved(int(start[0])), table)
    for start, end, value in reversed(found):
        head = head[:start] + value + head[end:]
    return head + mark + table


def _planes(pixels: QImage) -> Iterator[NDArray[np.uint8]]:
    """Return the opacity of an image that has one (h, w), and its colours (h, w, 3)."""
    plain = pixels.convertToFormat(QImage.Format.Format_ARGB32)
    numbers = np.frombuffer(plain.constBits(), dtype=np.uint32).astype("<u4")
    channels = numbers.view(np.uint8).reshape(plain.height(), plain.width(), 4)
    if pixels.hasAlphaChannel():
        yield channels[..., 3]
    yield channels[..., 2::-1]


FORMATS: dict[str, Callable[[Paper, Painting, str, str], bytes]] = {".png": png, ".svg": svg, ".pdf": pdf}


def encoded(suffix: str, paper: Paper, painting: Painting, title: str = "", description: str = "") -> bytes:
    """Return a painting in the format of a file's ending; no screen is needed."""
    with application():
        return FORMATS[suffix](paper, painting, title, description)


def put_on_clipboard(pixels: QImage, vectors: bytes) -> None:
    """Put an image and the same as SVG on the clipboard."""
    data = CopiedPicture()
    data.setImageData(pixels)
    data.setData("image/svg+xml", vectors)
    QGuiApplication.clipboard().setMimeData(data)


class CopiedPicture(QMimeData):
    """A picture on the clipboard."""


def leave_clipboard() -> None:
    """Leave a copied picture as Qt's own image: Qt deletes the clipboard after Python, and would crash."""
    clipboard = QGuiApplication.clipboard()
    if isinstance(clipboard.mimeData(), CopiedPicture):
        clipboard.setImage(clipboard.image())


def check(path: Path | str, others: Iterable[str] = ()) -> str:
    """Return the ending of a picture's file; ValueError lists the formats, and others that are possible."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        *first, last = *FORMATS, *others
        formats = f"{', '.join(first)} or {last}"
        raise ValueError(f"the name of a picture must end with {formats}, not {Path(path).name[:60]!r}")
    return suffix


class ComposableFigure(Protocol):
    """A figure that can be composed at any size."""

    @property
    def options(self) -> RenderOptions: ...

    @property
    def points(self) -> Floats: ...

    @property
    def bounds(self) -> Bounds | None: ...

    @property
    def categories(self) -> Categories: ...

    def figure(self, viewport: Viewport) -> Figure: ...


def layout(source: ComposableFigure, margins: Margins | None = None) -> tuple[Paper, Geometry]:
    """Return the paper and the layout of a figure; ValueError where its size or its rectangle is not one."""
    options = source.options
    paper = Paper(options.width, options.height, options.scale, options.transparent)
    bounds = options.view or padded(source.bounds, log=options.log)
    if not (np.isfinite(bounds).all() and bounds[0] < bounds[1] and bounds[2] < bounds[3]):
        raise ValueError(f"bounds must be left < right, bottom < top, all finite, not {bounds}")
    plain = Geometry(
        options.width, options.height, bounds, options.type_scale, bool(options.title), margins,
        log=options.log,
        categories=source.categories,
    )  # fmt: skip
    plot = plain.plot.toRect()
    viewport = Viewport(bounds, plot.width(), plot.height(), options.equal, options.log)
    return paper, replace(plain, bounds=viewport.bounds).strewn(source.points)


def composed(
    source: ComposableFigure, *, vectorial: bool = False, margins: Margins | None = None
) -> tuple[Paper, Painting, Figure]:
    """Compose a figure; return its paper, a function that paints it, and the figure."""
    paper, geometry = layout(source, margins)
    dpi = source.options.dpi or min(VECTOR_DPI, DPI * LARGEST_REGION / max(paper.width, paper.height))
    figure = source.figure(geometry.viewport(dpi / DPI if vectorial else paper.scale))
    return paper, lambda painter: paint(painter, geometry, figure), figure


def encoded_figure(suffix: str, source: ComposableFigure) -> bytes:
    """Compose a figure, and return it in the format of a file's ending."""
    with application():
        paper, painting, figure = composed(source, vectorial=suffix != ".png")
        return FORMATS[suffix](paper, painting, figure.title or figure.description, figure.description)


@contextmanager
def application(kind: type[QGuiApplication] = QGuiApplication) -> Iterator[None]:
    """Provide the application that Qt needs for fonts and images, without a screen if none is running."""
    if QGuiApplication.instance() is not None:
        yield
        return
    name, before = "QT_QPA_PLATFORM", os.environ.get("QT_QPA_PLATFORM")
    if before is None and sys.platform.startswith("linux"):
        os.environ[name] = "offscreen"
    made = kind([])
    if before is None:
        os.environ.pop(name, None)
    try:
        yield
    finally:
        made.shutdown()


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


_FACE = r'font-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" font-style="[^"]*"'


def _tidy(text: str, paper: Paper) -> str:
    """Set the size in whole pixels, add a fallback font, and drop redundant groups and attributes."""
    size = f'width="{paper.width}" height="{paper.height}"'
    text = re.sub(r'width="[^"]*mm" height="[^"]*mm"', size, text, count=1)
    text = re.sub(rf"(<g [^>]*?)\n?{_FACE} \n", r"\1 ", text)
    text = text.replace(' transform="matrix(1,0,0,1,0,0)"', "").replace(' vector-effect="none"', "")
    text = re.sub(r"<g [^>]*>\s*</g>\s*", "", text)
    return re.sub(r'font-family="([^"]*)"', r'font-family="\1, sans-serif"', text)


def _timeless(raw: bytes) -> bytes:
    """Set all dates and random identifiers of a PDF to fixed values of the same length."""
    raw = re.sub(rb"Date \(D:\d{14}", b"Date (D:20000101000000", raw)
    raw = re.sub(rb'Date="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d', b'Date="2000-01-01T00:00:00', raw)
    known = re.search(rb"uuid:([0-9a-f-]{36})", raw)
    if known is None:
        return raw
    chance = known[1]
    still = re.sub(rb"[0-9a-f]", b"0", chance)
    raw = raw.replace(chance, still)
    return raw.replace(chance.hex().encode(), still.hex().encode())
