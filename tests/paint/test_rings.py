"""Rings that are stamped look as those that are drawn."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from vizml.paint import symbol_atlas
from vizml.paint.symbol_atlas import paint_rings

RNG = np.random.default_rng(0)
PLACES = np.column_stack([RNG.uniform(20, 180, 40), RNG.uniform(20, 130, 40)])
RADII = RNG.uniform(0.5, 12, 40)


def painted(monkeypatch, many, ratio, places=PLACES, radii=RADII):
    """The opacity of each pixel."""
    monkeypatch.setattr(symbol_atlas, "MANY", many)
    image = QImage(int(200 * ratio), int(150 * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor("black"), 1.5))
    paint_rings(painter, places, radii)
    painter.end()
    return np.array(image.constBits()).reshape(image.height(), image.width(), 4)[..., 3].astype(int)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_stamped_rings_cover_what_drawn_rings_cover(qapp, monkeypatch, ratio):
    drawn, stamped = (painted(monkeypatch, many, ratio) for many in (100, 0))
    assert stamped.sum() == pytest.approx(drawn.sum(), rel=0.02)
    near = np.zeros_like(drawn)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            near = np.maximum(near, np.roll(drawn, (dx, dy), axis=(1, 0)))
    assert (near[stamped > 128] > 0).all(), "within a pixel of where it was to be"


def test_a_ring_is_a_ring_of_its_radius(qapp, monkeypatch):
    alpha = painted(monkeypatch, 0, 1.0, np.array([[100.5, 75.5]]), np.array([10.0]))
    y, x = np.nonzero(alpha > 128)
    away = np.hypot(x - 100, y - 75)
    assert away.min() > 8.5
    assert away.max() < 11.5
    assert len(np.unique(np.floor(np.degrees(np.arctan2(y - 74.9, x - 100)) / 30))) == 12, "all around"


def test_no_rings_are_no_pixels(qapp, monkeypatch):
    assert painted(monkeypatch, 0, 1.0, np.empty((0, 2)), np.empty(0)).sum() == 0


def test_on_paper_they_stay_lines(qapp, monkeypatch, tmp_path):
    from PySide6.QtSvg import QSvgGenerator

    monkeypatch.setattr(symbol_atlas, "MANY", 0)
    generator = QSvgGenerator()
    generator.setFileName(str(tmp_path / "symbol_atlas.svg"))
    generator.setViewBox(QRectF(0, 0, 200, 150))
    generator.setSize(QSizeF(200, 150).toSize())
    painter = QPainter(generator)
    painter.setPen(QPen(QColor("black"), 1.5))
    paint_rings(painter, PLACES, RADII)
    painter.end()
    text = (tmp_path / "symbol_atlas.svg").read_text()
    assert "<image" not in text
    assert text.count("<circle") + text.count("<ellipse") + text.count("<path") >= 40
