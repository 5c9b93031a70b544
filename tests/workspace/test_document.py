"""Edits go into the document by name, changes come out as an event that says what they are."""

from dataclasses import replace

import numpy as np
import pytest

from vizml import learn
from vizml.data import Dataset, Split
from vizml.evaluate.diagnostics.last_test import legend_text as legend
from vizml.workspace import Document
from vizml.workspace.work import Change, Work

CHOICE = Change.MODEL | Change.ALGORITHM


@pytest.fixture
def document():
    return Document()


@pytest.fixture
def changes(document):
    seen = []
    document.changed.connect(seen.append)
    return seen


@pytest.mark.parametrize(
    "edit, label, change",
    [
        (lambda d: d.add([1.0, 2.0], 0), "add 1 point", Change.DATA),
        (lambda d: d.add(np.ones((37, 2)), 1, verb="paint"), "paint 37 points", Change.DATA),
        (lambda d: d.set_split(Split(0.3)), "hold out 30%", Change.SPLIT),
        (
            lambda d: d.set_model(learn.create("knn")),
            "choose k nearest neighbours",
            CHOICE,
        ),
        (lambda d: d.set_param("C", 10), "set cost", Change.MODEL),
        (
            lambda d: d.rename_class(1, "malignant"),
            "rename class 2 to malignant",
            Change.DATA | Change.CLASSES,
        ),
        (lambda d: d.set_seed(7), "set seed 7", Change.SEED),
        (lambda d: d.set_held("c", 0.25), "hold c at 0.25", Change.SECTION),
        (lambda d: d.set_standardise(True), "standardise inputs", CHOICE),
    ],
)
def test_each_edit_is_named_says_what_changed_and_can_be_undone(document, changes, edit, label, change):
    before = document.work
    edit(document)
    assert document.undo_label == label
    assert changes == [change]
    document.undo()
    assert document.work is before
    assert document.redo_label == label
    assert changes == [change, change]


def test_points_are_erased_moved_and_relabelled_by_mask(document):
    document.add([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], 0)
    mask = np.array([False, True, True])
    document.move(mask, [[5.0, 5.0], [6.0, 6.0]])
    document.relabel(mask, 3)
    assert document.dataset.points.tolist() == [[0.0, 0.0], [5.0, 5.0], [6.0, 6.0]]
    assert document.dataset.labels.tolist() == [0, 3, 3]
    document.erase(mask)
    assert document.undo_label == "erase 2 points"
    assert len(document.dataset) == 1


def test_an_edit_of_no_points_is_no_entry(document, changes):
    nothing = np.zeros(0, bool)
    document.erase(nothing)
    document.move(nothing, np.empty((0, 2)))
    document.relabel(nothing, 1)
    document.set_seed(0)
    assert changes == []
    assert document.undo_label is None


def test_an_unfit_value_changes_nothing(document, changes):
    before = document.work
    with pytest.raises(ValueError, match="C must be a number from"):
        document.set_param("C", -1)
    with pytest.raises(ValueError, match="has no parameter 'colour'"):
        document.set_param("colour", 1)
    assert document.work is before
    assert changes == []


def test_a_slider_drag_is_one_entry(document):
    for value in (2.0, 3.0, 4.0):
        document.set_param("C", value, merge="C")
    document.seal()
    document.set_param("C", 5.0, merge="C")
    document.undo()
    assert document.experiment().model.values["C"] == 4.0
    document.undo()
    assert document.experiment().model.values["C"] == 1.0


def test_opening_starts_a_new_history(document, changes):
    document.add([0.0, 0.0], 0)
    other = replace(Work.fresh(), dataset=Dataset([[3.0, 3.0]], [1]))
    document.open(other)
    assert document.work is other
    assert document.undo_label is None
    assert not document.modified
    document.open(Work.fresh(), saved=False)
    assert document.modified


def test_a_class_that_keeps_its_name_is_nothing_to_undo(document, changes):
    document.rename_class(1, "B")
    document.rename_class(2, " ")
    assert document.undo_label is None
    assert changes == []


def test_a_name_that_another_class_has_changes_nothing(document):
    before = document.work
    with pytest.raises(ValueError, match="'B' is that of class 2"):
        document.rename_class(0, "B")
    assert document.work is before


def test_points_of_a_generator_are_still_its_own_under_other_names(document):
    document.open(replace(document.work, generator="moons"))
    document.rename_class(0, "upper")
    assert document.work.generator == "moons"


def test_views_of_the_test_set_are_counted_by_experiment_and_split(document):
    document.set_split(Split(0.2, 0, 0.2))
    views, kept = document.test_set_views, document.work
    assert (views.includes(kept, 0), legend(views.count(kept))) == (False, "test, locked")
    for _ in range(2):
        document.view_test_set(0)
    assert (views.includes(kept, 0), legend(views.count(kept))) == (True, "test, seen once")
    for seed, words in ((1, "twice"), (2, "3 times")):
        document.set_seed(seed)
        assert not views.includes(document.work, 0)
        document.view_test_set(0)
        assert legend(views.count(document.work)) == f"test, seen {words}"
    document.set_split(Split(0.2, 1, 0.2))
    assert not views.includes(document.work, 0)
    assert (views.count(document.work), legend(views.count(document.work))) == (0, "test, locked")
