"""Charts as files: the same items on paper, with lines and letters of the size that they have on screen."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage

from tests.paint.charts.fakes import curves, grid, single
from tests.paint.sheet import pixels_of
from vizml.paint.charts.export import save_chart
from vizml.paint.charts.plot import ChartPlot
from vizml.scene import DARK, LIGHT, Chart

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("ending, head", [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
@pytest.mark.parametrize("chart", [curves(), grid(), single("dots"), single("stems")])
def test_every_format_twice_the_same(tmp_path, chart, ending, head):
    for name in "ab":
        save_chart(chart, tmp_path / f"{name}{ending}", (420, 300))
    first, second = ((tmp_path / f"{name}{ending}").read_bytes() for name in "ab")
    assert first.startswith(head)
    assert first == second


def test_an_svg_has_words_cells_as_rectangles_and_no_cosmetic_lines(tmp_path):
    save_chart(grid(), tmp_path / "grid.svg", (420, 300))
    text = (tmp_path / "grid.svg").read_text()
    assert ">90 %<" in text
    assert "<image" not in text
    assert "non-scaling-stroke" not in text
    fills = re.findall(r'<g fill="(#[0-9a-f]{6})"[^>]*>\s*<rect x="[^"]*" y="[^"]*" width="([\d.]+)"', text)
    assert sum(90 < float(width) < 130 for _, width in fills) >= 6


def test_type_on_paper_has_the_size_that_it_has_on_the_screen(tmp_path):
    save_chart(curves(), tmp_path / "a.svg", (420, 300))
    sizes = {float(size) for size in re.findall(r'font-size="([\d.]+)"', (tmp_path / "a.svg").read_text())}
    assert sizes == {11.0, 12.0, 13.0, 15.0}


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0, 3.0])
def test_lines_are_as_wide_at_every_scale(tmp_path, scale):
    chart = single(x=(0.0, 1.0), y=(1.0, 1.0), width=4.0)
    save_chart(chart, tmp_path / "a.png", (420, 300), scale=scale)
    pixels = pixels_of(QImage(str(tmp_path / "a.png"))).astype(int)
    column = pixels[:, pixels.shape[1] // 2, :3]
    inked = np.abs(column - LIGHT.accent).max(axis=1) < 40
    assert inked.sum() == pytest.approx(4 * scale, abs=1)


def test_theme_and_numbers(tmp_path):
    save_chart(curves(), tmp_path / "a.png", (420, 300), DARK, scale=1.0)
    assert QImage(str(tmp_path / "a.png")).pixelColor(1, 1).getRgb()[:3] == DARK.ground
    save_chart(curves(), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().splitlines()[:2] == [
        "series,Step,Error,low,high", "training,1.0,1.0,nan,nan",
    ]  # fmt: skip


def test_an_unknown_ending_is_refused_with_those_that_are_known(tmp_path):
    with pytest.raises(ValueError, match=r"must end with \.png, \.svg or \.pdf, not 'a\.bmp'"):
        save_chart(curves(), tmp_path / "a.bmp")


def test_items_of_another_chart_replace_those_before():
    plot = ChartPlot()
    plot.resize(QSizeF(420, 300))
    plot.set_chart(curves())
    count = len(plot.box.childGroup.childItems())
    for chart in (grid(), curves(), None, grid(), curves()):
        plot.set_chart(chart)
    assert len(plot.box.childGroup.childItems()) == count


def test_an_error_while_painting_is_reported_and_ends_nothing(tmp_path, monkeypatch):
    reported = []
    monkeypatch.setattr("sys.excepthook", lambda kind, *_: reported.append(kind))
    chart = grid()
    broken = Chart(title="", x=chart.x, y=chart.y, heat=type(chart.heat)(
        values=chart.heat.values, rows=chart.heat.rows, columns=chart.heat.columns, marked=(9, 9)
    ))  # fmt: skip
    save_chart(broken, tmp_path / "a.png")
    assert set(reported) == {IndexError}
