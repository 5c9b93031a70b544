"""Many inputs: from a move of a section slider to the exact picture, fits, and a table of 100,000 rows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF

from benchmarks.curves import CURVES, TERMS
from benchmarks.models import HEIGHT, WIDTH
from benchmarks.references import REFERENCES
from benchmarks.timing import best_of_both, quantiles
from vizml import data, learn
from vizml.data import Dataset, read_csv, write_csv
from vizml.learn import REGRESS, Model
from window_driver import WindowDriver

ROWS, INPUTS, MOVES = 500, 13, 40
MODELS = (
    "classify logistic", "classify lda", "classify qda", "classify gaussian_nb", "classify svm",
    "classify tree", "classify random_forest", "classify gradient_boosting", "classify xgboost",
    "classify mlp", "regress linear", "regress ridge", "regress svr", "regress tree",
    "regress random_forest", "regress gradient_boosting", "regress mlp", "density gaussian",
    "density gmm", "cluster kmeans", "cluster gmm",
)  # fmt: skip
GOAL_PICTURE, GOAL_FIT = 50.0, 1.0
"""Milliseconds of the 95th percentile, and the ratio of fits."""
LARGE, COLUMNS, EDITS = 100_000, 20, 3
LINEAR = (
    "classify logistic", "classify lda", "classify gaussian_nb", "classify least_squares", "regress linear",
    "regress ridge", "density gaussian",
)  # fmt: skip
"""Models whose cost is linear in the number of rows."""
GOAL_IMPORT, GOAL_EDIT = 3.0, 0.5


@dataclass(frozen=True)
class Fit:
    """Milliseconds of a fit and of its reference, with the same parameters."""

    task: str
    model: str
    fit: float
    their_fit: float

    def __str__(self) -> str:
        ratio = self.their_fit / self.fit
        missed = "  * fit" if ratio < GOAL_FIT else ""
        return f"{self.task:9}{self.model:20}{self.fit:9.2f}{self.their_fit:11.2f}{ratio:8.2f}x{missed}"


@dataclass(frozen=True)
class Picture:
    """Milliseconds from a move of a slider to the exact picture."""

    task: str
    model: str
    p50: float
    p95: float
    cpu: float
    """95th percentile of the processor time of all threads, which other processes disturb less."""

    def __str__(self) -> str:
        missed = "  * p95" if self.p95 > GOAL_PICTURE else ""
        return f"{self.task:9}{self.model:20}{self.p50:38.1f}{self.p95:8.1f}{self.cpu:8.1f}{missed}"


@dataclass(frozen=True)
class Large:
    """Seconds of the import of a large table, or of an edit until its exact picture."""

    of: str
    seconds: float
    cpu: float
    goal: float

    def __str__(self) -> str:
        missed = "  *" if self.seconds > self.goal else ""
        return f"{self.of:29}{self.seconds:9.2f} s{self.cpu:9.2f} s cpu (goal {self.goal:g} s){missed}"


INCOMPARABLE = {("cluster", "dbscan"), ("regress", "kernel_smoother"), ("regress", "subset")}
"""No point has neighbours, the reference only stores the points, or it is put together in Python."""
HEADER = f"{'task':9}{'model':20}{'fit':>9}{'their fit':>11}{'ratio':>9}{'p50':>9}{'p95':>8}{'cpu':>8}"
line = str


def measure(driver: WindowDriver, wanted: Sequence[str] = ()) -> Iterator[Fit | Picture | Large]:
    """Measure the fits and the pictures of models on many inputs, then the large table."""
    for task, model in REFERENCES | CURVES:
        if (task, model) not in INCOMPARABLE and (not wanted or model in wanted):
            yield _fit(learn.create(model, task), table(ROWS, INPUTS))
    _resize(driver)
    for name in MODELS:
        task, model = name.split()
        if not wanted or model in wanted:
            yield _picture(driver, _plain(learn.create(model, task)))
    if not wanted:
        yield from _large(driver)


def table(rows: int, inputs: int) -> Dataset:
    """Return a table with three classes and a target that depend on its inputs; the first two are shown."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, inputs))
    y = X[:, 0] + np.sin(X[:, 1]) * X[:, 2] + 0.5 * X[:, 3:].sum(axis=1) + rng.normal(size=rows)
    columns: dict[str, Any] = {f"input {k + 1}": column for k, column in enumerate(X.T)}
    names = tuple(columns)
    ranks = np.argsort(np.argsort(y)) * 3 // rows
    columns |= {"y": y, "class": np.array(["low", "middle", "high"])[ranks]}
    return data.table(columns, x=names[0], y=names[1], target="y", label="class", inputs=names)


def _plain(model: Model) -> Model:
    """Return a regression without powers of its inputs, as its reference is; other models as they are."""
    linear = model.task is REGRESS and "degree" in model.values and "basis" in model.values
    return model.with_(degree=1) if linear else model


def _resize(driver: WindowDriver) -> None:
    """Resize the window until its plot has the size of the picture."""
    for _ in range(3):
        plot: QRectF = driver.canvas.plot_geometry.plot
        size = driver.window.size()
        driver.window.resize(
            round(size.width() + WIDTH - plot.width()), round(size.height() + HEIGHT - plot.height())
        )
        driver.rest(0.1)


def _picture(driver: WindowDriver, model: Model) -> Picture:
    points = table(ROWS, INPUTS)
    driver.document.set_dataset("draw", points)
    driver.document.set_model(model)
    driver.canvas.fit_all()
    driver.settle()
    driver.rest()
    took, spent = zip(*(_seconds(driver, value) for value in np.linspace(-2.0, 2.0, MOVES).tolist()))
    p50, p95 = quantiles(list(took))
    return Picture(model.task.id, model.id, p50, p95, quantiles(list(spent))[1])


def _seconds(driver: WindowDriver, value: float) -> tuple[float, float]:
    """Return the seconds and the processor time from a move of a slider to the exact picture."""
    started, cpu = perf_counter(), process_time()
    driver.document.set_held(f"input {INPUTS}", value, "move")
    driver.until(lambda: _shows(driver, value))
    return driver.painted_at - started, process_time() - cpu


def _shows(driver: WindowDriver, value: float) -> bool:
    """Whether the exact picture of a section is on the canvas."""
    frame = driver.painted_frame
    if frame is None or frame.scene is None or not frame.scene.exact or frame.request.section is None:
        return False
    return frame is driver.window.stage.frame and bool(frame.request.section.origin[-1] == value)


def _fit(model: Model, points: Dataset) -> Fit:
    """Measure a fit with the parameters of its reference; linear regressions without powers of inputs."""
    reference = (REFERENCES | CURVES)[model.task.id, model.id]
    aligned, make = _plain(model.with_(**reference.settings)), reference.make
    regression = model.task is REGRESS
    target: np.ndarray = points.column("y").values if regression else points.labels
    if regression and model.id in TERMS:
        make = partial(TERMS[model.id], degree=1)
    make()  # imports the module before the fit is timed
    ours, theirs = best_of_both(
        lambda: learn.fit_data(aligned, points), lambda: make().fit(points.features, target)
    )
    return Fit(model.task.id, model.id, ours * 1e3, theirs * 1e3)


def _large(driver: WindowDriver) -> Iterator[Large]:
    points = table(LARGE, COLUMNS - 2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        write_csv(points, path)
        started, cpu = perf_counter(), process_time()
        read_csv(path, x="input 1", y="input 2", label="class", target="y", inputs=points.inputs)
        yield Large("import", perf_counter() - started, process_time() - cpu, GOAL_IMPORT)
    driver.document.set_dataset("draw", points)
    for name in LINEAR:
        task, model = name.split()
        driver.document.set_model(_plain(learn.create(model, task)))
        driver.canvas.fit_all()
        driver.canvas.set_tool("point")
        driver.settle()
        driver.rest()
        took, spent = np.median([_edit(driver) for _ in range(EDITS)], axis=0).tolist()
        yield Large(name, took, spent, GOAL_EDIT)


def _edit(driver: WindowDriver) -> tuple[float, float]:
    """Return the seconds and the processor time from a click to its exact picture."""
    left, right, bottom, top = driver.canvas.bounds
    started, cpu = perf_counter(), process_time()
    driver.click(driver.pixel((left + right) / 2, (bottom + top) / 2))
    driver.settle()
    found = driver.painted_at - started, process_time() - cpu
    driver.document.undo()
    driver.settle()
    return found
