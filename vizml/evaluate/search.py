"""Which parameters are best: every pair of a grid, or random draws, each judged by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.data.params import Value
from vizml.evaluate.validation import best_of, cross_validations, thrifty_of, values_of
from vizml.learn import Model, dataset_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]
Axes: TypeAlias = Mapping[str, Sequence[Value]]


@dataclass(frozen=True, eq=False)
class Grid:
    """At each combination the mean score, its standard error, and the mean on points learned from.

    NaN is not yet known.
    """

    axes: dict[str, tuple[Value, ...]]
    means: Floats
    errors: Floats
    trains: Floats

    @property
    def best(self) -> dict[str, Value]:
        """The combination of the highest mean, the first of equals."""
        return self.values(best_of(self.means.ravel()))

    @property
    def thrifty(self) -> dict[str, Value]:
        """The simplest combination within one standard error of the best."""
        return self.values(thrifty_of(self.means.ravel(), self.errors.ravel(), self.trains.ravel()))

    def values(self, place: int) -> dict[str, Value]:
        """The combination at a place, counted row by row."""
        where = np.unravel_index(place, self.means.shape)
        return {name: self.axes[name][int(i)] for name, i in zip(self.axes, where, strict=True)}


def grid_searches(
    model: Model, data: Dataset, axes: Axes | Sequence[str], k: int = 5, seed: int = 0
) -> Iterator[Grid]:
    """A grid filling cell by cell; axes may be names alone, for values worth trying."""
    full = _axes(model, axes)
    shape = tuple(len(values) for values in full.values())
    means, errors, trains = np.full((3, *shape), np.nan)
    for place, values in zip(np.ndindex(*shape), product(*full.values()), strict=True):
        *_, found = cross_validations(model.with_(**dict(zip(full, values, strict=True))), data, k, seed)
        means[place], errors[place], trains[place] = found.mean, found.error, found.train_mean
        yield Grid(full, means.copy(), errors.copy(), trains.copy())


def grid_search(
    model: Model,
    X: ArrayLike,
    y: ArrayLike | None = None,
    axes: Axes | Sequence[str] = (),
    k: int = 5,
    seed: int = 0,
) -> Grid:
    """The whole grid."""
    *_, last = grid_searches(model, dataset_of(model.task, X, y), axes, k, seed)
    return last


def random_searches(
    model: Model, data: Dataset, axes: Axes | Sequence[str], draws: int = 20, k: int = 5, seed: int = 0
) -> Iterator[tuple[dict[str, Value], float]]:
    """Combinations drawn without repeats from the grid's axes, and the mean score of each."""
    full = _axes(model, axes)
    combinations = list(product(*full.values()))
    chosen = np.random.default_rng(seed).permutation(len(combinations))[:draws]
    for i in chosen:
        values = dict(zip(full, combinations[i], strict=True))
        *_, found = cross_validations(model.with_(**values), data, k, seed)
        yield values, found.mean


def _axes(model: Model, axes: Axes | Sequence[str]) -> dict[str, tuple[Value, ...]]:
    named = axes if isinstance(axes, Mapping) else dict.fromkeys(axes, ())
    if not named:
        raise ValueError("name at least one parameter to search over")
    return {name: tuple(values) or values_of(model, name) for name, values in named.items()}
