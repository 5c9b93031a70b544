"""Ticks: steps of 1, 2 or 5, few and short labels that say where they are, at any magnitude."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.paint.axes import GLYPHS, log_ticks, ticks


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


@given(st.floats(-1e15, 1e15, allow_nan=False), st.floats(1e-6, 1e6), st.integers(1, 10))
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


# -- what labels say -----------------------------------------------------------------------------------------


POWER = re.compile(r"([+-]?)(?:([\d.]+)×)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def number(text):
    """What a label or an offset says, read as a person does."""
    plain = text.replace("−", "-").replace(" ", "")
    found = POWER.fullmatch(plain)
    if found is None:
        return float(plain)
    return float(f"{found[1]}{found[2] or 1}") * 10.0 ** int(found[3].translate(LOWERED))


def meant(found):
    """The values that labels and scale together say."""
    times, base = 1.0, 0.0
    for part in filter(None, re.split(r"  |(?=[+−] )", found.scale)):
        if part.startswith("×"):
            times = number(part[1:].strip())
        else:
            base = number(part)
    return np.array([number(label) * times + base for label in found.labels])


@given(st.floats(-1e12, 1e12), st.floats(1e-4, 1e6), st.integers(2, 10))
def test_labels_and_scale_together_say_where_the_ticks_are(middle, share, most):
    span = max(abs(middle), 1e-6) * share
    found = ticks(middle - span / 2, middle + span / 2, most)
    step = np.diff(found.values).min() if len(found.values) > 1 else span
    assert np.abs(meant(found) - found.values).max() <= step / 100 + 1e-12 * abs(middle)


@given(st.floats(0.001, 1e6), st.integers(-12, 12), st.integers(2, 10))
def test_a_thousandfold_range_has_the_same_ticks_a_thousandfold(span, power, most):
    one, other = ticks(0.0, span, most), ticks(0.0, span * 10.0**power, most)
    assert len(one.values) == len(other.values)
    assert np.allclose(one.values * 10.0**power, other.values, rtol=1e-9)


@given(st.floats(-1e6, 1e6), st.floats(0.01, 1e6), st.integers(2, 10))
def test_ticks_are_multiples_of_one_two_or_five_times_a_power_of_ten(low, span, most):
    values = ticks(low, low + span, most).values
    if len(values) > 2:
        step = np.diff(values)[1:-1].mean() if len(values) > 3 else np.diff(values).mean()
        mantissa = step / 10 ** np.floor(np.log10(step) + 1e-9)
        assert min(abs(mantissa - nice) for nice in (1, 2, 5, 10)) < 1e-3
        assert np.allclose(values / step, np.round(values / step), atol=1e-3)


@given(st.floats(-1e6, 1e6), st.floats(0.01, 1e6))
def test_room_for_more_ticks_never_gives_fewer(low, span):
    counts = [len(ticks(low, low + span, most).values) for most in range(1, 11)]
    assert counts == sorted(counts)


# -- logarithmic axes ----------------------------------------------------------------------------------------


def test_decades_have_their_powers():
    found = log_ticks(-3.0, 2.0, 6)
    assert found.labels == ("0.001", "0.01", "0.1", "1", "10", "100")
    assert found.values.tolist() == [-3, -2, -1, 0, 1, 2]


def test_few_decades_have_ticks_between_their_powers():
    assert log_ticks(0.0, 1.0, 6).labels == ("1", "2", "5", "10")
    assert log_ticks(0.0, 2.0, 6).labels == ("1", "3", "10", "30", "100")
    np.testing.assert_allclose(10 ** log_ticks(0.0, 1.0, 6).values, [1, 2, 5, 10])


def test_many_decades_leave_some_out_evenly():
    found = log_ticks(-12.0, 12.0, 5)
    assert len(found.values) <= 6
    assert len(set(np.diff(found.values))) == 1
    assert found.labels[0].startswith("10⁻")


def test_large_powers_are_written_raised():
    labels = log_ticks(5.0, 6.0, 6).labels
    assert labels == ("10⁵", "2×10⁵", "5×10⁵", "10⁶")


def test_less_than_a_decade_has_even_ticks():
    found = log_ticks(np.log10(3.1), np.log10(4.9), 6)
    assert len(found.values) >= 2
    assert [float(label) for label in found.labels] == pytest.approx((10**found.values).tolist())


@pytest.mark.parametrize("interval", [(1.0, 1.0), (2.0, 1.0), (0.0, np.inf), (np.nan, 1.0), (-np.inf, 0.0)])
def test_what_is_no_interval_of_powers_has_no_ticks(interval):
    assert log_ticks(*interval, 6).labels == ()


@given(st.floats(-10, 10), st.floats(0.05, 12), st.integers(2, 10))
def test_ticks_of_powers_are_inside_rising_and_named(low, span, most):
    found = log_ticks(low, low + span, most)
    assert len(found.values) == len(found.labels) == len(set(found.labels))
    assert (found.values >= low - 1e-6).all()
    assert (found.values <= low + span + 1e-6).all()
    assert (np.diff(found.values) > 0).all()
    assert len(found.values) <= most + 1
