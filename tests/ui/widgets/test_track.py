import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.ui.widgets.slider import NumberScale

C = NumberScale(1e-3, 1e4, log=True)
PERCENT = NumberScale(0, 100, grain=1.0)
K = NumberScale(1, 50, whole=True)
PENALTY = NumberScale(0, 100, log=True)
EPOCHS = NumberScale(1, 10_000, log=True, whole=True)


@pytest.mark.parametrize("track", [C, PERCENT, K, PENALTY, EPOCHS])
@given(position=st.floats(0, 1))
def test_a_value_lies_where_it_was_taken_from(track, position):
    value = track.value(position)
    assert track.lo <= value <= track.hi
    assert track.position(value) == pytest.approx(position, abs=0.06)
    assert track.value(track.position(value)) == value


@pytest.mark.parametrize("track", [C, PERCENT, K, PENALTY, EPOCHS])
def test_both_ends_can_be_reached_and_no_further(track):
    assert track.value(-0.2) == track.lo
    assert track.value(1.2) == track.hi
    assert track.position(track.lo) == 0
    assert track.position(track.hi) == pytest.approx(1)


@pytest.mark.parametrize("track", [C, PERCENT, K, PENALTY, EPOCHS])
def test_steps_walk_from_end_to_end_and_never_stand_still(track):
    value, walked = track.lo, 0
    while value < track.hi:
        further = track.moved(value, 1)
        assert further > value
        value, walked = further, walked + 1
    assert walked < 250
    while value > track.lo:
        nearer = track.moved(value, -1)
        assert nearer < value
        value = nearer


def test_a_logarithmic_track_gives_round_values():
    assert C.value(C.position(1.0)) == 1.0
    for tenth in range(101):
        value = C.value(tenth / 100)
        assert float(f"{value:.2g}") == value


def test_whole_numbers_stay_whole():
    assert isinstance(K.value(0.37), int)
    assert [K.moved(3, n) for n in (-1, 1, 10)] == [2, 4, 13]


@pytest.mark.parametrize(
    "track, value, text",
    [
        (C, 1.0, "1.00"),
        (C, 0.5, "0.50"), (C, 0.01, "0.01"), (C, 0.025, "0.025"),
        (C, 0.001, "0.001"), (C, 12.5, "12.5"), (C, 1e4, "10000"), (C, 1234.5, "1234.5"),
        (C, 0.123456, "0.123456"), (C, 100.0, "100"), (PENALTY, 0.0, "0"), (PENALTY, 1e-5, "1e-5"),
        (PERCENT, 30.0, "30"), (PERCENT, 33.3, "33.3"), (K, 3, "3"), (NumberScale(0, 1), 0.5, "0.500"),
    ],
)  # fmt: skip
def test_numbers_read_as_people_write_them(track, value, text):
    assert track.text(value) == text


@given(st.floats(1e-3, 1e4))
def test_what_is_written_is_the_value_to_six_figures(value):
    assert math.isclose(float(C.text(value)), value, rel_tol=1e-5)
