"""The loss landscape: the training loss over two weights, the way of the optimiser, and a race of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import contourpy
import numpy as np
from numpy.typing import NDArray

from vizml.data.params import Choice
from vizml.evaluate.diagnostic import Diagnostic, Ints, Subject, diagnostic
from vizml.evaluate.landscape import Objective, objective_of
from vizml.evaluate.progress import sampled
from vizml.learn import CLASSIFY, REGRESS, CannotLearn, Model, State, choice, flag, integer, run, text
from vizml.scene import Axis, Chart, HeatMap, Ink, Series

Floats: TypeAlias = NDArray[np.float64]
Window: TypeAlias = tuple[Floats, Floats]
ALONG = 200
"""So many steps of a way are drawn."""
AROUND = 0.3
"""The share of a way's extent that is seen beyond its ends."""
LEVELS = np.geomspace(1e-4, 1.0, 13)[:-1]
"""Heights of the contour lines, as shares of the way from the lowest to the highest."""


@dataclass(frozen=True, eq=False)
class Way:
    """The weights (m, p) at some steps of a run, and their numbers."""

    weights: Floats
    steps: Ints


@diagnostic("landscape", title="Loss landscape", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class LossLandscape(Diagnostic):
    across: str = text("", str, "the name of a weight, or nothing", help="the weight along x, such as x")
    up: str = text("", str, "the name of a weight, or nothing", help="the weight along y, such as y")
    others: str = choice("fixed", ("fixed", "profiled"), help="other weights as they are, or at their best")
    race: bool = flag(default=True, help="let all optimisers start from the same place")
    cells: int = integer(60, 10, 150, help="how fine the map is")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        if subject.state is None or not subject.history:
            raise ValueError("there is nothing to see yet: train on some points")
        objective = objective_of(subject.model, subject.train)
        i, j = self._places(objective)
        ways = {solver_of(subject.model): way_of(objective, subject.history, subject.steps)}
        floor = _Floor(self, objective, (i, j), ways)
        yield floor.chart(ways)
        if not self.race:
            return
        for name, model in rivals(subject.model):
            try:
                states = tuple(run(model, subject.train, subject.seed))
            except CannotLearn:
                continue
            ways[name] = way_of(objective, states)
            yield floor.chart(ways)
        yield _Floor(self, objective, (i, j), ways).chart(ways)

    def _places(self, objective: Objective) -> tuple[int, int]:
        """Which weights: those named, else the first two, without the intercept if there are more."""
        names = objective.names
        if len(names) < 2:
            raise ValueError("a landscape needs two weights, and there is but one")
        first = 1 if len(names) > 2 else 0
        found = []
        for wanted, place in ((self.across, first), (self.up, first + 1)):
            if wanted and wanted not in names:
                raise ValueError(f"there is no weight '{wanted}'; there are {', '.join(names)}")
            found.append(names.index(wanted) if wanted else place)
        if found[0] == found[1]:
            raise ValueError(f"a landscape needs two different weights, not {names[found[0]]} twice")
        return found[0], found[1]


class _Floor:
    """The map around the first way and the ends of others, evaluated once; ways are drawn over it."""

    def __init__(
        self, asked: LossLandscape, objective: Objective, places: tuple[int, int], ways: dict[str, Way]
    ) -> None:
        i, j = self.places = places
        self.names = objective.names[i], objective.names[j]
        way, *_ = every = [way.weights for way in ways.values()]
        seen = np.vstack([way, *(other[-1:] for other in every if _descends(objective, other))])
        self.a, self.b = (_span(seen[:, place], asked.cells) for place in places)
        look = objective.profiled if asked.others == "profiled" else objective.over
        self.loss = look(way[-1], i, j, self.a, self.b)
        self.least = float(self.loss.min())
        self.heights = np.log10(self.loss - self.least + 1e-3 * float(np.ptp(self.loss)) + 1e-300)

    def chart(self, ways: dict[str, Way]) -> Chart:
        rows = tuple(_word(value) for value in self.b[::-1])
        texts = tuple(tuple(f"{value:.4g}" for value in row) for row in self.loss[::-1])
        heat = HeatMap(values=self.heights[::-1], rows=rows, columns=tuple(map(_word, self.a)), texts=texts)
        inks: Sequence[Ink] = ("accent", 1, 2, 3, 4, 5, 6, 7)
        series = [self._level(share) for share in LEVELS]
        drawn = [self._drawn(name, way, ink) for (name, way), ink in zip(ways.items(), inks, strict=False)]
        for line, end in (*drawn[1:], drawn[0]):  # that of the model itself lies over the others
            series.extend((line, end))
        return Chart(
            title="Loss landscape",
            x=_axis(self.names[0], self.a),
            y=_axis(self.names[1], self.b),
            heat=heat,
            series=tuple(series),
            cursor="paths",
            note=f"loss {self.least:.4g} to {self.loss.max():.4g} over weights of {' and '.join(self.names)}",
        )

    def _level(self, share: float) -> Series:
        height = self.least + share * float(np.ptp(self.loss))
        lines = contourpy.contour_generator(z=self.loss).lines(height)
        broken = [part for line in lines for part in (np.asarray(line), [[np.nan, np.nan]])]
        at = np.concatenate(broken) if broken else np.empty((0, 2))
        return Series(name="", x=at[:, 0], y=at[:, 1], ink="muted", width=1.0, opacity=0.5)

    def _drawn(self, name: str, way: Way, ink: Ink) -> tuple[Series, Series]:
        """A way in cells, and where it ends."""
        ends = ((self.a, way.weights[:, self.places[0]]), (self.b, way.weights[:, self.places[1]]))
        x, y = ((at - grid[0]) / (grid[1] - grid[0]) for grid, at in ends)
        width, opacity = (2.5, 1.0) if ink == "accent" else (1.5, 0.8)
        line = Series(name=name, x=x, y=y, ink=ink, width=width, opacity=opacity, steps=way.steps)
        return line, Series(name="", x=x[-1:], y=y[-1:], ink=ink, kind="dots")


def _axis(name: str, values: Floats) -> Axis:
    return Axis(title=name, low=float(values[0]), high=float(values[-1]))


def solver_of(model: Model) -> str:
    """What the way of a model is called."""
    return str(model.values.get("solver", model.title))


def rivals(model: Model) -> Iterator[tuple[str, Model]]:
    """The same model with each other solver that goes step by step."""
    for param in model.parameters():
        if param.name == "solver" and isinstance(param, Choice):
            for option in param.options:
                if option not in (solver_of(model), "exact"):
                    yield option, model.with_(solver=option)


def _descends(objective: Objective, way: Floats) -> bool:
    """Whether a way ends lower than it began: one that blew up is not what the map is drawn around."""
    ends = way[[0, -1]]
    start, end = objective.of(ends @ objective.design.T, ends)
    return bool(end <= start)


def way_of(objective: Objective, states: Sequence[State], steps: Ints | None = None) -> Way:
    """The way of a run; its steps count from 1 where their numbers are not given."""
    places = sampled(len(states), ALONG)
    weights = np.array([objective.weights(states[place]) for place in places])
    return Way(weights, steps[places] if steps is not None and len(steps) == len(states) else places + 1)


def _span(values: Floats, count: int) -> Floats:
    """Values around those of a way, and around 0, where all of them start."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    reach = max(high - low, 1e-9)
    end = float(values[-1])
    low, high = min(low, end - reach / 2), max(high, end + reach / 2)
    return np.linspace(low - AROUND * reach, high + AROUND * reach, count)


def _word(value: float) -> str:
    return f"{value:.4g}"
