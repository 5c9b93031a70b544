"""Ways to part the points: K folds, plain or with each class in proportion, and bootstrap draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Ints: TypeAlias = NDArray[np.int64]


def kfold(y: ArrayLike, k: int, seed: int = 0, stratified: bool = True) -> tuple[tuple[Ints, Ints], ...]:
    """K pairs of indices (to train on, to test on); every point is tested once. K = n leaves one out."""
    number = fold_numbers(y, k, seed, stratified)
    everything = np.arange(len(number))
    return tuple((everything[number != i], everything[number == i]) for i in range(k))


def fold_numbers(y: ArrayLike, k: int, seed: int = 0, stratified: bool = True) -> Ints:
    """The fold, 0 to K - 1, of each point: sizes differ by one at the most, and so do a class's shares."""
    labels = np.asarray(y)
    n = len(labels)
    if not 2 <= k <= n:
        raise ValueError(f"the number of folds must be from 2 to the number of points, {n}, not {k}")
    shuffled = np.random.default_rng(seed).permutation(n)
    if stratified:
        shuffled = shuffled[np.argsort(labels[shuffled], kind="stable")]
    number = np.empty(n, dtype=np.int64)
    number[shuffled] = np.arange(n) % k
    return number


def bootstraps(n: int, draws: int, seed: int = 0) -> Iterator[Ints]:
    """Samples of n indices with replacement; each holds about 63.2 % of the points."""
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        yield rng.integers(0, n, n)
