"""Painting onto an image, and looking at its pixels."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter


def painted(width, height, paint, ratio=1.0, ground=Qt.GlobalColor.transparent):
    """The pixels (H, W, 4) RGBA after painting."""
    image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(ground)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return pixels_of(image)


def pixels_of(image):
    shown = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4).copy()


def near(pixels, rgb, tolerance=2):
    """Which pixels are opaque and of a colour."""
    apart = np.abs(pixels[..., :3].astype(int) - rgb).max(axis=-1)
    return (apart <= tolerance) & (pixels[..., 3] == 255)
