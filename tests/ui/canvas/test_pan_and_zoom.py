"""Changes of the view: pan tool, wheel, touch pad, middle button, space bar, fit."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
TOOLS = ["point", "brush", "move", "erase", "select", "pan"]
HOME = (-3.0, 3.0, -3.0, 3.0)


def test_a_drag_keeps_the_position_of_the_press_under_the_pointer(user, canvas, square):
    canvas.set_tool("pan")
    target, taken = user.pixel(0.0, 1.0), user.data(1.0, 1.0)
    user.press(1.0, 1.0)
    user.move_to_pixel(target, LEFT)
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
