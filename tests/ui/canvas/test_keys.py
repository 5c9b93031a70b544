"""Keyboard input of the canvas, and the keys that it leaves to the window."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

Key, Held = Qt.Key, Qt.KeyboardModifier
LEFT, NONE = Qt.MouseButton.LeftButton, Held.NoModifier
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}


def claims(canvas, key, held=NONE):
    """Whether the canvas takes a key before the shortcuts of the window do."""
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, held)
    event.ignore()
    QApplication.sendEvent(canvas, event)
    return event.isAccepted()


@pytest.fixture
def some(canvas, square):
    """Two of four points selected."""
    canvas.selection.set(np.array([True, True, False, False]))
    return canvas


# -- handled keys -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [*ARROWS, Key.Key_Delete, Key.Key_Backspace, Key.Key_Escape])
def test_keys_of_the_selection_are_handled_while_points_are_selected(canvas, square, key):
    assert not claims(canvas, key)
    canvas.selection.all()
    assert claims(canvas, key)
    canvas.selection.clear()
    assert not claims(canvas, key)


@pytest.mark.parametrize("key", [*ARROWS, Key.Key_Return, Key.Key_Enter, Key.Key_Insert])
def test_keys_of_the_crosshair_are_handled_while_it_is_visible(canvas, key):
    assert not claims(canvas, key)
    canvas.crosshair.show()
    assert claims(canvas, key)
    canvas.crosshair.visible = False
    assert not claims(canvas, key)


def test_ctrl_a_needs_points_and_ctrl_d_a_selection(canvas, document, some):
    assert claims(canvas, Key.Key_A, Held.ControlModifier)
    assert claims(canvas, Key.Key_D, Held.ControlModifier)
    canvas.selection.clear()
    assert not claims(canvas, Key.Key_D, Held.ControlModifier)
    document.erase(np.ones(4, dtype=bool))
    assert not claims(canvas, Key.Key_A, Held.ControlModifier)


@pytest.mark.parametrize("tool, wanted", [("brush", True), ("erase", True), ("point", False), ("pan", False)])
def test_brackets_are_handled_for_tools_with_a_radius(canvas, tool, wanted):
    canvas.set_tool(tool)
    assert claims(canvas, Key.Key_BracketLeft) is wanted
    assert claims(canvas, Key.Key_BracketRight) is wanted


@pytest.mark.parametrize("held", [Held.AltModifier, Held.MetaModifier, Held.ControlModifier])
def test_keys_with_other_modifiers_are_left_to_the_window(some, held):
    for key in (*ARROWS, Key.Key_Delete, Key.Key_Escape):
        assert not claims(some, key, held)


def test_a_key_without_an_action_is_ignored(canvas):
    event = QKeyEvent(QEvent.Type.KeyPress, Key.Key_Delete, NONE)
    QApplication.sendEvent(canvas, event)
    assert not event.isAccepted()


# -- their actions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ARROWS)
@pytest.mark.parametrize("held, pixels", [(NONE, 1), (Held.ShiftModifier, 10)])
def test_an_arrow_key_moves_the_selection_by_pixels(some, user, document, key, held, pixels):
    before = some.plot_geometry.to_pixels(document.dataset.points)
    user.key(key, held)
    moved = some.plot_geometry.to_pixels(document.dataset.points) - before
    right, up = ARROWS[key]
    assert np.allclose(moved[:2], [pixels * right, -pixels * up])
    assert np.allclose(moved[2:], 0)


@pytest.mark.parametrize("key", ARROWS)
@pytest.mark.parametrize("held, pixels", [(NONE, 8), (Held.ShiftModifier, 80)])
def test_an_arrow_key_moves_the_crosshair_by_steps(canvas, user, key, held, pixels):
    canvas.crosshair.show()
    start = canvas.pointer.at
    user.key(key, held)
    right, up = ARROWS[key]
    assert canvas.pointer.at.x - start.x == pytest.approx(pixels * right)
    assert canvas.pointer.at.y - start.y == pytest.approx(-pixels * up)


def test_escape_cancels_the_stroke_first_and_then_clears_the_selection(some, user, document):
    some.set_tool("move")
    user.press(2.0, 2.0)
    user.move(1.0, 1.0, LEFT)
    user.key(Key.Key_Escape)
    assert document.dataset.points[3].tolist() == [2.0, 2.0]
    assert len(some.selection.ids) == 2
    user.key(Key.Key_Escape)
    assert len(some.selection.ids) == 0
    user.release(1.0, 1.0)


def test_copies_have_the_same_offset_in_pixels_at_any_zoom(some, user, document):
    some.set_bounds((-2e-3, 2e-3, -3.0, 3.0))
    user.key(Key.Key_D, Held.ControlModifier)
    places = some.plot_geometry.to_pixels(document.dataset.points)
    assert np.allclose(places[4:] - places[:2], [14, 14])
    assert document.undo_label == "duplicate 2 points"
    assert np.flatnonzero(some.selection.mask).tolist() == [4, 5]


def test_the_crosshair_appears_at_the_pointer(canvas, user):
    user.move(1.0, 1.5)
    at = canvas.pointer.at.pixel
    canvas.crosshair.show()
    assert canvas.pointer.at.pixel == at


def test_the_lines_of_the_crosshair_span_the_plot(canvas):
    canvas.crosshair.show()
    (lines,) = canvas.crosshair.marks(canvas.pointer.at)
    left, right, bottom, top = canvas.bounds
    level, upright = lines.lines
    assert level[:, 0].tolist() == [left, right]
    assert upright[:, 1].tolist() == [bottom, top]
    assert level[0, 1] == level[1, 1] == canvas.pointer.at.point[1]
