"""The class column of the Columns group: more than eight classes are merged, and the window says so."""

import numpy as np
import pytest

from vizml.data import Column, Dataset
from vizml.learn import create
from vizml.workspace import Experiment, Work

RNG = np.random.default_rng(0)
SITES = np.concatenate([np.repeat(np.arange(7), 5), [7, 7, 8, 8, 9]])
TABLE = Dataset.of(
    [
        *(Column(name, values) for name, values in zip("ab", RNG.normal(size=(2, 40)))),
        Column("site", SITES, tuple("stuvwxyzpq")),
        Column("side", SITES % 2, ("left", "right")),
    ]
)


@pytest.mark.parametrize(
    "name, report, classes",
    [
        ("site", "site: the 3 rarest of 10 classes merged into 'other'.", (*"stuvwxy", "other")),
        ("side", None, ("left", "right")),
    ],
)
def test_classes_that_are_merged_are_reported(start, name, report, classes):
    window = start(Work(TABLE, (Experiment(create("lda")),)))
    combo = window.panel.columns.classes.combo
    combo.setCurrentIndex(combo.findData(name))
    found = window.document.dataset
    assert (found.label, found.classes) == (name, classes)
    assert found.labels.tolist() == np.minimum(SITES, 7).tolist() if name == "site" else (SITES % 2).tolist()
    assert (window.messages.text_label.text() if window.messages.current else None) == report
    window.document.undo()
    assert window.document.dataset == TABLE
