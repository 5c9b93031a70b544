"""Which points are held out: a share of each class, chosen by a seed, that stays put through edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vizml.data.dataset import Dataset, Ints, Mask


@dataclass(frozen=True)
class Split:
    """The share of the points that no model is shown, and the seed that chooses them."""

    share: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0.0 <= self.share <= 0.9:
            raise ValueError(f"the held-out share must be from 0 to 0.9, not {self.share:g}")
        if self.seed < 0:
            raise ValueError(f"the seed of the split must be a whole number from 0, not {self.seed}")

    def held(self, dataset: Dataset) -> Mask:
        """A mask of the held-out points: in each class those whose hashed ids rank lowest, but never all."""
        mask = np.zeros(len(dataset), dtype=bool)
        if self.share == 0.0 or dataset.ids is None:
            return mask
        keys = _scatter(dataset.ids, self.seed)
        for label in np.unique(dataset.labels):
            members = np.flatnonzero(dataset.labels == label)
            count = min(int(np.floor(self.share * len(members) + 0.5)), len(members) - 1)
            mask[members[np.argsort(keys[members], kind="stable")[:count]]] = True
        return mask

    def parts(self, dataset: Dataset) -> tuple[Dataset, Dataset]:
        """The points to learn from, and the held-out ones."""
        held = self.held(dataset)
        return dataset.take(~held), dataset.take(held)


def _scatter(ids: Ints, seed: int) -> Ints:
    """A hash of each id under a seed (the finaliser of splitmix64), so that neighbours in order part ways."""
    z = ids.astype(np.uint64) + np.uint64((seed * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) % 2**64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).astype(np.int64)
