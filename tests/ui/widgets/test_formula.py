import pytest

from vizml.learn import models
from vizml.ui.widgets.formula import SIZE, FormulaCard, svg_of

LINES = sorted({line for kind in models() for line in kind.formula})


@pytest.fixture
def card(qtbot):
    card = FormulaCard()
    qtbot.addWidget(card)
    card.setFixedWidth(288)
    card.show()
    return card


@pytest.mark.parametrize("line", LINES)
def test_the_formula_of_every_model_is_set(line):
    assert svg_of(line, "#000000", SIZE)


def test_lines_appear_and_the_card_grows_to_hold_them(card, qtbot):
    card.set_lines((r"a^2 + b^2", r"\sum_i x_i"))
    qtbot.waitUntil(lambda: card.complete, timeout=5000)
    two = card.height()
    card.set_lines((r"a^2 + b^2",))
    qtbot.waitUntil(lambda: card.complete, timeout=5000)
    assert 24 < card.height() < two < 140
    assert card.accessibleDescription() == "a^2 + b^2"


def test_a_long_line_is_made_to_fit(card, qtbot):
    card.set_lines(("+".join(f"x_{{{i}}}" for i in range(40)),))
    qtbot.waitUntil(lambda: card.complete, timeout=5000)
    assert card._box(0)[0] <= 288


def test_what_cannot_be_set_is_shown_as_it_is_written(card, qtbot):
    card.set_lines((r"\frac{1",))
    qtbot.waitUntil(lambda: card.complete, timeout=5000)
    assert card._drawings == [None]
    assert not card.grab().isNull()


def test_without_a_formula_there_is_no_card(card):
    card.set_lines((r"a",))
    card.set_lines(())
    assert card.isHidden()


def test_the_ink_is_part_of_what_is_kept():
    assert b"#ff0000" in svg_of("a", "#ff0000", SIZE)
    assert svg_of("a", "#ff0000", SIZE) is svg_of("a", "#ff0000", SIZE)
