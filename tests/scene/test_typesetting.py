"""Words with figures as a book sets them: what is a sign, a power, a percentage, and what is none."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.scene.typesetting import typeset


@pytest.mark.parametrize(
    "words, set_",
    [
        ("x ≤ -1.517", "x ≤ −1.517"),
        ("mean (-1.234, -1.146), correlation -.38", "mean (−1.234, −1.146), correlation −.38"),
        ("log marginal likelihood -34.344", "log marginal likelihood −34.344"),
        ("-5", "−5"),
        ("KKT gap 2.9e-12", "KKT gap 2.9×10⁻¹²"),
        ("1e+04", "10⁴"),
        ("-1e-06", "−10⁻⁶"),
        ("2.15e+03 or 7E", "2.15×10³ or 7E"),
        ("x^2, x^10 and (x - 1)^3", "x², x¹⁰ and (x - 1)³"),
        ("m^-1", "m⁻¹"),
        ("-0.000 to -0, -0.01", "0.000 to 0, −0.01"),
        ("a tie of 4.94e-324 or -9.9e-324, and 1e-300", "a tie of 0 or 0, and 10⁻³⁰⁰"),
        ("error 4.5% on 200 points", "error 4.5\u202f% on 200 points"),
    ],
)
def test_figures_are_set(words, set_):
    assert typeset(words) == set_


@pytest.mark.parametrize(
    "words",
    [
        "k-means++", "iris-2", "2020-11-18", "alpha 0 -> 0.83", "a - b", "B-52", "class 1-3", "96.4 %",
        "0x1e5", "model1e3", "v1.2e3.4", "100 %", "x^y", "8,8", "3 : 2", "one-vs-one", "f(x)-1",
    ],
)  # fmt: skip
def test_what_is_no_sign_no_power_and_no_percentage_stays(words):
    assert typeset(words) == words


RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"


def read(told):
    """The number that a reader takes it for."""
    plain = told.replace("−", "-")
    found = re.fullmatch(rf"(-?)(?:([\d.]+)×)?10([{RAISED}]+)", plain)
    if not found:
        return float(plain)
    power = int(found[3].translate(str.maketrans(RAISED, "-0123456789")))
    return float(f"{found[1]}{found[2] or 1}e{power}")


@given(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False))
def test_a_number_still_says_its_value(value):
    told = typeset(f"{value:.4g}")
    assert read(told) == float(f"{value:.4g}")
    assert not re.search("[-e]", told)


@given(st.text(max_size=40))
def test_setting_twice_is_setting_once(words):
    assert typeset(typeset(words)) == typeset(words)
