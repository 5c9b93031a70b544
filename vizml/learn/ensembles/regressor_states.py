"""States of ensembles that predict numbers, and the curve that they draw of one input."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, cast

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.section import Section
from vizml.learn.ensembles import views
from vizml.learn.ensembles.boosting_solver import Boosting, BoostingRun, UnivariateBoostingRun
from vizml.learn.ensembles.boosting_state import BoostedTreeSum, boosting_states
from vizml.learn.ensembles.common import MeanState
from vizml.learn.ensembles.forest_solver import ForestOptions, NumberTargets, grow_forest, grow_forest_1d
from vizml.learn.ensembles.forest_state import Forest, forest_states
from vizml.learn.ensembles.losses import AbsoluteLoss, SquaredLoss
from vizml.learn.ensembles.out_of_bag import OutOfBag, OutOfBagMeans
from vizml.learn.ensembles.tree_batch import Batch, StepBatch, first_trees, locate_tree
from vizml.learn.state import FittedRegressor, Focus, Regressor
from vizml.learn.training_data import TrainingData
from vizml.learn.view import FittedCurveView
from vizml.scene import Curves, Diagram, Mark, Path

FOCUS_POINTS = 200
"""Points of the line that shows a single member without steps."""


@dataclass(frozen=True, eq=False, kw_only=True)
class EnsembleRegressor(MeanState, FittedRegressor):
    """Regression by several members."""

    error_name: ClassVar[str] = "mean squared error"
    shows_members: ClassVar[bool] = True
    """Whether curves of the latest members are drawn."""

    @abstractmethod
    def member(self, number: int) -> Callable[[Floats], Floats]:
        """Prediction of a member for inputs (m, d)."""

    def member_edges(self, number: int) -> Floats | None:
        """Edges of the steps of a member's curve, None for a smooth one."""
        del number
        return None

    def member_line(self, number: int) -> Floats:
        """Curve of a member over the range of a single input, as the corners of a line (m, 2)."""
        low, high, edges = float(self.X.min()), float(self.X.max()), self.member_edges(number)
        if edges is None:
            x = np.linspace(low, high, FOCUS_POINTS)
            return np.column_stack([x, self.member(number)(x[:, None])])
        edges = np.unique(edges[(edges > low) & (edges < high)])
        left, right = np.append(low, edges), np.append(edges, high)
        heights = self.member(number)(right[:, None])
        return np.stack([np.stack([left, right], 1), np.stack([heights, heights], 1)], 2).reshape(-1, 2)

    def metrics(self) -> Mapping[str, float]:
        figures = self.fit_figures() | {"mean |residual|": float(np.abs(self.residuals).mean())}
        return {**figures, **super().metrics()}

    def diagram(self) -> Diagram | None:
        """Thumbnails of the members' curves."""
        if not self.size or self.X.shape[1] != 1:
            return None
        numbers, x = views.shown_members(self.size), self.X[:, 0]
        columns = views.thumbnail_columns(x)[:, None]
        images = [views.curve_thumbnail(self.member(number)(columns), x, self.y) for number in numbers]
        titles = [f"{self.sets.removesuffix('s')} {number + 1}" for number in numbers]
        return views.thumbnail_diagram(self.sets.capitalize(), titles, numbers, images)

    def curve_view(self, section: Section) -> EnsembleCurveView:
        return EnsembleCurveView(self, section)


class EnsembleCurveView(FittedCurveView[EnsembleRegressor]):
    """The curve with the residuals of the points and the latest members."""

    def whole_marks(self) -> tuple[Mark, ...]:
        return (*((self._members(),) if self.state.shows_members else ()), *super().whole_marks())

    def _members(self) -> Mark:
        """Curves of the latest members; steps go on beyond the data."""
        state = self.state
        latest = range(max(state.size - views.MAX_MEMBERS_DRAWN, 0), state.size)
        if state.member_edges(state.size - 1) is None:

            def values(x: Floats) -> Floats:
                return np.stack([state.member(number)(x[:, None]) for number in latest])

            return Curves(layer="Members", values=values, ink="muted", opacity=0.35, off_by_default=True)
        lines = tuple(state.member_line(number) for number in latest)
        for line in lines:
            line[[0, -1], 0] = -np.inf, np.inf
        return Path(layer="Members", lines=lines, ink="muted", opacity=0.35, width=1.0, off_by_default=True)

    def whole_focus(self, node: str) -> Focus:
        number = int(node)
        if not 0 <= number < self.state.size:
            return Focus()
        line = self.state.member_line(number)
        return Focus(marks=(Path(layer="Member", lines=(line,), ink="accent", width=2.5),))


@dataclass(frozen=True, eq=False, kw_only=True)
class ForestRegressor(Forest, EnsembleRegressor):
    """Mean of the first trees of a forest."""

    offset: float
    """Mean of y, about which the trees are grown."""

    def expected(self, X: Floats) -> Floats:
        return self.sums(X)[:, 0] / self.trees + self.offset

    def member(self, number: int) -> Callable[[Floats], Floats]:
        batch, place = locate_tree(self.batches, number)
        return lambda X: batch.sums(X, place, place + 1)[:, 0] + self.offset

    def member_edges(self, number: int) -> Floats:
        batch, place = locate_tree([cast(StepBatch, batch) for batch in self.batches], number)
        return batch.upper[batch.span(place, place + 1)]


@dataclass(frozen=True, eq=False, kw_only=True)
class BoostedRegressor(BoostedTreeSum, EnsembleRegressor):
    """Sum of the trees of the rounds so far; a member is the sum up to one of them."""

    shows_members: ClassVar[bool] = False

    def expected(self, X: Floats) -> Floats:
        return self.sums(X)[:, 0]

    def metrics(self) -> Mapping[str, float]:
        held = float(self.losses[-1, 1])
        return {**super().metrics(), **({"held-out loss": held} if np.isfinite(held) else {})}

    def member(self, number: int) -> Callable[[Floats], Floats]:
        return replace(self, trees=number + 1).expected

    def member_edges(self, number: int) -> Floats:
        batches = [cast(StepBatch, batch) for batch in self.batches]
        return np.concatenate([b.upper[b.span(0, n)] for b, n in first_trees(batches, number + 1)])


@dataclass(frozen=True, eq=False, kw_only=True)
class BaggedRegressor(EnsembleRegressor):
    """Mean of members of any kind."""

    members: tuple[Regressor, ...]

    @property
    def size(self) -> int:
        return len(self.members)

    def expected(self, X: Floats) -> Floats:
        total: Floats = np.sum([member.expected(X) for member in self.members], axis=0)
        return total / len(self.members)

    def member(self, number: int) -> Callable[[Floats], Floats]:
        return self.members[number].expected


def forest_regressor_states(
    options: ForestOptions, data: TrainingData, rng: Generator, *, absolute: bool, sets: str = "trees",
    every: bool = True,
) -> Iterator[ForestRegressor]:  # fmt: skip
    """A state for each tree, or for the last of those that are grown at once."""
    offset = float(data.y.mean())
    y = data.y - offset
    means = OutOfBagMeans(y)
    first = ForestRegressor(
        X=data.X, y=data.y, batches=(), trees=0, initial=np.zeros(1), offset=offset, sets=sets
    )
    grow: Callable[..., Iterator[tuple[Batch, Ints]]] = (
        grow_forest_1d if data.X.shape[1] == 1 else grow_forest
    )

    def out_of_bag(batch: Batch, mask: Mask) -> OutOfBag:
        return means.add(mask, batch.training_values[:, :, 0])

    grown = grow(options, data.X, NumberTargets(y, absolute=absolute), rng)
    return forest_states(first, options, grown, out_of_bag, every=every)


def boosted_regressor_states(
    how: Boosting, data: TrainingData, rng: Generator, *, absolute: bool, every: bool = True
) -> Iterator[BoostedRegressor]:
    """A state for each round of boosting, or for the last of those that are run at once."""
    offset = float(data.y.mean())
    loss = (AbsoluteLoss if absolute else SquaredLoss)(data.y - offset)
    kind = UnivariateBoostingRun if data.X.shape[1] == 1 else BoostingRun
    run: BoostingRun = kind(how, data.X, loss, np.zeros(len(data), dtype=np.int64), rng)
    first = BoostedRegressor(
        X=data.X, y=data.y, batches=(), trees=0, initial=run.initial + offset,
        loss_name=loss.name, sets="rounds",
    )  # fmt: skip
    return boosting_states(run, first, every=every)
