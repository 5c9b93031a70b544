import pytest
from PySide6.QtCore import Qt

from vizml.data import Dataset
from vizml.scene import LIGHT
from vizml.ui.canvas import Canvas
from vizml.ui.document import Document
from vizml.ui.widgets import style
from vizml.ui.widgets.rail import LEAST, Rail


@pytest.fixture
def canvas(qtbot):
    canvas = Canvas(Document())
    qtbot.addWidget(canvas)
    return canvas


@pytest.fixture
def rail(qtbot, canvas):
    rail = Rail(canvas)
    qtbot.addWidget(rail)
    rail.resize(48, 700)
    rail.show()
    return rail


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
    assert rail.classes[0].toolTip() == "Class A (1)"
    canvas.document.set_dataset("open", Dataset([(0, 0), (1, 1)], [0, 1], classes=("cat", "dog")))
    assert rail.classes[1].toolTip() == "Class dog (2)"
    assert rail.classes[1].accessibleName() == "class dog"


def test_every_class_looks_different(rail):
    pictures = {bytes(button.grab().toImage().constBits()) for button in rail.classes[1:]}
    assert len(pictures) == 7


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_all_buttons_fit_on_a_small_screen(rail, qapp, scale):
    style.apply(qapp, LIGHT, scale)
    rail.resize(rail.width(), 620)
    try:
        last = rail.classes[-1]
        assert last.height() >= LEAST
        rail.layout().activate()
        assert last.geometry().bottom() < rail.height()
    finally:
        style.apply(qapp, LIGHT, 1.0)
