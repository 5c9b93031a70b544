"""Undo and redo over works: names, strokes that merge, a bound on memory."""

from dataclasses import replace

import numpy as np
import pytest

from vizml.data import Column, Dataset, Split
from vizml.workspace import History, Work
from vizml.workspace.work import BUDGET, ENTRIES


def work(n):
    points = np.arange(2.0 * n).reshape(n, 2)
    return replace(Work.fresh(), dataset=Dataset(points, np.zeros(n, int)))


def test_a_stroke_is_one_entry_under_its_last_name():
    first, last = work(0), work(3)
    history = History(first)
    for n in (1, 2):
        history.push(f"paint {n} points", work(n), merge="stroke 1")
    history.push("paint 3 points", last, merge="stroke 1")
    assert history.undo_label == "paint 3 points"
    history.undo()
    assert history.work is first


def test_another_stroke_or_a_sealed_one_begins_anew():
    history = History(work(0))
    history.push("a", work(1), merge="stroke 1")
    history.push("b", work(2), merge="stroke 2")
    history.seal()
    history.push("c", work(3), merge="stroke 2")
    labels = []
    while history.undo_label:
        labels.append(history.undo_label)
        history.undo()
    assert labels == ["c", "b", "a"]


def test_what_was_undone_does_not_merge_with_what_comes():
    history = History(work(0))
    history.push("a", work(1), merge="s")
    history.push("b", work(2), merge="t")
    history.undo()
    history.push("c", work(3), merge="s")
    history.undo()
    assert len(history.work.dataset) == 1


def held(history):
    """How many entries can be undone, and the bytes of all arrays that are kept for it."""
    steps, arrays = 0, {}
    while history.undo():
        steps += 1
        arrays |= {id(array): array for array in history.work.dataset.arrays}
    return steps, sum(array.nbytes for array in arrays.values())


def edit(history, start, count):
    """Edits after which every work has points of its own."""
    mask = np.arange(len(start.dataset)) == 0
    for i in range(count):
        history.push(f"edit {i}", replace(start, dataset=start.dataset.moved(mask, [i, i])))


def test_ten_thousand_edits_of_few_points_are_held_by_their_number():
    history = History(work(0))
    edit(history, work(4), 10_000)
    steps, found = held(history)
    assert steps == ENTRIES
    assert found < BUDGET / 100


@pytest.mark.parametrize("count", [250, 500])
def test_edits_of_many_points_are_held_by_their_size(count):
    start = work(20_000)
    history = History(work(0))
    edit(history, start, count)
    steps, found = held(history)
    size = start.dataset.points.nbytes  # labels and ids are shared
    assert steps == (BUDGET - 2 * start.dataset.labels.nbytes) // size
    assert BUDGET - size <= found <= BUDGET


def test_columns_that_an_edit_leaves_count_once():
    columns = tuple(Column(f"c{k}", np.arange(20_000.0)) for k in range(20))
    start = replace(work(0), dataset=replace(work(20_000).dataset, others=columns))
    history = History(start)
    edit(history, start, 100)
    steps, found = held(history)
    assert steps == 100
    assert found < 40e6  # 100 copies of all arrays have 384 MB


def test_arrays_that_several_entries_share_are_released_with_the_last_of_them():
    """Otherwise entries that cost nothing would be counted as free memory."""
    start = work(20_000)
    history = History(start)
    for seed in range(5):
        history.push(f"seed {seed}", replace(start, split=Split(0.1, seed)))
    edit(history, start, 500)
    assert held(history)[1] <= BUDGET


def test_entries_do_not_keep_what_can_be_computed_again():
    columns = (Column("a", np.arange(3.0)),)
    dataset = Dataset(np.eye(3)[:, :2], [0, 0, 1], chosen_inputs=("x", "y", "a"), others=columns)
    first = replace(Work.fresh(), dataset=dataset)
    history = History(first)
    features, space = dataset.features, first.space
    history.push("model", replace(first, split=Split(0.1, 1)))
    assert dataset.features is features  # the data set is still the current one
    assert "space" not in vars(first)
    history.push("edit", work(4))
    assert "features" not in vars(dataset)
    edited = history.work.dataset
    assert edited.bounds is not None
    history.undo()
    assert "bounds" not in vars(edited)
    history.undo()
    assert np.array_equal(history.work.dataset.features, features)
    assert np.array_equal(history.work.space.X, space.X)
