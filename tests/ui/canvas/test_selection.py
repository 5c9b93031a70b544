"""The selection by itself: ids that follow their points."""

import numpy as np
import pytest

from vizml.data import Dataset
from vizml.ui.canvas.selection import Selection
from vizml.workspace import Document, Work


@pytest.fixture
def selection(document):
    document.open(Work(Dataset([(0, 0), (1, 1), (2, 2)], [0, 1, 2]), document.work.experiments))
    return Selection(document)


def test_it_says_when_it_changes_and_only_then(qtbot, selection):
    with qtbot.waitSignal(selection.changed):
        selection.all()
    with qtbot.assertNotEmitted(selection.changed):
        selection.all()
    with qtbot.waitSignal(selection.changed):
        selection.clear()


def test_it_forgets_points_that_are_gone(selection, document):
    selection.all()
    document.erase(np.array([False, True, False]))
    selection.prune()
    assert selection.ids.tolist() == [0, 2]
    assert selection.mask.tolist() == [True, True]


def test_copies_keep_their_classes(selection, document):
    selection.set(np.array([False, True, True]))
    selection.duplicate(0.5, -0.5)
    dataset = document.dataset
    assert dataset.labels.tolist() == [0, 1, 2, 1, 2]
    np.testing.assert_array_equal(dataset.points[3:], [(1.5, 0.5), (2.5, 1.5)])
    assert selection.mask.tolist() == [False, False, False, True, True]


@pytest.mark.parametrize("deed", ["delete", "nudge", "relabel", "duplicate"])
def test_nothing_selected_is_nothing_done(selection, deed, document):
    given = {"nudge": (1.0, 1.0), "relabel": (3,), "duplicate": (1.0, 1.0)}.get(deed, ())
    before = document.dataset
    getattr(selection, deed)(*given)
    assert document.dataset is before


def test_nudges_in_a_row_are_one_entry_for_each_selection(selection, document):
    selection.all()
    for _ in range(5):
        selection.nudge(1.0, 0.0)
    selection.set(np.array([True, False, False]))
    selection.nudge(1.0, 0.0)
    document.undo()
    assert document.dataset.x.tolist() == [5, 6, 7]
    document.undo()
    assert document.dataset.x.tolist() == [0, 1, 2]


def test_an_empty_document_has_nothing_to_select(qtbot):
    selection = Selection(Document())
    selection.all()
    assert len(selection) == 0
