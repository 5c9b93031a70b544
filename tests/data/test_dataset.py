"""Data sets hold what they were given, unchanged, and every edit is a new one."""

from dataclasses import replace

import numpy as np
import pytest

from vizml.data import Column, Dataset


def table():
    sizes = Column("size", [1.0, np.nan, 3.0])
    colours = Column("colour", [0, 1, -1], ("red", "blue"))
    points = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    return Dataset(points, [0, 1, 0], axes=("a", "b"), others=(sizes, colours), chosen_inputs=("size", "a"))


@pytest.mark.parametrize("dataset", [table(), Dataset.empty()], ids=len)
def test_arrays_are_read_only(dataset):
    assert dataset.points.shape == (len(dataset), 2)
    for array in (dataset.points, dataset.labels, dataset.ids):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_the_giver_keeps_an_array_of_its_own():
    points = np.zeros((2, 2))
    dataset = Dataset(points, [0, 1])
    points[0, 0] = 9
    assert dataset.points[0, 0] == 0


def test_classes_without_a_name_are_letters():
    dataset = Dataset([[0, 0]], [0], classes=("cat", ""))
    assert [dataset.name(k) for k in (-1, 0, 1, 2, 30)] == ["unlabelled", "cat", "B", "C", "class 31"]


def test_the_classes_present_rise_and_leave_out_the_unlabelled():
    assert Dataset(np.zeros((4, 2)), [5, -1, 2, 5]).present.tolist() == [2, 5]


def test_a_curve_is_unlabelled_points():
    dataset = Dataset.curve([1, 2], [3, 4])
    assert dataset.points.tolist() == [[1, 3], [2, 4]]
    assert dataset.labels.tolist() == [-1, -1]


def test_nothing_is_a_data_set_too():
    assert len(Dataset.empty()) == 0
    assert Dataset([], []) == Dataset.empty()
    assert Dataset.empty(axes=("a", "b")).axes == ("a", "b")


def test_equal_means_points_labels_classes_and_axes():
    one = Dataset([[0, 1]], [0])
    assert one == Dataset([[0, 1]], [0], ids=[9])
    assert one != Dataset([[0, 1]], [1])
    assert one != Dataset([[0, 1]], [0], axes=("a", "b"))
    assert one != "a data set"


@pytest.mark.parametrize(
    "points, labels, ids, sentence",
    [
        ([[1, 2, 3]], [0], None, r"points must have the shape \(n, 2\), not \(1, 3\)"),
        ([[0, 0], [np.nan, 0]], [0, 0], None, "point 1 is not finite: every coordinate must be a number"),
        ([[0, np.inf]], [0], None, "point 0 is not finite"),
        ([[0, 0]], [0, 1], None, r"labels must be one for each of the 1 points"),
        ([[0, 0]], [0.5], None, "labels must be whole numbers, -1 for unlabelled"),
        ([[0, 0]], [-2], None, "label -2 is out of range: classes count from 0, -1 is unlabelled"),
        ([[0, 0], [1, 1]], [0, 0], [3, 3], "ids must be one different whole number for each point"),
    ],
)
def test_what_is_unfit_is_refused_with_the_reason(points, labels, ids, sentence):
    with pytest.raises(ValueError, match=sentence):
        Dataset(points, labels, ids=ids)


# a table


def test_words_and_booleans_are_stored_next_to_their_codes():
    words = Dataset(np.zeros((4, 2)), np.array(["cat", None, "dog", "cat"], dtype=object))
    assert words.labels.tolist() == [0, -1, 1, 0]
    assert words.classes == ("cat", "dog")
    assert words.values.tolist() == ["cat", None, "dog", "cat"]
    flags = Dataset(np.zeros((3, 2)), [True, False, True])
    assert (flags.labels.tolist(), flags.values.tolist()) == ([1, 0, 1], [True, False, True])
    assert Dataset(np.zeros((2, 2)), [3, -1]).values.tolist() == [3, None]


def test_a_table_has_columns_and_roles():
    found = table()
    assert [column.name for column in found.columns] == ["a", "b", "size", "colour"]
    assert found.inputs == ("size", "a")
    assert np.array_equal(found.features, [[1, 0], [np.nan, 2], [3, 4]], equal_nan=True)
    assert found.column("colour").missing.tolist() == [False, False, True]
    assert found == table()
    with pytest.raises(ValueError, match="there is no column 'c'; there are a, b, size, colour"):
        found.column("c")
    with pytest.raises(ValueError, match="there is no column 'weight'"):
        replace(found, target="weight")


def test_edits_keep_the_columns_of_a_table_aligned():
    found = table().adding([[9.0, 9.0]], 1)
    assert np.isnan(found.column("size").values[-1])
    assert found.column("colour").values.tolist() == [0, 1, -1, -1]
    left = found.take(np.array([False, True, True, True]))
    assert left.column("colour").values.tolist() == [1, -1, -1]
    assert left.moved(np.array([True, False, False]), [[7.0, 7.0]]).column("a").values.tolist() == [7, 4, 9]


def test_without_roles_models_learn_from_the_axes():
    plain = Dataset([[0.0, 1.0]], [0], axes=("a", "b"))
    assert plain.inputs == ("a", "b")
    assert plain.features is plain.points
