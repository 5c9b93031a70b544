"""Scaling of inputs, and formatting of counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vizml.learn.scaling import Scaling


@settings(deadline=None)
@given(seed=st.integers(0, 999), size=st.sampled_from([1e-12, 1.0, 1e12]), shift=st.floats(-100, 100))
def test_scaled_inputs_have_mean_0_and_size_1_and_lead_back(seed, size, shift):
    X = (np.random.default_rng(seed).normal(size=(20, 3)) + shift) * size
    scaling = Scaling.fit(X)
    scaled = scaling.transform(X)
    assert np.abs(scaled.mean(axis=0)).max() < 1e-12
    assert np.abs(scaled).max() == pytest.approx(1.0)
    assert np.allclose(scaled * scaling.scale + scaling.centre, X, rtol=1e-12, atol=1e-13 * np.abs(X).max())


def test_points_that_coincide_are_scaled_by_one():
    scaling = Scaling.fit(np.full((4, 2), 7.0))
    assert (scaling.scale, scaling.centre.tolist()) == (1.0, [7.0, 7.0])
