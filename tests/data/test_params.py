"""Parameters take what they allow, from values and from text, and say what they would have taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    assert C.parse(repr(value)) == value


@given(st.integers(1, 99))
def test_a_whole_number_is_itself_as_a_value_and_as_text(value):
    assert K.coerce(float(value)) == K.parse(str(value)) == value
    assert type(K.coerce(float(value))) is int


@pytest.mark.parametrize(
    "param, text, value",
    [
        (C, "10", 10.0),
        (C, " 1e2 ", 100.0),
        (GAMMA, "scale", "scale"),
        (GAMMA, "0.5", 0.5),
        (KERNEL, "linear", "linear"),
        (HARD, "yes", True),
        (HARD, "off", False),
        (HARD, "True", True),
        (LAYERS, "8,4", "8,4"),
    ],
)
def test_text_is_read_as_the_parameter_means_it(param, text, value):
    found = param.parse(text)
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
    with pytest.raises(ValueError) as caught:
        param.parse(text)
    assert str(caught.value) == sentence


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


def test_a_label_is_the_title_or_the_name_in_words():
    assert Integer(name="max_depth", default=1, lo=0, hi=2, help="").label == "max depth"
    assert Integer(name="n", title="points", default=1, lo=0, hi=2, help="").label == "points"
