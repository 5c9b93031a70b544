"""The rectangle that is shown: what fits, and how wheel, keys and drags move it."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.pointer import move_mouse
from vizml.data import Dataset, generate
from vizml.ui.canvas import Canvas
from vizml.ui.canvas.viewport import (
    EMPTY,
    FARTHEST,
    clipped,
    fitted,
    is_valid,
    panned,
    replaced,
    still_fits,
    zoomed,
)
from vizml.workspace import Work

MOONS = generate("moons", n=100, seed=0)
points = arrays(np.float64, st.tuples(st.integers(1, 20), st.just(2)), elements=st.floats(-2, 12))
factors, shares, edges = st.floats(0.1, 10), st.floats(0, 1), st.floats(-1e6, 1e6)


def data(given_points):
    return Dataset(given_points, np.zeros(len(given_points), int))


@st.composite
def views(draw):
    left, bottom = draw(edges), draw(edges)
    return left, left + draw(st.floats(1, 1e6)), bottom, bottom + draw(st.floats(1, 1e6))


@given(views(), factors, factors, shares, shares)
def test_zooming_in_and_out_about_a_point_comes_back(view, across, up, right, above):
    about = view[0] + right * (view[1] - view[0]), view[2] + above * (view[3] - view[2])
    back = zoomed(zoomed(view, across, up, about), 1 / across, 1 / up, about)
    assert np.allclose(back, view, rtol=1e-9, atol=1e-6)


@given(views(), factors, factors, shares, shares)
def test_zooming_keeps_the_relative_position_of_its_centre(view, across, up, right, above):
    x, y = view[0] + right * (view[1] - view[0]), view[2] + above * (view[3] - view[2])
    left, far, bottom, top = zoomed(view, across, up, (x, y))
    assert np.isclose((far - left) * across, view[1] - view[0])
    assert np.isclose((top - bottom) * up, view[3] - view[2])
    assert np.isclose((x - left) / (far - left), right, atol=1e-6)
    assert np.isclose((y - bottom) / (top - bottom), above, atol=1e-6)


@given(views(), edges, edges, edges, edges)
def test_pans_add_up(view, dx, dy, more_x, more_y):
    twice = panned(panned(view, dx, dy), more_x, more_y)
    assert np.allclose(twice, panned(view, dx + more_x, dy + more_y), atol=1e-6)


@given(arrays(np.float64, st.tuples(st.integers(1, 10), st.just(2)), elements=st.floats(-1e300, 1e300)))
def test_any_points_have_a_view_within_the_limits(given_points):
    view = fitted(data(given_points).bounds)
    assert is_valid(view)
    assert max(map(abs, view)) <= FARTHEST


@given(st.tuples(*[st.floats(allow_nan=False)] * 4))
def test_any_rectangle_can_be_clipped_to_a_valid_view(bounds):
    assert is_valid(clipped(bounds))


@given(views())
def test_a_valid_view_is_not_clipped(view):
    assert is_valid(view)
    assert clipped(view) == view


@given(views(), points, st.data())
def test_an_edit_that_leaves_a_point_in_place_never_moves_the_view(view, given_points, chance):
    before = data(given_points)
    mask = np.array(chance.draw(st.lists(st.booleans(), min_size=len(before), max_size=len(before))))
    assume(not mask.all())
    for after in (before.moved(mask, before.points[mask] + 1e5), before.adding([(1e5, 1e5)], 3)):
        assert still_fits(view, before, after)
        assert not replaced(before, after)


@given(views(), points)
def test_removing_all_points_keeps_the_view(view, given_points):
    assert still_fits(view, data(given_points), Dataset.empty())


@given(points)
def test_moved_points_are_not_replaced(given_points):
    dataset = data(given_points)
    assert not replaced(dataset, dataset)
    assert not replaced(dataset, dataset.moved(np.ones(len(dataset), bool), dataset.points + 100))


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_a_fitted_view_has_a_margin_around_all_points(size):
    dataset = Dataset(MOONS.points * size, MOONS.labels)
    left, right, bottom, top = fitted(dataset.bounds)
    first, last, lowest, highest = dataset.bounds
    assert left < first < last < right < left + 1.5 * (last - first)
    assert bottom < lowest < highest < top
    assert is_valid(fitted(dataset.bounds))


@pytest.mark.parametrize(
    "bounds",
    [
        (0, 0, 0, 1),
        (1, 0, 0, 1),
        (0, np.nan, 0, 1),
        (-1e16, 1e16, 0, 1),
        (1e6, 1e6 + 1e-6, 0, 1),
        (0, 1e-20, 0, 1),
    ],
)
def test_views_beyond_the_limits_are_refused(bounds):
    assert not is_valid(bounds)


def test_a_view_is_kept_while_half_of_the_points_are_in_it():
    other = generate("blobs", n=100, seed=3)
    assert still_fits(fitted(other.bounds), MOONS, other)
    left, right, bottom, top = fitted(other.bounds)
    assert not still_fits((left + 100, right + 100, bottom, top), MOONS, other)


def test_a_view_is_replaced_where_many_new_points_take_up_little_of_it():
    others = generate("circles", n=80, seed=0)
    assert not still_fits((-30, 30, -30, 30), others, MOONS)
    assert still_fits((-30, 30, -30, 30), others, MOONS.take(slice(0, 3)))


def test_the_first_points_are_fitted_unless_they_are_few():
    assert not still_fits(EMPTY, Dataset.empty(), MOONS)
    assert still_fits(EMPTY, Dataset.empty(), MOONS.take(slice(0, 3)))


def test_a_canvas_fits_generated_data_but_not_edits(canvas, document):
    document.set_dataset("generate moons", MOONS)
    assert canvas.bounds == fitted(MOONS.bounds)
    document.set_dataset("move all", MOONS.moved(np.ones(100, dtype=bool), MOONS.points + 0.2))
    assert canvas.bounds == fitted(MOONS.bounds)


def test_a_new_canvas_and_opened_data_are_fitted(qtbot, canvas, document):
    assert canvas.bounds == fitted(Dataset.empty().bounds) == EMPTY
    document.open(Work(Dataset(MOONS.points * 50, MOONS.labels), document.work.experiments))
    second = Canvas(document)
    qtbot.addWidget(second)
    assert canvas.bounds == second.bounds == fitted(document.dataset.bounds)


def test_undo_of_replaced_data_fits_the_former_points(canvas, document):
    document.set_dataset("generate moons", MOONS)
    away = Dataset(MOONS.points + 1000, MOONS.labels)
    document.set_dataset("import", away.adding([(1000, 1000)], 0))
    assert canvas.bounds[0] > 900
    document.undo()
    assert canvas.bounds == fitted(MOONS.bounds)


def rows_of(*rows, moved=()):
    """Some of the moons, in this order, some of them elsewhere."""
    found = MOONS.take(np.array(rows))
    points = found.points.copy()
    points[list(moved)] += 50.0
    return Dataset(points, found.labels, ids=found.ids)


@pytest.mark.parametrize(
    "after, other",
    [
        (rows_of(*range(100)), False),
        (rows_of(*range(99)), False),
        (rows_of(*range(1, 100)), False),  # each in another row
        (rows_of(*range(99, -1, -1)), False),
        (rows_of(5), False),
        (rows_of(4, 3, moved=[0]), False),
        (rows_of(4, 3, moved=[0, 1]), True),
        (rows_of(*range(50), moved=range(50)), True),
    ],
)
def test_data_are_replaced_where_no_point_keeps_its_position(after, other):
    assert replaced(MOONS, after) is other
    assert replaced(after, MOONS) is other


LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
TOOLS = ["point", "brush", "move", "erase", "select", "pan"]
HOME = (-3.0, 3.0, -3.0, 3.0)


def test_a_drag_keeps_the_position_of_the_press_under_the_pointer(user, canvas, square):
    canvas.set_tool("pan")
    target, taken = user.pixel(0.0, 1.0), user.data(1.0, 1.0)
    user.press(1.0, 1.0)
    move_mouse(user.canvas, target, LEFT)
    assert canvas.plot_geometry.to_data(target.x(), target.y()) == pytest.approx(taken)
    user.release(0.0, 1.0)
    assert canvas.bounds[1] - canvas.bounds[0] == pytest.approx(6.0)


def test_escape_undoes_a_pan(user, canvas, square):
    canvas.set_tool("pan")
    user.press(1.0, 1.0)
    user.move(0.0, 0.0, LEFT)
    user.key(Qt.Key.Key_Escape)
    assert canvas.bounds == HOME


def test_a_double_click_of_the_pan_tool_shows_everything(user, canvas, square):
    canvas.set_tool("pan")
    canvas.set_bounds((10.0, 11.0, 10.0, 11.0))
    user.double_click(10.5, 10.5)
    left, right, bottom, top = canvas.bounds
    assert left < -2 < 2 < right
    assert bottom < -2 < 2 < top


@pytest.mark.parametrize("tool", TOOLS)
def test_the_wheel_zooms_about_the_pointer_in_every_tool(user, canvas, square, tool):
    canvas.set_tool(tool)
    place, held = user.pixel(1.0, -2.0), user.data(1.0, -2.0)
    user.wheel(1.0, -2.0, 3)
    assert canvas.bounds[1] - canvas.bounds[0] == pytest.approx(6.0 / 1.2**3)
    assert canvas.plot_geometry.to_data(place.x(), place.y()) == pytest.approx(held)
    user.wheel(*held, -3)
    assert canvas.bounds == pytest.approx(HOME)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_middle_button_pans_in_every_tool(user, canvas, document, square, tool):
    canvas.set_tool(tool)
    user.drag((2.0, 2.0), (1.0, 2.0), button=MIDDLE)
    assert canvas.bounds[0] == pytest.approx(-2.0, abs=0.02)
    assert document.dataset is square


def test_the_space_bar_pans_while_it_is_held_and_emits_a_tap_otherwise(user, canvas, document, square):
    taps = []
    canvas.space_tapped.connect(lambda: taps.append(True))
    QTest.keyPress(canvas, Qt.Key.Key_Space)
    user.drag((0.0, 0.0), (1.0, 0.0))
    QTest.keyRelease(canvas, Qt.Key.Key_Space)
    assert canvas.bounds[0] == pytest.approx(-4.0, abs=0.02)
    assert document.dataset is square
    assert taps == []
    user.key(Qt.Key.Key_Space)
    assert taps == [True]


def test_shift_and_wheel_move_the_view_sideways(user, canvas, square):
    user.wheel(0, 0, 1, SHIFT)
    assert canvas.bounds[0] < -3.0
    assert canvas.bounds[2:] == HOME[2:]


def test_two_fingers_on_a_touch_pad_pan(user, canvas, square):
    user.wheel(0, 0, 1, pixels=(0, 50), phase=Qt.ScrollPhase.ScrollUpdate)
    assert canvas.bounds[1] - canvas.bounds[0] == pytest.approx(6.0)
    assert canvas.bounds[3] > 3.0


def test_over_the_margin_of_an_axis_the_wheel_zooms_that_axis(user, canvas, square):
    user.wheel(-3.2, 0.0, 1)
    assert canvas.bounds[:2] == pytest.approx(HOME[:2])
    assert canvas.bounds[3] == pytest.approx(2.5, abs=0.02)


def test_a_pinch_zooms_about_its_centre(user, canvas, square):
    place, held = QPointF(user.pixel(1.0, 1.0)), user.data(1.0, 1.0)
    spot, device = canvas.mapToGlobal(place), QPointingDevice.primaryPointingDevice()
    kind = Qt.NativeGestureType.ZoomNativeGesture
    event = QNativeGestureEvent(kind, device, 2, place, place, spot, 0.5, QPointF(), 0)
    QApplication.sendEvent(canvas, event)
    assert canvas.bounds[1] - canvas.bounds[0] == pytest.approx(4.0)
    assert canvas.plot_geometry.to_data(place.x(), place.y()) == pytest.approx(held)


def test_zooming_ends_at_the_limits_of_double_precision(user, canvas):
    canvas.set_bounds((1e6, 1e6 + 1, 1e6, 1e6 + 1))
    for _ in range(300):
        canvas.zoom(1.5)
    assert 1e-4 < canvas.bounds[1] - canvas.bounds[0] < 1e-2
    for _ in range(300):
        canvas.zoom(0.5)
    assert 1e14 < canvas.bounds[1] < 1e15


def test_changes_of_bounds_and_size_emit_view_changed(qtbot, canvas):
    with qtbot.waitSignal(canvas.view_changed):
        canvas.set_bounds((0.0, 1.0, 0.0, 1.0))
    with qtbot.waitSignal(canvas.view_changed):
        canvas.resize(700, 500)
    with qtbot.waitSignal(canvas.view_changed):
        canvas.set_type_scale(1.5)


def test_the_size_of_the_view_is_that_of_the_plot(canvas):
    plot = canvas.plot_geometry.plot
    assert canvas.plot_geometry.device_size(1.0) == (plot.width(), plot.height())


def test_the_data_position_of_the_pointer_follows_the_view(qtbot, user, canvas):
    user.move(1.0, 1.0)
    with qtbot.waitSignal(canvas.pointer_moved) as told:
        canvas.set_bounds((100.0, 106.0, -3.0, 3.0))
    assert told.args[0] == pytest.approx(user.data(104.0, 1.0))
    np.testing.assert_allclose(canvas.pointer.at.point, user.data(104.0, 1.0))
