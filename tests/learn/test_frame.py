"""The coordinates that learning happens in, and the words of its notes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vizml.learn.frame import Frame
from vizml.learn.telling import counted, fewer


@settings(deadline=None)
@given(seed=st.integers(0, 999), size=st.sampled_from([1e-12, 1.0, 1e12]), shift=st.floats(-100, 100))
def test_a_frame_is_middle_0_and_spread_1_and_leads_back(seed, size, shift):
    X = (np.random.default_rng(seed).normal(size=(20, 2)) + shift) * size
    frame = Frame.of(X)
    inside = frame.inside(X)
    assert np.abs(inside.mean(axis=0)).max() < 1e-12
    assert np.abs(inside).max() == pytest.approx(1.0)
    assert np.allclose(frame.outside(inside), X, rtol=1e-12, atol=1e-13 * np.abs(X).max())


def test_points_in_one_place_spread_over_one():
    frame = Frame.of(np.full((4, 2), 7.0))
    assert (frame.spread, frame.centre.tolist()) == (1.0, [7.0, 7.0])


def test_words_count():
    assert [counted(n, "point") for n in (0, 1, 2, 12345)] == [
        "0 points",
        "1 point",
        "2 points",
        "12,345 points",
    ]
    assert fewer(3, 3, "clusters") == ""
    assert fewer(3, 1, "clusters") == " (3 clusters were asked for; there is only one place with points)"
    assert fewer(4, 2, "states") == " (4 states were asked for; there are only 2 different points)"
