"""Linear combinations b + sum_m w_m f_m(x) of regression models of any kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.learn import Regressor
from vizml.learn.ensembles.common import EnsembleRegressor, WeightedMembers
from vizml.learn.learned import Learned, PointValues
from vizml.learn.training_data import TrainingData
from vizml.learn.view import FittedMapView

REGRESSORS = "regression models separated by commas, such as linear(degree=3),knn,tree"
"""Allowed texts that name members."""


class CombinedMapView(FittedMapView["CombinedRegressor"]):
    """The combination of the members' fields, with the residuals."""

    def field(self, raster: Raster) -> Field:
        return self.state.combine(member.on(self.section).field(raster) for member in self.state.members)


@dataclass(frozen=True, eq=False, kw_only=True)
class CombinedRegressor(WeightedMembers[Regressor], EnsembleRegressor):
    """A weighted mean of the first members."""

    plane_view_class = CombinedMapView

    def expected(self, X: Floats) -> Floats:
        return self.combine(member.expected(X) for member in self.members)

    def averaged(self, X: Floats) -> tuple[Floats, Floats] | None:
        return self.member_values(X), self.shares

    def member(self, number: int) -> Callable[[Floats], Floats]:
        return self.members[number].expected

    def learned(self) -> Learned:
        return {"w": self.shares}

    def row_values(self, data: TrainingData) -> PointValues:
        """Return the predictions of the members, the meta-features z of stacking."""
        return {f"z{m}": member.expected(data.X) for m, member in enumerate(self.members, start=1)}


def no_regressors(
    data: TrainingData, planned: tuple[str, ...], weights: Floats | None = None
) -> CombinedRegressor:
    """Return a combination that members are yet to be added to."""
    return CombinedRegressor(
        X=data.X, y=data.y, members=(), planned=planned, stepwise=False, progress=0.0, space=data.space,
        weights=np.ones(len(planned)) if weights is None else weights,
    )  # fmt: skip
