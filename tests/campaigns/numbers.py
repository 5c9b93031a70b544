"""Every model on degenerate data, with its parameters at their limits: training, views, charts, metrics."""

import random
import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache

import numpy as np

from tests.campaigns.campaign import Case, Failure
from vizml import learn
from vizml.data import Column, Dataset
from vizml.data.params import Choice, Flag, Integer, Param, Real, Value
from vizml.evaluate import score
from vizml.field import Raster
from vizml.learn import Classifier, Model, State, View
from vizml.run.compose import compose
from vizml.run.request import RenderRequest
from vizml.scene.viewport import Viewport

LONGEST_CALL = 5.0
"""Processor seconds for a field, a chart or a whole scene."""
LONGEST_STEP = 1.0
LONGEST_RUN = 20.0
SIZE = (160, 120)
DEEPEST = 5
FEW = (
    "moons", "2 points", "3 points", "one place", "two places", "diagonal", "times 1e12", "times 1e-12",
    "outlier at 1e6", "8 points of 8 classes", "horizontal", "vertical", "one category",
    "a category in each row",
)  # fmt: skip
"""Data for parameters at their limits."""


@cache
def degenerate_data() -> dict[str, Dataset]:
    """Points with labels, and tables with categories, by name."""
    return {name: Dataset(*rows) for name, rows in _points().items()} | _tables()


def _tables() -> dict[str, Dataset]:
    """Two inputs, of which one or both have categories, a target, and labels."""
    rows = np.arange(12.0)
    one, constant = Column("colour", 0 * rows, ("red",)), Column("size", 0 * rows + 3.0)
    two, each = Column("colour", rows % 2, ("red", "blue")), Column("kind", rows, tuple("abcdefghijkl"))
    found = {
        "one category": (one, Column("size", rows)),
        "one category and a constant": (one, constant),
        "two columns of one category": (one, Column("kind", 0 * rows, ("a",))),
        "a category in each row": (two, each),
        "unused categories": (Column("colour", 2 * (rows % 2), ("red", "blue", "green", "grey")), constant),
    }
    labels = (rows % 3 > 1).astype(int)
    return {
        name: Dataset.of(
            [*columns, Column("age", rows)], [column.name for column in columns], labels=labels, target="age"
        )
        for name, columns in found.items()
    }


@cache
def _points() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Points and labels by name."""
    rng = np.random.default_rng(3)
    angle, two = np.pi * rng.random(40), np.arange(200) % 2
    arcs = np.column_stack([np.cos(angle) - 0.5, np.sin(angle) - 0.25]) * np.where(two[:40], -1, 1)[:, None]
    moons, line = arcs + 0.2 * rng.normal(size=(40, 2)), np.linspace(-2, 2, 30)
    square = np.stack(np.meshgrid(range(6), range(6)), axis=-1).reshape(-1, 2).astype(float)
    corners = np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0)
    found = {
        "moons": (moons, two[:40]),
        "one place": (np.ones((12, 2)), two[:12]),
        "one place at 1e12": (np.full((12, 2), 1e12), two[:12]),
        "all zero": (np.zeros((12, 2)), two[:12]),
        "two places": (corners, np.repeat([0, 1], 10)),
        "both classes at two places": (corners, two[:20]),
        "horizontal": (np.column_stack([line, 0 * line]), two[:30]),
        "vertical": (np.column_stack([0 * line, line]), two[:30]),
        "diagonal": (np.column_stack([line, line]), (line > 0).astype(int)),
        "moved by 1e8": (moons + 1e8, two[:40]),
        "moved by 1e15": (10 * moons + 1e15, two[:40]),
        "high": (moons * [1e-12, 1e12], two[:40]),
        "wide": (moons * [1e6, 1e-9], two[:40]),
        "classes of extents 1e-12 and 1e9": (moons * np.where(two[:40], 1e-12, 1e9)[:, None], two[:40]),
        "outlier at 1e6": (np.vstack([moons, [[1e6, -1e6]]]), two[:41]),
        "outlier at 1e90": (np.vstack([moons, [[1e90, 1e90]]]), two[:41]),
        "8 points of 8 classes": (rng.normal(size=(8, 2)), np.arange(8)),
        "8 classes at one place": (np.zeros((160, 2)), np.arange(160) % 8),
        "1 point against 60": (rng.normal(size=(61, 2)), (np.arange(61) == 0).astype(int)),
        "classes 0 and 7": (moons, 7 * two[:40]),
        "half unlabelled": (moons, np.where(rng.random(40) < 0.5, -1, two[:40])),
        "square grid": (square, two[:36]),
    }
    found |= {f"{n} point{'s' * (n > 1)}": (rng.normal(size=(n, 2)), two[:n]) for n in range(1, 6)}
    powers = ("1e-300", "1e-160", "1e-12", "1e12", "1e14", "1e90", "1e150", "1e300", "5e-324")
    return found | {f"times {power}": (moons * float(power), two[:40]) for power in powers}


@cache
def cases(seed: int) -> list[tuple[type[Model], str, dict[str, Value]]]:
    """Defaults on all data, then single parameters at their limits, then pairs of them, in random order."""
    rng = random.Random(seed)
    models = learn.models()
    defaults: list[tuple[type[Model], str, dict[str, Value]]] = [
        (model, data, {}) for model in models for data in degenerate_data() if _fits(model, data)
    ]
    single = [
        (model, data, {name: value})
        for model in models
        for name, value in _limits(model)
        for data in FEW
        if _fits(model, data)
    ]
    pairs = [
        (model, rng.choice([data for data in FEW if _fits(model, data)]), {a: x, b: y})
        for model in models
        for i, (a, x) in enumerate(_limits(model))
        for b, y in _limits(model)[:i]
        if a != b
    ]
    rng.shuffle(defaults)
    others = single + pairs
    rng.shuffle(others)
    return defaults + others


def _fits(model: type[Model], name: str) -> bool:
    """Whether a model takes the data: a distribution has no categories, and a descent no data."""
    return model.task not in (learn.DISTRIBUTE, learn.DESCEND) or not any(
        degenerate_data()[name].axis_categories
    )


@cache
def _limits(model: type[Model]) -> list[tuple[str, Value]]:
    params = model.parameters()
    return [(each.name, value) for each in params for value in _extremes(each) if value != each.default]


def _extremes(param: Param) -> tuple[Value, ...]:
    match param:
        case Real():
            return (param.lo, param.hi, *param.words)
        case Integer():
            return (param.lo, param.hi)
        case Flag():
            return (True, False)
        case Choice():
            return param.options
    return ()


def case(seed: int, number: int) -> Case:
    """Return a case: train, then ask the first and the last state for everything that the window shows."""
    found = cases(seed)
    model, name, values = found[number % len(found)]
    data = degenerate_data()[name]
    if model.task is learn.REGRESS and name in _points():
        data = Dataset(data.points, np.full(len(data), -1))
    return f"{model.task.id} {model.id} {values} on {name}", lambda: _examine(model(**values), data)


def _examine(model: Model, data: Dataset) -> None:
    slow: list[str] = []
    first, last = _train(model, data, slow)
    for state in (first, last):
        _Examination(state, data, slow).run()
    if slow:
        raise Failure(f"slow: {', '.join(sorted(set(slow)))}")


def _train(model: Model, data: Dataset, slow: list[str]) -> tuple[State, State]:
    began = time.process_time()
    states = learn.run(model, data, 0)
    first = last = None
    step = began
    for state in states:
        first, last = first or state, state
        if (now := time.process_time()) - step > LONGEST_STEP:
            slow.append(f"a step of {now - step:.1f} s")
        step = now
    if step - began > LONGEST_RUN:
        slow.append(f"a run of {step - began:.0f} s")
    if first is None or last is None:
        raise Failure("the run has no state")
    return first, last


class _Examination:
    """Everything that is shown of a state."""

    def __init__(self, state: State, data: Dataset, slow: list[str]) -> None:
        self.state, self.data, self.slow = state, data, slow
        self.view: View = state.on()

    def run(self) -> None:
        state, data = self.state, self.data
        viewport = Viewport(_around(data), *SIZE)
        X = state.task.training_data(data).X
        predicted = np.asarray(self.timed("predict", lambda: state.predict(X)))
        if np.isnan(predicted).any():
            raise Failure("NaN in predict")
        if (
            isinstance(state, Classifier)
            and state.has_proba
            and not np.allclose(state.proba(X).sum(axis=1), 1, atol=1e-6)
        ):
            raise Failure("probabilities do not add up to 1")
        self.check_plane("field", self.timed("field", lambda: self.view.field(viewport.raster)))
        self.check_marks(
            "scene", self.timed("compose", lambda: compose(data, state, RenderRequest(viewport))).marks
        )
        self.timed("score", lambda: score(state, data))
        for name, value in state.metrics().items():
            if isinstance(value, float) and np.isnan(value):
                raise Failure(f"the metric {name} is NaN")
        if {"nan", "inf", "-inf"} & set(state.note.lower().replace(",", " ").split()):
            raise Failure(f"the note {state.note!r}")
        left, right, bottom, top = viewport.bounds
        middle = (left + right) / 2, (bottom + top) / 2
        for place in np.array([data.points[0], middle, (left, top), (1e9, -1e9)]):
            self.check_marks("probe", self.timed("probe", lambda place=place: self.view.probe(place)))
            self.timed("trail", lambda place=place: self.view.trail(place))
        self.check_parts(viewport.raster)

    def check_parts(self, raster: Raster) -> None:
        """Check charts, lenses, diagram and anchors."""
        self.timed("charts", self.state.charts)
        for lens in self.timed("lenses", self.view.lenses):
            self.check_plane(f"lens {lens.name!r}", self.timed("lens", lambda lens=lens: lens.plane(raster)))
        diagram = self.timed("diagram", self.state.diagram)
        for node in diagram.nodes[:3] if diagram is not None else ():
            self.check_marks("focus", self.timed("focus", lambda node=node: self.view.focus(node.id)).marks)
        for anchor in self.view.anchors()[:2]:
            self.timed("moved", lambda anchor=anchor: self.view.moved(anchor.name, np.array([0.5, 0.5])))

    def timed(self, what: str, call):
        began = time.process_time()
        try:
            return call()
        except ValueError as error:
            raise RuntimeError(f"{what}: {error}") from error
        finally:
            if (took := time.process_time() - began) > LONGEST_CALL:
                self.slow.append(f"{what} {took:.0f} s")

    @staticmethod
    def check_plane(what: str, values: np.ndarray) -> None:
        if np.isnan(values).any():
            raise Failure(f"NaN in {what}")

    @staticmethod
    def check_marks(what: str, marks: object) -> None:
        for mark in marks:
            for values in _arrays(mark):
                if _broken(values):
                    raise Failure(f"NaN in {type(mark).__name__} of {what}")


def _around(data: Dataset) -> tuple[float, float, float, float]:
    """Return the bounds of the points with a margin, within coordinates of 1e15."""
    low, high = np.clip(data.points.min(axis=0), -1e15, 1e15), np.clip(data.points.max(axis=0), -1e15, 1e15)
    margin = np.maximum(0.1 * (high - low), np.maximum(1e-6 * np.abs(high), 1e-12))
    (left, bottom), (right, top) = low - margin, high + margin
    return float(left), float(right), float(bottom), float(top)


def _broken(values: np.ndarray) -> bool:
    """Whether there is NaN other than in rows of NaN, which separate the pieces of a path."""
    if values.dtype.kind != "f" or not np.isnan(values).any():
        return False
    rows = np.isnan(values).reshape(len(values), -1) if values.ndim else np.array([[True]])
    return bool((rows.any(axis=1) != rows.all(axis=1)).any() or rows.all())


def _arrays(value: object, depth: int = DEEPEST) -> Iterator[np.ndarray]:
    """Yield the numbers of a mark, down through its parts."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, float):
        yield np.array(value)
    elif depth and isinstance(value, list | tuple):
        for part in value[:200]:
            yield from _arrays(part, depth - 1)
    elif depth and is_dataclass(value):
        for each in fields(value):
            yield from _arrays(getattr(value, each.name), depth - 1)
