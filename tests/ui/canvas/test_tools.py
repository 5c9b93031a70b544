"""Tools of the canvas: what their strokes edit, and what the canvas shows before a press."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from vizml.data import Dataset, generate
from vizml.learn import create
from vizml.scene import CLASSES, LIGHT
from vizml.workspace import Work

LEFT, RIGHT, Shape = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.CursorShape
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TOOLS = ["point", "brush", "move", "erase", "select", "pan"]
EDITING = ["brush", "move", "erase"]
MOONS = generate("moons", n=60, seed=0)


@pytest.fixture(params=TOOLS)
def tool(request, canvas):
    canvas.set_tool(request.param)
    return canvas.active


@pytest.fixture
def brush(canvas):
    canvas.set_tool("brush")
    return canvas.active


@pytest.fixture
def mover(canvas, square):
    canvas.set_tool("move")
    return canvas.active


@pytest.fixture
def eraser(canvas, square):
    canvas.set_tool("erase")
    return canvas.active


@pytest.fixture
def chosen(canvas, square):
    """The rows that are selected, with the select tool."""
    canvas.set_tool("select")
    return lambda: np.flatnonzero(canvas.selection.mask).tolist()


# -- all tools -----------------------------------------------------------------------------------------------


def test_every_tool_works_on_an_empty_canvas(user, canvas, tool):
    user.move(0.0, 0.0)
    canvas.grab()
    user.drag((0.0, 0.0), (0.5, 0.5), (1.0, -1.0))
    canvas.grab()
    assert not tool.busy


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_every_tool_works_at_any_scale(user, canvas, document, tool, size):
    document.open(Work(Dataset(MOONS.points * size, MOONS.labels), document.work.experiments))
    x, y = document.dataset.points[7]
    user.move(x, y)
    canvas.grab()
    user.drag((x, y), (x + 0.5 * size, y), (x + 0.5 * size, y - 0.3 * size))
    assert np.isfinite(document.dataset.points).all()
    assert np.abs(document.dataset.points).max() < 10 * size


def test_hovering_edits_nothing(user, canvas, document, square, tool):
    for x in np.linspace(-2.5, 2.5, 20):
        user.move(x, 2.0)
        canvas.grab()
    assert document.dataset is square
    assert document.undo_label is None


def test_a_stroke_continues_after_the_pointer_has_left_the_canvas(user, canvas, square, tool):
    user.press(2.0, 2.0)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    user.move(-2.0, -2.0, LEFT)
    assert canvas.pointer.stroke is tool
    user.release(-2.0, -2.0)
    assert canvas.pointer.stroke is None


def test_hiding_the_canvas_ends_a_stroke(user, canvas, square, tool):
    user.press(2.0, 2.0)
    canvas.hide()
    assert canvas.pointer.stroke is None
    assert not tool.busy


def test_a_second_button_during_a_stroke_is_ignored(user, canvas, document, square, tool):
    user.press(0.0, 0.0)
    before = document.dataset
    user.click(2.0, 2.0, RIGHT)
    assert document.dataset is before
    assert canvas.pointer.stroke is tool
    user.release(0.0, 0.0)


def test_the_data_may_be_replaced_during_a_stroke(user, canvas, document, square, tool):
    user.press(2.0, 2.0)
    document.set_dataset("generate moons", MOONS)
    user.move(1.0, 1.0, LEFT)
    canvas.grab()
    user.release(1.0, 1.0)
    assert not tool.busy


@pytest.mark.parametrize("name", EDITING)
def test_two_strokes_are_two_undo_entries(user, canvas, document, square, name):
    canvas.set_tool(name)
    user.drag((2.0, 2.0), (1.0, 1.0))
    user.drag((-2.0, -2.0), (-1.0, -1.0))
    document.undo()
    assert document.undo_label is not None
    document.undo()
    assert document.dataset == square
    assert document.undo_label is None


@pytest.mark.parametrize("model, task", [("linear", "regress"), ("kmeans", "cluster")])
def test_every_tool_but_pan_has_a_preview(user, canvas, document, square, tool, model, task):
    document.set_model(create(model, task))
    user.move(2.0, 2.0)
    with_preview = canvas.grab().toImage()
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert (canvas.grab().toImage() != with_preview) == (tool.name != "pan")


@pytest.mark.usefixtures("tool")
def test_a_right_click_removes_the_point_under_it(user, document, square):
    user.click(-1.95, 2.0, RIGHT)
    assert document.dataset.ids.tolist() == [0, 2, 3]
    assert document.undo_label == "erase 1 point"


def test_the_position_of_the_pointer_is_emitted_in_data_units(qtbot, user, canvas):
    with qtbot.waitSignal(canvas.pointer_moved) as emitted:
        user.move(1.5, -0.5)
    assert emitted.args[0] == pytest.approx(user.data(1.5, -0.5))
    with qtbot.waitSignal(canvas.pointer_moved) as emitted:
        user.move(-3.3, 0.0)
    assert emitted.args[0] is None


# -- point ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["classify", "regress"])
def test_a_click_adds_a_point_of_the_chosen_class(user, canvas, document, task):
    document.set_model(create("tree", task))
    canvas.set_label(3)
    user.click(1.0, -2.0)
    assert document.dataset.labels.tolist() == [3]
    np.testing.assert_allclose(document.dataset.points, [user.data(1.0, -2.0)])
    assert document.undo_label == "add 1 point"


def test_a_new_point_is_painted_before_the_next_frame(user, grabbed):
    user.click(1.0, -2.0)
    user.move(-1.0, 1.0)
    assert grabbed(1.0, -2.0) == CLASSES[0].colour


def test_a_drag_adds_one_point_and_a_double_click_two(user, document):
    user.drag((0.0, 0.0), (0.1, 0.1), (1.0, 1.0))
    assert len(document.dataset) == 1
    user.double_click(0.0, 0.0)
    assert len(document.dataset) == 3


def test_a_press_outside_the_plot_adds_nothing(user, document):
    user.click(-3.2, 0.0)
    assert not len(document.dataset)


def test_added_points_do_not_move_the_view(user, canvas):
    bounds = canvas.bounds
    for place in ((2.9, 2.9), (2.8, 2.9), (2.9, 2.8)):
        user.click(*place)
    assert canvas.bounds == bounds


def test_the_preview_has_the_colour_of_the_class(user, canvas, grabbed):
    before = grabbed(1.0, 1.0)
    user.move(1.0, 1.0)
    first = grabbed(1.0, 1.0)
    canvas.set_label(1)
    assert len({before, first, grabbed(1.0, 1.0)}) == 3


# -- brush ---------------------------------------------------------------------------------------------------


def distances(canvas, place):
    """Distances of the points from a place, in pixels."""
    geometry = canvas.plot_geometry
    offsets = geometry.to_pixels(canvas.document.dataset.points) - geometry.to_pixels(np.array([place]))
    return np.hypot(*offsets.T)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_press_adds_points_within_the_radius_which_grows_with_the_type(
    user, canvas, document, brush, scale
):
    canvas.set_type_scale(scale)
    canvas.set_tool_option("density", 40)
    canvas.set_label(1)
    user.click(0.0, 0.0)
    assert document.dataset.labels.tolist() == [1] * 40
    assert 20 * scale < distances(canvas, user.data(0.0, 0.0)).max() <= 32.001 * scale


def test_a_stroke_is_one_undo_entry_and_repeatable(user, document, brush):
    user.drag((-2.0, 0.0), (0.0, 0.0), (0.0, 2.0))
    points = document.dataset.points
    assert len(points) > 20
    assert document.undo_label == f"paint {len(points)} points"
    document.undo()
    assert not len(document.dataset)
    assert document.undo_label is None
    user.drag((-2.0, 0.0), (0.0, 0.0), (0.0, 2.0))
    np.testing.assert_array_equal(document.dataset.points, points)


def test_the_preview_of_the_brush_shows_the_points_that_a_press_adds(user, canvas, document, brush):
    user.move(0.5, 0.5)
    previewed = brush.preview(canvas.pointer.at).added
    user.click(0.5, 0.5)
    np.testing.assert_array_equal(document.dataset.points, previewed)


def test_keys_and_wheel_set_radius_and_density_within_their_ranges(user, canvas, brush, qtbot):
    bounds = canvas.bounds
    with qtbot.waitSignal(canvas.options_changed):
        user.key(Qt.Key.Key_BracketRight)
    assert brush.values["radius"] > 32
    user.key(Qt.Key.Key_BracketLeft)
    assert brush.values["radius"] == pytest.approx(32, abs=1)
    user.wheel(0, 0, -200, CTRL)
    user.wheel(0, 0, 200, SHIFT)
    assert brush.values == {"radius": 4, "density": 60}
    assert canvas.bounds == bounds


def test_no_dab_is_centred_outside_the_view(user, canvas, document, brush):
    canvas.set_tool_option("radius", 4)
    user.drag((2.5, 0.0), (9.0, 0.0))
    assert document.dataset.x.max() < 3.1


# -- move ----------------------------------------------------------------------------------------------------


def test_a_drag_moves_the_point_as_one_undo_entry(user, document, square, mover):
    user.drag((2.0, 2.0), (1.5, 1.0), (1.0, 0.5), (0.0, 0.0))
    moved = np.subtract(user.data(0.0, 0.0), user.data(2.0, 2.0))
    np.testing.assert_allclose(document.dataset.points[3], square.points[3] + moved)
    np.testing.assert_array_equal(document.dataset.points[:3], square.points[:3])
    assert document.undo_label == "move 1 point"
    document.undo()
    assert document.dataset == square


def test_each_event_of_a_drag_edits_the_document(user, document, mover):
    changes = []
    document.changed.connect(changes.append)
    user.press(2.0, 2.0)
    for number, place in enumerate([(1.5, 1.5), (1.0, 1.0)], 1):
        user.move(*place, LEFT)
        assert len(changes) == number
    user.release(1.0, 1.0)


def test_a_selected_point_moves_the_selection(user, canvas, document, mover):
    canvas.selection.set(np.array([True, True, False, False]))
    user.drag((-2.0, 2.0), (-1.0, 2.0))
    np.testing.assert_allclose(document.dataset.x, [-1, -1, 2, 2], atol=0.02)
    assert document.undo_label == "move 2 points"


def test_a_drag_that_begins_on_no_point_moves_nothing(user, document, square, mover):
    user.drag((0.0, 0.0), (1.0, 1.0))
    assert document.dataset is square


def test_a_point_cannot_be_dragged_out_of_the_view(user, document, mover):
    user.drag((2.0, 2.0), (8.0, 8.0))
    np.testing.assert_allclose(document.dataset.points[3], [3.0, 3.0], atol=0.02)


@pytest.mark.parametrize("name", ["move", "erase"])
def test_escape_undoes_the_stroke(user, canvas, document, square, name):
    canvas.set_tool(name)
    user.press(2.0, 2.0)
    user.move(0.0, 0.0, LEFT)
    user.key(Qt.Key.Key_Escape)
    user.release(0.0, 0.0)
    assert document.dataset == square
    assert document.undo_label is None


def test_undo_during_a_drag_removes_its_points(user, canvas, document):
    user.click(1.0, 1.0)
    canvas.set_tool("move")
    user.press(1.0, 1.0)
    user.move(0.5, 0.5, LEFT)
    document.undo()
    document.undo()
    user.move(0.0, 0.0, LEFT)
    user.release(0.0, 0.0)
    assert not len(document.dataset)


def test_the_preview_of_move_shows_the_point_that_a_press_takes(user, canvas, mover):
    user.move(1.9, 2.0)
    np.testing.assert_array_equal(mover.preview(canvas.pointer.at).affected, [[2.0, 2.0]])
    assert canvas.cursor().shape() == Shape.OpenHandCursor
    user.press(1.9, 2.0)
    user.move(1.0, 2.0, LEFT)
    np.testing.assert_allclose(mover.preview(canvas.pointer.at).affected, [[1.1, 2.0]], atol=0.03)
    assert canvas.cursor().shape() == Shape.ClosedHandCursor
    user.release(1.0, 2.0)
    user.move(0.0, 0.0)
    assert canvas.cursor().shape() == Shape.ArrowCursor


# -- erase ---------------------------------------------------------------------------------------------------


def test_a_stroke_erases_the_points_that_it_touches_as_one_undo_entry(user, document, square, eraser):
    user.drag((-2.0, 2.5), (-2.0, 0.0), (-2.0, -2.5))
    assert document.dataset.ids.tolist() == [2, 3]
    assert document.undo_label == "erase 2 points"
    document.undo()
    assert document.dataset == square
    assert document.undo_label is None


def test_a_quick_stroke_erases_points_between_its_events(user, document, eraser):
    user.drag((-2.9, 2.0), (2.9, 2.0))
    assert document.dataset.ids.tolist() == [0, 2]


def test_the_preview_of_erase_shows_the_disc_and_the_points_in_it(user, canvas, eraser, grabbed):
    user.move(2.05, 2.0)
    preview = eraser.preview(canvas.pointer.at)
    np.testing.assert_array_equal(preview.affected, [[2.0, 2.0]])
    assert preview.marks[0].radii.tolist() == [eraser.values["radius"]]
    across, _ = canvas.plot_geometry.unit
    assert LIGHT.accent in [grabbed(2.0 + distance * across, 2.0) for distance in (8, 9, 10)]


# -- select --------------------------------------------------------------------------------------------------


def test_the_rectangle_selects_while_it_is_dragged(user, canvas, chosen):
    user.press(-2.5, 2.5)
    user.move(2.5, 1.5, LEFT)
    assert chosen() == [1, 3]
    user.move(2.5, -2.5, LEFT)
    assert chosen() == [0, 1, 2, 3]
    (rectangle,) = canvas.active.preview(canvas.pointer.at).marks
    np.testing.assert_allclose(rectangle.lines[0][[0, 2]], [user.data(-2.5, 2.5), user.data(2.5, -2.5)])
    user.release(2.5, -2.5)


def test_a_click_selects_one_point_or_none(user, chosen):
    for place, rows in (((2.0, 2.0), [3]), ((-2.0, 2.0), [1]), ((0.0, 0.0), [])):
        user.click(*place)
        assert chosen() == rows


def test_shift_adds_and_ctrl_toggles(user, chosen):
    user.click(2.0, 2.0)
    user.click(2.0, -2.0, LEFT, SHIFT)
    user.click(2.0, -2.0, LEFT, SHIFT)
    assert chosen() == [2, 3]
    user.click(2.0, 2.0, LEFT, CTRL)
    assert chosen() == [2]
    user.drag((-2.5, -1.5), (2.5, -2.5), held=CTRL)
    assert chosen() == [0]


def test_a_drag_of_a_selected_point_moves_the_selection(user, document, chosen):
    user.drag((-2.5, 2.5), (-1.0, -2.5))
    user.drag((-2.0, 2.0), (-1.5, 2.0), (-1.0, 2.0))
    np.testing.assert_allclose(document.dataset.x, [-1, -1, 2, 2], atol=0.02)
    assert chosen() == [0, 1]
    assert document.undo_label == "move 2 points"


def test_a_drag_between_the_selected_points_moves_them(user, document, chosen):
    user.key(Qt.Key.Key_A, CTRL)
    user.drag((0.0, 0.0), (0.5, 0.0))
    np.testing.assert_allclose(document.dataset.x, [-1.5, -1.5, 2.5, 2.5], atol=0.02)


def test_a_drag_of_another_point_selects_and_moves_it(user, document, chosen):
    user.click(2.0, 2.0)
    user.drag((-2.0, 2.0), (-1.0, 2.0))
    assert chosen() == [1]
    np.testing.assert_allclose(document.dataset.x, [-2, -1, 2, 2], atol=0.02)


def test_escape_restores_the_selection_before_the_rectangle(user, chosen):
    user.click(2.0, 2.0)
    user.press(0.0, 0.0)
    user.move(-2.5, 2.5, LEFT)
    user.key(Qt.Key.Key_Escape)
    user.release(-2.5, 2.5)
    assert chosen() == [3]


def test_a_class_chosen_with_the_select_tool_relabels_the_selection(user, canvas, document, chosen):
    user.click(2.0, 2.0)
    canvas.set_label(4)
    assert document.dataset.labels.tolist() == [0, 0, 1, 4]
    assert document.undo_label == "relabel 1 point"
    canvas.set_tool("point")
    canvas.set_label(5)
    assert document.dataset.labels.tolist() == [0, 0, 1, 4]


def test_the_selection_follows_its_points_through_edits(user, document, chosen):
    user.click(2.0, 2.0)
    document.erase(np.array([True, False, False, False]))
    assert chosen() == [2]
    document.undo()
    assert chosen() == [3]
    document.set_dataset("generate moons", MOONS)
    assert chosen() == []
