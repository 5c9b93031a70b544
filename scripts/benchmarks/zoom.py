"""Time of the exact field of classifiers at several zooms, and exact pictures per second while panning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter, sleep

from benchmarks.models import HEIGHT, WIDTH, field_seconds
from vizml import data, learn
from vizml.data import Dataset
from vizml.data.params import Value
from vizml.field import Raster
from vizml.learn import CLASSIFY, Model
from window_driver import WindowDriver

POINTS, SECONDS = 500, 1.0
ZOOMS = (1.0, 1 / 8, 4.0)
"""Widths of the views relative to the fitted one: fitted, 8 times in, 4 times out."""
GOAL_FIELD, GOAL_FRAMES = 60.0, 15.0
STEP, TURN, INTERVAL = 4, 50, 1 / 60
"""Pixels of one pan, pans before the direction changes, and seconds between two pans."""


@dataclass(frozen=True)
class Case:
    """A classifier with its settings and the number of classes."""

    model: str
    classes: int = 2
    settings: dict[str, Value] = field(default_factory=dict)

    def make(self) -> Model:
        """Return the model."""
        return learn.create(self.model, CLASSIFY).with_(**self.settings)

    @property
    def data(self) -> Dataset:
        """Moons for two classes, overlapping blobs for more classes."""
        if self.classes == 2:
            return data.generate("moons", n=POINTS, noise=0.25, seed=0)
        return data.generate("blobs", n=POINTS, classes=self.classes, noise=1.0, seed=0)


@dataclass(frozen=True)
class Row:
    """Milliseconds for the field at each zoom, and exact pictures per second while panning."""

    model: str
    settings: str
    classes: int
    fields: tuple[float, ...]
    frames: float

    @property
    def met(self) -> bool:
        """Whether both goals are reached."""
        return max(self.fields) <= GOAL_FIELD and self.frames >= GOAL_FRAMES


def cases(wanted: Sequence[str] = ()) -> Iterator[Case]:
    """Generate every classifier with its defaults, then kernels, metrics and numbers of classes."""
    every = [Case(model.id) for model in learn.models() if model.task is CLASSIFY]
    kernels = {"svm": "linear poly rbf laplace sigmoid", "gp": "rbf matern32 matern52"}
    for model, names in kernels.items():
        every += [Case(model, classes, {"kernel": name}) for name in names.split() for classes in (2, 3)]
    for metric in ("l1", "l2", "linf"):
        every += [
            Case("knn", 3, {"metric": metric, "weights": weights}) for weights in ("uniform", "distance")
        ]
    for name in ("gaussian", "laplace", "epanechnikov", "box"):
        every += [Case("parzen", classes, {"kernel": name}) for classes in (2, 3, 8)]
    return (case for case in every if not wanted or case.model in wanted)


def measure(driver: WindowDriver, wanted: Sequence[str] = ()) -> Iterator[Row]:
    """Measure each case."""
    for case in cases(wanted):
        settings = " ".join(str(value) for value in case.settings.values())
        yield Row(case.model, settings, case.classes, _fields(case), _frames(driver, case))


def _fields(case: Case) -> tuple[float, ...]:
    points = case.data
    state = learn.fit(case.make(), points.points, points.labels)
    left, right, bottom, top = points.bounds or (0.0, 1.0, 0.0, 1.0)
    middle, half = ((left + right) / 2, (bottom + top) / 2), ((right - left + 1) / 2, (top - bottom + 1) / 2)
    found = []
    for zoom in ZOOMS:
        ends = [edge for m, h in zip(middle, half) for edge in (m - zoom * h, m + zoom * h)]
        raster = Raster.over((ends[0], ends[1], ends[2], ends[3]), WIDTH, HEIGHT)
        found.append(field_seconds(state, raster)[0] * 1e3)
    return tuple(found)


def _frames(driver: WindowDriver, case: Case) -> float:
    """Return exact pictures per second while panning."""
    driver.document.set_model(case.make())
    driver.document.set_dataset("draw", case.data)
    driver.canvas.fit_all()
    driver.settle()
    started, exact, last, moved = perf_counter(), 0, None, 0
    while perf_counter() - started < SECONDS:
        driver.canvas.pan(STEP if moved // TURN % 2 else -STEP, 0)
        moved += 1
        due = perf_counter() + INTERVAL
        while perf_counter() < due:
            driver.app.processEvents()
            frame = driver.painted_frame
            if frame is not None and frame is not last and frame.scene is not None:
                exact, last = exact + frame.scene.exact, frame
            sleep(0.001)
    spent = perf_counter() - started
    driver.settle()
    return exact / spent


HEADER = f"{'model':18}{'settings':18}{'classes':>8}{'fitted':>9}{'8x in':>9}{'4x out':>9}{'frames/s':>10}"


def line(row: Row) -> str:
    """Format a row, marked where it misses a goal."""
    fields = "".join(f"{took:9.1f}" for took in row.fields)
    mark = "" if row.met else "  below the goal"
    return f"{row.model:18}{row.settings:18}{row.classes:8}{fields}{row.frames:10.0f}{mark}"
