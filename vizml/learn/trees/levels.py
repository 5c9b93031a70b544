"""The nodes of growing trees, depth by depth, and the tree that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import LEAF, Tree

N = TypeVar("N", np.int64, np.float64)


@dataclass(eq=False)
class Splits:
    """The best split of each open node that has one."""

    node: Ints
    feature: Ints
    threshold: Floats
    place: Ints
    """Behind which of the places of open nodes, in the order of the feature."""
    left_sums: Floats


@dataclass(eq=False)
class Level:
    """Nodes of one depth, and those of them that were split: their children are the next level, in order."""

    count: Ints
    sums: Floats
    impurity: Floats
    split: Ints
    feature: Ints
    threshold: Floats

    def __len__(self) -> int:
        return len(self.count)


def assembled(levels: Sequence[Level], features: int) -> Tree:
    """The trees whose roots are the first level."""
    sizes = [len(level) for level in levels]
    starts = np.cumsum([0, *sizes])
    size, roots = int(starts[-1]), sizes[0]
    split = np.concatenate([level.split + start for level, start in zip(levels, starts)])
    feature, left, right = (np.full(size, LEAF) for _ in range(3))
    threshold, parent = np.full(size, np.nan), np.full(size, LEAF)
    feature[split] = _joined(levels, "feature")
    threshold[split] = _joined(levels, "threshold")
    left[split] = np.arange(roots, size, 2)
    right[split] = np.arange(roots + 1, size, 2)
    parent[roots:] = split.repeat(2)
    return Tree(
        feature=feature,
        threshold=threshold,
        left=left,
        right=right,
        parent=parent,
        depth=np.arange(len(levels)).repeat(sizes),
        count=_joined(levels, "count"),
        sums=_joined(levels, "sums").T,
        impurity=_joined(levels, "impurity"),
        features=features,
    )


def interleaved(left: NDArray[N], right: NDArray[N]) -> NDArray[N]:
    """Left and right by turns along the last axis."""
    both = np.empty((*left.shape, 2), dtype=left.dtype)
    both[..., 0], both[..., 1] = left, right
    return both.reshape(*left.shape[:-1], -1)


def _joined(levels: Sequence[Level], column: str) -> NDArray[Any]:
    """A column of all levels."""
    return np.concatenate([getattr(level, column) for level in levels], axis=-1)
