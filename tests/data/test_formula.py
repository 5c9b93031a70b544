"""Formulas: values against Python's own arithmetic, and every text that is no formula refused."""

import math
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.calls import refusal
from vizml import data
from vizml.data.formula import Formula, FormulaError

NUMBER = st.floats(0.01, 3, allow_nan=False).map(lambda value: f"{value:.3f}")
NAMES = st.sampled_from(["w1", "w2", "x", "y", "pi", "e"])
LEAF = st.one_of(NUMBER, NAMES, *(NAMES.map(form.format) for form in ("sin({})", "cos({})")))
"""Sines of leaves only: those of large numbers depend on the last digit."""


def _grown(part):
    pair = st.tuples(part, st.sampled_from("+-*"), part).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
    call = st.tuples(st.sampled_from(["tanh", "abs"]), part).map(lambda t: f"{t[0]}({t[1]})")
    power = st.tuples(part, st.integers(0, 2)).map(lambda t: f"({t[0]})^{t[1]}")
    return st.one_of(pair, call, power, part.map(lambda text: f"-{text}"), part.map(lambda text: f"+ {text}"))


@given(st.recursive(LEAF, _grown, max_leaves=12), st.floats(-3, 3), st.floats(-3, 3))
def test_values_are_those_of_python(text, w1, w2):
    names = {"w1": w1, "w2": w2, "x": w1, "y": w2, "pi": math.pi, "e": math.e, "abs": abs}
    names |= {name: getattr(math, name) for name in ("sin", "cos", "tanh")}
    try:
        expected = eval(text.replace("^", "**"), {"__builtins__": {}}, names)
    except OverflowError:
        expected = math.inf
    assert Formula(text)(w1, w2) == pytest.approx(expected, rel=1e-6, abs=1e-6) or abs(expected) > 1e300


@pytest.mark.parametrize(
    "text, value",
    [
        ("2 + 3*4", 14), ("2 - 3 - 4", -5), ("12/3/2", 2), ("-w1^2", -9), ("(-w1)^2", 9), ("--2", 2),
        ("2*-w2", -4), ("w1**2", 9), ("w1^-1", 1 / 3), ("w1^(-1)", 1 / 3), ("4^0.5", 2), ("1e-3*w1", 0.003),
        ("exp(log(w2))", 2), ("sqrt(w1 + 1)", 2), ("e^2", math.e**2), ("w1^0", 1), (".5*w2", 1), ("3.", 3),
    ],
)  # fmt: skip
def test_operators_have_their_usual_ranks(text, value):
    assert Formula(text)(3.0, 2.0) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "character 1 of '' must be a finite number, a variable, a function or a bracket, not the end"),
        ("w1 +", "character 5 of 'w1 +' must be a finite number"),
        ("w3", "character 1 of 'w3' must be one of w1, w2, x, y, pi, e, sin"),
        ("(w1 + 2", "character 8 of '(w1 + 2' must be ')' or an operator, not the end"),
        ("w1)", "character 3 of 'w1)' must be an operator or the end, not ')'"),
        ("w1 w2", "character 4 of 'w1 w2' must be an operator or the end, not 'w2'"),
        ("2w1", "character 2 of '2w1' must be an operator or the end, not 'w1'"),
        ("sin w1", "character 5 of 'sin w1' must be '(' with the argument of sin, not 'w1'"),
        ("w1(2)", "character 3 of 'w1(2)' must be an operator or the end"),
        ("sin(w1, w2)", "character 7 of 'sin(w1, w2)' must be ')' or an operator, not ','"),
        ("w1^w2", "character 4 of 'w1^w2' must be a number as the exponent, not 'w2'"),
        ("w1^99999999", "the exponent at character 4 of 'w1^99999999' must be from −64 to 64"),
        ("2^3^4", "character 4 of '2^3^4' must be an operator of a lower rank"),
        ("1e999", "character 1 of '1e999' must be a finite number"),
        ("w1.real", "character 3 of 'w1.real' must be an operator or the end, not '.'"),
        ("w1.__class__", "character 3 of 'w1.__class__' must be an operator or the end, not '.'"),
        ("__import__('os')", "character 1 of '__import__('os')' must be one of w1"),
        ("open(w1)", "character 1 of 'open(w1)' must be one of w1"),
        ("lambda: 1", "character 1 of 'lambda: 1' must be one of w1"),
        ("[w1]", "character 1 of '[w1]' must be a finite number"),
        ("w1; w2", "character 3 of 'w1; w2' must be an operator or the end, not ';'"),
        ("w1 if w2 else 3", "character 4 of 'w1 if w2 else 3' must be an operator or the end, not 'if'"),
        ("'w1'", "character 1 of ''w1'' must be a finite number"),
        ("(" * 31 + "w1" + ")" * 31, "must be less deep: at most 30 brackets may be inside each other"),
        ("w1+" * 400 + "1", "the formula has 1201 characters; it may have 1000"),
    ],
)  # fmt: skip
def test_other_texts_are_refused_with_the_position(text, sentence):
    assert sentence in refusal(Formula, text, error=FormulaError)


@given(st.text("w12xy+-*/^(). eE3sincoslog,_'\"[]", max_size=60))
def test_any_text_is_a_formula_or_refused(text):
    with suppress(FormulaError), np.errstate(all="ignore"):
        assert np.isscalar(Formula(text)(0.5, 2.0))


def test_the_longest_sums_are_evaluated():
    assert Formula("+".join(["1"] * 500))(0, 0) == 500
    assert Formula("-" * 999 + "1")(0, 0) == -1


def test_values_broadcast_and_are_infinite_where_the_formula_is_not_defined():
    heights = Formula("log(w1) + w2").values(np.array([[-1.0, 1.0]]), np.array([[0.0], [2.0]]))
    assert np.array_equal(heights, [[np.inf, 0.0], [np.inf, 2.0]])
    assert Formula("3").values(np.zeros((1, 4)), np.zeros((2, 1))).shape == (2, 4)


def test_an_option_states_the_position():
    with pytest.raises(ValueError, match=r"^f: character 4 of 'w1\^\^2' "):
        data.load("formula:f=w1^^2")
