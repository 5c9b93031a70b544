import pytest
from PySide6.QtGui import QGuiApplication

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


LONG = r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad -C \le \beta_i \le C, \quad \sum_i \beta_i = 0"


def test_a_line_that_would_become_too_small_is_broken_after_a_comma(card, qtbot):
    card.set_lines((LONG, "a"))
    qtbot.waitUntil(lambda: card.complete, timeout=5000)
    assert len(card._rows) == 3
    assert all(row.rstrip().endswith(",") for row in card._rows[:1])
    assert r" \quad ".join(card._rows[:2]).replace(" ", "") == LONG.replace(" ", "")
    assert card._rows[2] == "a"
    widths = [drawing.viewBoxF().width() for drawing in card._drawings]
    assert [card._box(place)[0] for place in range(3)] == pytest.approx(widths)
    assert card.height() == pytest.approx(sum(card._box(place)[1] for place in range(3)) + 2 * 8 + 24, abs=1)


def test_in_a_wide_card_no_line_is_broken(card, qtbot):
    card.setFixedWidth(900)
    card.set_lines((LONG,))
    qtbot.waitUntil(lambda: card.complete, timeout=5000)
    assert card._rows == [LONG]


@pytest.mark.parametrize("kind", models(), ids=lambda kind: f"{kind.task.value}-{kind.id}")
def test_no_models_formula_has_to_be_made_much_smaller(card, kind):
    card.set_lines(kind.formula)
    while not card.complete:
        card._draw_next()
    assert min(card._scale(drawing) for drawing in card._drawings) > 0.7


def test_a_copy_has_the_lines_as_they_were_written(card, qtbot):
    card.set_lines((LONG,))
    qtbot.waitUntil(lambda: card.complete, timeout=5000)
    card._copy()
    assert QGuiApplication.clipboard().text() == LONG


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
