"""Iris and wine are the arrays of scikit-learn, two features at a time."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from vizml.data import generate
from vizml.data.bundled import read_bundled

SETS = [("iris", load_iris), ("wine", load_wine)]


@pytest.mark.parametrize("name, load", SETS)
class TestAgainstScikitLearn:
    def test_all_features_are_equal(self, name, load):
        features, labels, classes = read_bundled(name)
        theirs = load()
        assert np.array_equal(features, theirs.data)
        assert np.array_equal(labels, theirs.target)
        assert classes == tuple(theirs.target_names)

    def test_any_two_features_can_be_chosen(self, name, load):
        theirs = load()
        for a, b in ((1, 2), (4, 3), (2, 2)):
            dataset = generate(name, a=a, b=b)
            assert np.array_equal(dataset.points, theirs.data[:, [a - 1, b - 1]])
            assert np.array_equal(dataset.labels, theirs.target)
            assert dataset.classes == tuple(theirs.target_names)

    def test_axes_are_named_after_the_features(self, name, load):
        titles = [title.replace("_", " ") for title in load().feature_names]
        assert generate(name, a=2, b=1).axes == (titles[1], titles[0])


@pytest.mark.parametrize("word", ["sepal_width", "sepal width", "Sepal Width", "sepal width (cm)", "2", 2])
def test_a_feature_may_be_called_in_many_ways(word):
    assert generate("iris", a=word).axes[0] == "sepal width (cm)"


@pytest.mark.parametrize("word", ["width", 0, 5, True, None, 1.5])
def test_an_unknown_feature_is_refused(word):
    with pytest.raises(
        ValueError, match=r"a must be one of sepal_length, .*, or its number from 1 to 4, not"
    ):
        generate("iris", a=word)


def test_a_sample_keeps_the_shares_of_the_classes():
    assert np.bincount(generate("iris", n=31).labels).tolist() in ([10, 10, 11], [10, 11, 10], [11, 10, 10])
    assert generate("iris", n=30) != generate("iris", n=30, seed=1)


def test_jitter_parts_equal_points():
    plain, parted = generate("iris"), generate("iris", noise=0.05)
    assert len(np.unique(plain.points, axis=0)) < 150 == len(np.unique(parted.points, axis=0))
    assert np.abs(plain.points - parted.points).max() < 0.3
