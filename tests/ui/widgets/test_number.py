"""The box for a number: what it passes on, what it shows, and what it does not take for a change."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from vizml.ui.widgets.controls import NumberBox
from vizml.ui.widgets.parameter_rows import MAX_SEED, SeedRow

Key = Qt.Key


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
