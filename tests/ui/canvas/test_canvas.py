"""The canvas: tools, classes, keyboard, dropped files, the hint of an empty canvas."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QFocusEvent
from PySide6.QtWidgets import QApplication

from vizml.scene import LIGHT
from vizml.ui.canvas import Canvas
from vizml.workspace import Document

NONE, LEFT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton


# -- tools and classes ------------------------------------------------------------------------------------


def test_a_tool_is_activated_by_its_name(qtbot, canvas):
    with qtbot.waitSignal(canvas.tool_changed) as told:
        canvas.set_tool("erase")
    assert told.args == ["erase"]
    assert canvas.tool == "erase"
    with pytest.raises(ValueError, match="there is no tool 'axe'; there are point, brush"):
        canvas.set_tool("axe")


def test_activating_another_tool_ends_a_stroke(user, canvas, document):
    canvas.set_tool("brush")
    user.press(0.0, 0.0)
    canvas.set_tool("move")
    user.move(1.0, 0.0, LEFT)
    assert document.undo_label == "paint 5 points"


def test_a_stroke_ends_where_its_release_was_lost(user, canvas, document):
    canvas.set_tool("brush")
    user.press(0.0, 0.0)
    user.move(2.0, 0.0)
    user.move(-2.0, 0.0, LEFT)
    assert document.undo_label == "paint 5 points"


def test_an_option_out_of_range_is_refused(canvas):
    canvas.set_tool("brush")
    with pytest.raises(ValueError, match="radius must be a whole number from 4 to 240"):
        canvas.set_tool_option("radius", 1)


def test_a_class_is_chosen_by_its_number(qtbot, canvas):
    with qtbot.waitSignal(canvas.label_changed) as told:
        canvas.set_label(7)
    assert told.args == [7]
    with pytest.raises(ValueError, match="from 0 to 7, not 8"):
        canvas.set_label(8)


def test_canvases_of_one_document_show_the_same_points(qtbot, user, canvas, document):
    document.do("compare", document.work.__class__(
        document.dataset, (*document.work.experiments, *document.work.experiments)
    ))  # fmt: skip
    other = Canvas(document, 1)
    qtbot.addWidget(other)
    user.click(0.0, 0.0)
    assert len(other.figure.points.positions) == 1
    document.undo()
    document.undo()
    user.click(1.0, 1.0)


# -- the keyboard alone -----------------------------------------------------------------------------------


@pytest.fixture
def tabbed(canvas):
    QApplication.sendEvent(canvas, QFocusEvent(QFocusEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    return canvas


def test_points_can_be_placed_by_keys(user, tabbed, document):
    for _ in range(3):
        user.key(Qt.Key.Key_Right)
    user.key(Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    user.key(Qt.Key.Key_Return)
    across, up = tabbed.plot_geometry.unit
    np.testing.assert_allclose(document.dataset.points, [(3 * 8 * across, 80 * up)], atol=1e-12)
    user.key(Qt.Key.Key_Insert)
    assert len(document.dataset) == 2


def test_the_crosshair_is_hidden_by_a_click(user, tabbed, grabbed):
    assert grabbed(2.0, 0.0) != LIGHT.ground
    user.click(1.0, 1.0)
    assert not tabbed.crosshair.visible
    assert grabbed(2.0, 0.0) == LIGHT.ground


def test_the_canvas_has_an_accessible_name_and_the_number_of_points(user, canvas):
    assert canvas.accessibleName() == "Canvas"
    user.click(0.0, 0.0)
    assert canvas.accessibleDescription().startswith("1 point.")


# -- empty canvas -----------------------------------------------------------------------------------------


def middle(canvas):
    """The pixels in the middle of the plot."""
    centre = canvas.plot_geometry.plot.center().toPoint()
    image = canvas.grab().toImage()
    return {
        image.pixel(x, y)
        for x in range(centre.x() - 60, centre.x() + 60)
        for y in range(centre.y() - 40, centre.y() + 10)
    }


def test_an_empty_canvas_shows_a_hint_until_there_is_a_point(user, canvas, document):
    assert len(middle(canvas)) > 5
    user.click(2.5, 2.5)
    assert len(middle(canvas)) == 1
    document.undo()
    assert len(middle(canvas)) > 5


# -- drops ------------------------------------------------------------------------------------------------


def mime(*paths):
    data = QMimeData()
    data.setUrls([QUrl(path) if "://" in path else QUrl.fromLocalFile(path) for path in paths])
    return data


def enter(canvas, data):
    place = canvas.rect().center()
    event = QDragEnterEvent(place, Qt.DropAction.CopyAction, data, LEFT, NONE)
    event.ignore()
    QApplication.sendEvent(canvas, event)
    return event.isAccepted()


def test_dropped_files_of_known_types_are_emitted_as_paths(qtbot, canvas):
    data = mime("/data/a.csv", "/data/photo.jpg", "/data/B.VIZML", "/data/c.csv.gz", "https://e.org/h.csv")
    assert enter(canvas, data)
    place = QPointF(canvas.rect().center())
    with qtbot.waitSignal(canvas.files_dropped) as told:
        QApplication.sendEvent(canvas, QDropEvent(place, Qt.DropAction.CopyAction, data, LEFT, NONE))
    assert told.args[0] == [Path("/data/a.csv"), Path("/data/photo.jpg"), Path("/data/B.VIZML")]
    assert canvas.drop_names == ""
    assert not enter(canvas, mime("/data/song.mp3"))


def test_the_drop_target_is_shown_during_a_drag(canvas):
    before, data = canvas.grab().toImage(), mime("/data/a.csv")
    enter(canvas, data)
    assert canvas.drop_names == "a.csv"
    assert canvas.grab().toImage() != before
    QApplication.sendEvent(canvas, QDragLeaveEvent())
    assert canvas.grab().toImage() == before


def test_a_document_may_lose_the_experiment_of_a_canvas_that_is_closing(qtbot):
    document = Document()
    first = document.work
    document.do("compare", first.__class__(first.dataset, first.experiments * 2))
    canvas = Canvas(document, 1)
    qtbot.addWidget(canvas)
    document.undo()
    assert not len(canvas.selection.ids)
