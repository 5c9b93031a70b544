"""Charts as files: the same items on paper, with lines and letters of the size that they have on screen."""

import re

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.paint.charts.fakes import curves, grid, single
from tests.paint.sheet import pixels_of
from vizml.paint.charts.plot import encoded_chart
from vizml.scene import DARK, LIGHT, Chart

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = (420, 300)


@pytest.mark.parametrize("ending, head", [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
@pytest.mark.parametrize("chart", [curves(), grid(), single("dots"), single("stems")])
def test_every_format_twice_the_same(chart, ending, head):
    first, second = (encoded_chart(ending, chart, SIZE) for _ in range(2))
    assert first.startswith(head)
    assert first == second


def test_an_svg_has_words_cells_as_rectangles_and_no_cosmetic_lines():
    text = encoded_chart(".svg", grid(), SIZE).decode()
    assert ">90 %<" in text
    assert "<image" not in text
    assert "non-scaling-stroke" not in text
    fills = re.findall(r'<g fill="(#[0-9a-f]{6})"[^>]*>\s*<rect x="[^"]*" y="[^"]*" width="([\d.]+)"', text)
    assert sum(90 < float(width) < 130 for _, width in fills) >= 6


def test_type_on_paper_has_the_size_that_it_has_on_the_screen():
    text = encoded_chart(".svg", curves(), SIZE).decode()
    sizes = {float(size) for size in re.findall(r'font-size="([\d.]+)"', text)}
    assert sizes == {11.0, 12.0, 13.0, 15.0}


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0, 3.0])
def test_lines_are_as_wide_at_every_scale(scale):
    chart = single(x=(0.0, 1.0), y=(1.0, 1.0), width=4.0)
    pixels = pixels_of(QImage.fromData(encoded_chart(".png", chart, SIZE, scale=scale))).astype(int)
    column = pixels[:, pixels.shape[1] // 2, :3]
    inked = np.abs(column - LIGHT.accent).max(axis=1) < 40
    assert inked.sum() == pytest.approx(4 * scale, abs=1)


def test_the_ground_is_that_of_the_theme():
    raw = encoded_chart(".png", curves(), SIZE, DARK, scale=1.0)
    assert QImage.fromData(raw).pixelColor(1, 1).getRgb()[:3] == DARK.ground


def test_an_error_while_painting_is_reported_and_ends_nothing(monkeypatch):
    reported = []
    monkeypatch.setattr("sys.excepthook", lambda kind, *_: reported.append(kind))
    chart = grid()
    broken = Chart(title="", x=chart.x, y=chart.y, heat=type(chart.heat)(
        values=chart.heat.values, rows=chart.heat.rows, columns=chart.heat.columns, marked=(9, 9)
    ))  # fmt: skip
    encoded_chart(".png", broken)
    assert set(reported) == {IndexError}
