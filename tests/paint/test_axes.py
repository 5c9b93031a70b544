"""Frame, ticks, labels, titles and grid: where they stand, how crisp they are, what gives way."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QColor, QFontMetricsF

from tests.paint.sheet import painted, written
from vizml.paint import Geometry
from vizml.paint.axes import (
    MOST,
    Axes,
    Ticks,
    margins_for,
    paint_axes,
    paint_cells,
    paint_grid,
    paint_heading,
    ticks,
)
from vizml.paint.pens import BODY, SMALL, font
from vizml.scene import DARK, LIGHT

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = 404, 304
PLANE = Geometry(*SIZE, (-2.0, 2.0, -1.0, 1.0))
NAMES = ("x", "y")


def axes(geometry=PLANE, titles=NAMES, theme=LIGHT):
    ground = QColor(*theme.ground)
    return painted(*SIZE, lambda p: paint_axes(p, geometry, theme, titles), ground=ground, smooth=True)


def words(geometry=PLANE, titles=NAMES):
    return written(geometry.width, geometry.height, lambda p: paint_axes(p, geometry, LIGHT, titles))


def wide(text, size=SMALL, scale=1.0):
    return QFontMetricsF(font(size, scale)).horizontalAdvance(text)


# -- how many ticks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [40, 120, 300, 900, 4000])
def test_ticks_are_as_many_as_there_is_room_for(side):
    found = Axes.of(Geometry(side, side, (0.0, 1.0, 0.0, 1.0)))
    plot = Geometry(side, side, (0.0, 1.0, 0.0, 1.0)).plot
    assert 1 <= len(found.x.values) <= min(plot.width() / 76 + 1.001, MOST + 1) or plot.width() < 76
    assert len(found.y.values) <= MOST + 1


@settings(max_examples=40)
@given(
    st.floats(-1e9, 1e9),
    st.floats(1e-3, 1e9),
    st.sampled_from([200, 404, 1000]),
    st.sampled_from([1.0, 1.5, 3.0]),
)
def test_labels_of_x_never_run_into_each_other(low, span, width, scale):
    geometry = Geometry(width, 304, (low, low + span, 0.0, 1.0), scale)
    assume(geometry.plot.width() > 76 * scale)
    found = Axes.of(geometry).x
    places = geometry.to_pixels(np.column_stack([found.values, np.zeros(len(found.values))]))[:, 0]
    reach = [wide(label, scale=scale) / 2 for label in found.labels]
    ends = [x + r for x, r in zip(places, reach)]
    starts = [x - r for x, r in zip(places, reach)]
    assert all(end < start for end, start in zip(ends, starts[1:]))


# -- labels --------------------------------------------------------------------------------------------------


def test_each_label_stands_below_its_tick_or_left_of_it():
    found = Axes.of(PLANE)
    said = words()
    across = [one for one in said if one.y > PLANE.plot.bottom() and one.text in found.x.labels]
    for value, label in zip(found.x.values, found.x.labels):
        place = PLANE.to_pixels([[value, 0.0]])[0, 0]
        assert any(one.text == label and abs(one.x + wide(label) / 2 - place) < 1 for one in across)
    for value, label in zip(found.y.values, found.y.labels):
        place = PLANE.to_pixels([[0.0, value]])[0, 1]
        beside = [one for one in said if one.text == label and one.x + wide(label) < PLANE.plot.left()]
        assert any(abs(one.y - QFontMetricsF(font(SMALL, 1.0)).capHeight() / 2 - place) < 1 for one in beside)


def test_labels_of_y_are_aligned_to_the_right():
    geometry = Geometry(*SIZE, (0.0, 1.0, 0.0, 2000.0))
    labels = Axes.of(geometry).y.labels
    assert len({len(label) for label in labels}) > 1
    left_of_plot = geometry.plot.left() - 6
    ends = [
        one.x + wide(one.text) for one in words(geometry) if one.text in labels and one.x < left_of_plot - 10
    ]
    assert np.ptp(ends) < 0.1


@pytest.mark.parametrize(
    "bounds", [(0.0, 1e5, 0.0, 1.0), (1e12, 1e12 + 1, 0.0, 1e-12), (-1.0, 99999.0, 0.0, 1.0)]
)
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_no_text_leaves_the_picture(bounds, scale):
    geometry = Geometry(600, 400, bounds, scale)
    for one in words(geometry, ("a rather long name of an axis", "another long name of an axis")):
        assert 0 <= one.x <= 600
        assert 0 <= one.y <= 400
        if one.turn[1] == 0:
            assert one.x + wide(one.text, scale=scale) <= 601


def test_what_labels_are_times_or_plus_is_said_beside_them():
    geometry = Geometry(*SIZE, (0.0, 1e12, 0.0, 1e-12))
    said = {one.text: one for one in words(geometry)}
    assert said["×10¹²"].y > geometry.plot.bottom()
    assert said["×10¹²"].x + wide("×10¹²") == pytest.approx(geometry.plot.right(), abs=1)
    assert said["×10⁻¹²"].y < geometry.plot.top()
    assert said["×10⁻¹²"].x < geometry.plot.left()


def test_the_name_of_x_leaves_room_for_what_its_labels_are_times():
    long = "a very long name of an axis that would fill all of the width"
    geometry = Geometry(*SIZE, (0.0, 1e12, 0.0, 1.0))
    (name,) = (one for one in words(geometry, (long, "")) if one.text.startswith("a very"))
    assert name.text.endswith("…")
    assert name.x + wide(name.text, BODY) < geometry.plot.right() - wide("×10¹²")


# -- titles --------------------------------------------------------------------------------------------------


def test_names_stand_along_the_middles_of_their_axes():
    said = {one.text: one for one in words(titles=("length", "width"))}
    across, up = said["length"], said["width"]
    assert across.x + wide("length", BODY) / 2 == pytest.approx(PLANE.plot.center().x(), abs=1)
    assert across.turn == (1, 0)
    assert up.turn == pytest.approx((0, -1), abs=1e-9)
    assert up.y - wide("width", BODY) / 2 == pytest.approx(PLANE.plot.center().y(), abs=1)
    assert up.x < PLANE.plot.left()


@pytest.mark.parametrize("name, upright", [("y", True), ("x₂", True), ("abc", False)])
def test_a_name_of_a_letter_or_two_stands_upright(name, upright):
    (one,) = (found for found in words(titles=("", name)) if found.text == name)
    assert (one.turn[1] == 0) is upright


def test_a_name_of_y_stands_left_of_its_labels():
    geometry = Geometry(*SIZE, (0.0, 1.0, -1.0, 1.0))
    said = words(geometry)
    (name,) = (one for one in said if one.text == "y")
    labels = [
        one.x for one in said if one.text in Axes.of(geometry).y.labels and one.x < geometry.plot.left()
    ]
    assert name.x + wide("y", BODY) < min(labels)


# -- lines ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_frame_lies_around_the_plot_and_touches_none_of_its_pixels(theme):
    rows = axes(titles=("", ""), theme=theme)
    plot = PLANE.plot.toRect()
    inner = rows[plot.top() : plot.top() + plot.height(), plot.left() : plot.left() + plot.width(), :3]
    assert (inner == theme.ground).all()
    edge = rows[plot.top() - 1, plot.left() : plot.left() + plot.width(), :3]
    assert (np.abs(edge.astype(int) - theme.line) <= 2).all()


def ticks_below(rows, geometry):
    """The columns that have a tick below the frame."""
    row = rows[int(geometry.plot.bottom()) + 2, :, :3].max(axis=-1)
    return np.array([column for column in np.flatnonzero(row < 200) if column >= geometry.plot.left()])


def test_a_tick_is_a_crisp_pixel_at_its_value():
    columns = ticks_below(axes(), PLANE)
    values = Axes.of(PLANE).x.values
    wanted = PLANE.to_pixels(np.column_stack([values, np.zeros(len(values))]))[:, 0]
    assert len(columns) == len(values)
    assert np.abs(columns + 0.5 - wanted).max() <= 1


def test_the_last_tick_is_within_the_plot():
    geometry = Geometry(*SIZE, (0.0, 1.0, 0.0, 1.0))
    columns = ticks_below(axes(geometry), geometry)
    assert columns.min() == geometry.plot.left()
    assert columns.max() == geometry.plot.right() - 1


def test_the_grid_has_a_line_for_each_tick_and_stays_in_the_plot():
    rows = painted(*SIZE, lambda p: paint_grid(p, PLANE, LIGHT), smooth=True)
    plot = PLANE.plot.toRect()
    found = Axes.of(PLANE)
    middle = rows[plot.top() + 3, :, 3] > 0
    assert middle.sum() == len(found.x.values)
    assert (rows[:, plot.left() + 5, 3] > 0).sum() == len(found.y.values)
    rows[plot.top() - 1 : plot.bottom() + 2, plot.left() - 1 : plot.right() + 2] = 0  # the frame is there
    assert not rows[..., 3].any()


def test_axes_can_be_given_ticks_of_ones_own():
    own = Axes(Ticks(np.array([0.5]), ("half",)), Ticks(np.empty(0), ()))
    said = written(*SIZE, lambda p: paint_axes(p, PLANE, LIGHT, ("", ""), own))
    assert [one.text for one in said if one.text] == ["half"]
    rows = painted(*SIZE, lambda p: paint_grid(p, PLANE, LIGHT, own))
    assert (rows[100, :, 3] > 0).sum() == 1


@pytest.mark.parametrize("count, lines", [(2, 1), (4, 3), (500, 0)])
def test_there_are_lines_between_categories_that_can_be_told_apart(count, lines):
    cells = Geometry(*SIZE, (-0.5, count - 0.5, -1.0, 1.0), categories=(("a",) * count, ()))
    rows = painted(*SIZE, lambda p: paint_cells(p, cells, LIGHT), smooth=True)
    plot = cells.plot.toRect()
    places = np.flatnonzero(rows[100, :, 3])
    expected = plot.left() + np.arange(1, lines + 1) * plot.width() / count
    assert np.abs(places - expected).max(initial=0.0) <= 1.0
    assert len(places) == lines


# -- margins and the heading ---------------------------------------------------------------------------------


def test_margins_have_room_for_the_longest_label_and_the_names():
    short = margins_for(Axes.of(PLANE), ("", ""), 1.0, 10.0)
    long = margins_for(Axes.of(Geometry(*SIZE, (0.0, 1.0, 0.0, 30000.0))), ("", ""), 1.0, 10.0)
    assert long.left - short.left == pytest.approx(wide("30000") - wide("−1.0"), abs=wide("0"))
    named = margins_for(Axes.of(PLANE), ("length", "width"), 1.0, 10.0)
    assert named.left >= short.left + QFontMetricsF(font(BODY, 1.0)).height()
    assert named.bottom == pytest.approx(short.bottom + QFontMetricsF(font(BODY, 1.0)).height())
    assert named.right == short.right
    assert named.top == 10.0


def test_margins_grow_with_the_type_and_with_what_labels_are_times():
    small = margins_for(Axes.of(PLANE), NAMES, 1.0, 10.0)
    large = margins_for(Axes.of(PLANE), NAMES, 2.0, 20.0)
    for side in ("left", "right", "top", "bottom"):
        assert getattr(large, side) == pytest.approx(2 * getattr(small, side), rel=0.1)
    times = margins_for(Axes.of(Geometry(*SIZE, (0.0, 1.0, 0.0, 1e12))), NAMES, 1.0, 10.0)
    assert times.top == pytest.approx(10.0 + QFontMetricsF(font(SMALL, 1.0)).height())


def test_a_plot_within_such_margins_has_room_for_all_of_its_text():
    axes_, titles = Axes.of(PLANE), ("length", "width")
    geometry = Geometry(*SIZE, PLANE.bounds, margins=margins_for(axes_, titles, 1.0, 10.0))
    said = written(*SIZE, lambda p: paint_axes(p, geometry, LIGHT, titles, axes_))
    assert min(one.x for one in said) >= 5
    assert max(one.y for one in said) <= SIZE[1] - 5


def test_a_heading_stands_over_the_plot_and_is_cut_where_it_is_too_long():
    geometry = Geometry(*SIZE, PLANE.bounds, titled=True)
    (short,) = written(*SIZE, lambda p: paint_heading(p, geometry, LIGHT, "Moons"))
    assert short.text == "Moons"
    assert short.x == pytest.approx(geometry.plot.left())
    assert 10 < short.y < geometry.plot.top()
    (long,) = written(*SIZE, lambda p: paint_heading(p, geometry, LIGHT, "Moons " * 40))
    assert long.text.endswith("…")
    assert len(long.text) < 60


def test_a_title_wider_than_the_plot_may_use_the_width_of_the_picture():
    name = "quantile of the normal distribution"
    long = QFontMetricsF(font(BODY, 1.0)).horizontalAdvance(name)
    narrow = Geometry(long + 30, 300.0, PLANE.bounds)
    assert long > narrow.plot.width()
    (one,) = (found for found in words(narrow, (name, "")) if found.text.startswith("quantile"))
    assert one.text == name
    assert one.x >= 5
    assert one.x + long <= narrow.width - 5
    tight = Geometry(long - 10, 300.0, PLANE.bounds)
    (cut,) = (found for found in words(tight, (name, "")) if found.text.startswith("quantile"))
    assert cut.text.endswith("…")


@pytest.mark.parametrize("height", [190, 200, 240, 280, 360])
@pytest.mark.parametrize("low, high", [(-2.34, 2.36), (-3.3, 3.4), (0.0, 1.0), (12.2, 19.9), (-0.9, 1e3)])
def test_a_low_plot_has_three_ticks_or_as_many_as_can_be_read(height, low, high):
    geometry = Geometry(400.0, float(height), (0.0, 1.0, low, high))
    found = Axes.of(geometry).y
    apart = np.diff(found.values) / geometry.unit[1]
    assert len(found.values) >= 2
    assert apart.min() >= QFontMetricsF(font(SMALL, 1.0)).height() + 4
    room = int(geometry.plot.height() / (0.55 * 44))
    assert len(found.values) >= 3 or len(ticks(low, high, room).values) < 3
