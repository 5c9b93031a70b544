"""Edits of a data set undo one another, touch what they should, and keep points apart by their ids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.data import Dataset, Project, Split, generate, load_project, read_csv, save_project, write_csv
from vizml.data.dataset import LONGEST_NAME

coordinates = st.floats(-1e12, 1e12)


@st.composite
def datasets(draw, least=0):
    n = draw(st.integers(least, 10))
    points = draw(arrays(float, (n, 2), elements=coordinates))
    labels = draw(arrays(np.int64, n, elements=st.integers(-1, 7)))
    ids = draw(st.lists(st.integers(0, 10**6), min_size=n, max_size=n, unique=True))
    return Dataset(points, labels, ("cat",), ("w", "h"), ids)


def masks(dataset):
    return arrays(bool, len(dataset))


@given(datasets(), datasets())
def test_taking_away_what_was_added_gives_what_there_was(dataset, more):
    both = dataset.adding(more.points, more.labels)
    new = np.arange(len(both)) >= len(dataset)
    assert both.take(~new) == dataset
    assert np.array_equal(both.take(~new).ids, dataset.ids)
    assert np.array_equal(both.points[new], more.points)
    assert np.array_equal(both.labels[new], more.labels)


@given(datasets(), st.data())
def test_moving_back_gives_what_there_was(dataset, data):
    mask = data.draw(masks(dataset))
    away = dataset.moved(mask, dataset.points[mask] + 5.0)
    assert away.moved(mask, dataset.points[mask]) == dataset
    assert np.array_equal(away.points[~mask], dataset.points[~mask])
    assert np.array_equal(away.ids, dataset.ids)


@given(datasets(), st.data(), st.integers(-1, 7))
def test_a_new_label_moves_nothing(dataset, data, label):
    mask = data.draw(masks(dataset))
    found = dataset.relabelled(mask, label)
    assert (found.labels[mask] == label).all()
    assert np.array_equal(found.labels[~mask], dataset.labels[~mask])
    assert np.array_equal(found.points, dataset.points)
    assert np.array_equal(found.ids, dataset.ids)


@given(datasets(), st.data())
def test_an_edit_keeps_the_names_and_leaves_the_old_one_as_it_was(dataset, data):
    mask = data.draw(masks(dataset))
    before = dataset.points.copy(), dataset.labels.copy(), dataset.ids.copy()
    for found in (
        dataset.take(mask), dataset.adding([[0, 0]], 1), dataset.moved(mask, 1.0),
        dataset.relabelled(mask, 2), dataset.unlabelled(),
    ):  # fmt: skip
        assert (found.classes, found.axes) == (("cat",), ("w", "h"))
    for array, kept in zip((dataset.points, dataset.labels, dataset.ids), before):
        assert np.array_equal(array, kept)


@given(datasets(least=1), st.data())
def test_ids_follow_their_points_through_any_order(dataset, data):
    order = np.array(data.draw(st.permutations(range(len(dataset)))))
    shuffled = dataset.take(order)
    back = shuffled.take(np.argsort(order))
    assert back == dataset
    assert np.array_equal(shuffled.ids, dataset.ids[order])


def test_a_slice_takes_points_too():
    dataset = generate("moons", n=10)
    assert dataset.take(slice(2, 5)) == dataset.take(np.array([2, 3, 4]))
    assert dataset.take(slice(2, 5)).ids.tolist() == [2, 3, 4]


def test_no_point_can_be_taken_twice():
    with pytest.raises(ValueError, match="ids must be one different whole number for each point"):
        generate("moons", n=3).take(np.array([0, 0]))


def test_one_point_and_one_label_may_be_added_as_they_are():
    dataset = Dataset.empty().adding([1, 2], 3).adding([[3, 4], [5, 6]], 0)
    assert dataset.points.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert dataset.labels.tolist() == [3, 0, 0]
    assert dataset.ids.tolist() == [0, 1, 2]


def test_labels_may_be_any_kind_of_whole_number():
    for labels in ([1.0, 0.0], [True, False], np.array([1, 0], np.uint8), np.array([1, 0], np.int16)):
        found = Dataset([[0, 0], [1, 1]], labels).labels
        assert found.tolist() == [1, 0]
        assert found.dtype == np.int64


@given(st.integers(0, 2**64 - 1), st.floats(0, 0.9), st.floats(0, 0.9))
def test_a_larger_share_holds_out_all_that_a_smaller_one_does(seed, one, other):
    dataset = generate("blobs", n=60)
    small, large = sorted((one, other))
    assert (Split(small, seed).masks(dataset)[0] <= Split(large, seed).masks(dataset)[0]).all()


@given(st.integers(0, 2**64 - 1), st.permutations(range(30)))
def test_a_split_does_not_depend_on_the_order_of_the_points(seed, order):
    dataset, split = generate("moons", n=30), Split(0.4, seed)
    order = np.array(order)
    assert np.array_equal(split.masks(dataset.take(order))[0], split.masks(dataset)[0][order])


def test_every_point_is_held_out_as_often_as_any_other():
    """Over many seeds each of 20 points comes up a quarter of the time: within five deviations."""
    dataset = Dataset(np.zeros((20, 2)), np.zeros(20, int))
    times = sum(Split(0.25, seed).masks(dataset)[0].astype(int) for seed in range(2000))
    assert np.abs(times - 500).max() < 5 * np.sqrt(2000 * 0.25 * 0.75)


def test_neighbours_in_order_are_dealt_apart():
    """Points are drawn in strokes: held-out ones must not come in runs."""
    held = Split(0.5, 1).masks(Dataset(np.zeros((4000, 2)), np.zeros(4000, int)))[0]
    changes = (held[1:] != held[:-1]).mean()
    assert abs(changes - 0.5) < 5 * 0.5 / np.sqrt(4000)


written = st.text(st.characters(codec="utf-8"), max_size=60)


@given(datasets(), st.integers(0, 7), written)
def test_a_renamed_class_is_called_so_and_nothing_else_is_touched(dataset, label, name):
    names = [dataset.name(other) for other in range(-1, 8)]
    wanted = " ".join(name.split())[:LONGEST_NAME] or (chr(ord("A") + label))
    if wanted in names[: label + 1] + names[label + 2 :]:
        with pytest.raises(ValueError, match="already"):
            dataset.renamed(label, name)
        return
    found = dataset.renamed(label, name)
    assert [found.name(other) for other in range(-1, 8)] == [*names[: label + 1], wanted, *names[label + 2 :]]
    assert np.array_equal(found.points, dataset.points)
    assert np.array_equal(found.labels, dataset.labels)
    assert np.array_equal(found.ids, dataset.ids)
    assert found.axes == dataset.axes


@pytest.mark.parametrize(
    "name, whose", [("B", "class 2"), (" dog ", "class 3"), ("unlabelled", "points without a class")]
)
def test_two_classes_cannot_have_one_name(name, whose):
    dataset = Dataset([[0, 0]], [0], ("", "", "dog"))
    with pytest.raises(ValueError, match=f"^the name '{name.strip()}' is that of {whose} already$"):
        dataset.renamed(0, name)


def test_a_class_may_keep_its_name_and_lose_it():
    dataset = Dataset([[0, 0]], [0]).renamed(1, "dog")
    assert dataset.renamed(1, "dog") == dataset
    assert dataset.renamed(1, "").name(1) == "B"


printable = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=20)


@given(st.lists(printable, min_size=3, max_size=3))
def test_names_that_were_given_come_back_from_a_project_and_from_a_table(tmp_path_factory, names):
    dataset = Dataset([[0, 0], [1, 1], [2, 2]], [0, 1, 2])
    for label, name in enumerate(names):
        try:
            dataset = dataset.renamed(label, f"class of {name}")
        except ValueError:
            dataset = dataset.renamed(label, f"another {label}")
    folder = tmp_path_factory.mktemp("names")
    save_project(Project(dataset), folder / "a.vizml")
    assert load_project(folder / "a.vizml").dataset == dataset
    write_csv(dataset, folder / "a.csv")
    read = read_csv(folder / "a.csv")
    assert [read.name(label) for label in read.labels] == [dataset.name(label) for label in range(3)]
