"""Painting onto an image, and looking at its pixels."""

from dataclasses import dataclass
from xml.etree import ElementTree as ET

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from vizml.paint.export import Paper, svg


def painted(width, height, paint, ratio=1.0, ground=Qt.GlobalColor.transparent, *, smooth=False):
    """The pixels (H, W, 4) RGBA after painting."""
    image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(ground)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=smooth)
    paint(painter)
    painter.end()
    return pixels_of(image)


def pixels_of(image):
    shown = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4).copy()


def noise(width, height):
    """An opaque image (H, W, 4) that differs in each pixel."""
    image = np.random.default_rng(0).integers(0, 256, (height, width, 4), dtype=np.uint8)
    image[..., 3] = 255
    return image


def near(pixels, rgb, tolerance=2):
    """Which pixels are opaque and of a colour."""
    apart = np.abs(pixels[..., :3].astype(int) - rgb).max(axis=-1)
    return (apart <= tolerance) & (pixels[..., 3] == 255)


SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Written:
    """A piece of text as it was painted, and where it begins; `turn` is the way that it runs."""

    text: str
    x: float
    y: float
    turn: tuple[float, float]


def written(width, height, paint):
    """All text of a painting, in the order that it was painted."""
    root = ET.fromstring(svg(Paper(width, height), paint))
    found = []
    for group in root.iter(f"{SVG}g"):
        a, b, c, d, e, f = _matrix(group.get("transform"))
        for text in group.findall(f"{SVG}text"):
            x, y = float(text.get("x")), float(text.get("y"))
            found.append(Written("".join(text.itertext()), a * x + c * y + e, b * x + d * y + f, (a, b)))
    return found


def _matrix(transform):
    return [float(part) for part in transform[7:-1].split(",")] if transform else [1, 0, 0, 1, 0, 0]
