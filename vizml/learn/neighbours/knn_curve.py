"""k nearest neighbours: f(x) = sum of w_i y_i / sum of w_i over the k nearest; w_i = 1 or 1 / |x - x_i|."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.learn import REGRESS, Model, Regressor, choice, integer, register
from vizml.learn.linear_models.curve_views import residual_lines
from vizml.learn.neighbours.window import Window
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Mark, Rule, Segments, Series, Words

LAYER = "Neighbours"
TRIED = 60
"""How many k are tried for the chart of errors."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NeighbourCurve(Regressor):
    """The points themselves, and how many of them are asked."""

    x: Floats
    y: Floats
    window: Window
    weighted: bool

    def curve(self, x: Floats) -> Floats:
        return self.window.nearer_more(x) if self.weighted else self.window.mean(x)

    @cached_property
    def residuals(self) -> Floats:
        """y - f(x)."""
        return self.y - self.curve(self.x)

    def marks(self) -> tuple[Mark, ...]:
        return (residual_lines(self.x, self.y, self.residuals),)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        x = float(point[0])
        rows = self.window.rows(np.array([x]))[0]
        y = float(self.curve(np.array([x]))[0])
        far = np.column_stack([self.window.x[rows], self.window.y[rows]])
        here = np.broadcast_to([x, y], far.shape)
        reach = float(np.abs(far[:, 0] - x).max())
        edges = [[[end, -np.inf], [end, np.inf]] for end in (x - reach, x + reach)]
        return (
            Segments(layer=LAYER, ends=np.array(edges), ink="muted", stroke="dot"),
            Segments(layer=LAYER, ends=np.stack([here, far], axis=1), ink="accent"),
            Words(layer=LAYER, points=np.array([[x, y]]), texts=(f"{y:.4g}",)),
        )

    def metrics(self) -> dict[str, float]:
        found = {
            "points": float(len(self.x)),
            "neighbours": float(self.window.k),
            "RSS": float(self.residuals @ self.residuals),
        }
        if not self.weighted and self.window.k < len(self.x):
            apart = self.window.y - self.window.left_out()
            found["leave-one-out error"] = float(apart @ apart) / len(self.x)
        return found

    def charts(self) -> tuple[Chart, ...]:
        n, window = len(self.x), self.window
        if self.weighted or n < 3:
            return ()
        tried = np.unique(np.geomspace(1, min(n - 1, 200), TRIED).astype(np.int64))
        errors = np.array(
            [
                np.mean((window.y - Window(window.x, window.y, window.order, int(k)).left_out()) ** 2)
                for k in tried
            ]
        )
        best = int(tried[errors.argmin()])
        chart = Chart(
            title="Error against k",
            x=Axis(title="neighbours k", log=True),
            y=Axis(title="leave-one-out squared error"),
            series=(Series(name="leave-one-out", x=tried.astype(float), y=errors),),
            rules=(
                Rule(name=f"k = {window.k}", x=float(window.k), ink="text"),
                Rule(name=f"least error: {best}", x=float(best)),
            ),
            sets=("k",),
            choices=(tuple(int(k) for k in tried),),
        )
        return (chart,)


@register(
    "knn",
    task=REGRESS,
    family="Neighbours",
    title="k nearest neighbours",
    about="Takes the mean of the k points that are nearest in x.",
    formula=(r"\hat y(x) = \frac{\sum_{i \in N(x)} w_i\, y_i}{\sum_{i \in N(x)} w_i}",),
)
@dataclass(frozen=True)
class NearestMean(Model):
    k: int = integer(
        5, 1, 200, log=True, symbol="k", title="neighbours", help="how many are asked: more make it smoother"
    )
    weights: str = choice(
        "uniform", ("uniform", "distance"), symbol="w",
        labels={"uniform": "all alike", "distance": "nearer ones count more"},
        help="how much each neighbour counts: all the same, or 1 / distance",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[NeighbourCurve]:
        del rng
        n = len(data)
        if self.k > n:
            note = f"k = {self.k}, but there are only {n} points: all of them count everywhere"
        else:
            note = f"nothing to train: of {n:,} points the nearest {self.k} count at each x"
        yield NeighbourCurve(
            x=data.x, y=data.y, window=Window.over(data.x, data.y, self.k),
            weighted=self.weights == "distance", note=note, progress=1.0,
        )  # fmt: skip
