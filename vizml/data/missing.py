"""Missing values: rows without a value in an input are refused, left out, or filled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vizml.data.dataset import Dataset, Mask
from vizml.data.editing import with_columns
from vizml.data.wording import plural


def completed(dataset: Dataset, names: Sequence[str]) -> Dataset:
    """Return the rows with a value in each of some columns, as the data set's `missing` says.

    ValueError says how many rows have none where they are refused.
    """
    missing = missing_rows(dataset, names)
    count = int(missing.sum())
    if not count:
        return dataset
    if dataset.missing == "median":
        return with_columns(dataset, [dataset.column(name).filled() for name in names])
    if dataset.missing == "drop":
        return dataset.without(missing)
    them = "it" if count == 1 else "them"
    rows = plural(count, "row has", "rows have")
    raise ValueError(f"{rows} missing values: drop {them} or fill {them} with the median")


def missing_rows(dataset: Dataset, names: Sequence[str]) -> Mask:
    """Return the mask of the rows without a value in one of some columns."""
    if not dataset.incomplete and set(names) <= set(dataset.axes):
        return np.zeros(len(dataset), dtype=bool)
    values = dataset.features if tuple(names) == dataset.inputs else dataset.matrix(names)
    return np.asarray(np.isnan(values).any(axis=1))
