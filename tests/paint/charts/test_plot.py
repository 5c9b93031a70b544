"""Charts on pyqtgraph: what is drawn, where it stands, how the view moves, and files of it."""

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QGraphicsScene

from tests.paint.charts.fakes import curves, grid, path, ruled, single
from tests.paint.sheet import near, painted, pixels_of
from vizml.paint.charts.items import cell_colours
from vizml.paint.charts.legend import lay_out
from vizml.paint.charts.overlay import Highlight, Hover, path_ends
from vizml.paint.charts.plot import ChartPlot, encoded_chart
from vizml.paint.pens import legible_on
from vizml.scene import DARK, LIGHT, Axis, Chart, HeatMap, Series
from vizml.scene.palette import contrast
from vizml.scene.shading import risen

pytestmark = pytest.mark.usefixtures("qapp")
WIDTH, HEIGHT = 420, 300
SIZE, PAGE = QSizeF(WIDTH, HEIGHT), (WIDTH, HEIGHT)


def drawn(chart, theme=LIGHT, size=(WIDTH, HEIGHT), type_scale=1.0, ratio=1.0, **highlight):
    """The pixels of a chart as it is rendered to a painter."""
    scene, plot = QGraphicsScene(), ChartPlot(theme, type_scale)
    scene.addItem(plot)
    plot.resize(QSizeF(*size))
    plot.set_chart(chart)
    plot.set_highlight(Highlight(**highlight))
    rect, ground = QRectF(0, 0, *size), QColor(*theme.ground)
    return painted(*size, lambda p: scene.render(p, rect, rect), ground=ground, ratio=ratio)


def spot(chart, x, y):
    """The pixel of a point in the chart's own units."""
    layout = lay_out(chart, SIZE, 1.0)
    at = Series(name="", x=np.array([float(x)]), y=np.array([float(y)]))
    column, row = layout.pixels(at)[0]
    return int(row), int(column)


@pytest.mark.parametrize("log_x", [False, True])
@pytest.mark.parametrize("log_y", [False, True])
def test_a_line_goes_through_its_points_whatever_the_axes(log_x, log_y):
    chart = single(x=(1.0, 10.0, 1000.0), y=(0.01, 3.0, 100.0), log_x=log_x, log_y=log_y, width=5.0)
    inked = near(drawn(chart), LIGHT.accent, 8)
    for x, y in ((1.0, 0.01), (10.0, 3.0), (1000.0, 100.0)):
        row, column = spot(chart, x, y)
        assert inked[row - 3 : row + 4, column - 3 : column + 4].any()


def test_what_a_logarithm_cannot_show_breaks_the_line():
    chart = single(x=(1.0, 2.0, 3.0, 4.0, 5.0), y=(1.0, 1.0, 0.0, 1.0, 1.0), log_y=True, width=5.0)
    inked = near(drawn(chart), LIGHT.accent, 8)
    assert inked[:, spot(chart, 1.5, 1.0)[1]].any()
    assert not inked[:, spot(chart, 3.0, 1.0)[1]].any()


def test_a_band_lies_between_its_edges():
    chart = curves()
    rows = drawn(chart)
    inside = rows[spot(chart, 53, 1 / 53 + 0.25)][:3]
    outside = rows[spot(chart, 53, 0.65)][:3]
    assert inside[0] > inside[2] + 10
    assert (outside == 255).all()


def test_the_cursor_goes_behind_the_legend():
    chart = curves()
    laid = lay_out(chart, SIZE, 1.0)
    layout, panel = laid, laid.panel
    step = round(layout.value_x(panel.center().x()))
    column = round(layout.pixel_x(step))
    hit = near(drawn(chart, step=step), LIGHT.accent, 60)[:, column - 1 : column + 2].any(axis=1)
    rows = np.arange(len(hit))
    words = (rows > panel.top() + 1) & (rows < panel.bottom() - 1)
    beyond = (rows > panel.bottom() + 1) & (rows < layout.geometry.plot.bottom() - 1)
    assert not hit[words].any()
    assert hit[beyond].mean() > 0.9


def test_lines_over_a_heat_have_a_rim_of_the_ground():
    way = Series(name="way", x=np.array([1.6, 2.4]), y=np.array([0.0, 0.0]), ink=0, width=3.0)
    chart = replace(grid(), series=(way,))
    row, column = spot(chart, 1.65, 0.0)
    plain = drawn(replace(chart, series=()))[row - 3, column, :3]
    rim = drawn(chart)[row - 3 : row, column, :3].max(axis=0)
    assert rim.min() > plain.min() + 40
    assert near(drawn(chart), LIGHT.stroke(0), 12)[row - 2 : row + 3, column].any()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_words_in_every_cell_can_be_read(theme):
    for shade in cell_colours(grid().heat, theme):
        on = (shade.red(), shade.green(), shade.blue())
        assert contrast(legible_on(on, theme), on) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_higher_cells_are_further_from_the_ground(theme):
    table = risen(theme).astype(float)[:, :3]
    apart = np.abs(table.mean(axis=1) - np.mean(theme.ground))
    assert (np.diff(apart) > -0.6).all()
    assert apart[-1] > 80


def test_the_first_row_of_a_matrix_is_on_top_and_cells_fill_the_plot():
    layout = lay_out(grid(), SIZE, 1.0)
    rects = layout.cells()
    assert len(rects) == 6
    assert rects[0].top() < rects[3].top()
    assert rects[0].left() < rects[1].left()
    assert layout.cell_at(*rects[5].center().toTuple()) == (1, 2)
    assert layout.cell_at(layout.geometry.plot.left() - 5, rects[0].center().y()) is None


@pytest.mark.parametrize("k", [1.0, 1.5])
@pytest.mark.parametrize("size", [(60, 40), (200, 130), (420, 300), (1600, 900)])
@pytest.mark.parametrize("chart", [curves(), path(), grid(), ruled(), single("stems"), single("bars")])
def test_every_kind_at_every_size(chart, size, k):
    hover = Hover(cell=(0, 0)) if chart.heat else Hover(0, 1)
    drawn(chart, size=size, type_scale=k, step=2, hover=hover)


@pytest.mark.parametrize(
    "x, y",
    [
        ((), ()),
        ((1.0,), (2.0,)),
        ((np.nan, np.nan), (1.0, 2.0)),
        ((0.0, 1.0), (np.inf, -np.inf)),
        ((1e12, 1e12 + 1), (1e-300, 1e300)),
        ((5.0, 5.0), (5.0, 5.0)),
    ],
)
@pytest.mark.parametrize("kind", ["line", "step", "dots", "bars", "stems"])
@pytest.mark.parametrize("log", [False, True])
def test_odd_numbers_break_nothing(kind, x, y, log):
    chart = single(kind, np.array(x, float), np.array(y, float), log_x=log, log_y=log)
    drawn(chart, step=1.0, hover=Hover(0, 0))


def curves_below(count):
    """As many curves as a comparison has, with long names, that leave a corner free."""
    x = np.linspace(0, 1, 60)
    names = (f"0.97{number}/0.93{number} {number} a model with a rather long name" for number in range(count))
    series = tuple(Series(name=name, x=x, y=x ** (0.1 + 0.02 * number)) for number, name in enumerate(names))
    return Chart(title="", x=Axis(title="x", low=0, high=1), y=Axis(title="y", low=0, high=1), series=series)


def test_many_long_names_are_cut_rather_than_that_the_plot_goes():
    low, high = QSizeF(300, 240), QSizeF(640, 640)
    laid = lay_out(curves_below(6), low, 1.0, titled=False)
    assert laid.panel is not None
    assert not laid.strip
    assert laid.geometry.plot.contains(laid.panel)
    for series in laid.chart.series:
        assert not any(laid.panel.contains(x, y) for x, y in laid.pixels(series).tolist())
    assert laid.geometry.plot.height() > 150
    roomy = lay_out(curves_below(6), high, 1.0, titled=False)
    assert sum(map(len, roomy.strip)) == 6  # there is room for all of them


def race():
    """Two ways over three by three cells, of which one is quicker."""
    heat = HeatMap(values=np.arange(9.0).reshape(3, 3), rows=("a", "b", "c"), columns=("a", "b", "c"))
    slow = Series(name="slow", x=np.array([0.0, 1, 2]), y=np.array([0.0, 0, 0]), steps=np.array([1, 11, 21]))
    quick = replace(slow, name="quick", ink=1, y=np.array([2.0, 2, 2]), steps=np.array([1, 3, 5]))
    axis = Axis(title="w")
    return Chart(title="", x=axis, y=axis, heat=heat, series=(slow, quick), cursor="paths")


def test_a_disc_runs_along_each_way_by_the_clock_of_the_timeline():
    laid = lay_out(race(), SIZE, 1.0)
    for step, slow, quick in ((0, 0, 0), (1, 0, 0), (3, 0, 1), (10.9, 0, 2), (11, 1, 2), (99, 2, 2)):
        found = {series.name: at for series, at in path_ends(laid, step)}
        for name, point, row in (("slow", slow, 0.0), ("quick", quick, 2.0)):
            place = laid.geometry.to_pixels([[point, row]])[0]
            assert (found[name].x(), found[name].y()) == pytest.approx(tuple(place))


def ringed(cell, theme=LIGHT, chart=None):
    """The pixels of each cell, by row and column."""
    chart = chart or grid()
    rows = drawn(chart, theme, cell=cell)
    boxes = [rect.toRect() for rect in lay_out(chart, SIZE, 1.0).cells()]
    return [rows[box.top() : box.bottom() + 1, box.left() : box.right() + 1] for box in boxes]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_ring_of_the_accent_is_around_what_is_set(theme):
    accents = [near(cell, theme.accent, 4).sum() for cell in ringed((0, 1), theme)]
    assert accents[1] > 200
    assert sum(accents) == accents[1]
    assert not any(near(cell, theme.accent, 4).any() for cell in ringed(None, theme))


def test_the_best_has_a_ring_of_its_own_which_the_other_one_does_not_hide():
    """The best cell of the fake is the last."""
    alone, both = ringed(None)[-1], ringed((1, 2))[-1]
    outline = near(alone, LIGHT.text, 4)
    assert outline.sum() > 200
    assert near(both, LIGHT.text, 4)[outline].mean() > 0.95
    assert near(both, LIGHT.accent, 4).sum() > 150


@pytest.mark.parametrize("ending, head", [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
@pytest.mark.parametrize("chart", [curves(), grid(), single("dots"), single("stems")])
def test_every_format_twice_the_same(chart, ending, head):
    first, second = (encoded_chart(ending, chart, PAGE) for _ in range(2))
    assert first.startswith(head)
    assert first == second


def test_an_svg_has_words_cells_as_rectangles_and_no_cosmetic_lines():
    text = encoded_chart(".svg", grid(), PAGE).decode()
    assert ">90 %<" in text
    assert "<image" not in text
    assert "non-scaling-stroke" not in text
    fills = re.findall(r'<g fill="(#[0-9a-f]{6})"[^>]*>\s*<rect x="[^"]*" y="[^"]*" width="([\d.]+)"', text)
    assert sum(90 < float(width) < 130 for _, width in fills) >= 6


def test_type_on_paper_has_the_size_that_it_has_on_the_screen():
    text = encoded_chart(".svg", curves(), PAGE).decode()
    sizes = {float(size) for size in re.findall(r'font-size="([\d.]+)"', text)}
    assert sizes == {11.0, 12.0, 13.0, 15.0}


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0, 3.0])
def test_lines_are_as_wide_at_every_scale(scale):
    chart = single(x=(0.0, 1.0), y=(1.0, 1.0), width=4.0)
    pixels = pixels_of(QImage.fromData(encoded_chart(".png", chart, PAGE, scale=scale))).astype(int)
    column = pixels[:, pixels.shape[1] // 2, :3]
    inked = np.abs(column - LIGHT.accent).max(axis=1) < 40
    assert inked.sum() == pytest.approx(4 * scale, abs=1)


def test_the_ground_is_that_of_the_theme():
    raw = encoded_chart(".png", curves(), PAGE, DARK, scale=1.0)
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
