"""Linear combinations b + sum_m w_m f_m(x) of regression models of any kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import iadd

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.learn import Regressor
from vizml.learn.ensembles.common import EnsembleRegressor
from vizml.learn.ensembles.out_of_bag import OutOfBag
from vizml.learn.learned import Learned, PointValues
from vizml.learn.state import Real
from vizml.learn.training_data import TrainingData
from vizml.learn.view import FittedMapView

REGRESSORS = "regression models separated by commas, such as linear(degree=3),knn,tree"
"""Allowed texts that name members."""


class CombinedMapView(FittedMapView["CombinedRegressor"]):
    """The combination of the members' fields, with the residuals."""

    def field(self, raster: Raster) -> Field:
        return self.state.combine(member.on(self.section).field(raster) for member in self.state.members)


@dataclass(frozen=True, eq=False, kw_only=True)
class CombinedRegressor(EnsembleRegressor):
    """A weighted mean of the first members."""

    plane_view_class = CombinedMapView
    members: tuple[Regressor, ...]
    planned: tuple[str, ...]
    """Names of all members that are to be trained."""
    weights: Floats
    """Weight of each of them."""

    @property
    def size(self) -> int:
        return len(self.members)

    @property
    def titles(self) -> tuple[str, ...]:
        return self.planned[: self.size]

    @property
    def shares(self) -> Floats:
        """Weights of the first members, which add up to 1; equal ones where all are 0."""
        own = self.weights[: self.size]
        return own / own.sum() if own.any() else np.full(self.size, 1 / self.size)

    def combine(self, parts: Iterable[NDArray[Real]]) -> NDArray[Real]:
        """Combine predictions of the members."""
        return reduce(iadd, (part * part.dtype.type(w) for w, part in zip(self.shares, parts)))

    def expected(self, X: Floats) -> Floats:
        return self.combine(member.expected(X) for member in self.members)

    def averaged(self, X: Floats) -> tuple[Floats, Floats] | None:
        return self.member_values(X), self.shares

    def member(self, number: int) -> Callable[[Floats], Floats]:
        return self.members[number].expected

    def learned(self) -> Learned:
        return {"w": self.shares}

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        return {"w": (self.titles,)}

    def row_values(self, data: TrainingData) -> PointValues:
        """Return the predictions of the members, the meta-features z of stacking."""
        return {f"z{m}": member.expected(data.X) for m, member in enumerate(self.members, start=1)}

    def add(self, member: Regressor, bag: OutOfBag | None = None) -> CombinedRegressor:
        """Return the combination with another member, and its out-of-bag points."""
        members, bags = (*self.members, member), self.bags if bag is None else (*self.bags, bag)
        loss, progress = float(bags[-1].errors[0]) if bags else np.nan, len(members) / len(self.planned)
        return replace(self, members=members, bags=bags, loss=loss, progress=progress)

    def report(self, partly: Regressor) -> CombinedRegressor:
        """Return the combination so far, while the next member is being trained."""
        note = f"{self.planned[self.size]}: {partly.note}"
        return replace(self, members=self.members or (partly,), note=note)


def no_regressors(
    data: TrainingData, planned: tuple[str, ...], weights: Floats | None = None
) -> CombinedRegressor:
    """Return a combination that members are yet to be added to."""
    return CombinedRegressor(
        X=data.X, y=data.y, members=(), planned=planned, stepwise=False, progress=0.0, space=data.space,
        weights=np.ones(len(planned)) if weights is None else weights,
    )  # fmt: skip
