"""Sliders and number boxes: scales, what pointer, keys and wheel do, and how they are painted."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.paint.sheet import near, pixels_of
from vizml.scene import LIGHT
from vizml.ui.widgets.appearance import current
from vizml.ui.widgets.controls import NumberBox
from vizml.ui.widgets.parameter_rows import MAX_SEED, SeedRow
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


@pytest.fixture
def make(qtbot):
    def made(unit=""):
        box = NumberBox(unit)
        qtbot.addWidget(box)
        box.texts, box.steps = [], []
        box.typed.connect(box.texts.append)
        box.stepped.connect(box.steps.append)
        box.show()
        box.show_text("1.00")
        return box

    return made


def write(box, text, key=Key.Key_Return):
    box.lineEdit().setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), text)
    QTest.keyClick(box.lineEdit(), key)


@pytest.mark.parametrize(
    "text, passed",
    [
        ("2", "2"),
        ("1e-3", "1e-3"),
        (" 7 ", "7"),
        ("0,5", "0.5"),
        ("1,000.5", "1,000.5"),  # no guess: the parameter refuses it
        ("1,000,000", "1,000,000"),
        ("many", "many"),
    ],
)
def test_what_is_typed_is_passed_on_and_a_decimal_comma_is_a_point(make, text, passed):
    box = make()
    write(box, text)
    assert box.texts == [passed]


def test_what_is_there_already_is_not_typed(make):
    box = make()
    write(box, "1.00")
    assert box.texts == []


@pytest.mark.parametrize("text", ["45", "45 %", "45%", " 45  % "])
def test_a_unit_may_be_there_or_not(make, text):
    box = make("%")
    assert box.lineEdit().text() == "1.00 %"
    write(box, text)
    assert box.texts == ["45"]


def test_escape_asks_for_the_old_one_only_where_something_was_typed(make):
    box = make()
    QTest.keyClick(box, Key.Key_Escape)
    assert box.texts == []
    box.lineEdit().setText("9")
    QTest.keyClick(box, Key.Key_Escape)
    assert box.texts == [""]


@pytest.mark.parametrize(
    "key, steps", [(Key.Key_Up, 1), (Key.Key_Down, -1), (Key.Key_PageUp, 10), (Key.Key_PageDown, -10)]
)
def test_keys_step(make, key, steps):
    box = make()
    box.setFocus()
    QTest.keyClick(box, key)
    assert box.steps == [steps]
    assert box.texts == []


def test_after_a_step_the_number_is_selected_to_be_typed_over(make):
    box = make()
    box.setFocus()
    QTest.keyClick(box, Key.Key_Up)
    assert box.lineEdit().selectedText() == "1.00"


def test_a_refusal_marks_it_until_another_number_is_shown(make):
    box = make()
    box.lineEdit().setText("-1")
    box.refuse()
    assert box.property("wrong") is True
    assert box.lineEdit().text() == "-1"
    box.show_text("2")
    assert box.property("wrong") is False
    assert box.lineEdit().text() == "2"


def test_the_wheel_turns_it_only_while_it_has_the_focus(qtbot, make, hand):
    box = make()
    box.activateWindow()
    qtbot.waitUntil(box.isActiveWindow)
    box.clearFocus()
    assert not hand.wheel(box, 1)
    assert box.steps == []
    box.setFocus()
    assert hand.wheel(box, 1)
    assert box.steps == [1]


# -- seeds ---------------------------------------------------------------------------------------------------


@pytest.fixture
def seeds(qtbot):
    """A row that shows the seeds it has asked for."""
    row = SeedRow(
        "Split seed", "Which points are held out.", lambda seed: (row.put.append(seed), row.show_seed(seed))
    )
    row.put = []
    qtbot.addWidget(row)
    row.show()
    return row


def test_a_seed_is_stepped_and_never_falls_below_nought(seeds):
    seeds.number.setFocus()
    for key in (Key.Key_Up, Key.Key_Up, Key.Key_Down, Key.Key_Down, Key.Key_Down):
        QTest.keyClick(seeds.number, key)
    assert seeds.put == [1, 2, 1, 0]
    assert seeds.seed == 0


@pytest.mark.parametrize("text", ["1.5", "-1", "red", str(MAX_SEED + 1), "nan"])
def test_a_seed_is_a_whole_number_from_nought(seeds, text):
    seeds.show_seed(7)
    write(seeds.number, text)
    assert seeds.put == []
    assert seeds.number.property("wrong") is True
    assert seeds.number.lineEdit().text() == text
    write(seeds.number, "8")
    assert seeds.put == [8]
    assert seeds.number.property("wrong") is False


@pytest.mark.parametrize("text, seed", [("12", 12), ("1e3", 1000), ("3.0", 3), (str(MAX_SEED), MAX_SEED)])
def test_a_seed_may_be_written_as_any_whole_number(seeds, text, seed):
    write(seeds.number, text)
    assert seeds.put == [seed]
    assert seeds.number.lineEdit().text() == str(seed)


def test_a_throw_is_always_another_seed_within_four_figures(seeds):
    for _ in range(50):
        before = seeds.seed
        seeds.randomise()
        assert seeds.seed != before
        assert 0 <= seeds.seed < 10_000
    assert len(set(seeds.put)) > 40


C = NumberScale(1e-3, 1e4, log=True)
PERCENT = NumberScale(0, 100, grain=1.0)
K = NumberScale(1, 50, whole=True)
PENALTY = NumberScale(0, 100, log=True)
EPOCHS = NumberScale(1, 10_000, log=True, whole=True)


@pytest.mark.parametrize("track", [C, PERCENT, K, PENALTY, EPOCHS])
@given(position=st.floats(0, 1))
def test_a_value_lies_where_it_was_taken_from(track, position):
    value = track.value(position)
    assert track.lo <= value <= track.hi
    assert track.position(value) == pytest.approx(position, abs=0.06)
    assert track.value(track.position(value)) == value


@pytest.mark.parametrize("track", [C, PERCENT, K, PENALTY, EPOCHS])
def test_both_ends_can_be_reached_and_no_further(track):
    assert track.value(-0.2) == track.lo
    assert track.value(1.2) == track.hi
    assert track.position(track.lo) == 0
    assert track.position(track.hi) == pytest.approx(1)


@pytest.mark.parametrize("track", [C, PERCENT, K, PENALTY, EPOCHS])
def test_steps_walk_from_end_to_end_and_never_stand_still(track):
    value, walked = track.lo, 0
    while value < track.hi:
        further = track.moved(value, 1)
        assert further > value
        value, walked = further, walked + 1
    assert walked < 250
    while value > track.lo:
        nearer = track.moved(value, -1)
        assert nearer < value
        value = nearer


def test_a_logarithmic_track_gives_round_values():
    assert C.value(C.position(1.0)) == 1.0
    for tenth in range(101):
        value = C.value(tenth / 100)
        assert float(f"{value:.2g}") == value


def test_whole_numbers_stay_whole():
    assert isinstance(K.value(0.37), int)
    assert [K.moved(3, n) for n in (-1, 1, 10)] == [2, 4, 13]


@pytest.mark.parametrize(
    "track, value, text",
    [
        (C, 1.0, "1.00"),
        (C, 0.5, "0.50"), (C, 0.01, "0.01"), (C, 0.025, "0.025"),
        (C, 0.001, "0.001"), (C, 12.5, "12.5"), (C, 1e4, "10000"), (C, 1234.5, "1234.5"),
        (C, 0.123456, "0.123456"), (C, 100.0, "100"), (PENALTY, 0.0, "0"), (PENALTY, 1e-5, "1e-5"),
        (PERCENT, 30.0, "30"), (PERCENT, 33.3, "33.3"), (K, 3, "3"), (NumberScale(0, 1), 0.5, "0.500"),
    ],
)  # fmt: skip
def test_numbers_read_as_people_write_them(track, value, text):
    assert track.text(value) == text


@given(st.floats(1e-3, 1e4))
def test_what_is_written_is_the_value_to_six_figures(value):
    assert math.isclose(float(C.text(value)), value, rel_tol=1e-5)
