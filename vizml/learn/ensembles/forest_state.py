"""States of forests: the mean 1/B sum_b p_b(x) of the class shares, or of the numbers, that trees predict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Mask, Plane
from vizml.learn.ensembles import views
from vizml.learn.ensembles.common import EnsembleRegressor, MeanState
from vizml.learn.ensembles.forest_solver import (
    ClassTargets,
    ForestOptions,
    NumberTargets,
    grow_forest,
    grow_forest_1d,
)
from vizml.learn.ensembles.members import VotingState, VotingView
from vizml.learn.ensembles.out_of_bag import OutOfBag, OutOfBagMeans, OutOfBagVotes
from vizml.learn.ensembles.tree_batch import Batch, StepBatch, TreeBatch, first_trees, locate_tree
from vizml.learn.ensembles.tree_sum import (
    FieldCache,
    TreeSumClassifier,
    TreeSumMapView,
    TreeSumState,
    TreeSumView,
    add_diagonals,
)
from vizml.learn.state import Real
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.structure import shares
from vizml.scene import Lens, Mark, Segments


class Forest(TreeSumState, MeanState):
    """Mean of trees."""

    def weighted(self, gains: Floats) -> Floats:
        return shares(gains)


F = TypeVar("F", bound=Forest)
B = TypeVar("B", bound=Batch)


class ForestView(VotingView["ForestState"], TreeSumView["ForestState"]):
    """Regions of the mean, boundaries and votes of single trees."""

    def shares(self, number: int, raster: Raster) -> Field:
        return all_shares(self.painted(number, number + 1, raster))

    def boundary(self, number: int) -> Mark:
        if self.state.diagonals:
            return super().boundary(number)
        return Segments(layer="Member", ends=self._segments(number), ink="accent", width=2.0)

    def marks(self) -> tuple[Mark, ...]:
        if self.state.diagonals or not self.section.whole:
            return super().marks()
        ends = np.concatenate([self._segments(number) for number in self.latest])
        legend = "boundary of a member"
        return (
            Segments(
                layer="Members", ends=ends, ink="muted", opacity=0.35, legend=legend, off_by_default=True
            ),
        )

    def _segments(self, number: int) -> Floats:
        """Decision boundary of a tree that splits the axes, as segments (m, 2, 2)."""
        state = self.state
        if number not in state.boundaries:
            batch, place = state.tree(number)
            winners = leaf_classes(batch.values)
            state.boundaries[number] = views.axis_aligned_boundary(batch, place, winners)
        return state.boundaries[number]

    def lenses(self) -> tuple[Lens, ...]:
        def plane(raster: Raster) -> Plane:
            best = np.sort(self.field(raster), axis=0)
            disagreement: Plane = np.float32(1.0) - (best[-1] - best[-2])
            return disagreement

        return (Lens(name="Disagreement", plane=plane, low=0.0, high=1.0, unit="1 − lead"),)


@dataclass(frozen=True, eq=False, kw_only=True)
class ForestState(Forest, TreeSumClassifier, VotingState):
    """The first trees of a forest; the loss is their out-of-bag error."""

    plane_view_class = ForestView
    boundaries: dict[int, Floats] = field(default_factory=dict)
    """Boundaries of single trees that have been drawn; the states of a run share them."""

    def combine(self, sums: NDArray[Real]) -> NDArray[Real]:
        sums /= sums.dtype.type(self.trees)
        return all_shares(sums)

    def averaged(self, X: Floats) -> tuple[Floats, Floats]:
        features, batches = self.features(X), first_trees(self.batches, self.trees)
        leaves = [batch.values[batch.walk(features, 0, count)] for batch, count in batches]
        values = np.concatenate(leaves)
        return np.moveaxis(all_shares(np.moveaxis(values, -1, 0)), 0, -1), np.ones(self.trees)

    def winners(self, X: Floats) -> Ints:
        found, features = [], self.features(X)
        for batch, count in first_trees(self.batches, self.trees):
            found.append(leaf_classes(batch.values[batch.walk(features, 0, count)[:, 0]]))
        return np.concatenate(found)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(f"tree {number + 1}" for number in range(self.trees))

    def metrics(self) -> Mapping[str, float]:
        batches = first_trees(self.batches, self.trees)
        leaves = sum(float(batch.leaf_ends[count - 1]) for batch, count in batches)
        return {**super().metrics(), "leaves": leaves}


@dataclass(frozen=True, eq=False, kw_only=True)
class ForestRegressor(Forest, EnsembleRegressor):
    """Mean of the first trees of a forest."""

    plane_view_class = TreeSumMapView
    offset: float
    """Mean of y, about which the trees are grown."""

    def expected(self, X: Floats) -> Floats:
        return np.asarray(self.combine(self.sums(X).T)[0])

    def combine(self, sums: NDArray[Real]) -> NDArray[Real]:
        sums /= sums.dtype.type(self.trees)
        sums += sums.dtype.type(self.offset)
        return sums

    def averaged(self, X: Floats) -> tuple[Floats, Floats]:
        return self.member_values(X), np.ones(self.trees)

    def member(self, number: int) -> Callable[[Floats], Floats]:
        batch, place = locate_tree(self.batches, number)
        return lambda X: batch.sums(X, place, place + 1)[:, 0] + self.offset

    def member_edges(self, number: int) -> Floats:
        batch, place = locate_tree([cast(StepBatch, batch) for batch in self.batches], number)
        return batch.upper[batch.span(place, place + 1)]


def forest_states(
    options: ForestOptions, data: TrainingData, rng: Generator, *, every: bool
) -> Iterator[ForestState | ForestRegressor]:
    """A state for each tree, or for the last of those that are grown at once."""
    return (_classifiers if len(data.labels) else _regressors)(options, data, rng, every)


def _classifiers(
    options: ForestOptions, data: TrainingData, rng: Generator, every: bool
) -> Iterator[ForestState]:
    classes, features = data.present, add_diagonals(data.X) if options.diagonals else data.X
    truth, columns = np.searchsorted(classes, data.labels), 1 if len(classes) == 2 else len(classes)
    votes = OutOfBagVotes(truth, len(classes))
    first = ForestState(
        classes=classes, X=data.X, names=data.class_names, batches=(), trees=0,
        initial=np.zeros(columns), sets=options.sets, diagonals=options.diagonals,
        cache=FieldCache(columns) if options.diagonals else None,
    )  # fmt: skip

    def out_of_bag(batch: TreeBatch, mask: Mask) -> OutOfBag:
        return votes.add(mask, np.moveaxis(all_shares(np.moveaxis(batch.training_values, -1, 0)), 0, -1))

    grown = grow_forest(options, features, ClassTargets(truth, len(classes), options.rule), rng)
    return _each_tree(first, options, grown, out_of_bag, every)


def _regressors(
    options: ForestOptions, data: TrainingData, rng: Generator, every: bool
) -> Iterator[ForestRegressor]:
    offset = float(data.y.mean())
    y = data.y - offset
    means = OutOfBagMeans(y)
    first = ForestRegressor(
        X=data.X, y=data.y, batches=(), trees=0, initial=np.zeros(1), offset=offset, sets=options.sets
    )
    grow: Callable[..., Iterator[tuple[Batch, Ints]]] = (
        grow_forest_1d if data.X.shape[1] == 1 else grow_forest
    )

    def out_of_bag(batch: Batch, mask: Mask) -> OutOfBag:
        return means.add(mask, batch.training_values[:, :, 0])

    grown = grow(options, data.X, NumberTargets(y, absolute=options.rule == "absolute"), rng)
    return _each_tree(first, options, grown, out_of_bag, every)


def _each_tree(
    first: F, options: ForestOptions, grown: Iterator[tuple[B, Ints]],
    out_of_bag: Callable[[B, Mask], OutOfBag], every: bool,
) -> Iterator[F]:  # fmt: skip
    """States of a forest from batches and how often each tree has each point; `first` is without trees."""
    batches: tuple[B, ...] = ()
    bags: tuple[OutOfBag, ...] = ()
    done, error = 0, np.nan
    for batch, drawn in grown:
        batches = (*batches, batch)
        if options.sample:
            bags = (*bags, out_of_bag(batch, drawn == 0))
        for tree in range(len(batch)) if every else (len(batch) - 1,):
            number, own = done + tree + 1, batch.summary(tree)
            note = f"tree {number}: {plural(own.leaves, 'leaf', 'leaves')}, depth {own.depth}"
            if bags and bags[-1].voted[tree]:
                error = float(bags[-1].errors[tree])
                note = f"{note}; out-of-bag {first.error_name} of the forest {first.error_text(error)}"
            yield first.later(
                batches=batches, bags=bags, trees=number, progress=number / options.trees, loss=error,
                note=note,
            )  # fmt: skip
        done += len(batch)


def leaf_classes(values: Floats) -> Ints:
    """Index of the class that each leaf (m, V) predicts."""
    return np.asarray(all_shares(values.T).argmax(axis=0))


def all_shares(sums: NDArray[Real]) -> NDArray[Real]:
    """Shares (K, ...) of all classes: of two, only the second's is summed."""
    if len(sums) > 1:
        return sums
    out = np.empty((2, *sums.shape[1:]), dtype=sums.dtype)
    np.subtract(1.0, sums[0], out=out[0])
    out[1] = sums[0]
    return out
