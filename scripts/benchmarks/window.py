"""The window: latency of clicks and drags, gaps in the event loop during training, memory after edits."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from PySide6.QtCore import Qt, QTimer

from benchmarks.timing import quantiles
from vizml import data, learn
from vizml.learn import REGRESS, Model
from window_driver import WindowDriver

POINTS, CLICKS, DRAG_SECONDS = 500, 30, 1.5
TICK = 0.005
MOUSE = 125
"""Mouse events per second."""


@dataclass(frozen=True)
class Latency:
    """Milliseconds from a click at 500 points, and frames per second of a drag."""

    task: str
    model: str
    fit: float
    point_p50: float
    point_p95: float
    boundary_p50: float
    boundary_p95: float
    drag_paints: float
    """Repaints per second while a point is dragged."""
    drag_boundaries: float
    """New boundaries per second of the drag."""


@dataclass(frozen=True)
class Gaps:
    """Milliseconds between the timeouts of a 5 ms timer while a model trains."""

    model: str
    n: int
    p50: float
    p99: float
    longest: float
    steps: float
    """Training steps per second."""


def measure(driver: WindowDriver, wanted: Sequence[str] = ()) -> Iterator[Latency]:
    """Measure each model."""
    for kind in learn.models():
        if not wanted or kind.id in wanted:
            yield _latency(driver, kind())


HEADER = (
    f"{'task':9}{'model':12}{'fit':>8}{'point p50':>11}{'p95':>7}{'boundary p50':>14}{'p95':>7}"
    f"{'repaints/s':>12}{'boundaries/s':>14}"
)


def line(row: Latency) -> str:
    """Format a row; times in milliseconds."""
    return (
        f"{row.task:9}{row.model:12}{row.fit:8.1f}{row.point_p50:11.1f}{row.point_p95:7.1f}"
        f"{row.boundary_p50:14.1f}{row.boundary_p95:7.1f}{row.drag_paints:12.0f}{row.drag_boundaries:14.0f}"
    )


def _latency(driver: WindowDriver, model: Model) -> Latency:
    rng = np.random.default_rng(0)
    source = "sine" if model.task is REGRESS else "moons"
    driver.document.set_dataset("draw", data.generate(source, n=POINTS, seed=0))
    driver.document.set_model(model)
    driver.canvas.fit_all()
    driver.canvas.set_tool("point")
    driver.settle()
    points, boundaries = [], []
    left, right, bottom, top = driver.canvas.bounds
    for _ in range(CLICKS):
        at = driver.pixel(rng.uniform(left, right), rng.uniform(bottom, top))
        started = perf_counter()
        driver.click(at)
        driver.until(driver.is_painted)
        points.append(driver.painted_at - started)
        driver.settle()
        boundaries.append(driver.painted_at - started)
        driver.document.undo()
        driver.settle()
    frame = driver.window.stage.frame
    paints, fresh = drag(driver)
    fit = frame.seconds * 1e3 if frame is not None else float("nan")
    return Latency(model.task.id, model.id, fit, *quantiles(points), *quantiles(boundaries), paints, fresh)


def drag(driver: WindowDriver) -> tuple[float, float]:
    """Drag a point in a circle; return repaints and new boundaries per second."""
    driver.canvas.set_tool("move")
    centre = driver.pixel(*driver.document.dataset.points[0])
    driver.press(centre)
    started, paints, boundaries, last, angle = perf_counter(), driver.paints, 0, None, 0.0
    while perf_counter() - started < DRAG_SECONDS:
        angle += 0.1
        at = centre + type(centre)(30 * np.sin(angle), 30 * np.cos(angle) - 30)
        driver.drag(at)
        due = perf_counter() + 1 / MOUSE
        while perf_counter() < due:
            driver.app.processEvents()
            if driver.painted_frame is not last:
                boundaries, last = boundaries + 1, driver.painted_frame
    spent = perf_counter() - started
    driver.release(centre)
    driver.document.undo()
    driver.settle()
    return (driver.paints - paints) / spent, boundaries / spent


def gaps(driver: WindowDriver, model: Model, n: int, seconds: float = 6.0) -> Gaps:
    """Measure the gaps in the event loop while the worker trains a slow model."""
    ticks: list[float] = []
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: ticks.append(perf_counter()))
    driver.document.set_model(model)
    driver.document.set_dataset("draw", data.generate("moons", n=n, noise=0.3, seed=0))
    driver.app.processEvents()
    timer.start(int(TICK * 1000))
    started = perf_counter()
    frame = None
    while perf_counter() - started < seconds:
        driver.app.processEvents()
        frame = driver.window.stage.frame
        if len(ticks) > 100 and frame is not None and driver.window.stage.settled:
            break
    timer.stop()
    steps = int(frame.steps[-1]) / (perf_counter() - started) if frame and len(frame.steps) else 0.0
    between = np.diff(ticks) * 1e3
    driver.window.stage.runner.cancel()
    driver.settle()
    p50, p99 = np.percentile(between, [50, 99])
    return Gaps(model.id, n, float(p50), float(p99), float(between.max()), steps)


@dataclass(frozen=True)
class Memory:
    """Resident memory in MB after a fifth of the edits and after all of them."""

    edits: int
    early: float
    late: float


def memory(driver: WindowDriver, edits: int = 10_000) -> Memory:
    """Add and remove points, and measure whether memory grows."""
    driver.document.set_model(learn.create("kmeans"))
    driver.document.set_dataset("draw", data.generate("moons", n=POINTS, seed=0))
    rng = np.random.default_rng(0)
    early = 0.0
    for i in range(edits):
        if i % 2:
            last = np.arange(len(driver.document.dataset)) == len(driver.document.dataset) - 1
            driver.document.erase(last)
        else:
            driver.document.add(rng.normal(size=2), i % 3)
        if i % 10 == 0:
            driver.app.processEvents()
        if i == edits // 5:
            early = _resident()
    driver.settle()
    return Memory(edits, early, _resident())


def _resident() -> float:
    status = Path("/proc/self/status")
    if status.exists():
        line = next(text for text in status.read_text().splitlines() if text.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
