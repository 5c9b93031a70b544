"""A painting as PNG, SVG and PDF: its size, what is said of it, and the same bytes every time."""

import base64
import re
import zlib
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPen

from tests.paint.sheet import pixels_of
from vizml.paint.export import LARGEST, Paper, image, pdf, png, svg
from vizml.paint.pens import draw_image, font

pytestmark = pytest.mark.usefixtures("qapp")
SVG = "{http://www.w3.org/2000/svg}"
MAKERS = (png, svg, pdf)


def box(painter):
    painter.fillRect(QRectF(10, 20, 30, 15), QColor("red"))


def sentence(painter):
    painter.setFont(font(12.0, 1.0))
    painter.drawText(QPointF(5, 30), "gini ≤ 0.5 & more")


def nothing(painter):
    """A painting without a stroke."""


# -- paper ---------------------------------------------------------------------------------------------------


@given(st.integers(1, 3000), st.integers(1, 3000), st.floats(0.01, 8.0))
def test_a_paper_has_its_size_times_its_scale_in_pixels(width, height, scale):
    across, up = Paper(width, height, scale).pixels
    assert abs(across - width * scale) <= 0.5 or across == 1
    assert abs(up - height * scale) <= 0.5 or up == 1


@pytest.mark.parametrize(
    "size", [(0, 10), (10, 0), (-5, 10), (10, 10, 0.0), (10, 10, -1.0), (10, 10, float("nan"))]
)
def test_a_paper_without_a_size_is_refused(size):
    with pytest.raises(ValueError, match="must have a size and a scale above 0, not "):
        Paper(*size)


def test_a_paper_that_qt_cannot_paint_on_is_refused_before_any_memory_is_taken():
    assert Paper(LARGEST, 1).pixels == (LARGEST, 1)
    for size in ((LARGEST + 1, 1), (1, LARGEST + 1), (LARGEST // 2, 1, 2.01)):
        with pytest.raises(ValueError, match=r"too large: at most 30000 in each direction"):
            Paper(*size)


# -- images --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1.0, 2.0, 2.5])
def test_an_image_is_painted_in_logical_pixels(scale):
    rows = pixels_of(image(Paper(60, 50, scale), box))
    ys, xs = np.nonzero((rows[..., :3] == (255, 0, 0)).all(axis=-1))
    assert rows.shape[:2] == (50 * scale, 60 * scale)
    assert xs.min() / scale == pytest.approx(10, abs=0.5)
    assert (xs.max() + 1) / scale == pytest.approx(40, abs=0.5)
    assert (ys.max() + 1) / scale == pytest.approx(35, abs=0.5)


def test_paper_is_white_or_not_there_at_all():
    assert (pixels_of(image(Paper(5, 4), nothing)) == 255).all()
    assert not pixels_of(image(Paper(5, 4, transparent=True), nothing)).any()


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_an_image_is_as_large_on_paper_whatever_its_scale(scale):
    made = image(Paper(96, 48, scale), nothing)
    inches = made.width() / (made.dotsPerMeterX() * 0.0254)
    assert inches == pytest.approx(1.0, rel=1e-3)
    assert made.dotsPerMeterX() == made.dotsPerMeterY()


def test_png_is_the_image_and_carries_no_words():
    raw = png(Paper(60, 50), box, "a title", "a description")
    read = QImage.fromData(raw, "png")
    assert np.array_equal(pixels_of(read), pixels_of(image(Paper(60, 50), box)))
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    for chunk in (b"tEXt", b"iTXt", b"zTXt", b"tIME"):
        assert chunk not in raw


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_painting_gives_the_same_bytes_and_another_one_others(make):
    raw = make(Paper(60, 50), sentence, "T", "D")
    assert make(Paper(60, 50), sentence, "T", "D") == raw != make(Paper(60, 50), box, "T", "D")


# -- SVG -----------------------------------------------------------------------------------------------------


def root_of(painting, paper=None, **words):
    return ET.fromstring(svg(paper or Paper(60, 50), painting, **words))


def test_svg_has_its_size_in_pixels_and_a_view_box():
    root = root_of(box, Paper(123, 45, scale=3.0))
    assert (root.get("width"), root.get("height")) == ("123", "45")
    assert [float(part) for part in root.get("viewBox").split()] == [0, 0, 123, 45]


def test_svg_says_what_it_is():
    root = root_of(box, title="Moons & more", description="svm, C = 1")
    assert root.findtext(f"{SVG}title") == "Moons & more"
    assert root.findtext(f"{SVG}desc") == "svm, C = 1"


def test_text_in_svg_is_text_with_any_sans_to_fall_back_on():
    root = root_of(sentence)
    assert "gini ≤ 0.5 & more" in ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    families = {node.get("font-family") for node in root.iter() if node.get("font-family")}
    assert families
    assert all(family.endswith(", sans-serif") for family in families)


def test_groups_without_anything_in_them_are_left_out():
    text = svg(Paper(60, 50), nothing).decode()
    assert not re.search(r"<g [^>]*>\s*</g>", text)
    assert "matrix(1,0,0,1,0,0)" not in text
    assert "vector-effect" not in text


def test_a_line_in_svg_keeps_its_place_width_and_colour():
    def line(painter):
        painter.setPen(QPen(QColor(1, 2, 3), 2.5))
        painter.drawLine(QPointF(3, 4), QPointF(53, 44))

    text = svg(Paper(60, 50), line).decode()
    assert 'stroke="#010203"' in text
    assert 'stroke-width="2.5"' in text
    assert re.search(r'points="3,4 53,44', text) or re.search(r"M\s*3,4\s*L\s*53,44", text)


def test_what_is_translucent_as_a_whole_is_so_in_a_well_formed_svg():
    def faint(painter):
        painter.setOpacity(0.25)
        box(painter)

    (opacity,) = {group.get("opacity") for group in root_of(faint).iter() if group.get("opacity")}
    assert float(opacity) == 0.25
    rows = pixels_of(QImage.fromData(svg(Paper(60, 50), faint), "svg"))
    assert rows[27, 20, 3] == pytest.approx(64, abs=1)


# -- PDF -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width, height", [(96, 48), (800, 600), (123, 457)])
def test_a_pdf_page_is_as_large_as_its_paper_at_96_dots_an_inch(width, height):
    raw = pdf(Paper(width, height), box)
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", raw)
    assert [float(side) for side in found.groups()] == pytest.approx([width * 0.75, height * 0.75], abs=0.5)


def test_a_pdf_has_one_page_a_creator_and_no_time_of_day():
    raw = pdf(Paper(60, 50), sentence, "Moons")
    assert raw.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", raw)) == 1
    assert set(re.findall(rb"Date \(D:(\d{14})", raw)) == {b"20000101000000"}
    assert set(re.findall(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", raw)) <= {b"2000-01-01T00:00:00"}
    assert set(re.findall(rb"uuid:([0-9a-f-]{36})", raw)) <= {b"00000000-0000-0000-0000-000000000000"}
    assert "VizML".encode("utf-16-be") in raw or b"VizML" in raw


def picture(form):
    rng = np.random.default_rng(0)
    made = QImage(rng.integers(0, 256, (30, 40, 4), dtype=np.uint8).tobytes(), 40, 30, form)
    return made.copy()


OPAQUE, TRANSLUCENT = picture(QImage.Format.Format_RGB32), picture(QImage.Format.Format_ARGB32)


def two_pictures(painter):
    sentence(painter)
    draw_image(painter, QRectF(5, 5, 20, 10), OPAQUE)
    draw_image(painter, QRectF(5, 20, 20, 10), TRANSLUCENT)
    sentence(painter)


def test_pictures_in_a_pdf_keep_every_pixel():
    raw = pdf(Paper(60, 50), two_pictures)
    found = re.findall(
        rb"/Width 40\n/Height 30\n.*?/Length (\d+) 0 R.*?stream\n(.*?)\nendstream", raw, re.DOTALL
    )
    data = [zlib.decompress(packed) for _, packed in found]
    pixels = [
        [QColor.fromRgba(im.pixel(x, y)) for y in range(30) for x in range(40)]
        for im in (OPAQUE, TRANSLUCENT)
    ]
    opaque, colours = (bytes(v for c in each for v in (c.red(), c.green(), c.blue())) for each in pixels)
    assert data == [opaque, bytes(c.alpha() for c in pixels[1]), colours]
    for number, packed in found:
        assert b"\n%s 0 obj\n%d\nendobj" % (number, len(packed)) in raw


@pytest.mark.parametrize("painting", [sentence, two_pictures])
def test_the_table_of_a_pdf_still_points_at_its_objects(painting):
    raw = pdf(Paper(60, 50), painting, "Moons")
    start = int(re.search(rb"startxref\s+(\d+)", raw)[1])
    assert raw[start : start + 4] == b"xref"
    first, count = (int(n) for n in re.match(rb"xref\s+(\d+) (\d+)", raw[start:]).groups())
    rows = re.findall(rb"(\d{10}) \d{5} ([nf])", raw[start:])
    assert len(rows) == count
    for number, (offset, kind) in enumerate(rows, first):
        if kind == b"n":
            assert raw[int(offset) :].startswith(b"%d 0 obj" % number)


def test_paint_outside_of_the_paper_is_no_trouble():
    def far(painter):
        painter.setPen(Qt.GlobalColor.black)
        painter.drawLine(QPointF(-1e6, -1e6), QPointF(1e6, 1e6))

    for make in MAKERS:
        assert make(Paper(60, 50), far)


@pytest.mark.parametrize("write", MAKERS)
def test_a_painting_that_fails_leaves_no_painter_at_work(write):
    painters = []

    def fail(painter):
        painters.append(painter)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write(Paper(40, 30), fail)
    assert not painters[0].isActive()


def test_an_image_in_svg_is_that_of_the_painting_and_others_keep_their_place():
    """Images are encoded apart; a second one, drawn directly, stays where it is."""
    collected, direct = QImage(3, 2, QImage.Format.Format_RGB32), QImage(5, 4, QImage.Format.Format_RGB32)
    collected.fill(QColor("red"))
    direct.fill(QColor("blue"))

    def painting(painter):
        painter.drawImage(QRectF(0, 0, 10, 10), direct)
        draw_image(painter, QRectF(20, 0, 10, 10), collected)

    text = svg(Paper(40, 20), painting).decode()
    images = [QImage.fromData(base64.b64decode(raw)) for raw in re.findall(r'base64,([^"]*)"', text)]
    assert [(each.width(), each.pixelColor(0, 0)) for each in images] == [
        (5, QColor("blue")),
        (3, QColor("red")),
    ]
