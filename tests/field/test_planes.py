"""Ranked planes against numpy's sort, place by place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vizml.field.planes import ranked

small = st.integers(-3, 3).map(float)
planes = array_shapes(min_dims=2, max_dims=3, max_side=6).flatmap(
    lambda shape: arrays(np.float32, shape, elements=small)
)


@given(planes)
def test_winner_best_and_next_are_those_of_a_sort(values):
    winner, best, following = ranked(values)
    ordered = np.sort(values, axis=0)
    assert np.array_equal(winner, values.argmax(axis=0))
    assert np.array_equal(best, ordered[-1])
    assert np.array_equal(following, ordered[-2] if len(values) > 1 else np.full_like(best, -np.inf))


@given(planes)
def test_the_planes_are_left_as_they_are(values):
    before = values.copy()
    ranked(values)
    assert np.array_equal(values, before)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("count, size", [(1, 1), (8, 1), (300, 2)])
def test_winners_take_as_little_room_as_they_can_and_values_keep_their_kind(kind, count, size):
    values = np.zeros((count, 2, 3), dtype=kind)
    values[-1] = 1.0
    winner, best, following = ranked(values)
    assert (winner.itemsize, best.dtype, following.dtype) == (size, kind, kind)
    assert (winner == count - 1).all()
