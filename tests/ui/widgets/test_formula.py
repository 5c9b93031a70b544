"""Formulas are set from TeX in a thread: wide ones in pieces; what cannot be set says so."""

import re
import threading
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication

from tests.events import LIMIT, pass_events
from vizml.learn import models
from vizml.ui.widgets import formula
from vizml.ui.widgets.formula import SIZE, FormulaCard, FormulaLine, render_line, wrapped_lines

LINES = sorted({line for kind in models() for line in (*kind.formula, *kind.back)})
LONG = r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad -C \le \beta_i \le C, \quad \sum_i \beta_i = 0"
ROOM = 264


@pytest.mark.parametrize("tex", LINES)
def test_the_formula_of_every_model_is_set_and_not_made_much_smaller(tex):
    lines = wrapped_lines(tex, "#000000", SIZE, ROOM)
    assert all(line.svg for line in lines)
    assert min(line.scale(ROOM) for line in lines) > 0.7


def test_the_width_is_that_of_the_drawing():
    line = render_line(r"\frac{a}{b}", "#000000", SIZE)
    assert float(ET.fromstring(line.svg).attrib["width"]) == line.width > 5


def test_a_line_that_would_become_too_small_is_broken_after_a_comma():
    first, second = wrapped_lines(LONG, "#000000", SIZE, ROOM)
    assert first.tex.rstrip().endswith(",")
    assert rf"{first.tex} \quad {second.tex}".replace(" ", "") == LONG.replace(" ", "")
    assert first.scale(ROOM) == 1.0


def test_the_rest_of_it_is_broken_too():
    lines = wrapped_lines(r"a + b, \quad c + d, \quad e + f", "#000000", SIZE, 50)
    assert [line.tex for line in lines] == ["a + b,", "c + d,", "e + f"]


def test_with_room_it_is_one_line():
    assert [line.tex for line in wrapped_lines(LONG, "#000000", SIZE, 900)] == [LONG]


def test_what_cannot_be_set_has_no_outlines(logged_errors):
    assert render_line(r"\frac{1", "#000000", SIZE) == FormulaLine(r"\frac{1")
    assert wrapped_lines(r"\frac{1", "#000000", SIZE, ROOM) == (FormulaLine(r"\frac{1"),)
    assert all(r"\frac{1" in text for text in logged_errors.texts)


def test_the_ink_is_part_of_what_is_kept():
    assert b"#ff0000" in render_line("a", "#ff0000", SIZE).svg
    assert render_line("a", "#ff0000", SIZE) is render_line("a", "#ff0000", SIZE)


@pytest.fixture
def card(qtbot):
    card = FormulaCard()
    qtbot.addWidget(card)
    card.setFixedWidth(288)
    card.show()
    yield card
    card.close_down()


def test_lines_appear_and_the_card_grows_to_hold_them(card, qtbot):
    card.set_lines((r"a^2 + b^2", r"\sum_i x_i"))
    qtbot.waitUntil(lambda: card.complete)
    two = card.height()
    card.set_lines((r"a^2 + b^2",))
    qtbot.waitUntil(lambda: card.complete)
    assert 24 < card.height() < two < 140
    assert card.accessibleDescription() == "a^2 + b^2"


def test_a_long_line_is_made_to_fit(card, qtbot):
    card.set_lines(("+".join(f"x_{{{i}}}" for i in range(40)),))
    qtbot.waitUntil(lambda: card.complete)
    assert card.boxes()[0][0] <= 288


def test_until_a_line_is_set_the_card_keeps_room_for_it(card, qtbot, monkeypatch):
    gate = threading.Event()
    monkeypatch.setattr(formula, "wrapped_lines", lambda tex, *_: gate.wait(LIMIT) and (FormulaLine(tex),))
    empty = card.height()
    card.set_lines((r"\alpha", r"\beta"))
    assert not card.complete
    assert card.height() > empty
    gate.set()
    qtbot.waitUntil(lambda: card.complete)


def test_other_lines_take_the_place_of_those_that_are_being_set(card, qtbot, monkeypatch):
    gate, asked = threading.Event(), []

    def slow(tex, *_):
        asked.append(tex)
        gate.wait(LIMIT)
        return (FormulaLine(tex),)

    monkeypatch.setattr(formula, "wrapped_lines", slow)
    card.set_lines(("old", "older"))
    qtbot.waitUntil(lambda: asked == ["old"])
    card.set_lines(("new",))
    gate.set()
    qtbot.waitUntil(lambda: card.complete)
    pass_events()
    assert [line.tex for line, _ in card.rows] == ["new"]
    assert "older" not in asked


def test_a_hidden_card_has_nothing_set(card, qtbot):
    card.hide()
    card.set_lines(("a",))
    card.hide()
    pass_events()
    assert not card.complete
    card.show()
    qtbot.waitUntil(lambda: card.complete)


def test_a_card_that_was_closed_down_asks_for_nothing(qtbot):
    card = FormulaCard()
    qtbot.addWidget(card)
    card.close_down()
    card.show()
    card.set_lines(("a",))
    pass_events()
    assert not card.complete
    assert "vizml-docks" not in [thread.name for thread in threading.enumerate()]


def test_a_copy_has_the_lines_as_they_were_written(card, qtbot):
    card.set_lines((LONG,))
    qtbot.waitUntil(lambda: card.complete)
    card.copy()
    assert QGuiApplication.clipboard().text() == LONG


def test_without_a_formula_there_is_no_card(card):
    card.set_lines((r"a",))
    card.set_lines(())
    assert card.isHidden()


def test_boxes_of_letters_are_those_of_their_outlines():
    """Compared with the corners of the paths, to a tenth of a pixel; words in upright type have none."""
    line = render_line(r"a_C \mathrm{abc} = \frac{x}{D}", "#000000", SIZE)
    assert [text for text, _ in line.letters if text.isalpha()] == ["a", "C", "x", "D"]
    paths = [path.attrib["d"] for path in ET.fromstring(line.svg) if path.tag.endswith("path")]
    drawn = [
        np.array([float(part) for part in re.findall(r"-?[\d.]+", path)]).reshape(-1, 2) for path in paths
    ]
    for letter, outline in (("a", drawn[0]), ("C", drawn[1])):
        (left, top, right, bottom) = dict(line.letters)[letter]
        assert [left, top, bottom] == pytest.approx(
            [outline[:, 0].min(), outline[:, 1].min(), outline[:, 1].max()], abs=0.1
        )
        assert right >= outline[:, 0].max() - 0.1
