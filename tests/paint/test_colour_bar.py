"""The bar of a lens: as long as its colours are seen, and with figures that can be read."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from tests.paint.plots import figure
from tests.paint.sheet import near, painted, written
from vizml.data import Dataset
from vizml.paint import Geometry, paint
from vizml.paint.colour_bar import BAR, BAR_WIDTH, BETWEEN, NAME, PAD, bar_size, paint_colour_bar
from vizml.paint.pens import LABEL, SMALL, font
from vizml.scene import DARK, LIGHT, Lens, Look, Region, Scene
from vizml.scene.shading import colours

pytestmark = pytest.mark.usefixtures("qapp")
PLANE = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))
LENS = Lens(name="deviation", plane=lambda raster: np.zeros(raster.shape, np.float32), low=0.0, high=2.0)


def drawn(lens, look=None):
    image = np.full((236, 324, 4), 255, dtype=np.uint8)
    scene = Scene(region=Region(image, PLANE.bounds), lens=lens)
    nothing = Dataset.empty()
    picture = figure(nothing, scene=scene, look=look)
    return painted(404, 304, lambda p: paint(p, PLANE, picture))


def test_a_picture_seen_through_a_lens_has_its_bar_as_long_as_the_region_is_shown():
    bright = tuple(colours(LENS, LIGHT)[-1, :3].tolist())
    assert near(drawn(LENS), bright, 6).any()
    assert not near(drawn(None), bright, 6).any()
    assert not near(drawn(LENS, Look().switched("Regions", on=False)), bright, 6).any()


# -- room ----------------------------------------------------------------------------------------------------


def lens(low=0.0, high=2.0, **facts):
    return replace(LENS, low=low, high=high, **facts)


def bar_of(shown, geometry=PLANE, theme=LIGHT):
    size = bar_size(geometry, shown)
    rect = QRectF(10, 20, size.width(), size.height())
    return rect, written(600, 400, lambda p: paint_colour_bar(p, geometry, theme, rect, shown))


def wide(text, size=SMALL):
    return QFontMetricsF(font(size, 1.0)).horizontalAdvance(text)


@pytest.mark.parametrize("width", [100, 200, 404, 1500])
def test_a_plate_never_takes_half_of_the_plot_where_there_is_a_plot(width):
    geometry = Geometry(width, 304, (0.0, 1.0, 0.0, 1.0))
    size = bar_size(geometry, lens(name="a quantity of a rather long name"))
    assert size.width() <= max(0.45 * geometry.plot.width(), 80)


def test_a_plate_is_wide_enough_for_name_and_unit_and_grows_with_the_type():
    roomy = Geometry(1500, 800, (0.0, 1.0, 0.0, 1.0))
    long = lens(name="a quantity of a rather long name indeed", unit="nats per point")
    assert bar_size(roomy, long).width() > wide(f"{long.name}{long.unit}", LABEL) + 20
    assert bar_size(roomy, LENS).width() == BAR_WIDTH
    large = Geometry(1500, 800, (0.0, 1.0, 0.0, 1.0), 2.0)
    assert bar_size(large, LENS).width() == 2 * BAR_WIDTH
    assert bar_size(large, LENS).height() == 2 * bar_size(roomy, LENS).height()


# -- words ---------------------------------------------------------------------------------------------------


def test_the_name_is_to_the_left_and_the_unit_to_the_right():
    rect, said = bar_of(lens(unit="nats"))
    unit = next(one for one in said if one.text == "nats")
    name = next(one for one in said if one.text == "deviation")
    assert name.x == pytest.approx(rect.left() + PAD)
    assert unit.x + wide("nats", LABEL) == pytest.approx(rect.right() - PAD, abs=0.1)
    assert name.y == unit.y


def test_the_unit_gives_way_before_the_name():
    _, said = bar_of(lens(unit="of the mean of the posterior of the function"))
    texts = [one.text for one in said]
    assert "deviation" in texts
    assert any(text.startswith("of the") and text.endswith("…") for text in texts)


def test_what_values_are_times_stands_before_the_unit():
    _, said = bar_of(lens(high=2e-9, unit="m"))
    assert any(one.text == "×10⁻⁹ m" for one in said)


@settings(max_examples=40)
@given(st.floats(-1e12, 1e12), st.floats(1e-9, 1e12))
def test_figures_stand_apart_from_each_other_and_within_the_bar(low, span):
    assume(low + span > low)
    rect, said = bar_of(lens(low, low + span))
    figures = sorted((one for one in said if one.y > rect.top() + 35), key=lambda one: one.x)
    assert figures
    for one, other in pairwise(figures):
        assert one.x + wide(one.text) + BETWEEN <= other.x + 0.1
    assert figures[0].x >= rect.left() + PAD - 0.1
    assert figures[-1].x + wide(figures[-1].text) <= rect.right() - PAD + 0.1


def test_a_figure_stands_below_its_value():
    rect, said = bar_of(lens(0.0, 3.0))
    bar = rect.width() - 2 * PAD
    (one,) = (found for found in said if found.text == "1")
    assert one.x + wide("1") / 2 == pytest.approx(rect.left() + PAD + bar / 3, abs=0.6)


# -- the bar itself ------------------------------------------------------------------------------------------


def pixels(shown, theme=LIGHT):
    size = bar_size(PLANE, shown)
    rect = QRectF(0, 0, size.width(), size.height())
    rows = painted(200, 80, lambda p: paint_colour_bar(p, PLANE, theme, rect, shown), smooth=True)
    return rows[
        int(PAD / 2 + NAME + 2) : int(PAD / 2 + NAME + BAR - 2), int(PAD) : int(size.width() - PAD), :3
    ]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("facts", [{}, {"diverging": True}, {"rising": True}])
def test_colours_of_the_bar_are_those_of_the_lens_all_along(theme, facts):
    shown = lens(**facts)
    row = pixels(shown, theme)[0].astype(int)
    table = colours(shown, theme)[:, :3]
    wanted = table[np.round((np.arange(len(row)) + 0.5) / len(row) * (len(table) - 1)).astype(int)]
    assert np.abs(row - wanted).max() <= 9
    assert np.abs(row - wanted).mean() < 3


def notches(levels, low=0.0, high=2.0):
    """Where, as shares of the bar, it is other than without any levels."""
    with_, without = pixels(lens(low, high, levels=levels)), pixels(lens(low, high))
    found = np.flatnonzero((np.abs(with_.astype(int) - without).max(axis=(0, 2))) > 60)
    return found / with_.shape[1]


def test_contour_lines_have_notches_where_their_values_are():
    found = notches((0.5, 1.5))
    assert len(found) >= 2
    assert {round(4 * place) for place in found} == {1, 3}


def test_levels_out_of_range_have_no_notch():
    assert len(notches((-0.5, 2.5))) == 0


@pytest.mark.parametrize("low, high", [(1.0, 1.0), (0.0, 0.0), (1e300, 1e300)])
def test_a_range_of_one_value_can_be_painted(low, high):
    bar_of(lens(low, high, levels=(low,)))


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_name_bar_and_figures_are_on_the_plate_one_below_the_other(scale):
    geometry = Geometry(1500, 800, (0.0, 1.0, 0.0, 1.0), scale)
    rect, said = bar_of(LENS, geometry)
    name = next(one for one in said if one.text == "deviation")
    figures = [one for one in said if one is not name and one.text]
    top, bottom = rect.top() + (PAD / 2 + NAME) * scale, rect.top() + (PAD / 2 + NAME + BAR) * scale
    assert rect.top() + QFontMetricsF(font(LABEL, scale)).capHeight() < name.y < top
    for one in figures:
        assert bottom + QFontMetricsF(font(SMALL, scale)).capHeight() < one.y < rect.bottom()
    assert name.y - QFontMetricsF(font(LABEL, scale)).capHeight() / 2 == pytest.approx(
        rect.top() + (PAD / 2 + NAME / 2) * scale, abs=0.6
    )


def test_each_figure_has_a_tick_below_the_bar():
    shown = lens(0.0, 3.0)
    size = bar_size(PLANE, shown)
    rect = QRectF(0, 0, size.width(), size.height())
    rows = painted(200, 80, lambda p: paint_colour_bar(p, PLANE, LIGHT, rect, shown), smooth=True)
    below = rows[int(PAD / 2 + NAME + BAR) + 1, int(PAD) - 2 : int(size.width() - PAD) + 2, 0].astype(int)
    _, said = bar_of(shown)
    figures = [one for one in said if one.text.isdigit()]
    dark = (below < 240).astype(int)
    assert (np.diff(np.concatenate([[0], dark])) == 1).sum() == len(figures)
