"""Which control a parameter gets, what it asks for, and which steps belong to one gesture."""

from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from vizml.data.params import Choice, Flag, Integer, Param, Real, Text
from vizml.learn import models
from vizml.scene import LIGHT
from vizml.ui.widgets import controls
from vizml.ui.widgets.controls import (
    GESTURE_PAUSE,
    ChipsControl,
    ComboControl,
    ElidingCombo,
    FlagControl,
    NumberControl,
    TextControl,
    control_for,
    option_text,
)
from vizml.ui.widgets.parameter_rows import ParameterRow, label_of, shown, symbol_of, tip_of

Key = Qt.Key
C = Real(name="C", default=1.0, lo=1e-3, hi=1e4, log=True, help="cost of a point <inside>")
GAMMA = Real(
    name="gamma", default="scale", lo=1e-4, hi=1e3, log=True, words=("scale",), help="w", symbol=r"\gamma"
)
FOUND = replace(GAMMA, default="loo", words=("loo",), labels={"loo": "leave one out"})
SHARE = Real(name="share", default=30.0, lo=0, hi=100, unit="%", help="share")
K = Integer(name="k", default=3, lo=1, hi=50, help="neighbours", symbol="k")
VOTE = Choice(name="vote", default="hard", options=("hard", "soft"), help="how votes count")
OPEN = Flag(name="open", default=False, help="whether it is open")
HIDDEN = Text(
    name="hidden", default="8,8", check=lambda t: [int(p) for p in t.split(",")], allowed="numbers", help="h"
)


@pytest.fixture
def control(qtbot):
    """The control of a parameter; what it asks for is written down."""

    def made(param):
        one = control_for(param)
        one.asks = []
        one.value_requested.connect(lambda value, gesture: one.asks.append((value, gesture)))
        for widget in (one.head, one.body):
            if widget is not None:
                qtbot.addWidget(widget)
                widget.show()
        return one

    return made


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 50.0

        def monotonic(self):
            return self.now

    made = Clock()
    monkeypatch.setattr(controls, "time", made)
    return made


# -- which control -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "param, kind",
    [
        (C, NumberControl),
        (K, NumberControl),
        (VOTE, ChipsControl),
        (OPEN, FlagControl),
        (HIDDEN, TextControl),
    ],
)
def test_each_kind_of_parameter_has_its_control(control, param, kind):
    assert type(control(param)) is kind


@pytest.mark.parametrize(
    "options, kind",
    [
        (("a", "b", "c"), ChipsControl),
        (("a", "b", "c", "d"), ComboControl),
        (("nine chars", "eightchr"), ChipsControl),
        (("nine chars", "nine chars"), ComboControl),
    ],
)
def test_few_short_words_are_chips_and_all_else_a_list(control, options, kind):
    assert type(control(replace(VOTE, default=options[0], options=options))) is kind


def test_a_parameter_of_an_unknown_kind_is_a_mistake():
    @dataclass(frozen=True, kw_only=True)
    class Colour(Param):
        def allows(self):
            return "a colour"

        def accept(self, value):
            return value

    with pytest.raises(TypeError, match="there is no control for Colour"):
        control_for(Colour(name="ink", default="red", help=""))


def test_options_are_read_by_their_labels_or_without_underscores():
    param = replace(VOTE, labels={"soft": "weighted"})
    assert (option_text(param, "soft"), option_text(param, "by_distance")) == ("weighted", "by distance")


def test_a_word_for_a_number_is_a_chip_in_the_words_that_people_know(control):
    one = control(FOUND)
    (chip,) = one.chips.chips
    assert chip.text() == "leave one out"
    chip.click()
    assert one.asks == [("loo", "")]
    assert one.head is one.box  # words as long as these have a line of their own
    assert one.body.isAncestorOf(chip)


@pytest.mark.parametrize("model", models(), ids=lambda model: f"{model.task.id}-{model.id}")
def test_no_word_of_a_model_is_an_abbreviation(model):
    """What a chip says is a word: letters without vowels, or fewer than four of them, are a riddle."""
    for param in model.parameters():
        for word in param.words if isinstance(param, Real) else ():
            assert len(option_text(param, word)) > 3, (param.name, word)


def test_a_list_of_long_words_has_a_line_of_its_own(control):
    short = control(replace(VOTE, options=("hard", "soft", "third", "fourth")))
    long = control(replace(VOTE, options=("hard", "soft", "third", "a fourth one that is long")))
    assert short.body is None
    assert short.head is short.combo
    assert long.body is long.combo


# -- what it asks for ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("param", [C, GAMMA, SHARE, K, VOTE, OPEN, HIDDEN])
def test_showing_a_value_asks_for_nothing(control, param):
    one = control(param)
    one.show_value(param.default)
    assert one.asks == []


def test_a_drag_is_one_gesture_and_the_next_drag_another(control, hand):
    one = control(C)
    one.show_value(1.0)
    one.slider.resize(200, 20)
    hand.drag(one.slider, 50, 60)
    hand.drag(one.slider, 70, 80)
    gestures = list(dict.fromkeys(gesture for _, gesture in one.asks))
    assert len(gestures) == 2
    assert all(gestures)


def test_steps_in_quick_succession_are_one_gesture_and_a_pause_ends_it(control, clock):
    one = control(K)
    one.show_value(3)
    for wait in (0.0, GESTURE_PAUSE - 0.1, GESTURE_PAUSE - 0.1, GESTURE_PAUSE + 0.1, 0.1):
        clock.now += wait
        QTest.keyClick(one.slider, Key.Key_Right)
    gestures = [gesture for _, gesture in one.asks]
    assert gestures[0] == gestures[1] == gestures[2] != gestures[3] == gestures[4]


def test_steps_go_from_the_number_in_force(control):
    one = control(K)
    one.show_value(7)
    QTest.keyClick(one.slider, Key.Key_Right)
    one.box.setFocus()
    QTest.keyClick(one.box, Key.Key_Down)
    assert [value for value, _ in one.asks] == [8, 6]


def test_a_limit_of_0_is_no_limit_at_the_right_end(control, hand):
    depth = control(replace(K, name="depth", default=0, lo=0, zero="no limit"))
    depth.slider.resize(200, 20)
    depth.show_value(0)
    assert (depth.box.text_typed, depth.slider.value()) == ("no limit", depth.slider.maximum())
    hand.drag(depth.slider, 195)
    hand.drag(depth.slider, 8)
    QTest.keyClick(depth.slider, Key.Key_Left)
    assert [value for value, _ in depth.asks] == [0, 0, 1, 1, 50]  # each drag asks twice
    depth.show_value(50)
    assert (depth.box.text_typed, depth.slider.value() < depth.slider.maximum()) == ("50", True)
    QTest.keyClick(depth.slider, Key.Key_Right)
    assert depth.asks[-1][0] == 0


def test_every_parameter_whose_0_is_no_limit_says_so():
    for model in models():
        for param in model.parameters():
            if isinstance(param, Integer) and "no limit" in param.help + param.zero:
                assert shown(param, 0) == "no limit", (model.id, param.name)
                assert param.coerce("no limit") == 0


def test_a_word_as_default_leaves_the_slider_in_the_middle_until_a_number_is_known(control):
    one = control(GAMMA)
    one.show_value("scale")
    assert one.slider.value() == pytest.approx(5000, abs=100)
    assert one.slider.default is None
    assert control(C).slider.default == 1.0


def test_a_flag_a_choice_and_a_text_ask_for_what_was_chosen(qtbot, control):
    flag, vote, text = control(OPEN), control(VOTE), control(HIDDEN)
    flag.check.click()
    vote.chips.chips[1].click()
    text.show_value("8,8")
    text.line.setText(" 4,4 ")
    QTest.keyClick(text.line, Key.Key_Return)
    assert (flag.asks, vote.asks, text.asks) == ([(True, "")], [("soft", "")], [("4,4", "")])


def test_a_text_that_stays_the_same_is_not_asked_for_unless_it_was_refused(control):
    text = control(HIDDEN)
    text.show_value("8,8")
    QTest.keyClick(text.line, Key.Key_Return)
    assert text.asks == []
    text.refuse()
    assert text.line.property("wrong") is True
    QTest.keyClick(text.line, Key.Key_Return)
    assert text.asks == [("8,8", "")]
    text.show_value("8,8")
    assert text.line.property("wrong") is False


def test_every_part_says_what_it_is_for(control):
    one = control(GAMMA)
    one.describe("gamma", "a tip")
    assert one.box.accessibleName() == "gamma"
    assert one.slider.toolTip() == "a tip"
    assert one.chips.chips[0].accessibleName() == "gamma, found from the data: scale"


# -- rows ----------------------------------------------------------------------------------------------------


@pytest.fixture
def row(qtbot):
    def made(param, put=None):
        puts, seals = [], []
        one = ParameterRow(
            param, put or (lambda value, merge: puts.append((value, merge))), lambda: seals.append(1)
        )
        one.puts, one.seals = puts, seals
        qtbot.addWidget(one)
        one.show()
        return one

    return made


def test_a_row_puts_values_of_the_right_type_with_the_name_of_their_gesture(row):
    one = row(K)
    one.control.value_requested.emit("7", "")
    one.control.value_requested.emit(9, "gesture 4")
    assert one.puts == [(7, ""), (9, "k gesture 4")]
    assert type(one.puts[0][0]) is int


def test_what_is_in_force_is_not_put_again(row):
    one = row(K)
    one.control.value_requested.emit("3", "")
    one.control.value_requested.emit(None, "")
    assert one.puts == []


def test_a_refusal_of_the_document_is_shown_in_place(row):
    def refuse(value, merge):
        raise ValueError("k must be below the number of points")

    one = row(K, refuse)
    one.control.value_requested.emit("7", "")
    assert one.problem.isVisible()
    assert one.problem.text() == "k must be below the number of points"
    one.to_default()
    assert not one.problem.isVisible()


def test_reset_keeps_its_room_while_it_is_hidden(row):
    one = row(K)
    wide = one.control.head.geometry().left()
    assert not one.reset.isVisible()
    one.show_value(9)
    assert one.reset.isVisible()
    assert one.control.head.geometry().left() == wide


@pytest.mark.parametrize(
    "param, text",
    [
        (C, "C"),
        (K, "k"),
        (GAMMA, "Gamma  γ"),
        (replace(C, title="cost", symbol="C"), "Cost  C"),
        (replace(K, symbol=""), "K"),
        (replace(C, name="learning_rate", symbol=r"\eta"), "Learning rate  η"),
    ],
)
def test_a_label_is_a_word_and_its_symbol_where_that_says_more(param, text):
    assert label_of(param) == text


@pytest.mark.parametrize(
    "param, value, text",
    [
        (OPEN, True, "on"), (OPEN, False, "off"), (VOTE, "soft", "soft"), (HIDDEN, "8,8", "“8,8”"),
        (HIDDEN, "", "nothing"),
        (C, 0.001, "0.001"), (GAMMA, "scale", "scale"), (FOUND, "loo", "leave one out"),
        (FOUND, 0.5, "0.5"), (SHARE, 30.0, "30 %"), (K, 3, "3"),
    ],
)  # fmt: skip
def test_a_value_is_told_in_the_words_of_the_panel(param, value, text):
    assert shown(param, value) == text


def test_a_tip_escapes_what_is_no_markup_and_says_the_default():
    tip = tip_of(C)
    assert "Cost of a point &lt;inside&gt;" in tip
    assert "a number from 0.001 to 10000" in tip
    assert tip.endswith("Default 1</p>")
    assert "on or off" in tip_of(OPEN)
    assert "hard, soft" in tip_of(VOTE)
    assert "1e-6" in tip_of(replace(C, lo=1e-6))
    assert "to 1000 or &#x27;leave one out&#x27;<br>Default leave one out" in tip_of(FOUND)


@pytest.mark.parametrize(
    "symbol, plain", [(r"\alpha_1", "α₁"), ("w_{10}", "w₁₀"), (r"\unheard", "unheard"), ("", "")]
)
def test_symbols_are_plain_letters(symbol, plain):
    assert symbol_of(replace(OPEN, symbol=symbol)) == plain


def nothing(*_):
    """Takes what a row asks for."""


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_no_label_of_any_model_is_cut_in_the_panel(qtbot, dressed, scale):
    dressed(LIGHT, scale)
    for param in (param for kind in models() for param in kind.parameters()):
        row = ParameterRow(param, nothing, nothing)
        qtbot.addWidget(row)
        row.resize(round((320 - 2 * 16) * scale), row.sizeHint().height())
        row.show()
        need = row.label.fontMetrics().horizontalAdvance(row.label.text())
        assert need <= row.label.width(), row.label.text()


def test_a_combo_box_elides_a_text_without_room(qtbot):
    whole, cut = "Usage in hours a week", "Usage in hou\N{HORIZONTAL ELLIPSIS}"
    shown = []
    for text in (whole, cut, whole[:12]):
        box = ElidingCombo()
        qtbot.addWidget(box)
        box.addItem(text)
        box.setFixedSize(40 + box.fontMetrics().horizontalAdvance(cut), 30)
        shown.append(box.grab().toImage())
    assert shown[0] == shown[1] != shown[2]
