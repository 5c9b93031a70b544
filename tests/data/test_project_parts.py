"""A value out of JSON knows where it stood, gives what it is, and says what it should have been."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.calls import refusal
from vizml.data.project_parts import LARGEST, JsonNode

finite = st.floats(allow_nan=False, allow_infinity=False)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | finite | st.text(max_size=5),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=3), part, max_size=4),
    max_leaves=12,
)


def test_a_path_leads_through_members_and_elements():
    whole = JsonNode({"a": [{"b": 1}, {"b": [2, {"c": 3}]}]})
    inner = whole["a"].items()[1]["b"].items()[1]["c"]
    assert (inner.path, inner.value) == ("a[1].b[1].c", 3)


def test_a_member_is_missing_by_its_path_but_may_be_asked_for():
    node = JsonNode({"a": {"b": None}})["a"]
    assert refusal(lambda: node["c"]) == "a.c is missing"
    assert node.get("c") is None
    assert node.get("b") is None
    assert node["b"].value is None


@given(plain)
def test_plain_values_come_out_as_they_went_in(value):
    assert JsonNode(value).plain() == value
    assert json.loads(json.dumps(JsonNode(value).plain())) == value


@given(st.lists(finite | st.integers(-(2**53), 2**53)))
def test_numbers_are_an_array_of_floats_whatever_they_were(values):
    found = JsonNode(values).numbers()
    assert found.dtype == np.float64
    assert found.tolist() == [float(value) for value in values]


@given(st.lists(st.integers(-5, 12)), st.integers(-5, 3), st.integers(4, 12))
def test_whole_numbers_are_all_within_their_range_or_the_first_that_is_not_is_named(values, lo, hi):
    node = JsonNode(values, "labels")
    outside = [k for k, value in enumerate(values) if not lo <= value <= hi]
    if outside:
        first = outside[0]
        message = refusal(lambda: node.wholes(lo, hi))
        assert message == f"labels[{first}] must be a whole number from {lo} to {hi}, not {values[first]}"
    else:
        assert node.wholes(lo, hi).tolist() == values
        assert node.wholes(lo, hi).dtype == np.int64


@pytest.mark.parametrize("ask", [lambda node, n: node.numbers(n), lambda node, n: node.wholes(0, count=n)])
def test_a_list_has_the_length_that_is_asked_for(ask):
    node = JsonNode([1, 2, 3], "x")
    assert len(ask(node, 3)) == 3
    assert len(ask(node, None)) == 3
    assert refusal(lambda: ask(node, 2)) == "x must hold 2 values, not 3"
    assert refusal(lambda: ask(JsonNode([], "x"), 1)) == "x must hold 1 value, not 0"


@pytest.mark.parametrize(
    "values", [[1.0, True], [1.0, None], [1.0, "2"], [1.0, [2.0]], [1.0, math.nan], [1.0, math.inf]]
)
def test_one_element_that_is_no_number_is_found(values):
    assert refusal(lambda: JsonNode(values, "x").numbers()).startswith("x[1] must be a finite number, not ")


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1]])
def test_only_a_whole_number_is_one(value):
    assert refusal(lambda: JsonNode(value, "seed").whole(0)).startswith(
        "seed must be a whole number from 0, not "
    )


def test_the_ends_of_a_range_belong_to_it():
    assert [JsonNode(value).whole(2, 4) for value in (2, 3, 4)] == [2, 3, 4]
    for value in (1, 5):
        assert refusal(lambda value=value: JsonNode(value, "k").whole(2, 4)).endswith(
            f"from 2 to 4, not {value}"
        )


def test_the_end_of_a_range_is_told_only_where_it_was_passed_or_is_small():
    assert JsonNode(LARGEST).whole(0) == LARGEST
    assert refusal(lambda: JsonNode(-1, "k").whole(0)) == "k must be a whole number from 0, not -1"
    assert f"to {LARGEST}" in refusal(lambda: JsonNode(LARGEST + 1, "k").whole(0))


@pytest.mark.parametrize("value", [LARGEST + 1, -LARGEST - 2, 10**400])
def test_a_whole_number_that_no_array_holds_is_refused_and_not_an_overflow(value):
    assert JsonNode([LARGEST]).wholes(0).tolist() == [2**63 - 1]
    assert refusal(lambda: JsonNode([0, value], "ids").wholes(0)).startswith("ids[1] must be a whole number")


@pytest.mark.parametrize("value", [True, False, 3, -2.5, "", "text"])
def test_a_scalar_keeps_its_type(value):
    found = JsonNode(value).scalar()
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("value", [None, [], {}, math.nan, -math.inf, 10**400])
def test_what_is_no_scalar_is_refused(value):
    message = refusal(lambda: JsonNode(value, "C").scalar())
    assert message.startswith("C must be a finite number, text, true or false, not ")


@pytest.mark.parametrize(
    "value, words",
    [
        ({"a": 1}, "an object"),
        ([1], "a list"),
        (None, "null"),
        (True, "true"),
        ("word", "'word'"),
        (1.5, "1.5"),
        ("x" * 500, "'" + "x" * 59 + "…'"),
    ],
)
def test_what_was_found_is_said_in_json_s_own_words_and_few(value, words):
    message = refusal(lambda: JsonNode(value, "it").reject("something else"))
    assert message == f"it must be something else, not {words}"
    assert len(message) < 100


def test_the_whole_has_no_path_but_a_name():
    assert refusal(lambda: JsonNode(5).members()) == "it must be an object, not 5"
