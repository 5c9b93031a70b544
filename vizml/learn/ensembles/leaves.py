"""Points by the leaf that they are in: sums and medians of what they have, leaf by leaf."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import group_medians


class Leaves(ABC):
    """Which points are in each of some leaves."""

    @abstractmethod
    def sums(self, values: Floats) -> Floats:
        """The sum of the points' values in each leaf; 0 in an empty one."""

    @abstractmethod
    def means(self, values: Floats) -> Floats:
        """The mean of the points' values in each leaf; 0 in an empty one."""

    @abstractmethod
    def medians(self, values: Floats) -> Floats:
        """The median of the points' values in each leaf; 0 in an empty one."""


class Scattered(Leaves):
    """Points in any order: the number of the leaf of each."""

    def __init__(self, nodes: Ints, count: int) -> None:
        self.nodes, self.count = nodes, count

    def sums(self, values: Floats) -> Floats:
        return np.bincount(self.nodes, values, minlength=self.count)  # type: ignore[return-value]

    def means(self, values: Floats) -> Floats:
        counts = np.bincount(self.nodes, minlength=self.count)
        return self.sums(values) / np.maximum(counts, 1)

    def medians(self, values: Floats) -> Floats:
        return group_medians(self.nodes, self.count, values)


class Runs(Leaves):
    """Points leaf by leaf: the first point of each, none of them empty, and the end."""

    def __init__(self, at: Ints) -> None:
        self.starts = at[:-1]
        self.sizes: Ints = at[1:] - self.starts

    def sums(self, values: Floats) -> Floats:
        found: Floats = np.add.reduceat(values, self.starts)
        return found

    def means(self, values: Floats) -> Floats:
        return self.sums(values) / self.sizes

    def medians(self, values: Floats) -> Floats:
        return group_medians(np.arange(len(self.sizes)).repeat(self.sizes), len(self.sizes), values)
