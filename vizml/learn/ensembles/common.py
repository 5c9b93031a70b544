"""Base classes of ensemble models and states, and parameters that several models share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import iadd
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.learn.ensembles import views
from vizml.learn.ensembles.out_of_bag import OutOfBag, VarianceDecomposition, decompose_variance
from vizml.learn.fitted_regressor import FittedRegressor
from vizml.learn.learned import Learned, PointValues
from vizml.learn.model import Model, WatchedModel
from vizml.learn.params import integer
from vizml.learn.state import Real, Regressor, State
from vizml.learn.training_data import TrainingData
from vizml.learn.view import FittedCurveView, FittedMapView, Focus
from vizml.scene import Axis, Chart, Curves, Diagram, Mark, Path, Series

M = TypeVar("M", bound=State)
FOCUS_POINTS = 200
"""Points of the line that shows a single member without steps."""
VARIANCE_FORMULA = r"\mathrm{Var} = \rho\, \sigma^2 + \frac{1 - \rho}{B}\, \sigma^2"
"""Variance of the mean of B members with correlation rho."""
ROUNDS: Any = integer(
    100, 1, 1000, log=True, symbol="M", synonyms=("n_estimators",), help="Number of boosting rounds."
)
MAX_DEPTH: Any = integer(3, 1, 10, help="Maximum depth of the trees.")
MIN_LEAF: Any = integer(1, 1, 1000, log=True, help="Minimum number of points in a leaf.")
REGRESSORS = "regression models separated by commas, such as linear(degree=3),knn,tree"
"""Allowed texts that name members."""


class EnsembleModel(WatchedModel):
    """Model whose members can be trained several at once."""

    @property
    def single(self) -> Model | None:
        """Model of a single member, where all members have the same."""
        return None


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanState(State):
    """Mean of members, with an out-of-bag error as its loss where they are trained on bootstrap samples."""

    error_name: ClassVar[str] = "error"
    left_out: ClassVar[str] = "OOB error"
    """Name of the mean error on a point of the members that were not trained on it."""
    bags: tuple[OutOfBag, ...] = ()
    sets: str = "members"
    """Parameter that holds the number of members."""
    stepwise: bool = True
    """Whether there is a state for each member."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of members."""

    def averaged(self, X: Floats) -> tuple[Floats, Floats] | None:
        """Return predictions (B, n, K) of the members and weights (B,) where they are averaged."""
        del X
        return None

    @cached_property
    def variance(self) -> VarianceDecomposition:
        """Variance of the members' errors and of their mean."""
        return decompose_variance(self.bags, self.size)

    def training_values(self) -> PointValues:
        """Number of members without a point in their sample, and the mean of their errors on it."""
        if not self.bags:
            return {}
        mask = np.concatenate([bag.mask for bag in self.bags])[: self.size]
        errors = np.concatenate([bag.residuals for bag in self.bags])[: self.size]
        votes = np.count_nonzero(mask, axis=0)
        with np.errstate(invalid="ignore"):
            return {"OOB votes": votes, self.left_out: errors.sum(axis=0, dtype=np.float64) / votes}

    def error_text(self, error: float) -> str:
        """Format an out-of-bag error."""
        return f"{error:.1%}" if self.error_name == "error" else f"{error:.4g}"

    def charts(self) -> tuple[Chart, ...]:
        if not self.bags:
            return ()
        errors = np.concatenate([bag.errors for bag in self.bags])
        last = float(errors[self.size - 1])
        at = np.arange(1, len(errors) + 1)
        chart = Chart(
            title="Out-of-bag error", x=Axis(title="members", low=1), y=Axis(title=self.error_name, low=0),
            series=(Series(name="out-of-bag", x=at.astype(float), y=errors),),
            note=f"{self.error_text(last)} with {self.size}" if np.isfinite(last) else "",
            cursor="step" if self.stepwise else "", sets=(self.sets,), choices=(tuple(at.tolist()),),
        )  # fmt: skip
        return chart, views.variance_chart(self.variance)

    def metrics(self) -> Mapping[str, float]:
        found = {self.sets: float(self.size)}
        if self.bags and np.isfinite(self.loss):
            found |= {
                f"OOB {self.error_name}": self.loss,
                "ρ": float(self.variance.rho[-1]),
                "σ²": float(self.variance.sigma2[-1]),
                "variance of the mean": float(self.variance.measured[-1]),
                views.VARIANCE_TERM: float(self.variance.predicted[-1]),
            }
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightedMembers(MeanState, Generic[M]):
    """A weighted mean of members of any kind, which are trained one after another."""

    members: tuple[M, ...]
    planned: tuple[str, ...]
    """Names of all members that are to be trained."""
    weights: Floats
    """Weight of each of them."""

    @property
    def size(self) -> int:
        return len(self.members)

    @property
    def titles(self) -> tuple[str, ...]:
        """Names of the members."""
        return self.planned[: self.size]

    @property
    def shares(self) -> Floats:
        """Weights of the first members, which add up to 1; equal ones where all are 0."""
        own = self.weights[: self.size]
        return own / own.sum() if own.any() else np.full(self.size, 1 / self.size)

    def combine(self, parts: Iterable[NDArray[Real]]) -> NDArray[Real]:
        """Combine predictions of the members."""
        return reduce(iadd, (part * part.dtype.type(w) for w, part in zip(self.shares, parts)))

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        return {"w": (self.titles,)}

    def add(self, member: M, bag: OutOfBag | None = None) -> Self:
        """Return the mean with another member, and its out-of-bag points."""
        members, bags = (*self.members, member), self.bags if bag is None else (*self.bags, bag)
        loss, progress = float(bags[-1].errors[0]) if bags else np.nan, len(members) / len(self.planned)
        return replace(self, members=members, bags=bags, loss=loss, progress=progress)

    def report(self, partly: M) -> Self:
        """Return the mean so far, while the next member is being trained."""
        note = f"{self.planned[self.size]}: {partly.note}"
        return replace(self, members=self.members or (partly,), note=note)


class EnsembleCurveView(FittedCurveView["EnsembleRegressor"]):
    """The curve with the residuals of the points and the latest members."""

    def whole_marks(self) -> tuple[Mark, ...]:
        return (*((self._members(),) if self.state.shows_members else ()), *super().whole_marks())

    def _members(self) -> Mark:
        """Curves of the latest members; steps go on beyond the data, very many are drawn at pixels only."""
        state = self.state
        latest = range(max(state.size - views.MAX_MEMBERS_DRAWN, 0), state.size)
        edges = state.member_edges(state.size - 1)
        if edges is None or len(edges) > views.MAX_STEPS_DRAWN:

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
class EnsembleRegressor(MeanState, FittedRegressor):
    """Regression by several members."""

    curve_view_class = EnsembleCurveView
    error_name: ClassVar[str] = "mean squared error"
    left_out: ClassVar[str] = "OOB residual"
    shows_members: ClassVar[bool] = True
    """Whether curves of the latest members are drawn."""

    @property
    def titles(self) -> tuple[str, ...]:
        """Names of the members."""
        return tuple(f"{self.sets.removesuffix('s')} {number + 1}" for number in range(self.size))

    @abstractmethod
    def member(self, number: int) -> Callable[[Floats], Floats]:
        """Prediction of a member for inputs (m, d)."""

    def member_values(self, X: Floats) -> Floats:
        """Predictions (B, n, 1) of all members."""
        return np.stack([self.member(number)(X) for number in range(self.size)])[:, :, None]

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

    @property
    def has_diagram(self) -> bool:
        return bool(self.X.shape[1] == 1)

    def diagram(self) -> Diagram | None:
        """Thumbnails of the members' curves."""
        if not self.size or not self.has_diagram:
            return None
        numbers, x = views.shown_members(self.size), self.X[:, 0]
        columns = views.thumbnail_columns(x)[:, None]
        images = [views.curve_thumbnail(self.member(number)(columns), x, self.y) for number in numbers]
        titles = [self.titles[number] for number in numbers]
        return views.thumbnail_diagram(self.sets.capitalize(), titles, numbers, images)


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
