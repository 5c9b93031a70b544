"""Undo and redo over works: names, strokes that merge, a bound on memory."""

from dataclasses import replace

import numpy as np
import pytest

from vizml.data import Dataset, Split
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
    """How many entries can be undone, and the bytes of all points that are kept for it."""
    steps, found = 0, history.work.dataset.nbytes
    while history.undo():
        steps, found = steps + 1, found + history.work.dataset.nbytes
    return steps, found


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


@pytest.mark.parametrize("count", [200, 400])
def test_edits_of_many_points_are_held_by_their_size(count):
    start = work(20_000)
    history = History(work(0))
    edit(history, start, count)
    steps, found = held(history)
    size = start.dataset.nbytes
    assert steps == BUDGET // size
    assert BUDGET - size <= found - size <= BUDGET


def test_points_that_several_entries_share_are_let_go_with_the_last_of_them():
    """Else entries that cost nothing would be counted as free memory."""
    start = work(20_000)
    history = History(start)
    for seed in range(5):
        history.push(f"seed {seed}", replace(start, split=Split(0.1, seed)))
    most = BUDGET // start.dataset.nbytes
    edit(history, start, most + 3)
    kept = {}
    while history.undo():
        kept[id(history.work.dataset)] = history.work.dataset
    assert len(kept) == most
