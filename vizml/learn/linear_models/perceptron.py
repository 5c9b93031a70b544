"""Perceptron: f(x) = w.x + b learns from its mistakes only, and ends where the classes can be separated."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.field.linear import affine_field, opposed_field
from vizml.learn import CLASSIFY, Classifier, Model, Scale, choice, flag, integer, real, register
from vizml.learn.frame import Frame
from vizml.learn.linear_models.mistakes import Course, Rule, Task
from vizml.learn.linear_models.moments import Moment, in_data_units, promise, told
from vizml.learn.state import Floats
from vizml.learn.tournament import F, tournament
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Levels, Mark, Rings, Series
from vizml.scene import Rule as Level

BAND = 96
"""Rows of a field at a time, where there are many pairs."""
WIDE = 2.0
"""So that the 1 that stands beside x for b adds little to R."""
SMALLEST, LARGEST = 5.0, 12.0
"""Radii in pixels of the rings around points with the least and the greatest alpha."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Perceptrons(Classifier):
    """Lines between pairs of classes, or between each class and the rest, trained in turn."""

    scale: ClassVar[Scale] = Scale.LEAD
    data: TrainingData
    frame: Frame
    done: tuple[Moment, ...]
    """The lines that are trained."""
    course: Course
    """How the next one is, up to this row of it."""
    row: int
    pairs: tuple[tuple[int, int], ...]
    """Which class is +1 and which -1 in each, by their place in `classes`; none for one against all."""
    dual: bool

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The lines that have begun, as they stand."""
        return (*self.done, Moment(self.course, self.row))

    def decisions(self, X: ArrayLike) -> Floats:
        """f (n, P) of each line."""
        inside = self.frame.inside(np.asarray(X, dtype=np.float64))
        weights = np.array([moment.weights for moment in self.moments])
        return np.asarray(inside @ weights[:, :2].T + weights[:, 2])

    def scores(self, X: ArrayLike) -> Floats:
        return np.ascontiguousarray(self._scored(self.decisions(X).T).T)

    def field(self, raster: Raster) -> Field:
        weights = np.array([moment.weights for moment in self.moments])
        slopes, levels = weights[:, :2] / self.frame.spread, weights[:, 2]
        if len(self.classes) == 2:
            return opposed_field(slopes[0], float(levels[0]), raster, self.frame.centre)
        out = np.empty((len(self.classes), *raster.shape), dtype=np.float32)
        for rows, band in raster.bands(BAND):
            out[:, rows] = self._scored(affine_field(slopes, levels, band, self.frame.centre))
        return out

    @cached_property
    def reach(self) -> float:
        """By how much the winner leads at a point on average: the length of w follows eta alone."""
        ordered = np.sort(self.scores(self.data.points), axis=1)
        return float((ordered[:, -1] - ordered[:, -2]).mean()) or 1.0

    def marks(self) -> tuple[Mark, ...]:
        moment = self.moments[-1]
        marks: list[Mark] = []
        if self.dual:
            held = moment.alpha > 0
            size = np.sqrt(moment.alpha[held] / max(float(moment.alpha.max()), 1e-300))
            marks.append(
                Rings(
                    layer="Alphas", points=self.data.points[moment.task.rows[held]], ink="muted",
                    radii=SMALLEST + (LARGEST - SMALLEST) * size, legend="alpha",
                )
            )  # fmt: skip
        if moment.course.rule.delta and len(self.classes) == 2:
            delta = moment.course.rule.delta
            marks.append(Levels(layer="Margin", plane=1, values=(-delta, delta), stroke="dash", legend="±δ"))
        if moment.row and not moment.ended:
            latest = self.data.points[moment.task.rows[moment.place]]
            marks.append(
                Rings(
                    layer="Mistake", points=latest[None], radii=np.array([10.0]), ink="accent",
                    width=2.5, legend="latest mistake",
                )
            )  # fmt: skip
        return tuple(marks)

    def charts(self) -> tuple[Chart, ...]:
        moment = self.moments[-1]
        counts = np.array(moment.history or (0,), dtype=np.float64)
        bound = (Level(name="(R/γ)²", y=moment.bound),) if math.isfinite(moment.bound) else ()
        return (
            Chart(
                title="Mistakes", x=Axis(title="epoch"), y=Axis(title="mistakes so far", low=0.0),
                series=(Series(name="mistakes", x=np.arange(float(len(counts))), y=counts, kind="step"),),
                rules=bound if moment.bound < 20.0 * max(moment.mistakes, 1) else (),
                note=f"{moment.task.words}{promise(moment)}",
            ),
        )  # fmt: skip

    def metrics(self) -> Mapping[str, float]:
        figures = {
            "mistakes": sum(moment.mistakes for moment in self.moments),
            "epochs": max(moment.epoch for moment in self.moments),
            "training errors": self.loss,
        }
        bound = sum(moment.bound for moment in self.moments)
        if math.isfinite(bound):
            figures["bound (R/γ)²"] = bound
        if len(self.moments) == len(self.pairs) == 1:
            u, v, b = self.moments[0].weights.tolist()
            x, y, intercept = in_data_units((u, v, b), self.frame)
            figures |= {"intercept": intercept, "x": x, "y": y}
        return figures

    def _scored(self, decisions: NDArray[F]) -> NDArray[F]:
        """Scores (K, ...) from decisions (P, ...)."""
        if len(self.classes) == 2:
            return np.concatenate([-decisions, decisions])
        if self.pairs:
            return tournament(decisions, self.pairs, len(self.classes))
        rest = np.zeros((len(self.classes) - len(decisions), *decisions.shape[1:]), decisions.dtype)
        return np.concatenate([decisions, rest])


@register(
    "perceptron",
    task=CLASSIFY,
    family="Linear",
    title="Perceptron",
    about="Turns its line a little towards every point that it finds on the wrong side, until there is none.",
    formula=(
        r"\text{mistake:} \quad y_i (w \cdot x_i + b) \le \delta",
        r"w \leftarrow w + \eta\, y_i x_i, \qquad b \leftarrow b + \eta\, y_i",
        r"w = \sum_{i} \alpha_i y_i x_i",
        r"\mathrm{mistakes} \le \left( R / \gamma \right)^2",
    ),
)
@dataclass(frozen=True)
class Perceptron(Model):
    form: str = choice(
        "primal",
        ("primal", "dual"),
        labels={"primal": "primal: w and b", "dual": "dual: an alpha for each point"},
        help="what is kept: the line, or how much each point has contributed to it; both give the same line",
    )
    eta: float = real(
        1.0,
        1e-3,
        1e3,
        log=True,
        symbol="\\eta",
        title="learning rate",
        help="how far a mistake moves the line; with δ = 0 it only scales w and b",
    )
    delta: float = real(
        0.0,
        0.0,
        100.0,
        symbol="\\delta",
        title="margin",
        help="how clearly a point must be on its side, as y f(x), not to count as a mistake",
    )
    order: str = choice(
        "cyclic",
        ("cyclic", "shuffled"),
        labels={"cyclic": "as they are", "shuffled": "shuffled each time"},
        help="in which order the points are gone through",
    )
    pocket: bool = flag(
        False, help="keep the line with the fewest training errors so far: what to do when nothing separates"
    )
    standardise: bool = flag(
        True, help="learn around the middle of the data and in their spread, where b learns as fast as w"
    )
    epochs: int = integer(100, 1, 5000, log=True, help="how often all points are gone through, at the most")
    patience: int = integer(
        5, 0, 100, when={"pocket": (False,)},
        help="where no line separates the classes, stop after so many epochs that were no better; 0: never",
    )  # fmt: skip
    multiclass: str = choice(
        "ovo", ("ova", "ovo"), title="several classes",
        labels={"ova": "one against all", "ovo": "one against one"},
        help="a line for each class, of which the highest wins, or one for each pair of classes, who vote",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Perceptrons]:
        return self._run(data, rng, watched=True)

    def strides(self, data: TrainingData, rng: Generator) -> Iterator[Perceptrons]:
        return self._run(data, rng, watched=False)

    def _run(self, data: TrainingData, rng: Generator, *, watched: bool) -> Iterator[Perceptrons]:
        frame = _standard(data.points) if self.standardise else Frame(centre=np.zeros(2), spread=1.0)
        rule = Rule(
            dual=self.form == "dual", eta=self.eta, delta=self.delta, shuffled=self.order == "shuffled",
            pocket=self.pocket, epochs=self.epochs, patience=0 if self.pocket else self.patience,
        )  # fmt: skip
        pairs = self._pairs(len(data.present))
        tasks = _tasks(data, frame, pairs)
        done: tuple[Moment, ...] = ()
        for task in tasks:
            course, errors = Course(task, rule, watched=watched), sum(moment.errors for moment in done)
            state = Perceptrons(
                classes=data.present, data=data, frame=frame, pairs=pairs, dual=rule.dual, done=done,
                course=course, row=0,
            ).later(note=_note)  # fmt: skip
            for rows in course.rows(rng):
                shown = slice(rows.start, rows.stop)
                losses = (errors + course.shown.errors[shown]).astype(np.float64)
                shares = np.maximum(course.shown.epochs[shown] - 1, 0) / self.epochs
                for row, loss, share in zip(rows, losses.tolist(), shares.tolist()):
                    progress = (len(done) + (1.0 if row == course.last else share)) / len(tasks)
                    yield state.later(row=row, loss=loss, progress=progress)
            done = (*done, Moment(course, course.last))

    def _pairs(self, classes: int) -> tuple[tuple[int, int], ...]:
        if classes == 2:
            return ((1, 0),)
        return tuple(combinations(range(classes), 2)) if self.multiclass == "ovo" else ()


def _standard(points: Floats) -> Frame:
    """The middle at 0 and a standard deviation of WIDE along the axes, on average."""
    spread = float(np.sqrt(((points - points.mean(axis=0)) ** 2).mean())) / WIDE
    return Frame(centre=points.mean(axis=0), spread=spread or 1.0)


def _tasks(data: TrainingData, frame: Frame, pairs: tuple[tuple[int, int], ...]) -> list[Task]:
    lifted = np.column_stack([frame.inside(data.points), np.ones(len(data))])
    names = [data.name(int(label)) for label in data.present]
    codes = np.searchsorted(data.present, data.labels)
    tasks = []
    for plus, minus in pairs or [(k, -1) for k in range(len(names))]:
        rows = np.flatnonzero((codes == plus) | (codes == minus)) if pairs else np.arange(len(data))
        y = np.where(codes[rows] == plus, 1.0, -1.0)
        words = f"{names[plus]} against {names[minus] if pairs else 'the rest'}: " if len(names) > 2 else ""
        tasks.append(Task(rows=rows, signed=y[:, None] * lifted[rows], words=words))
    return tasks


def _note(state: Perceptrons) -> str:
    moment = state.moments[-1]
    return moment.task.words + told(moment, state.data, state.frame)
