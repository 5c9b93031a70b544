"""Folds are parts: each point is tested once, and classes keep their proportions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.evaluate import bootstraps, fold_numbers, kfold


@given(st.lists(st.integers(0, 3), min_size=2, max_size=60), st.data())
def test_folds_part_the_points_and_keep_proportions(labels, data):
    y = np.array(labels)
    k = data.draw(st.integers(2, len(y)))
    parts = kfold(y, k, seed=data.draw(st.integers(0, 99)))
    assert len(parts) == k
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(len(y)))
    for train, test in parts:
        assert not set(train) & set(test)
        assert len(train) + len(test) == len(y)
    sizes = [len(test) for _, test in parts]
    assert max(sizes) - min(sizes) <= 1
    for label in np.unique(y):
        shares = [np.sum(y[test] == label) for _, test in parts]
        assert max(shares) - min(shares) <= 1


def test_a_seed_repeats_and_another_deals_anew():
    y = np.zeros(40)
    assert np.array_equal(fold_numbers(y, 5, seed=1), fold_numbers(y, 5, seed=1))
    assert not np.array_equal(fold_numbers(y, 5, seed=1), fold_numbers(y, 5, seed=2))


def test_leave_one_out_is_k_equal_to_n():
    assert all(len(test) == 1 for _, test in kfold(np.arange(7), 7))


@pytest.mark.parametrize("k", [0, 1, 11])
def test_an_unfit_number_of_folds_is_refused(k):
    with pytest.raises(ValueError, match="from 2 to the number of points, 10"):
        kfold(np.zeros(10), k)


def test_a_bootstrap_sample_holds_63_percent_of_the_points():
    shares = [len(np.unique(sample)) / 1000 for sample in bootstraps(1000, 200)]
    assert np.mean(shares) == pytest.approx(1 - np.exp(-1), abs=0.003)  # 3 standard errors of 200 draws
