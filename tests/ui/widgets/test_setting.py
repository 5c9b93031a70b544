"""Formulas are set from TeX: each model's, wide ones in pieces, and what cannot be set says so."""

from xml.etree import ElementTree as ET

import pytest

from vizml.learn import models
from vizml.ui.widgets.formula import SIZE, FormulaLine, render_line, wrapped_lines

LINES = sorted({line for kind in models() for line in kind.formula})
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
