"""Points by their leaf: two ways to say where they are, and brute force."""

import numpy as np
import pytest

from vizml.learn.ensembles.leaves import Runs, Scattered

SIZES = np.array([3, 1, 4, 2])
NODES = np.arange(4).repeat(SIZES)
VALUES = np.random.default_rng(0).normal(size=10)
ORDER = np.random.default_rng(1).permutation(10)
WAYS = {
    "runs": (Runs(np.array([0, 3, 4, 8, 10])), VALUES),
    "scattered": (Scattered(NODES[ORDER], 4), VALUES[ORDER]),
}
every_way = pytest.mark.parametrize("leaves, values", WAYS.values(), ids=WAYS)


def by_hand(what):
    return [what(VALUES[NODES == leaf]) for leaf in range(4)]


@every_way
@pytest.mark.parametrize("name, what", [("sums", np.sum), ("means", np.mean), ("medians", np.median)])
def test_each_leaf_has_what_its_points_have(leaves, values, name, what):
    assert getattr(leaves, name)(values) == pytest.approx(by_hand(what))


@pytest.mark.parametrize("name", ["sums", "means", "medians"])
def test_an_empty_leaf_has_nothing(name):
    leaves = Scattered(np.array([0, 2, 2]), 4)
    found = getattr(leaves, name)(np.array([5.0, 1.0, 2.0]))
    assert found[[1, 3]].tolist() == [0.0, 0.0]
    assert found[0] == 5.0


def test_runs_know_how_many_points_they_have():
    assert Runs(np.array([0, 3, 4, 8, 10])).sizes.tolist() == SIZES.tolist()
