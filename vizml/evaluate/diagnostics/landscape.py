"""The loss landscape: the training objective over two weights, with the paths of the optimisers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import contourpy
import numpy as np

from vizml.data.params import Choice
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import name_field, param_of, two_positions, value_text
from vizml.evaluate.objectives import TrainingObjective, objective_of
from vizml.field.arrays import Floats, Ints, evenly_spaced
from vizml.learn import CLASSIFY, REGRESS, CannotLearn, Model, State, choice, flag, integer, run
from vizml.learn.linear_models.basis import SUPERSCRIPTS, input_names
from vizml.scene import Axis, Chart, HeatMap, Ink, Series

PATH_STEPS = 200
"""Steps of a path that are drawn."""
WANDERING, WANDERING_STEPS = 8.0, 25
"""Length of a path in units of its extent above which only so many of its steps are drawn: all of them would
cover the map."""
OUTLYING = (0.1, 0.9)
"""Quantiles between which the weights of other paths are on the map: noisy ones have outliers."""
PADDING = 0.3
"""Margin of the map around the path of the model, as a share of its extent."""
CONTOUR_HEIGHTS = np.geomspace(1e-4, 1.0, 13)[:-1]
"""Heights of the contour lines between the lowest and the highest loss."""
LOG_FLOOR = 1e-3
"""Share of the range of losses that is added before taking logarithms, so that the minimum stays finite."""
INKS: Sequence[Ink] = ("accent", 1, 2, 3, 4, 5, 6, 7, "text")


@dataclass(frozen=True, eq=False)
class OptimiserPath:
    """The weights (m, p) at some steps of a run, and the numbers of the steps."""

    weights: Floats
    steps: Ints

    @classmethod
    def of(
        cls, objective: TrainingObjective, states: Sequence[State], steps: Ints | None = None
    ) -> OptimiserPath:
        """Return the path of a run; steps count from 1 where their numbers are not given."""
        rows = evenly_spaced(len(states), PATH_STEPS)
        weights = np.array([objective.weights(states[row]) for row in rows])
        return cls(weights, rows + 1 if steps is None else steps[rows])

    def descends(self, objective: TrainingObjective) -> bool:
        """Whether the loss is not higher at the end than at the start."""
        start, end = objective.at(self.weights[[0, -1]])
        return bool(end <= start)


@diagnostic(
    "landscape", title="Loss landscape", tasks=(CLASSIFY, REGRESS),
    synonyms=("loss surface", "optimization", "gradient descent path", "RSS bowl"),
)  # fmt: skip
class LossLandscape(Diagnostic):
    """Training loss over two weights, with the path of gradient descent."""

    across: str = name_field("Weight along x; empty for the first.", "a weight")
    up: str = name_field("Weight along y; empty for the second.", "a weight")
    others: str = choice(
        "fixed", ("fixed", "profiled"), help="Other weights: fixed, or minimised at each point."
    )
    race: bool = flag(
        default=True, title="compare optimisers", help="Show the paths of all optimisers from the same start."
    )
    cells: int = integer(60, 10, 150, help="Number of cells of the map in each direction.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        if subject.state is None or not subject.history:
            raise ValueError("there is nothing to show yet: train on some points")
        objective = objective_of(subject.model, subject.train)
        axes = self._axes(objective.names)
        own = OptimiserPath.of(objective, subject.history, subject.steps)
        paths = {solver_name(subject.model): own}
        loss_map = LossMap(self, objective, axes, own, (own,))
        yield ChartResult(loss_map.chart(paths))
        if not self.race:
            return
        for name, model in other_solvers(subject.model):
            try:
                states = tuple(run(model, subject.train, subject.seed))
            except CannotLearn:
                continue
            paths[name] = OptimiserPath.of(objective, states)
            yield ChartResult(loss_map.chart(paths))
        yield ChartResult(LossMap(self, objective, axes, own, tuple(paths.values())).chart(paths))

    def _axes(self, names: tuple[str, ...]) -> tuple[int, int]:
        """Return the weights that are named, or the first two, without the intercept where there are more."""
        if len(names) < 2:
            raise ValueError("a loss landscape needs at least two weights")
        return two_positions(names, (self.across, self.up), 1 if len(names) > 2 else 0, "weight")


@dataclass(frozen=True, eq=False)
class LossMap:
    """The loss on a grid around the path of the model and most of the descending paths of others."""

    settings: LossLandscape
    objective: TrainingObjective
    axes: tuple[int, int]
    own: OptimiserPath
    visible: tuple[OptimiserPath, ...]

    @cached_property
    def grid(self) -> tuple[Floats, Floats]:
        """Values of the two weights."""
        others = (path for path in self.visible if path.descends(self.objective))
        most = (np.quantile(path.weights, OUTLYING, axis=0) for path in others)
        seen = np.vstack([*most, self.own.weights])
        a, b = (_values_around(seen[:, axis], self.settings.cells) for axis in self.axes)
        return a, b

    @cached_property
    def loss(self) -> Floats:
        """The loss; row 0 has the lowest value of the second weight."""
        objective = self.objective
        evaluate = objective.profiled if self.settings.others == "profiled" else objective.over
        return evaluate(self.own.weights[-1], *self.axes, *self.grid)

    def chart(self, paths: Mapping[str, OptimiserPath]) -> Chart:
        (a, b), loss = self.grid, self.loss
        low, span = float(loss.min()), float(np.ptp(loss))
        heights = np.log10(loss - low + LOG_FLOOR * span + 1e-300)
        rows, columns = (tuple(f"{value:.4g}" for value in values) for values in (b[::-1], a))
        texts = tuple(tuple(f"{value:.4g}" for value in row) for row in loss[::-1])
        series = [self._contour(low + share * span) for share in CONTOUR_HEIGHTS]
        drawn = [self._path(name, path, ink) for (name, path), ink in zip(paths.items(), INKS, strict=False)]
        for line, end in (*drawn[1:], drawn[0]):  # the model's own path is above the others
            series.extend((line, end))
        x, y = (weight_title(self.objective, axis) for axis in self.axes)
        return Chart(
            title="Loss landscape",
            x=Axis(title=x, low=float(a[0]), high=float(a[-1])),
            y=Axis(title=y, low=float(b[0]), high=float(b[-1])),
            heat=HeatMap(values=heights[::-1], rows=rows, columns=columns, texts=texts),
            series=tuple(series),
            cursor="paths",
            note=f"loss {low:.4g} to {loss.max():.4g} over {x} and {y}",
        )

    def _contour(self, height: float) -> Series:
        lines = contourpy.contour_generator(z=self.loss).lines(height)
        broken = [part for line in lines for part in (np.asarray(line), [[np.nan, np.nan]])]
        at = np.concatenate(broken) if broken else np.empty((0, 2))
        return Series(name="", x=at[:, 0], y=at[:, 1], ink="muted", width=1.0, opacity=0.5)

    def _path(self, name: str, path: OptimiserPath, ink: Ink) -> tuple[Series, Series]:
        """Return a path in units of cells, and its end."""
        x, y = (
            (path.weights[:, axis] - values[0]) / (values[1] - values[0])
            for axis, values in zip(self.axes, self.grid, strict=True)
        )
        width, opacity = (2.5, 1.0) if ink == "accent" else (1.5, 0.8)
        length, extent = np.hypot(np.diff(x), np.diff(y)).sum(), np.hypot(np.ptp(x), np.ptp(y))
        wanders = bool(length > WANDERING * extent)
        rows = evenly_spaced(len(x), WANDERING_STEPS if wanders else PATH_STEPS)
        line = Series(
            name=name, x=x[rows], y=y[rows], ink=ink, width=width, opacity=0.5 if wanders else opacity,
            steps=path.steps[rows],
        )  # fmt: skip
        return line, Series(name="", x=x[-1:], y=y[-1:], ink=ink, kind="dots")


def weight_title(objective: TrainingObjective, index: int) -> str:
    """Return the axis title of a weight, with the name of its column: 'intercept', 'weight of x²'."""
    name, columns = objective.names[index], objective.data.columns
    column = dict(zip(input_names(len(columns)), columns)).get(name, name)
    term = re.sub(r"\^(\d+)", lambda found: found[1].translate(SUPERSCRIPTS), column)
    return name if name == "intercept" else f"weight of {term}"


def solver_name(model: Model) -> str:
    """Return the name of a model's path."""
    solver = model.values.get("solver")
    return value_text(solver, param_of(model, "solver")) if solver else model.title


def other_solvers(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the model with each other iterative solver."""
    for param in model.parameters():
        if param.name == "solver" and isinstance(param, Choice):
            for option in param.options:
                if option not in (model.values["solver"], "exact"):
                    yield value_text(option, param), model.with_(solver=option)


def _values_around(path: Floats, count: int) -> Floats:
    """Return evenly spaced values around those of a path, and around 0, where optimisers start."""
    low, high = min(float(path.min()), 0.0), max(float(path.max()), 0.0)
    extent = max(high - low, 1e-9)
    end = float(path[-1])
    low, high = min(low, end - extent / 2), max(high, end + extent / 2)
    return np.linspace(low - PADDING * extent, high + PADDING * extent, count)
