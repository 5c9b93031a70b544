"""Buttons and chips: their faces, their names, what they tell, and the keys that they keep."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QSlider

from vizml.scene import LIGHT
from vizml.ui.widgets import focus
from vizml.ui.widgets.buttons import Chips, IconButton
from vizml.ui.widgets.focus import ARROWS, MOVES
from vizml.ui.widgets.timeline import SPEEDS, PlaybackButtons, SpeedButton

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
WORDS = [("scott", "Scott"), ("silverman", "Silverman"), ("none", "Without")]


def keeps(widget, key, held=Qt.KeyboardModifier.NoModifier):
    """Whether a widget claims a key before the shortcuts of its window."""
    return focus.keeps(widget, QKeyEvent(QEvent.Type.ShortcutOverride, key, held))


def face(button):
    image = button.grab().toImage()
    return bytes(image.constBits())


@pytest.fixture
def transport(qtbot):
    made = PlaybackButtons()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def button(qtbot):
    made = IconButton("dice", "Random seed (R)\nWith more to say")
    qtbot.addWidget(made)
    return made


# -- icon buttons --------------------------------------------------------------------------------------------


def test_a_screen_reader_hears_the_first_line_without_its_key(button):
    assert button.accessibleName() == "Random seed"
    assert button.toolTip().startswith("Random seed (R)")


def test_a_click_leaves_the_focus_where_it_was(qtbot, put, button):
    line = put(QLineEdit())
    button.show()
    line.setFocus()
    with qtbot.waitSignal(button.clicked):
        qtbot.mouseClick(button, LEFT)
    assert button.focusPolicy() == Qt.FocusPolicy.TabFocus
    assert not button.hasFocus()


def test_space_presses_a_button_and_arrows_are_for_others(button):
    assert keeps(button, Key.Key_Space)
    assert not keeps(button, Key.Key_Left)
    assert not keeps(button, Key.Key_Return)


def test_another_icon_is_another_face(button):
    before = face(button)
    button.show_icon("reset")
    assert face(button) != before
    button.show_icon("dice")
    assert face(button) == before


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [24, 28, 40])
def test_a_button_is_square_and_its_icon_fits_into_it(dressed, qtbot, scale, size):
    dressed(LIGHT, scale)
    made = IconButton("dice", "", size=size)
    qtbot.addWidget(made)
    assert (made.width(), made.height()) == (round(size * scale),) * 2
    assert made.iconSize().width() <= round(min(20, size - 8) * scale)


# -- chips ---------------------------------------------------------------------------------------------------


def shown_chips(put, **options):
    made = Chips(WORDS, **options)
    made.picks = []
    made.picked.connect(made.picks.append)
    return put(made)


@pytest.fixture
def chips(put):
    return shown_chips(put)


@pytest.fixture
def optional(put):
    return shown_chips(put, can_be_none=True)


def on(chips):
    return [chip.option for chip in chips.chips if chip.isChecked()]


def test_one_of_several_is_on(qtbot, chips):
    for chip in (chips.chips[1], chips.chips[2], chips.chips[2]):
        qtbot.mouseClick(chip, LEFT)
    assert on(chips) == ["none"]
    assert chips.picks == ["silverman", "none", "none"]


def test_where_none_may_be_on_a_click_on_the_one_switches_it_off(qtbot, optional):
    qtbot.mouseClick(optional.chips[0], LEFT)
    qtbot.mouseClick(optional.chips[0], LEFT)
    assert optional.picks == ["scott", ""]
    assert on(optional) == []


@pytest.mark.parametrize("word", ["scott", "none", "", "unheard of"])
def test_showing_a_value_switches_without_telling(chips, optional, word):
    for made in (chips, optional):
        made.show_value("silverman")
        made.show_value(word)
        assert on(made) == [word] * (word in dict(WORDS))
        assert made.picks == []


def test_chips_are_named_one_by_one(chips):
    chips.setAccessibleName("bandwidth")
    chips.setToolTip("how wide")
    assert [chip.accessibleName() for chip in chips.chips] == [
        "bandwidth: Scott", "bandwidth: Silverman", "bandwidth: Without",
    ]  # fmt: skip
    assert {chip.toolTip() for chip in chips.chips} == {"how wide"}


def test_chips_of_which_one_is_on_stand_edge_to_edge(chips, optional):
    assert [chip.property("side") for chip in chips.chips] == ["first", "middle", "last"]
    assert chips.chips[0].geometry().right() + 1 == chips.chips[1].geometry().left()
    assert optional.chips[0].geometry().right() + 1 < optional.chips[1].geometry().left()
    assert optional.chips[0].property("side") is None


def test_arrows_walk_from_chip_to_chip(chips):
    chips.chips[0].setChecked(True)
    chips.chips[0].setFocus()
    QTest.keyClick(chips.chips[0], Key.Key_Right)
    assert on(chips) == ["silverman"]
    assert all(keeps(chips.chips[0], key) for key in (*ARROWS, Key.Key_Space))


def stops_of(chips):
    return [chip.option for chip in chips.chips if chip.focusPolicy() & Qt.FocusPolicy.TabFocus]


@pytest.mark.parametrize("shown", [("none",), ("scott", "silverman"), ("none", "", "scott")])
def test_tab_stops_at_the_chip_that_is_on(chips, shown):
    """Else Space would pick another one that nobody pointed at."""
    for word in shown:
        chips.show_value(word)
    assert stops_of(chips) == [shown[-1]]
    (stop,) = (chip for chip in chips.chips if chip.option in stops_of(chips))
    stop.setFocus()
    QTest.keyClick(stop, Key.Key_Left if shown == ("none",) else Key.Key_Right)
    assert stops_of(chips) == on(chips) != [shown[-1]]
    assert QApplication.focusWidget().option == on(chips)[0]


def test_where_none_may_be_on_tab_stops_at_each(optional):
    for word in ("silverman", "", "none"):
        optional.show_value(word)
        assert stops_of(optional) == [word for word, _ in WORDS]
    optional.chips[0].setFocus()
    for chip in optional.chips[1:]:
        QTest.keyClick(QApplication.focusWidget(), Key.Key_Tab)
        assert QApplication.focusWidget() is chip
    assert (on(optional), optional.picks) == (["none"], [])
    QTest.keyClick(optional.chips[2], Key.Key_Space)
    assert (on(optional), optional.picks) == ([], [""])


# -- keys that a control keeps -------------------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(MOVES))
def test_a_slider_keeps_moves_alone_and_from_the_keypad_but_not_with_ctrl_or_alt(qtbot, key):
    widget = QSlider()
    qtbot.addWidget(widget)
    mods = Qt.KeyboardModifier
    assert keeps(widget, key)
    assert keeps(widget, key, mods.KeypadModifier)
    for held in (mods.ControlModifier, mods.AltModifier):
        assert not keeps(widget, key, held)


# -- the buttons of a timeline -------------------------------------------------------------------------------


def test_play_turns_into_pause_and_back(transport):
    before = face(transport.play)
    for playing, name in ((True, "Pause"), (False, "Play")):
        transport.show_playing(playing)
        assert (transport.play.toolTip(), transport.play.accessibleName()) == (f"{name} (Space)", name)
        assert (face(transport.play) != before) is playing


def test_only_steps_repeat_while_they_are_held(transport):
    assert [b for b in transport.buttons if b.autoRepeat()] == [transport.back, transport.forward]


def test_every_speed_can_be_picked_and_one_is_in_force(qtbot):
    speed = SpeedButton()
    qtbot.addWidget(speed)
    picked = []
    speed.picked.connect(picked.append)
    actions = speed.menu().actions()
    assert [action.text() for action in actions if action.isChecked()] == ["1×"]
    for action in actions:
        action.trigger()
        assert [one for one in actions if one.isChecked()] == [action]
    assert picked == [*SPEEDS, None]
    assert speed.text() == "10 s"
    actions[0].trigger()
    assert speed.text() == "0.25×"
