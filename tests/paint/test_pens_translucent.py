"""What one can see through looks on pixels as if drawn at once, and stays lines in a vector format."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPen

from tests.paint.sheet import SVG, painted
from vizml.paint.export import Paper, svg
from vizml.paint.pens import fill_path, stroking

pytestmark = pytest.mark.usefixtures("qapp")
WIDTH, HEIGHT = 120, 80
AROUND = QRectF(0, 0, WIDTH, HEIGHT)
WHITE = QColor("white")


def pen(opacity, width=4.0):
    colour = QColor(200, 30, 60)
    colour.setAlphaF(opacity)
    return QPen(colour, width)


def line(painter):
    painter.drawLine(QLineF(10, 20, 110, 20))


def cross(painter):
    painter.drawLine(QLineF(10, 40, 110, 40))
    painter.drawLine(QLineF(60, 10, 60, 70))


def disc():
    path = QPainterPath()
    path.addEllipse(QRectF(20.5, 10.25, 60, 50))
    return path


def stroke_lines(painter, pen, around, draw):
    with stroking(painter, pen, around) as brush:
        draw(brush)


def pixels(paint, **options):
    return painted(WIDTH, HEIGHT, paint, ground=WHITE, smooth=True, **options).astype(int)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
@pytest.mark.parametrize("opacity", [0.25, 0.6, 1.0])
def test_a_line_has_the_colours_of_one_that_is_drawn_directly(ratio, opacity):
    def directly(painter):
        painter.setPen(pen(opacity))
        line(painter)

    layered = pixels(lambda p: stroke_lines(p, pen(opacity), AROUND, line), ratio=ratio)
    assert np.abs(layered - pixels(directly, ratio=ratio)).max() <= 2
    assert layered[..., 1].min() < 255 - 150 * opacity


@pytest.mark.parametrize("ratio", [1.0, 1.5])
def test_an_area_has_the_colours_of_one_that_is_filled_directly(ratio):
    colour = QColor(20, 90, 200, 100)
    layered = pixels(lambda p: fill_path(p, disc(), colour), ratio=ratio)
    assert np.abs(layered - pixels(lambda p: p.fillPath(disc(), colour), ratio=ratio)).max() <= 2


def test_lines_are_not_twice_as_dense_where_they_cross():
    rows = pixels(lambda p: stroke_lines(p, pen(0.5), AROUND, cross))
    assert rows[40, 60].tolist() == rows[40, 30].tolist() == rows[20, 60].tolist()


def test_it_lies_where_a_moved_and_scaled_painter_draws():
    def moved(painter):
        painter.translate(7.0, 5.0)
        painter.scale(0.5, 0.5)
        stroke_lines(painter, pen(0.5), AROUND, cross)

    rows = pixels(moved)
    ys, xs = np.nonzero(rows[..., 1] < 200)
    assert (xs.min(), xs.max()) == (pytest.approx(7 + 5, abs=2), pytest.approx(7 + 55, abs=2))
    assert (ys.min(), ys.max()) == (pytest.approx(5 + 5, abs=2), pytest.approx(5 + 35, abs=2))


def test_the_painter_s_own_opacity_counts_too_and_stays_as_it_was():
    left = []

    def faintly(painter):
        painter.setOpacity(0.5)
        stroke_lines(painter, pen(0.5), AROUND, cross)
        left.append((painter.opacity(), painter.transform().isIdentity()))

    faint, plain = pixels(faintly), pixels(lambda p: stroke_lines(p, pen(0.25), AROUND, cross))
    assert np.abs(faint - plain).max() <= 2
    assert left == [(0.5, True)]


def test_the_clip_of_the_painter_holds():
    def clipped(painter):
        painter.setClipRect(QRectF(0, 0, 60, HEIGHT))
        stroke_lines(painter, pen(0.5), AROUND, line)

    assert (pixels(clipped)[:, 60:, :3] == 255).all()


def test_nothing_is_drawn_in_an_empty_rectangle():
    assert (pixels(lambda p: stroke_lines(p, pen(0.5), QRectF(), line))[..., :3] == 255).all()
    assert (pixels(lambda p: fill_path(p, QPainterPath(), QColor(0, 0, 0, 90)))[..., :3] == 255).all()


def test_a_vector_format_has_lines_and_areas_with_their_opacity_and_no_pixels():
    def both(painter):
        stroke_lines(painter, pen(0.5), AROUND, line)
        fill_path(painter, disc(), QColor(20, 90, 200, 102))

    root = ET.fromstring(svg(Paper(WIDTH, HEIGHT), both))
    assert not list(root.iter(f"{SVG}image"))
    assert any(float(group.get("stroke-opacity", 1)) == pytest.approx(0.5, abs=0.01) for group in root.iter())
    assert any(float(group.get("fill-opacity", 1)) == pytest.approx(0.4, abs=0.01) for group in root.iter())
