"""k nearest neighbours: weighted share of each class, or weighted mean of y; w_i = 1 or 1 / d(x, x_i)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.field.raster import BandCache
from vizml.learn import (
    CLASSIFY,
    REGRESS,
    Classifier,
    FittedRegressor,
    Model,
    Scale,
    choice,
    integer,
    register,
)
from vizml.learn.learned import PointValues
from vizml.learn.neighbours.search import KdTree, SortedNeighbours, averages, neighbour_values
from vizml.learn.neighbours.views import KnnCurveView, KnnLineView, KnnMapView, KnnView
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Rule, Series

MOST_TRIED = 200
"""Largest k in the chart of leave-one-out errors."""
TRIED = 60
"""Number of k in that chart."""
FAMILY = "Neighbours"
TITLE = "k nearest neighbours"


@dataclass(frozen=True, eq=False, kw_only=True)
class NeighbourState(State):
    """The training points X (n, d), of which predictions use the k nearest."""

    X: Floats
    k: int
    weighted: bool
    metric: str = "l2"
    band_cache: BandCache = field(default_factory=BandCache, init=False)
    """The field being painted, which views in narrow bands share."""

    @cached_property
    def tree(self) -> KdTree:
        """The k-d tree of the points."""
        return KdTree.of(self.X)

    def row_values(self, data: TrainingData) -> PointValues:
        return neighbour_values(data.X, self.X, self.k, self.metric)

    def metrics(self) -> dict[str, float]:
        return {"points": float(len(self.X)), "neighbours": float(self.k)}


@dataclass(frozen=True, eq=False, kw_only=True)
class KnnState(NeighbourState, Classifier):
    """Training points with their class codes."""

    plane_view_class = KnnView
    line_view_class = KnnLineView
    scale: ClassVar[Scale] = Scale.SHARE
    codes: Ints
    """Index of the class of each point in `classes`."""
    names: tuple[str, ...]

    def scores(self, X: ArrayLike) -> Floats:
        members = (self.codes[:, None] == np.arange(len(self.classes))).astype(np.float64)
        queries = np.asarray(X, dtype=np.float64)
        return averages(queries, self.X, members, self.k, metric=self.metric, weighted=self.weighted)


@dataclass(frozen=True, eq=False, kw_only=True)
class KnnRegressorState(NeighbourState, FittedRegressor):
    """Training points with their targets y."""

    curve_view_class = KnnCurveView
    plane_view_class = KnnMapView

    def expected(self, X: Floats) -> Floats:
        if self.X.shape[1] == 1:
            return self.sorted.averages(X[:, 0], weighted=self.weighted)
        return averages(X, self.X, self.y[:, None], self.k, weighted=self.weighted)[:, 0]

    @cached_property
    def sorted(self) -> SortedNeighbours:
        """The search on a line, for a single input."""
        return SortedNeighbours.of(self.X[:, 0], self.y, self.k)

    def metrics(self) -> dict[str, float]:
        found = super().metrics() | {"RSS": self.rss}
        if not self.weighted and self.k < len(self.X):
            found["leave-one-out error"] = self._leave_one_out_error(self.k)
        return found

    def charts(self) -> tuple[Chart, ...]:
        n = len(self.X)
        if self.weighted or n < 3:
            return ()
        tried = np.unique(np.geomspace(1, min(n - 1, MOST_TRIED), TRIED).astype(np.int64))
        errors = np.array([self._leave_one_out_error(int(k)) for k in tried])
        best = int(tried[errors.argmin()])
        minimum = Rule(name=f"minimum: k = {best}", x=float(best))
        return (error_chart("k", "neighbours k", self.k, tried.tolist(), errors, minimum),)

    def _leave_one_out_error(self, k: int) -> float:
        if self.X.shape[1] == 1:
            errors = self.sorted.y - self.sorted.leave_one_out(k)
        else:
            errors = self.y - averages(self.X, self.X, self.y[:, None], k, leave_one_out=True)[:, 0]
        return float(errors @ errors) / len(errors)


def error_chart(
    parameter: str, title: str, value: float, tried: Sequence[float], errors: Floats, *rules: Rule
) -> Chart:
    """Leave-one-out errors against a parameter, which a click on the chart sets."""
    symbol = title.rsplit(maxsplit=1)[-1]
    return Chart(
        title=f"Error against {parameter}", x=Axis(title=title, log=True),
        y=Axis(title="leave-one-out mean squared error"),
        series=(Series(name="leave-one-out", x=np.array(tried, dtype=np.float64), y=errors),),
        rules=(Rule(name=f"{symbol} = {value:.3g}", x=float(value), ink="text"), *rules), sets=(parameter,),
        choices=(tuple(value if isinstance(value, int) else float(f"{value:.3g}") for value in tried),),
    )  # fmt: skip


K: Any = integer(
    5, 1, 200, log=True, symbol="k", title="neighbours",
    help="Number of neighbours. Larger values give smoother predictions.",
)  # fmt: skip
"""K."""


WEIGHTS: Any = choice(
    "uniform", ("uniform", "distance"), symbol="w",
    labels={"uniform": "uniform", "distance": "inverse distance"},
    help="Weights of the neighbours: uniform, or the inverse of the distance.",
)  # fmt: skip
"""The weights of the neighbours."""


def fit_note(k: int, points: int) -> str:
    """Describe the fit."""
    if k > points:
        return f"k = {k}, but the data have only {plural(points, 'point')}: all are neighbours everywhere"
    return f"no training: predictions use the {k} nearest of {plural(points, 'point')}"


@register(
    "knn", CLASSIFY, FAMILY, TITLE,
    symbols={
        "N": ("The k nearest neighbours of x.",), "y": ("Class of a training point.",),
    },
    remarks=("Note 002 (4.1) writes argmin over the classes; correct is argmax.",),
    synonyms=("k-NN", "KNN classifier", "nearest neighbor"),
)  # fmt: skip
class KnnClassifier(Model):
    r"""Predicts the majority class among the k nearest training points, in O(nd + n log k) operations.

    .. math::
        p_c(x) = \frac{\sum_{i \in N} w_i\, [y_i = c]}{\sum_{i \in N} w_i}
    """

    uses_distances = True

    k: int = K
    metric: str = choice(
        "l2", ("l1", "l2", "linf"), symbol="d", title="distance",
        labels={"l1": "Manhattan", "l2": "Euclidean", "linf": "Chebyshev"},
        help="Distance metric: sum, root of the sum of squares, or maximum of the coordinate differences.",
    )  # fmt: skip
    weights: str = WEIGHTS

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[KnnState]:
        yield KnnState(
            classes=data.present, X=data.X, codes=data.class_indices,
            names=data.class_names, k=min(self.k, len(data)),
            metric=self.metric, weighted=self.weights == "distance",
            note=fit_note(self.k, len(data)), progress=1.0,
        )  # fmt: skip


@register(
    "knn", REGRESS, FAMILY, TITLE,
    symbols={
        "N": ("The k nearest neighbours of x.",), "y": ("Target of a training point.",),
    },
    synonyms=("k-NN regression", "nearest neighbor"),
)  # fmt: skip
class KnnRegressor(Model):
    r"""Predicts the mean target of the k nearest training points, in O(nd + n log k) operations.

    .. math::
        \hat y(x) = \frac{\sum_{i \in N(x)} w_i\, y_i}{\sum_{i \in N(x)} w_i}
    """

    uses_distances = True

    k: int = K
    weights: str = WEIGHTS

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[KnnRegressorState]:
        yield KnnRegressorState(
            X=data.X, y=data.y, k=min(self.k, len(data)), weighted=self.weights == "distance",
            note=fit_note(self.k, len(data)), progress=1.0,
        )  # fmt: skip
