"""Colours, pens and type; translucent strokes look as if drawn at once, and stay lines in a vector format."""

from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QBuffer, QIODevice, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPdfWriter, QPen, QRawFont
from PySide6.QtSvg import QSvgGenerator

import vizml
from tests.paint.sheet import SVG, painted
from vizml.paint.export import Paper, svg
from vizml.paint.pens import colour, fill_path, font, pen, stroking, vectorial
from vizml.scene.palette import mixed

pytestmark = pytest.mark.usefixtures("qapp")
channels = st.tuples(*[st.integers(0, 255)] * 3)


@given(channels, channels, st.floats(0, 1))
def test_a_mixture_lies_between_its_colours(one, other, share):
    for a, b, found in zip(one, other, mixed(one, other, share)):
        assert min(a, b) <= found <= max(a, b)
        assert found == pytest.approx(a + share * (b - a), abs=0.5)


@pytest.mark.parametrize("opacity, alpha", [(-1.0, 0), (0.0, 0), (0.5, 128), (1.0, 255), (7.0, 255)])
def test_an_opacity_is_never_more_than_all(opacity, alpha):
    made = colour((10, 20, 30), opacity)
    assert (made.red(), made.green(), made.blue()) == (10, 20, 30)
    assert made.alpha() == pytest.approx(alpha, abs=1)


@pytest.mark.parametrize("width", [0.5, 1.0, 1.9, 2.0, 5.0])
def test_thick_pens_are_round_and_thin_ones_have_the_quicker_joins(width):
    made, joins, caps = pen((0, 0, 0), width), Qt.PenJoinStyle, Qt.PenCapStyle
    assert made.joinStyle() is (joins.BevelJoin if width < 2 else joins.RoundJoin)
    assert made.capStyle() is (caps.FlatCap if width < 2 else caps.RoundCap)
    assert made.widthF() == width


@pytest.mark.parametrize("width", [1.0, 3.0, 6.0])
@pytest.mark.parametrize("stroke, period, share", [("dash", 8.5, 5.0 / 8.5), ("dot", 2.5, 1.1 / 2.5)])
def test_dashes_and_dots_grow_with_the_width_of_the_line(width, stroke, period, share):
    """A dash of 5 widths and a gap of 3.5; a dot is 0.1 long and has round ends, each half a width long."""

    def line(painter):
        painter.setPen(pen((0, 0, 0), width, stroke=stroke))
        painter.drawLine(QPointF(0, 10.5), QPointF(width * period * 20, 10.5))

    row = painted(round(width * period * 20), 21, line, smooth=True)[10, :, 3]
    assert row.mean() / 255 == pytest.approx(share, abs=0.12)
    starts = ((row[1:] > 127) & (row[:-1] <= 127)).sum()
    assert starts == pytest.approx(20, abs=1)


def test_a_solid_pen_has_no_gaps():
    assert pen((0, 0, 0), 2.0).style() is Qt.PenStyle.SolidLine
    assert pen((0, 0, 0), 2.0, stroke="dash").capStyle() is Qt.PenCapStyle.FlatCap


# -- type ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "size, scale, pixels", [(12.0, 1.0, 12), (11.0, 1.5, 16), (13.0, 2.0, 26), (11.0, 0.01, 1)]
)
def test_type_is_measured_in_pixels_and_never_vanishes(size, scale, pixels):
    assert font(size, scale).pixelSize() == pixels


def test_figures_are_all_of_one_width():
    metrics = QFontMetricsF(font(40.0, 1.0))
    widths = {metrics.horizontalAdvance(figure * 10) for figure in "0123456789"}
    assert max(widths) - min(widths) < 0.01


def test_text_is_shown_as_it_is_written():
    metrics = QFontMetricsF(font(40.0, 1.0))
    parts = sum(map(metrics.horizontalAdvance, ("3", "x", "4")))
    assert metrics.horizontalAdvance("3x4") == pytest.approx(parts, abs=2.0)  # 3×4 is wider
    assert metrics.horizontalAdvance("3×4") > parts + 2.0


def test_bold_is_bolder_and_of_the_same_family():
    plain, bold = font(12.0, 1.0), font(12.0, 1.0, bold=True)
    assert bold.weight() > plain.weight()
    assert bold.family() == plain.family()


@pytest.mark.parametrize("bold", [False, True])
def test_the_bundled_font_has_every_character_of_our_texts(bold):
    sources = (path.read_text() for path in Path(vizml.__file__).parent.rglob("*.py"))
    used = {sign for text in sources for sign in text if sign.isprintable()}
    face = QRawFont.fromFont(font(12.0, 1.0, bold=bold))
    assert (face.familyName(), face.weight()) == ("Inter", 600 if bold else 400)
    assert {sign for sign in used if not face.supportsCharacter(ord(sign))} == set()


# -- where it is painted -------------------------------------------------------------------------------------


def test_svg_and_pdf_stay_lines_and_an_image_does_not():
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    drawing = QSvgGenerator()
    drawing.setOutputDevice(buffer)
    for device, wanted in (
        (drawing, True),
        (QPdfWriter(buffer), True),
        (QImage(4, 4, QImage.Format.Format_RGB32), False),
    ):
        painter = QPainter(device)
        assert vectorial(painter) is wanted
        painter.end()


WIDTH, HEIGHT = 120, 80
AROUND = QRectF(0, 0, WIDTH, HEIGHT)
WHITE = QColor("white")


def red(opacity, width=4.0):
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
        painter.setPen(red(opacity))
        line(painter)

    layered = pixels(lambda p: stroke_lines(p, red(opacity), AROUND, line), ratio=ratio)
    assert np.abs(layered - pixels(directly, ratio=ratio)).max() <= 2
    assert layered[..., 1].min() < 255 - 150 * opacity


@pytest.mark.parametrize("ratio", [1.0, 1.5])
def test_an_area_has_the_colours_of_one_that_is_filled_directly(ratio):
    colour = QColor(20, 90, 200, 100)
    layered = pixels(lambda p: fill_path(p, disc(), colour), ratio=ratio)
    assert np.abs(layered - pixels(lambda p: p.fillPath(disc(), colour), ratio=ratio)).max() <= 2


def test_it_lies_where_a_moved_and_scaled_painter_draws():
    def moved(painter):
        painter.translate(7.0, 5.0)
        painter.scale(0.5, 0.5)
        stroke_lines(painter, red(0.5), AROUND, cross)

    rows = pixels(moved)
    ys, xs = np.nonzero(rows[..., 1] < 200)
    assert (xs.min(), xs.max()) == (pytest.approx(7 + 5, abs=2), pytest.approx(7 + 55, abs=2))
    assert (ys.min(), ys.max()) == (pytest.approx(5 + 5, abs=2), pytest.approx(5 + 35, abs=2))


def test_the_painter_s_own_opacity_counts_too_and_stays_as_it_was():
    left = []

    def faintly(painter):
        painter.setOpacity(0.5)
        stroke_lines(painter, red(0.5), AROUND, cross)
        left.append((painter.opacity(), painter.transform().isIdentity()))

    faint, plain = pixels(faintly), pixels(lambda p: stroke_lines(p, red(0.25), AROUND, cross))
    assert np.abs(faint - plain).max() <= 2
    assert left == [(0.5, True)]


def test_the_clip_of_the_painter_holds():
    def clipped(painter):
        painter.setClipRect(QRectF(0, 0, 60, HEIGHT))
        stroke_lines(painter, red(0.5), AROUND, line)

    assert (pixels(clipped)[:, 60:, :3] == 255).all()


def test_nothing_is_drawn_in_an_empty_rectangle():
    assert (pixels(lambda p: stroke_lines(p, red(0.5), QRectF(), line))[..., :3] == 255).all()
    assert (pixels(lambda p: fill_path(p, QPainterPath(), QColor(0, 0, 0, 90)))[..., :3] == 255).all()


def test_a_vector_format_has_lines_and_areas_with_their_opacity_and_no_pixels():
    def both(painter):
        stroke_lines(painter, red(0.5), AROUND, line)
        fill_path(painter, disc(), QColor(20, 90, 200, 102))

    root = ET.fromstring(svg(Paper(WIDTH, HEIGHT), both))
    assert not list(root.iter(f"{SVG}image"))
    assert any(float(group.get("stroke-opacity", 1)) == pytest.approx(0.5, abs=0.01) for group in root.iter())
    assert any(float(group.get("fill-opacity", 1)) == pytest.approx(0.4, abs=0.01) for group in root.iter())
