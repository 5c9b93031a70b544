"""Colours, pens and type: what the painters of a picture take for granted."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QBuffer, QIODevice, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPdfWriter, QRawFont
from PySide6.QtSvg import QSvgGenerator

import vizml
from tests.paint.sheet import painted
from vizml.paint.pens import colour, font, pen, vectorial
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


@pytest.mark.parametrize("width", [0.5, 1.0, 1.9])
def test_thin_pens_have_the_quicker_joins(width):
    assert pen((0, 0, 0), width).joinStyle() is Qt.PenJoinStyle.BevelJoin


@pytest.mark.parametrize("width", [2.0, 5.0])
def test_thick_pens_are_round(width):
    made = pen((0, 0, 0), width)
    assert made.joinStyle() is Qt.PenJoinStyle.RoundJoin
    assert made.capStyle() is Qt.PenCapStyle.RoundCap
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
