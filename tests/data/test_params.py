"""Parameters take what they allow, from values and from text, and say what they would have taken."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.calls import refusal
from vizml.data.params import Choice, Flag, Integer, Real, Text


def hidden(text):
    if not all(part.isdigit() for part in text.split(",")):
        raise ValueError


C = Real(name="C", default=1.0, lo=1e-3, hi=1e4, help="")
GAMMA = Real(name="gamma", default="scale", lo=0.0, hi=10.0, words=("scale",), help="")
K = Integer(name="k", default=3, lo=1, hi=99, help="")
KERNEL = Choice(name="kernel", default="rbf", options=("linear", "rbf"), help="")
HARD = Flag(name="hard", default=False, help="")
LAYERS = Text(name="hidden", default="8", check=hidden, allowed="sizes of layers, such as 8,8", help="")


@given(st.floats(1e-3, 1e4))
def test_a_number_in_its_range_is_itself_as_a_value_and_as_text(value):
    assert C.coerce(value) == value
    assert C.coerce(repr(value)) == value


@given(st.integers(1, 99))
def test_a_whole_number_is_itself_as_a_value_and_as_text(value):
    assert K.coerce(float(value)) == K.coerce(str(value)) == value
    assert type(K.coerce(float(value))) is int


@pytest.mark.parametrize(
    "param, text, value",
    [
        (C, "10", 10.0), (C, " 1e2 ", 100.0), (GAMMA, "scale", "scale"), (GAMMA, "0.5", 0.5),
        (KERNEL, "linear", "linear"), (HARD, "yes", True), (HARD, "off", False), (HARD, "True", True),
        (LAYERS, "8,4", "8,4"),
    ],
)  # fmt: skip
def test_text_is_read_as_the_parameter_means_it(param, text, value):
    found = param.coerce(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "param, text, sentence",
    [
        (C, "-1", "C must be a number from 0.001 to 10000, not -1"),
        (C, "x", "C must be a number from 0.001 to 10000, not 'x'"),
        (C, "nan", "C must be a number from 0.001 to 10000, not nan"),
        (C, "1e999", "C must be a number from 0.001 to 10000, not inf"),
        (GAMMA, "auto", "gamma must be a number from 0 to 10 or 'scale', not 'auto'"),
        (K, "1.5", "k must be a whole number from 1 to 99, not 1.5"),
        (K, "100", "k must be a whole number from 1 to 99, not 100"),
        (KERNEL, "RBF", "kernel must be one of linear, rbf, not 'RBF'"),
        (HARD, "maybe", "hard must be true or false, not 'maybe'"),
        (LAYERS, "8;4", "hidden must be sizes of layers, such as 8,8, not '8;4'"),
    ],
)
def test_what_is_unfit_is_refused_in_one_sentence(param, text, sentence):
    assert refusal(param.coerce, text) == sentence


@pytest.mark.parametrize("param", [C, K, KERNEL, LAYERS])
@pytest.mark.parametrize("value", [True, None, [1], {}])
def test_values_of_other_types_are_refused(param, value):
    with pytest.raises(ValueError, match=f"{param.name} must be"):
        param.coerce(value)


def test_a_parameter_may_mean_something_only_beside_others():
    degree = Integer(name="degree", default=3, lo=1, hi=10, when={"kernel": ("poly",)}, help="")
    assert degree.relevant({"kernel": "poly"})
    assert not degree.relevant({"kernel": "rbf"})
    assert C.relevant({})


def test_a_condition_may_be_told_by_a_function():
    period = Real(name="period", default=1, lo=0, hi=9, help="", when={"kernel": lambda k: "sin" in k})
    assert period.relevant({"kernel": "rbf+sin"})
    assert not period.relevant({"kernel": "rbf"})
    assert not period.relevant({})


def test_a_label_is_the_title_or_the_name_in_words():
    assert Integer(name="max_depth", default=1, lo=0, hi=2, help="").label == "max depth"
    assert Integer(name="n", title="points", default=1, lo=0, hi=2, help="").label == "points"


EVERY = (C, GAMMA, K, KERNEL, HARD, LAYERS)
values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.lists(st.floats())


def outcome(param, value):
    try:
        return param.coerce(value), ""
    except ValueError as error:
        return None, str(error)


@pytest.mark.parametrize("param", EVERY)
@given(value=values)
def test_what_was_taken_once_is_taken_again_as_it_is(param, value):
    """Projects, panels and command lines hand values on to one another."""
    taken, refusal = outcome(param, value)
    if refusal:
        assert refusal.startswith(f"{param.name} must be {param.allows()}, not ")
        return
    again = param.coerce(taken)
    assert (again, type(again)) == (taken, type(taken))
    assert param.coerce(str(taken)) == taken


@pytest.mark.parametrize("number", [np.float32(2.0), np.float64(2.0), np.int8(2), np.uint64(2)])
def test_numbers_of_numpy_become_plain_ones_that_json_takes(number):
    assert (C.coerce(number), type(C.coerce(number))) == (2.0, float)
    assert (K.coerce(number), type(K.coerce(number))) == (2, int)


def test_the_ends_of_a_range_belong_to_it_and_nothing_beyond():
    for param in (C, K):
        assert [param.coerce(end) for end in (param.lo, param.hi)] == [param.lo, param.hi]
        for beyond in (math.nextafter(param.lo, -math.inf), math.nextafter(param.hi, math.inf)):
            with pytest.raises(ValueError, match=f"{param.name} must be"):
                param.coerce(beyond)


def test_a_whole_number_of_any_size_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="k must be a whole number from 1 to 99, not a number of more"):
        K.coerce(10**400)
