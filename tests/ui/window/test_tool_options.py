"""The sliders of the tool in hand: they set it, and follow its keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from vizml.ui.canvas.canvas import Canvas
from vizml.ui.window.status_bar import ToolOptions
from vizml.workspace import Document


@pytest.fixture
def canvas(qtbot):
    canvas = Canvas(Document())
    qtbot.addWidget(canvas)
    return canvas


@pytest.fixture
def options(qtbot, canvas):
    options = ToolOptions(canvas)
    qtbot.addWidget(options)
    canvas.set_tool("brush")
    options.show()
    return options


def test_a_tool_without_options_shows_none(canvas, options):
    canvas.set_tool("point")
    assert not options.options
    canvas.set_tool("erase")
    assert options.options


def test_a_click_on_the_track_sets_the_option(canvas, options):
    slider = options.options["density"].slider
    before = canvas.active.values["density"]
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 4, slider.height() // 2))
    assert canvas.active.values["density"] > 10 * before


def test_keys_step_by_one_and_stay_in_range_and_the_slider_follows_the_canvas(canvas, options):
    slider = options.options["radius"].slider
    before, low = canvas.active.values["radius"], slider.value()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert canvas.active.values["radius"] == before + 1
    canvas.scale_option("radius", 2.0)
    assert slider.value() > low
    canvas.set_tool_option("radius", 4)
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert canvas.active.values["radius"] == 4
