import pytest
from PySide6.QtCore import Qt

from vizml.data import Dataset
from vizml.scene import DARK, LIGHT
from vizml.ui.canvas import Canvas
from vizml.ui.widgets.tool_rail import LEAST, ToolRail
from vizml.workspace import Document


@pytest.fixture
def canvas(qtbot):
    canvas = Canvas(Document())
    qtbot.addWidget(canvas)
    return canvas


@pytest.fixture
def rail(put, canvas):
    return put(ToolRail(canvas), 48, 700)


def test_a_click_takes_up_a_tool_or_a_class(rail, canvas, qtbot):
    qtbot.mouseClick(rail.tools["erase"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(rail.classes[4], Qt.MouseButton.LeftButton)
    assert (canvas.tool, canvas.label) == ("erase", 4)


def test_the_rail_shows_what_the_canvas_has_in_hand(rail, canvas):
    canvas.set_tool("select")
    canvas.set_label(2)
    assert [name for name, button in rail.tools.items() if button.isChecked()] == ["select"]
    assert [button.label for button in rail.classes if button.isChecked()] == [2]


def test_classes_are_called_by_their_names(rail, canvas):
    assert "<b>Class A</b> (1)" in rail.classes[0].toolTip()
    canvas.document.set_dataset("open", Dataset([(0, 0), (1, 1)], [0, 1], classes=("cat", "dog")))
    assert "<b>Class dog</b> (2)" in rail.classes[1].toolTip()
    assert rail.classes[1].accessibleName() == "class dog"


def test_a_name_is_text_whatever_is_written(rail, canvas):
    canvas.document.rename_class(0, "<i>a</i> & b")
    assert "&lt;i&gt;a&lt;/i&gt; &amp; b" in rail.classes[0].toolTip()


def test_names_are_told_of_when_they_are_others_and_only_then(rail, canvas, qtbot):
    told = []
    rail.classes_renamed.connect(lambda: told.append(rail.classes[1].accessibleName()))
    canvas.document.add([[0.0, 0.0]], 0)
    canvas.document.rename_class(1, "dog")
    canvas.document.add([[1.0, 0.0]], 1)
    canvas.document.undo()
    canvas.document.undo()
    assert told == ["class dog", "class B"]


def test_a_double_click_asks_for_a_name_beside_the_button(rail, canvas, qtbot):
    button = rail.classes[2]
    qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)
    assert rail.field.isVisible()
    assert rail.field.name.text() == "C"
    place = rail.field.geometry().topLeft() - button.mapToGlobal(button.rect().topRight())
    assert 0 < place.x() < 12
    assert abs(place.y()) < 4
    qtbot.keyClicks(rail.field.name, "malignant")
    qtbot.keyClick(rail.field.name, Qt.Key.Key_Return)
    assert canvas.document.dataset.name(2) == "malignant"
    assert canvas.document.undo_label == "rename class 3 to malignant"


def test_without_its_button_the_field_is_on_the_canvas(rail, canvas):
    canvas.show()
    rail.hide()
    rail.rename(0)
    assert rail.field.isVisible()
    assert (
        rail.field.geometry().topLeft() - canvas.mapToGlobal(canvas.rect().topLeft())
    ).manhattanLength() < 8
    rail.field.hide()


def test_every_class_looks_different(rail):
    images = [button.grab().toImage() for button in rail.classes[1:]]
    assert len({bytes(image.constBits()) for image in images}) == 7


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_all_buttons_fit_on_a_small_screen(rail, dressed, scale):
    dressed(LIGHT, scale)
    rail.resize(rail.width(), 620)
    last = rail.classes[-1]
    assert last.height() >= LEAST
    rail.layout().activate()
    assert last.geometry().bottom() < rail.height()


def test_buttons_of_a_low_rail_stay_low_in_another_theme(rail, dressed):
    rail.resize(48, 480)
    sides = [button.height() for button in (*rail.tools.values(), *rail.classes)]
    assert max(sides) < 40
    dressed(DARK)
    assert [button.height() for button in (*rail.tools.values(), *rail.classes)] == sides
    dressed(LIGHT)
    rail.resize(48, 900)
    assert {button.height() for button in (*rail.tools.values(), *rail.classes)} == {40}
