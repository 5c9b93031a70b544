"""How long the exact field of each classifier takes at several views, and how often panning redraws it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter, sleep

from benchmarks.models import HEIGHT, WIDTH, field_seconds
from desk import Desk
from vizml import data, learn
from vizml.data import Dataset
from vizml.data.params import Value
from vizml.field import Raster
from vizml.learn import CLASSIFY, Model

POINTS, SECONDS = 500, 1.0
ZOOMS = (1.0, 1 / 8, 4.0)
"""The fitted view, eight times in, four times out: how wide each is beside the first."""
GOAL_FIELD, GOAL_FRAMES = 60.0, 15.0
STEP, TURN, HAND = 4, 50, 1 / 60
"""How many pixels a hand pans at a time, how many times before it comes back, and how often, in seconds."""


@dataclass(frozen=True)
class Case:
    """A classifier, what is set of it, and how many classes it parts."""

    model: str
    classes: int = 2
    settings: dict[str, Value] = field(default_factory=dict)

    def make(self) -> Model:
        """The model itself."""
        return learn.create(self.model, CLASSIFY).with_(**self.settings)

    @property
    def data(self) -> Dataset:
        """Moons for two classes, overlapping blobs for more."""
        if self.classes == 2:
            return data.generate("moons", n=POINTS, noise=0.25, seed=0)
        return data.generate("blobs", n=POINTS, classes=self.classes, noise=1.0, seed=0)


@dataclass(frozen=True)
class Row:
    """Milliseconds for the field at each zoom, and exact pictures a second while panning."""

    model: str
    settings: str
    classes: int
    fields: tuple[float, ...]
    frames: float

    @property
    def met(self) -> bool:
        """Whether it reaches both goals."""
        return max(self.fields) <= GOAL_FIELD and self.frames >= GOAL_FRAMES


def cases(wanted: Sequence[str] = ()) -> Iterator[Case]:
    """Every classifier as it is, then the kernels, metrics and numbers of classes of those that have them."""
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


def measure(desk: Desk, wanted: Sequence[str] = ()) -> Iterator[Row]:
    """A row for each case."""
    for case in cases(wanted):
        settings = " ".join(str(value) for value in case.settings.values())
        yield Row(case.model, settings, case.classes, _fields(case), _frames(desk, case))


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


def _frames(desk: Desk, case: Case) -> float:
    """Exact pictures a second while a hand pans."""
    desk.document.set_model(case.make())
    desk.document.set_dataset("draw", case.data)
    desk.canvas.fit_all()
    desk.settle()
    started, exact, last, moved = perf_counter(), 0, None, 0
    while perf_counter() - started < SECONDS:
        desk.canvas.pan(STEP if moved // TURN % 2 else -STEP, 0)
        moved += 1
        due = perf_counter() + HAND
        while perf_counter() < due:
            desk.app.processEvents()
            frame = desk.painted_frame
            if frame is not None and frame is not last and frame.scene is not None:
                exact, last = exact + frame.scene.exact, frame
            sleep(0.001)
    spent = perf_counter() - started
    desk.settle()
    return exact / spent


HEADER = f"{'model':18}{'settings':18}{'classes':>8}{'fitted':>9}{'8x in':>9}{'4x out':>9}{'frames/s':>10}"


def line(row: Row) -> str:
    """A row for people, marked where it misses a goal."""
    fields = "".join(f"{took:9.1f}" for took in row.fields)
    mark = "" if row.met else "  below the goal"
    return f"{row.model:18}{row.settings:18}{row.classes:8}{fields}{row.frames:10.0f}{mark}"
