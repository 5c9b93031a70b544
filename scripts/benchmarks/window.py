"""In the real window: clicks, drags, gaps while training, edits without end."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from PySide6.QtCore import Qt, QTimer

from benchmarks.timing import quantiles
from desk import Desk
from vizml import data, learn
from vizml.learn import REGRESS, Model

POINTS, CLICKS, DRAG_SECONDS = 500, 30, 1.5
TICK = 0.005
MOUSE = 125
"""Events a second."""


@dataclass(frozen=True)
class Latency:
    """Milliseconds from a click, at 500 points, and frames a second of a drag."""

    task: str
    model: str
    fit: float
    point_p50: float
    point_p95: float
    boundary_p50: float
    boundary_p95: float
    drag_paints: float
    """Repaints a second while a point is dragged."""
    drag_boundaries: float
    """New boundaries a second meanwhile."""


@dataclass(frozen=True)
class Gaps:
    """Milliseconds between 5 ms ticks of the window while a model trains."""

    model: str
    n: int
    p50: float
    p99: float
    longest: float
    steps: float
    """Steps of the training a second meanwhile."""


def latencies(desk: Desk, wanted: tuple[str, ...] = ()) -> Iterator[Latency]:
    """A row for each model."""
    for kind in learn.models():
        if not wanted or kind.id in wanted:
            yield _latency(desk, kind())


def _latency(desk: Desk, model: Model) -> Latency:
    rng = np.random.default_rng(0)
    source = "sine" if model.task is REGRESS else "moons"
    desk.document.set_dataset("draw", data.generate(source, n=POINTS, seed=0))
    desk.document.set_model(model)
    desk.canvas.fit_all()
    desk.canvas.set_tool("point")
    desk.settle()
    points, boundaries = [], []
    left, right, bottom, top = desk.canvas.bounds
    for _ in range(CLICKS):
        at = desk.pixel(rng.uniform(left, right), rng.uniform(bottom, top))
        started = perf_counter()
        desk.click(at)
        desk.until(desk.is_painted)
        points.append(desk.painted_at - started)
        desk.settle()
        boundaries.append(desk.painted_at - started)
        desk.document.undo()
        desk.settle()
    frame = desk.window.stage.frame
    paints, fresh = drag(desk)
    fit = frame.seconds * 1e3 if frame is not None else float("nan")
    return Latency(model.task.id, model.id, fit, *quantiles(points), *quantiles(boundaries), paints, fresh)


def drag(desk: Desk) -> tuple[float, float]:
    """Drag a point in a circle, with as many events a second as a good mouse sends."""
    desk.canvas.set_tool("move")
    centre = desk.pixel(*desk.document.dataset.points[0])
    desk.press(centre)
    started, paints, boundaries, last, angle = perf_counter(), desk.paints, 0, None, 0.0
    while perf_counter() - started < DRAG_SECONDS:
        angle += 0.1
        at = centre + type(centre)(30 * np.sin(angle), 30 * np.cos(angle) - 30)
        desk.drag(at)
        due = perf_counter() + 1 / MOUSE
        while perf_counter() < due:
            desk.app.processEvents()
            if desk.painted_frame is not last:
                boundaries, last = boundaries + 1, desk.painted_frame
    spent = perf_counter() - started
    desk.release(centre)
    desk.document.undo()
    desk.settle()
    return (desk.paints - paints) / spent, boundaries / spent


def gaps(desk: Desk, model: Model, n: int, seconds: float = 6.0) -> Gaps:
    """How evenly the window lives while the worker trains something heavy."""
    ticks: list[float] = []
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: ticks.append(perf_counter()))
    desk.document.set_model(model)
    desk.document.set_dataset("draw", data.generate("moons", n=n, noise=0.3, seed=0))
    desk.app.processEvents()
    timer.start(int(TICK * 1000))
    started = perf_counter()
    frame = None
    while perf_counter() - started < seconds:
        desk.app.processEvents()
        frame = desk.window.stage.frame
        if len(ticks) > 100 and frame is not None and desk.window.stage.settled:
            break
    timer.stop()
    steps = int(frame.steps[-1]) / (perf_counter() - started) if frame and len(frame.steps) else 0.0
    between = np.diff(ticks) * 1e3
    desk.window.stage.runner.cancel()
    desk.settle()
    p50, p99 = np.percentile(between, [50, 99])
    return Gaps(model.id, n, float(p50), float(p99), float(between.max()), steps)


@dataclass(frozen=True)
class Memory:
    """Resident megabytes after so many edits."""

    edits: int
    early: float
    late: float


def memory(desk: Desk, edits: int = 10_000) -> Memory:
    """Add and remove points, undo and redo, and see whether memory grows between a tenth and the whole."""
    desk.document.set_model(learn.create("kmeans"))
    desk.document.set_dataset("draw", data.generate("moons", n=POINTS, seed=0))
    rng = np.random.default_rng(0)
    early = 0.0
    for i in range(edits):
        if i % 2:
            last = np.arange(len(desk.document.dataset)) == len(desk.document.dataset) - 1
            desk.document.erase(last)
        else:
            desk.document.add(rng.normal(size=2), i % 3)
        if i % 10 == 0:
            desk.app.processEvents()
        if i == edits // 5:
            early = _resident()
    desk.settle()
    return Memory(edits, early, _resident())


def _resident() -> float:
    status = Path("/proc/self/status")
    if status.exists():
        line = next(text for text in status.read_text().splitlines() if text.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def rows(results: list[Latency]) -> list[dict[str, object]]:
    """The same for a file."""
    return [asdict(result) for result in results]
