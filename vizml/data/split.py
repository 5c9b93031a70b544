"""Which points no model is shown: a held-out and a test share of each class, that stay put through edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vizml.data.dataset import Dataset, Ints, Mask

MOST = 0.9


@dataclass(frozen=True)
class Split:
    """The share of the points that a model is judged by, that for the one last test, and the seed."""

    share: float = 0.0
    seed: int = 0
    test: float = 0.0
    """Held back from everything until somebody asks: neither learned from nor chosen by."""

    def __post_init__(self) -> None:
        for name, share in (("held-out", self.share), ("test", self.test)):
            if not 0.0 <= share <= MOST:
                raise ValueError(f"the {name} share must be from 0 to {MOST}, not {share:g}")
        if self.share + self.test > MOST + 1e-12:
            both = self.share + self.test
            raise ValueError(f"the held-out and the test share must not exceed {MOST} together, not {both:g}")
        if self.seed < 0:
            raise ValueError(f"the seed of the split must be a whole number from 0, not {self.seed}")

    def held(self, dataset: Dataset) -> Mask:
        """A mask of the held-out points: in each class those whose hashed ids rank lowest, but never all."""
        return self.dealt(dataset)[0]

    def tested(self, dataset: Dataset) -> Mask:
        """A mask of the points of the last test: those that rank next."""
        return self.dealt(dataset)[1]

    def hidden(self, dataset: Dataset) -> Mask:
        """A mask of all points that no model learns from."""
        held, test = self.dealt(dataset)
        return held | test

    def parts(self, dataset: Dataset) -> tuple[Dataset, Dataset]:
        """The points to learn from, and the held-out ones."""
        held, test = self.dealt(dataset)
        return dataset.take(~(held | test)), dataset.take(held)

    def dealt(self, dataset: Dataset) -> tuple[Mask, Mask]:
        """Masks of both."""
        held, test = np.zeros((2, len(dataset)), dtype=bool)
        if self.share + self.test == 0.0 or dataset.ids is None:
            return held, test
        keys = _scatter(dataset.ids, self.seed)
        for label in np.unique(dataset.labels):
            members = np.flatnonzero(dataset.labels == label)
            ranked = members[np.argsort(keys[members], kind="stable")]
            first, second = (int(np.floor(s * len(members) + 0.5)) for s in (self.share, self.test))
            first = min(first, len(members) - 1)
            second = min(second, len(members) - 1 - first)
            held[ranked[:first]] = True
            test[ranked[first : first + second]] = True
        return held, test


def _scatter(ids: Ints, seed: int) -> Ints:
    """A hash of each id under a seed (the finaliser of splitmix64), so that neighbours in order part ways."""
    z = ids.astype(np.uint64) + np.uint64((seed * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) % 2**64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).astype(np.int64)
