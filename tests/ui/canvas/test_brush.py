"""The brush."""

import numpy as np
from PySide6.QtCore import Qt

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def radii(canvas, place):
    """How far the points are from a place, in pixels."""
    geometry = canvas.plot_geometry
    away = geometry.to_pixels(canvas.document.dataset.points) - geometry.to_pixels(np.array([place]))
    return np.hypot(*away.T)


def test_a_press_sprays_within_the_radius(user, canvas, document):
    canvas.set_tool("brush")
    canvas.set_tool_option("density", 40)
    canvas.set_label(1)
    user.click(0.0, 0.0)
    assert document.dataset.labels.tolist() == [1] * 40
    far = radii(canvas, user.data(0.0, 0.0))
    assert 16 < far.max() <= 32.001


def test_a_stroke_is_one_entry_with_its_number_of_points(user, canvas, document):
    canvas.set_tool("brush")
    user.drag((-2.0, 0.0), (0.0, 0.0), (0.0, 2.0))
    count = len(document.dataset)
    assert count > 20
    assert document.undo_label == f"paint {count} points"
    document.undo()
    assert not len(document.dataset)
    assert document.undo_label is None


def test_the_same_stroke_paints_the_same_points(user, canvas, document):
    canvas.set_tool("brush")
    user.drag((-1.0, 0.0), (1.0, 0.0))
    first = document.dataset.points
    document.undo()
    user.drag((-1.0, 0.0), (1.0, 0.0))
    np.testing.assert_array_equal(document.dataset.points, first)


def test_the_ghost_shows_what_a_press_will_paint(user, canvas, document):
    canvas.set_tool("brush")
    user.move(0.5, 0.5)
    promised = canvas.active.preview(canvas.pointer.at).added
    user.click(0.5, 0.5)
    np.testing.assert_array_equal(document.dataset.points, promised)


def test_keys_and_wheel_set_radius_and_density(user, canvas, qtbot):
    canvas.set_tool("brush")
    bounds = canvas.bounds
    with qtbot.waitSignal(canvas.options_changed):
        user.key(Qt.Key.Key_BracketRight)
    wider = canvas.active.values["radius"]
    assert wider > 32
    user.key(Qt.Key.Key_BracketLeft)
    user.wheel(0, 0, -3, CTRL)
    assert canvas.active.values["radius"] < 32
    user.wheel(0, 0, 5, SHIFT)
    assert canvas.active.values["density"] > 5
    assert canvas.bounds == bounds


def test_options_stay_within_their_range(user, canvas):
    canvas.set_tool("brush")
    user.wheel(0, 0, -200, CTRL)
    user.wheel(0, 0, 200, SHIFT)
    assert canvas.active.values == {"radius": 4, "density": 60}


def test_no_point_is_centred_outside_the_view(user, canvas, document):
    canvas.set_tool("brush")
    canvas.set_tool_option("radius", 4)
    user.drag((2.5, 0.0), (9.0, 0.0))
    assert document.dataset.x.max() < 3.1


def test_large_type_makes_the_brush_larger(user, canvas, document):
    canvas.set_type_scale(2.0)
    canvas.set_tool("brush")
    canvas.set_tool_option("density", 60)
    user.click(0.0, 0.0)
    assert radii(canvas, user.data(0.0, 0.0)).max() > 40
