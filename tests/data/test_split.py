"""Held-out points are a share of each class, and stay held out while others are edited."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.data import Dataset, Split, generate
from vizml.data.split import hashed


@given(st.floats(0, 0.9), st.integers(0, 2**64 - 1), st.integers(0, 60))
def test_each_class_gives_its_share_but_never_all(share, seed, n):
    dataset = Dataset(np.zeros((n, 2)), np.arange(n) % 3)
    held = Split(share, seed).masks(dataset)[0]
    for label in range(3):
        members = dataset.labels == label
        assert held[members].sum() <= max(share * members.sum() + 0.5, 0)
        assert not members.any() or not held[members].all()


def test_a_third_of_each_moon():
    dataset = generate("moons", n=300)
    train, held = Split(0.3, seed=1).parts(dataset)
    assert np.bincount(held.labels).tolist() == [45, 45]
    assert len(train) + len(held) == 300


def test_no_share_holds_nothing():
    assert not Split().masks(generate("moons"))[0].any()


def test_the_seed_chooses():
    dataset = generate("moons")
    assert np.array_equal(Split(0.3, 5).masks(dataset)[0], Split(0.3, 5).masks(dataset)[0])
    assert not np.array_equal(Split(0.3, 5).masks(dataset)[0], Split(0.3, 6).masks(dataset)[0])


def test_a_moved_point_stays_where_it_was_put():
    dataset, split = generate("moons", n=50), Split(0.4, 2)
    moved = dataset.moved(np.arange(50) == 3, [[9, 9]])
    assert np.array_equal(split.masks(dataset)[0], split.masks(moved)[0])


def test_an_added_point_changes_the_side_of_one_other_at_most():
    dataset, split = generate("moons", n=50), Split(0.4, 2)
    more = dataset.adding([[0, 0]], 0)
    assert (split.masks(dataset)[0] != split.masks(more)[0][:-1]).sum() <= 1


@pytest.mark.parametrize(
    "share, seed, sentence",
    [
        (0.95, 0, "the held-out share must be from 0 to 0.9, not 0.95"),
        (-0.1, 0, "the held-out share must be from 0 to 0.9, not -0.1"),
        (float("nan"), 0, "the held-out share must be from 0 to 0.9, not nan"),
        (0.5, -1, "the seed of the split must be a whole number from 0, not -1"),
    ],
)
def test_an_unfit_share_is_refused(share, seed, sentence):
    with pytest.raises(ValueError, match=sentence):
        Split(share, seed)


def test_a_test_part_is_neither_learned_from_nor_held_out():
    dataset = generate("moons", n=200)
    split = Split(0.2, 3, test=0.1)
    train, held = split.parts(dataset)
    assert (len(train), len(held), int(split.masks(dataset)[1].sum())) == (140, 40, 20)
    assert not (split.masks(dataset)[0] & split.masks(dataset)[1]).any()
    assert np.array_equal(split.masks(dataset)[0], Split(0.2, 3).masks(dataset)[0])
    assert len(held.adding([(0.0, 0.0)], 0)) == 41


@given(st.floats(0, 0.45), st.floats(0, 0.45), st.integers(1, 40))
def test_a_class_always_keeps_a_point_to_learn_from(share, test, n):
    dataset = Dataset(np.zeros((n, 2)), np.arange(n) % 2)
    train, _ = Split(share, 0, test).parts(dataset)
    assert set(train.labels) == set(dataset.labels)


def test_too_much_held_back_is_refused():
    with pytest.raises(ValueError, match=r"must not exceed 0\.9 together, not 1"):
        Split(0.6, 0, 0.4)
    with pytest.raises(ValueError, match=r"test share must be from 0 to 0\.9"):
        Split(0.0, 0, -0.1)


def test_ids_arehasheded_by_splitmix64_for_ever():
    """Its published numbers from the state 0: other ones would deal the points of every old project anew."""
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    found = [int(hashed(np.array([0]), seed)[0]) % 2**64 for seed in range(4)]
    assert found == published


@pytest.mark.parametrize(
    "size, share, test, parts",
    [(1, 0.9, 0.0, (0, 0)), (2, 0.9, 0.0, (1, 0)), (3, 0.9, 0.0, (2, 0)), (2, 0.0, 0.9, (0, 1)),
     (2, 0.5, 0.4, (1, 0)), (3, 0.45, 0.45, (1, 1)), (10, 0.9, 0.0, (9, 0)), (10, 0.25, 0.25, (3, 3)),
     (100, 0.1, 0.1, (10, 10)), (100, 0.25, 0.25, (25, 25)), (100, 0.45, 0.45, (45, 45))],
)  # fmt: skip
def test_a_small_class_keeps_one_point_and_gives_as_many_as_it_can(size, share, test, parts):
    dataset, split = Dataset(np.zeros((size, 2)), np.zeros(size, int)), Split(share, 4, test)
    assert (split.masks(dataset)[0].sum(), split.masks(dataset)[1].sum()) == parts


@given(st.floats(0, 0.6), st.floats(0, 0.3), st.integers(0, 40))
def test_the_last_rows_are_held_out_and_tested_in_their_order(share, test, n):
    dataset = Dataset(np.zeros((n, 2)), np.arange(n) % 3)
    held, tested = Split(share, 5, test, last=True).masks(dataset)
    part = np.where(tested, 2, np.where(held, 1, 0))
    assert (np.diff(part) >= 0).all()
    assert (n == 0) or part[0] == 0
    assert abs(held.sum() - share * n) <= 1
    assert abs(tested.sum() - test * n) <= 1
