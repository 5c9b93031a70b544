import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.ui.picture.ticks import GLYPHS, ticks


def labels(low, high, most=6):
    return ticks(low, high, most).labels


def test_steps_are_one_two_or_five():
    assert labels(0, 1) == ("0.0", "0.2", "0.4", "0.6", "0.8", "1.0")
    assert labels(-3, 3) == ("−3", "−2", "−1", "0", "1", "2", "3")
    assert labels(95, 118) == ("95", "100", "105", "110", "115")


def test_large_and_small_ranges_have_a_power_of_ten():
    assert ticks(0, 1e12, 6).scale == "×10¹²"
    assert ticks(-1e-12, 1e-12, 6).labels == ("−1.0", "−0.5", "0.0", "0.5", "1.0")
    assert ticks(-1e-12, 1e-12, 6).scale == "×10⁻¹²"


def test_short_ranges_far_from_zero_have_an_offset():
    far = ticks(1e12, 1e12 + 1, 6)
    assert far.labels == ("0.0", "0.2", "0.4", "0.6", "0.8", "1.0")
    assert far.scale == "+ 10¹²"
    assert ticks(-1e12 - 1000, -1e12 + 1000, 6).scale == "− 10¹²"
    assert ticks(123456.2, 123456.8, 7).scale == "+ 123456"
    assert ticks(4.9999, 5.0001, 6).scale == "×10⁻⁴  + 5"


def test_no_label_says_minus_zero():
    assert "−0.0" not in labels(-0.3, 0.3)


@pytest.mark.parametrize("interval", [(0, 0), (1, 0), (0, float("inf")), (float("nan"), 1)])
def test_what_is_no_interval_has_no_ticks(interval):
    assert labels(*interval) == ()


@given(
    st.floats(-1e15, 1e15, allow_nan=False),
    st.floats(1e-6, 1e6),
    st.integers(1, 10),
)
def test_ticks_of_any_interval_are_few_inside_different_and_short(middle, share, most):
    span = max(abs(middle), 1e-9) * share
    low, high = middle - span / 2, middle + span / 2
    found = ticks(low, high, most)
    assert len(found.labels) == len(found.values) <= most + 1
    assert (found.values >= low).all()
    assert (found.values <= high).all()
    assert len(set(found.labels)) == len(found.labels)
    assert all(len(label.replace(".", "")) <= GLYPHS + 1 for label in found.labels)
    assert np.allclose(np.diff(found.values), np.diff(found.values)[:1], rtol=1e-3)
