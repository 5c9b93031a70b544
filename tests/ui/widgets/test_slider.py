"""The slider under a hand: places become numbers, keys become steps, and the picture says where it stands."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.paint.sheet import near, pixels_of
from vizml.scene import LIGHT
from vizml.ui.widgets.appearance import current
from vizml.ui.widgets.slider import NumberScale, Slider

Key = Qt.Key
INSET = 8


@pytest.fixture
def slider(qtbot):
    made = Slider(NumberScale(0.0, 100.0), default=50.0)
    qtbot.addWidget(made)
    made.resize(216, 20)
    made.told = []
    made.sliderPressed.connect(lambda: made.told.append("pressed"))
    made.dragged.connect(made.told.append)
    made.sliderReleased.connect(lambda: made.told.append("released"))
    made.stepped.connect(lambda steps: made.told.append(("step", steps)))
    made.show()
    return made


def x_of(slider, number):
    return INSET + (slider.width() - 2 * INSET) * slider.scale.position(number)


def accent(slider):
    """The columns that have the accent along the groove."""
    rows = pixels_of(slider.grab().toImage())
    return np.flatnonzero(near(rows[slider.height() // 2], LIGHT.accent, 6))


# -- the mouse -----------------------------------------------------------------------------------------------


def test_a_click_asks_for_the_number_of_its_place(slider, hand):
    hand.press(slider, x_of(slider, 25.0))
    hand.release(slider, x_of(slider, 25.0))
    assert slider.told == ["pressed", 25.0, "released"]


def test_a_drag_asks_all_along_and_ends_once(slider, hand):
    hand.drag(slider, *(x_of(slider, number) for number in (20.0, 40.0, 60.0)))
    assert slider.told[0] == "pressed"
    assert slider.told[-1] == "released"
    assert slider.told.count("released") == 1
    numbers = [one for one in slider.told if isinstance(one, float)]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 60.0


def test_beyond_its_ends_it_asks_for_the_ends(slider, hand):
    hand.drag(slider, x_of(slider, 50.0), -100, 900)
    numbers = [one for one in slider.told if isinstance(one, float)]
    assert (min(numbers), max(numbers)) == (0.0, 100.0)


def test_it_does_not_move_by_itself(slider, hand):
    slider.show_number(50.0)
    before = slider.value()
    hand.drag(slider, x_of(slider, 20.0), x_of(slider, 30.0))
    assert slider.value() == before


# -- keys and wheel ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key, told",
    [
        (Key.Key_Left, ("step", -1)), (Key.Key_Down, ("step", -1)),
        (Key.Key_Right, ("step", 1)), (Key.Key_Up, ("step", 1)),
        (Key.Key_PageUp, ("step", 10)), (Key.Key_PageDown, ("step", -10)),
        (Key.Key_Home, 0.0), (Key.Key_End, 100.0),
    ],
)  # fmt: skip
def test_keys_step_or_go_to_the_ends(slider, key, told):
    QTest.keyClick(slider, key)
    assert slider.told == [told]


def test_the_wheel_steps_where_the_focus_is(slider, qtbot, hand):
    slider.activateWindow()
    qtbot.waitUntil(slider.isActiveWindow)
    slider.setFocus()
    assert hand.wheel(slider, 1)
    assert hand.wheel(slider, -3)
    assert not hand.wheel(slider, 0)
    assert slider.told == [("step", 1), ("step", -1)]
    slider.clearFocus()
    assert not hand.wheel(slider, 1)


# -- the picture ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0.0, 25.0, 50.0, 80.0, 100.0])
def test_the_groove_is_filled_up_to_the_handle(slider, number):
    slider.show_number(number)
    columns = accent(slider)
    assert columns.max() == pytest.approx(x_of(slider, number) + 6.5, abs=1.5)
    if number:
        assert columns.min() < 4


def test_a_slider_that_waits_or_is_disabled_has_no_accent(slider):
    slider.clearFocus()
    slider.show_number(50.0, idle=True)
    assert len(accent(slider)) == 0
    slider.show_number(50.0)
    assert len(accent(slider)) > 50
    slider.setEnabled(False)
    assert len(accent(slider)) == 0


def test_a_tick_shows_where_the_default_is(slider, put):
    slider.show_number(0.0)
    bare = put(Slider(NumberScale(0.0, 100.0)), 216, 20)
    bare.show_number(0.0)
    with_, without = (pixels_of(one.grab().toImage()).astype(int) for one in (slider, bare))
    changed = np.abs(with_ - without).max(axis=-1) > 10
    away = np.nonzero(changed[:, 30:])[1] + 30
    assert len(away)
    assert np.abs(away - x_of(slider, 50.0)).max() <= 1


def test_the_focus_is_seen_around_the_handle(slider, qtbot):
    slider.activateWindow()
    qtbot.waitUntil(slider.isActiveWindow)
    slider.show_number(50.0)
    slider.clearFocus()
    plain = pixels_of(slider.grab().toImage())
    slider.setFocus()
    focused = pixels_of(slider.grab().toImage())
    _, xs = np.nonzero((plain != focused).any(axis=-1))
    assert len(xs)
    assert np.abs(xs - x_of(slider, 50.0)).max() <= current().px(11)
