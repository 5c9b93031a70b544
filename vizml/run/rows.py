"""Numbers of rows with missing values: not shown, left out of the training, or filled."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vizml.data.dataset import Dataset
from vizml.data.missing import missing_rows
from vizml.data.wording import plural
from vizml.learn import Model

ROWS, INCOMPLETE = "rows", "with missing values"
TREATED = {"": INCOMPLETE, "drop": "left out", "median": "filled with the median"}
"""Names of the rows without a value in an input, by what the data set says of them."""


def row_counts(model: Model, dataset: Dataset, placed: Dataset) -> dict[str, int]:
    """Return the number of rows, and of those that a model or the canvas treats otherwise.

    `placed` has the rows in coordinates of the canvas. Regressions leave out rows without a target.
    """
    known = model.task.targeted(dataset)
    counts = {
        ROWS: len(dataset),
        "not shown": int(np.isnan(placed.points).any(axis=1).sum()) if placed.incomplete else 0,
        "left out": len(dataset) - len(known),
    }
    incomplete = int(missing_rows(known, model.task.inputs(dataset)).sum())
    counts[TREATED[dataset.missing]] = counts.get(TREATED[dataset.missing], 0) + incomplete
    return {name: count for name, count in counts.items() if count or name == ROWS}


def described_rows(counts: Mapping[str, int]) -> str:
    """Return counts of rows as text."""
    others = (f"{count:,} {name}" for name, count in counts.items() if name != ROWS)
    return ", ".join([plural(counts[ROWS], "row"), *others])
