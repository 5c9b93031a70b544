"""Rows that models learn from: the parts of a split, and the treatment of rows with missing values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vizml.data.columns import Ints, Mask
from vizml.data.dataset import Dataset
from vizml.data.editing import with_columns
from vizml.data.wording import plural

MAX_SHARE = 0.9
"""Largest share of the rows that may be kept from training."""


@dataclass(frozen=True)
class Split:
    """The share of the rows to hold out for evaluation, the share of the test set, and the seed."""

    share: float = 0.0
    seed: int = 0
    test: float = 0.0
    """Share that is used neither for training nor for the choice of models."""
    last: bool = False
    """Whether the last rows are held out, with the test set after them: for rows in the order of time."""

    def __post_init__(self) -> None:
        for name, share in (("held-out", self.share), ("test", self.test)):
            if not 0.0 <= share <= MAX_SHARE:
                raise ValueError(f"the {name} share must be from 0 to {MAX_SHARE}, not {share:g}")
        if self.share + self.test > MAX_SHARE + 1e-12:
            both = f"{MAX_SHARE} together, not {self.share + self.test:g}"
            raise ValueError(f"the held-out and the test share must not exceed {both}")
        if self.seed < 0:
            raise ValueError(f"the seed of the split must be a whole number from 0, not {self.seed}")

    def parts(self, dataset: Dataset) -> tuple[Dataset, Dataset]:
        """Return the training rows and the held-out rows; the data set itself where none is kept apart."""
        if self.share + self.test == 0.0:
            return dataset, dataset.take(slice(0))
        held, test = self.masks(dataset)
        return dataset.take(~(held | test)), dataset.take(held)

    def masks(self, dataset: Dataset) -> tuple[Mask, Mask]:
        """Return the masks of the held-out rows and of the test set.

        In each class the rows whose hashed ids rank lowest are held out and the next are the test set; at
        least one row is left for training.
        """
        held, test = np.zeros((2, len(dataset)), dtype=bool)
        if self.share + self.test == 0.0 or not len(dataset):
            return held, test
        if self.last:
            first, second = self._counts(len(dataset))
            start = len(dataset) - first - second
            held[start : start + first], test[start + first :] = True, True
            return held, test
        keys = hashed(dataset.ids, self.seed)
        for label in np.unique(dataset.labels):
            members = np.flatnonzero(dataset.labels == label)
            ranked = members[np.argsort(keys[members], kind="stable")]
            first, second = self._counts(len(members))
            held[ranked[:first]] = True
            test[ranked[first : first + second]] = True
        return held, test

    def _counts(self, rows: int) -> tuple[int, int]:
        """Return how many of some rows are held out and how many are the test set."""
        first, second = (int(np.floor(s * rows + 0.5)) for s in (self.share, self.test))
        first = min(first, rows - 1)
        return first, min(second, rows - 1 - first)


def hashed(ids: Ints, seed: int) -> Ints:
    """Hash each id under a seed by the finaliser of splitmix64, so that adjacent ids are unrelated."""
    z = ids.astype(np.uint64) + np.uint64((seed * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) % 2**64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).astype(np.int64)


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
        return dataset.take(~missing)
    them = "it" if count == 1 else "them"
    rows = plural(count, "row has", "rows have")
    raise ValueError(f"{rows} missing values: drop {them} or fill {them} with the median")


def missing_rows(dataset: Dataset, names: Sequence[str]) -> Mask:
    """Return the mask of the rows without a value in one of some columns."""
    if not dataset.incomplete and set(names) <= set(dataset.axes):
        return np.zeros(len(dataset), dtype=bool)
    values = dataset.features if tuple(names) == dataset.inputs else dataset.matrix(names)
    return np.asarray(np.isnan(values).any(axis=1))
