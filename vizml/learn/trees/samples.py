"""Training samples of a batch of trees, sorted once along each feature."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask


@dataclass(frozen=True, eq=False)
class TreeSamples:
    """The samples of any number of trees: each is one training point in one tree."""

    columns: Floats
    """The features of each sample (features, samples)."""
    rows: Ints
    """The training point of each sample."""
    trees: Ints
    """The tree of each sample, rising."""
    order: Ints
    """The samples (features, samples) sorted by tree and feature value."""

    @classmethod
    def all(cls, X: Floats) -> TreeSamples:
        """All points (n, features) in one tree."""
        rows = np.arange(len(X))
        return cls(np.ascontiguousarray(X.T), rows, np.zeros_like(rows), argsort_features(X))

    @classmethod
    def of(cls, X: Floats, inside: Mask, order: Ints) -> TreeSamples:
        """The points `inside` (trees, n) each tree; `order` (features, n) sorts all points."""
        trees, rows = np.nonzero(inside)
        number = np.cumsum(inside.ravel()).reshape(inside.shape) - 1
        sorted_samples = [number[:, column][inside[:, column]] for column in order]
        return cls(np.ascontiguousarray(X[rows].T), rows, trees, np.stack(sorted_samples))

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def counts(self) -> Ints:
        """The number of samples of each tree."""
        return np.bincount(self.trees).astype(np.int64)

    @cached_property
    def starts(self) -> Ints:
        """The first sample of each tree."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def distinct(self) -> bool:
        """Whether no two samples of a tree share a feature value."""
        values = np.take_along_axis(self.columns, self.order, axis=1)
        trees = self.trees[self.order[0]]
        return not bool(((values[:, 1:] == values[:, :-1]) & (trees[1:] == trees[:-1])).any())

    def buffer(self, name: str, shape: tuple[int, ...]) -> Floats:
        """An array that is reused at every level: allocating fresh memory takes longer than filling it."""
        size, kept = math.prod(shape), self._buffers.get(name)
        if kept is None or kept.size < size:
            kept = self._buffers[name] = np.empty(size)
        return kept[:size].reshape(shape)

    @cached_property
    def _buffers(self) -> dict[str, Floats]:
        return {}


def argsort_features(X: Floats) -> Ints:
    """The points (n, features) sorted along each feature (features, n)."""
    return np.stack([np.argsort(column, kind="stable") for column in X.T])
