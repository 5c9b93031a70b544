"""One-vs-one voting: LIBSVM's votes, winners of all pairs, cycles and missing pairs."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vizml.learn.one_vs_one import one_vs_one_scores

PAIRS = list(itertools.combinations(range(3), 2))
decided = st.lists(st.floats(-3, 3), min_size=3, max_size=3)


@given(f=st.lists(st.floats(-3, 3, allow_nan=False), min_size=6, max_size=6))
@settings(max_examples=200)
def test_the_winner_is_that_of_libsvms_vote(f):
    pairs = list(itertools.combinations(range(4), 2))
    votes = [0] * 4
    for value, (first, second) in zip(f, pairs):
        votes[first if value > 0 else second] += 1
    scores = one_vs_one_scores(np.array(f)[:, None], pairs, 4)[:, 0]
    assert np.argmax(scores) == np.argmax(votes) or np.sort(scores)[-1] == np.sort(scores)[-2]


def test_the_winner_of_all_pairs_leads_by_twice_its_smallest_margin():
    scores = one_vs_one_scores(np.array([[2.0], [0.5], [1.0]]), [(0, 1), (0, 2), (1, 2)], 3)[:, 0]
    assert scores.tolist() == [0.5, -2.0, -1.0]


@given(decided, st.floats(0.1, 10))
def test_scores_grow_with_the_decisions(f, factor):
    one, other = (
        one_vs_one_scores(np.array(g)[:, None], PAIRS, 3) for g in (f, [factor * each for each in f])
    )
    assert np.allclose(factor * one, other)


def test_pairs_without_a_decision_count_as_ties():
    scores = one_vs_one_scores(np.array([[2.0]]), PAIRS, 3)[:, 0]
    assert scores.tolist() == [0.0, -2.0, 0.0]


def test_a_cycle_of_wins_goes_to_the_first_class():
    scores = one_vs_one_scores(np.array([[1.0], [-2.0], [3.0]]), PAIRS, 3)[:, 0]  # 0 > 1 > 2 > 0
    assert scores.argmax() == 0
    assert sorted(scores) == [-3.0, -2.0, -1.0]


def test_scores_keep_the_shape_and_type_of_a_plane():
    plane = np.random.default_rng(0).normal(size=(3, 4, 5)).astype(np.float32)
    scores = one_vs_one_scores(plane, PAIRS, 3)
    assert scores.shape == (3, 4, 5)
    assert scores.dtype == np.float32
    flat = one_vs_one_scores(plane.reshape(3, -1), PAIRS, 3)
    assert np.array_equal(scores.reshape(3, -1), flat)
