import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.ui.widgets.sparkline import corners, heights


def test_heights_run_from_the_least_to_the_highest():
    np.testing.assert_allclose(heights(np.array([4.0, 2.0, 3.0])), [1, 0, 0.5])


def test_decades_are_drawn_as_a_logarithm():
    np.testing.assert_allclose(heights(np.array([1000.0, 10.0, 0.1])), [1, 0.5, 0])


def test_losses_that_are_no_numbers_leave_gaps():
    up = heights(np.array([np.nan, 1.0, np.inf, 3.0]))
    np.testing.assert_array_equal(np.isnan(up), [True, False, True, False])
    assert np.isnan(heights(np.full(3, np.nan))).all()


def test_a_flat_loss_lies_in_the_middle():
    np.testing.assert_array_equal(heights(np.full(4, 7.0)), np.full(4, 0.5))


def test_few_moments_are_drawn_each():
    np.testing.assert_allclose(corners(np.array([1.0, 0.0, 0.5]), 100), [[0, 1], [0.5, 0], [1, 0.5]])


@pytest.mark.parametrize("place", [0, 17, 4999, 9999])
def test_no_spike_is_lost_among_many_moments(place):
    up = np.zeros(10_000)
    up[place] = 1.0
    line = corners(up, 300)
    assert len(line) <= 602
    assert line[:, 1].max() == 1.0
    assert abs(line[np.argmax(line[:, 1]), 0] - place / 9999) < 1 / 300


@given(arrays(float, st.integers(1, 3000), elements=st.floats(0, 1)), st.integers(1, 400))
def test_a_drawn_line_goes_forward_and_stays_within_its_values(up, columns):
    line = corners(up, columns)
    assert (np.diff(line[:, 0]) >= 0).all()
    assert line[:, 1].min() == up.min()
    assert line[:, 1].max() == up.max()
