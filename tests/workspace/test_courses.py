"""Any course of edits on a document: undo is its inverse, names and changes are true."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from vizml.data import Dataset, Split
from vizml.learn import create
from vizml.workspace import Document, Experiment, History, Work
from vizml.workspace.work import BUDGET, Change

coordinates = st.floats(-1e6, 1e6)


class Edits(RuleBasedStateMachine):
    """A document beside two plain stacks of what it was."""

    def __init__(self):
        super().__init__()
        self.document = Document()
        self.behind, self.ahead = [], []
        self.document.changed.connect(self.hear)
        self.heard = []

    def hear(self, change):
        self.heard.append(change)

    def edit(self, do):
        before, told = self.document.work, len(self.heard)
        do()
        after = self.document.work
        if after is not before:
            self.behind.append(before)
            self.ahead.clear()
            assert self.heard[told:] == [after.change_from(before)]
        else:
            assert self.heard[told:] == []

    @rule(x=coordinates, y=coordinates, label=st.integers(0, 7))
    def add(self, x, y, label):
        self.edit(lambda: self.document.add([x, y], label))

    @rule(seed=st.integers(0, 9))
    def erase(self, seed):
        mask = np.random.default_rng(seed).random(len(self.document.dataset)) < 0.4
        self.edit(lambda: self.document.erase(mask))

    @rule(seed=st.integers(0, 9), label=st.integers(0, 7))
    def relabel(self, seed, label):
        mask = np.random.default_rng(seed).random(len(self.document.dataset)) < 0.4
        self.edit(lambda: self.document.relabel(mask, label))

    @rule(share=st.sampled_from([0.0, 0.2, 0.5]))
    def hold_out(self, share):
        self.edit(lambda: self.document.set_split(Split(share)))

    @rule(cost=st.sampled_from([0.1, 1.0, 10.0]))
    def set_cost(self, cost):
        self.edit(lambda: self.document.set_model(create("svm", C=cost)))

    @rule(seed=st.integers(0, 3))
    def set_seed(self, seed):
        self.edit(lambda: self.document.set_seed(seed))

    @precondition(lambda self: self.behind)
    @rule()
    def undo(self):
        self.ahead.append(self.document.work)
        self.document.undo()
        assert self.document.work is self.behind.pop()

    @precondition(lambda self: self.ahead)
    @rule()
    def redo(self):
        self.behind.append(self.document.work)
        self.document.redo()
        assert self.document.work is self.ahead.pop()

    @invariant()
    def names_are_there_where_there_is_something_to_go_to(self):
        assert (self.document.undo_label is not None) == bool(self.behind)
        assert (self.document.redo_label is not None) == bool(self.ahead)

    @invariant()
    def it_is_modified_unless_it_is_what_was_saved(self):
        assert self.document.modified == (self.document.work is not (self.behind or [self.document.work])[0])


TestEdits = Edits.TestCase
TestEdits.settings = settings(max_examples=20, stateful_step_count=25)


# -- what a change is ----------------------------------------------------------------------------------------


@pytest.fixture
def document():
    return Document()


def work(**facts):
    return replace(Work(Dataset([[0.0, 0.0]], [0]), (Experiment(create("svm")),)), **facts)


@pytest.mark.parametrize(
    "facts, change",
    [
        ({}, Change.NOTHING),
        ({"dataset": Dataset([[1.0, 0.0]], [0])}, Change.DATA),
        ({"dataset": Dataset([[np.nan, 0.0]], [0], incomplete=True)}, Change.DATA | Change.TABLE),
        ({"dataset": Dataset([[1.0, 0.0]], [0], axes=("u", "v"))}, Change.DATA | Change.TABLE),
        ({"split": Split(0.2)}, Change.SPLIT),
        ({"experiments": (Experiment(create("svm", C=2)),)}, Change.MODEL),
        ({"experiments": (Experiment(create("svm"), 1),)}, Change.SEED),
        ({"experiments": (Experiment(create("tree"), 1),)}, Change.MODEL | Change.ALGORITHM | Change.SEED),
        ({"experiments": (Experiment(create("svm")),) * 2}, Change.MODEL | Change.ALGORITHM | Change.SEED),
        ({"generator": "moons:n=10"}, Change.NOTHING),
    ],
)
def test_a_change_names_what_differs_from_either_side(facts, change):
    one = work()
    other = replace(one, **facts)
    assert other.change_from(one) == one.change_from(other) == change


def test_edited_points_are_no_longer_those_of_a_generator(document):
    document.open(work(generator="moons:n=1,seed=1"))
    document.set_seed(5)
    assert document.work.generator == "moons:n=1,seed=1"
    document.add([1.0, 1.0], 0)
    assert document.work.generator == ""
    document.undo()
    assert document.work.generator == "moons:n=1,seed=1"


def test_a_stroke_says_how_many_points_it_has_in_all(document):
    for total in (5, 10, 15):
        document.add(np.random.default_rng(total).random((5, 2)), 0, verb="paint", merge="brush", total=total)
    assert document.undo_label == "paint 15 points"
    for total in (1, 2):
        document.erase(np.arange(len(document.dataset)) == 0, merge="erase", total=total)
    assert document.undo_label == "erase 2 points"
    document.undo()
    assert len(document.dataset) == 15


def test_saving_ends_a_stroke(document):
    document.add([0.0, 0.0], 0, merge="brush")
    document.mark_saved()
    document.add([1.0, 0.0], 0, merge="brush")
    document.undo()
    assert len(document.dataset) == 1
    assert not document.modified


@given(st.integers(0, 5), st.integers(0, 5))
def test_a_document_is_unmodified_at_the_saved_work_and_nowhere_else(before, after):
    document = Document()
    for n in range(before):
        document.add([n, 0.0], 0)
    document.mark_saved()
    for n in range(after):
        document.add([n, 1.0], 0)
    seen = [document.modified]
    for _ in range(before + after):
        document.undo()
        seen.append(document.modified)
    assert seen.index(False) == after
    assert seen.count(False) == 1


def test_another_seed_or_model_of_one_stage_leaves_the_others(document):
    start = document.work
    document.open(replace(start, experiments=start.experiments * 3))
    document.set_seed(4, index=1)
    document.set_param("C", 9.0, index=2)
    first, second, third = document.work.experiments
    assert first == start.experiments[0]
    assert (second.seed, third.seed) == (4, 0)
    assert (second.model.C, third.model.C) == (1.0, 9.0)
    with pytest.raises(IndexError):
        document.set_seed(1, index=3)


def test_history_is_told_of_each_entry_and_each_way_through_it(document):
    told = []
    document.history_changed.connect(lambda: told.append(document.undo_label))
    document.add([0.0, 0.0], 0)
    document.undo()
    document.undo()
    document.redo()
    document.mark_saved()
    document.open(work())
    assert told == ["add 1 point", None, "add 1 point", "add 1 point", None]


# -- memory --------------------------------------------------------------------------------------------------


def test_entries_that_share_their_points_count_once():
    """A slider that is dragged over a large data set makes entries of no size of their own."""
    points = np.zeros((1_000_000, 2))
    big = Work(Dataset(points, np.zeros(len(points), int)), (Experiment(create("svm")),))
    assert 5 * points.nbytes > BUDGET
    history = History(big)
    for n in range(1, 50):
        history.push(f"set {n}", replace(big, experiments=(Experiment(create("svm"), n),)))
    steps = 0
    while history.undo():
        steps += 1
    assert steps == 49


def test_the_last_entry_is_kept_however_large_it_is():
    big = Work(Dataset(np.zeros((4_000_000, 2)), np.zeros(4_000_000, int)), (Experiment(create("svm")),))
    assert sum(array.nbytes for array in big.dataset.arrays) > BUDGET
    history = History(big)
    history.push("clear", work())
    assert history.undo()
    assert history.work is big
