"""Regressions in the window: time from an edit to its curve, and curves per second of a drag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.window import drag
from vizml import data, learn
from vizml.learn import REGRESS, Model
from window_driver import WindowDriver

SIZES = {200: 1000 / 60, 2000: 100.0}
"""Numbers of points with the milliseconds that an edit may take: a frame of the display, and 0.1 s."""
EDITS = 9
CLOSED = ("linear", "ridge", "bayes_linear", "knn", "kernel_smoother", "gp")
"""Models with a closed form, whose curves must follow a drag."""
GOAL_DRAG = 30.0


@dataclass(frozen=True)
class Row:
    """Milliseconds from an edit to its curve, for each size; curves per second of a drag at 200 points."""

    model: str
    fits: tuple[float, ...]
    """The part of them that is training."""
    edits: tuple[float, ...]
    drag: float | None = None


HEADER = (
    f"{'model':18}"
    + "".join(f"{f'fit {n:,}':>11}{'to curve':>10}{'goal':>8}" for n in SIZES)
    + f"{'drag':>8}{'goal':>6}"
)


def measure(driver: WindowDriver, wanted: Sequence[str] = ()) -> Iterator[Row]:
    """Measure each regression."""
    for kind in learn.models():
        if kind.task is REGRESS and (not wanted or kind.id in wanted):
            yield _row(driver, kind())


def _row(driver: WindowDriver, model: Model) -> Row:
    found, curves = [], None
    for n in SIZES:
        driver.document.set_dataset("draw", data.generate("sine", n=n, seed=0))
        driver.document.set_model(model)
        driver.canvas.fit_all()
        driver.canvas.set_tool("point")
        driver.settle()
        driver.rest()  # formulas and animations of a new model are no part of an edit
        found.append(_edits(driver))
        if n == min(SIZES) and model.id in CLOSED:
            _, curves = drag(driver)
    fits, edits = zip(*found)
    return Row(model.id, fits, edits, curves)


def _edits(driver: WindowDriver) -> tuple[float, float]:
    """Return the median times of training, and from a click to its exact picture."""
    rng, fits, edits = np.random.default_rng(0), [], []
    left, right, bottom, top = driver.canvas.bounds
    for _ in range(EDITS):
        at = driver.pixel(rng.uniform(left, right), rng.uniform(bottom, top))
        started = perf_counter()
        driver.click(at)
        driver.settle()
        edits.append((driver.painted_at - started) * 1e3)
        frame = driver.window.stage.frame
        fits.append(frame.seconds * 1e3 if frame is not None else float("nan"))
        driver.document.undo()
        driver.settle()
    return median(fits), median(edits)


def line(row: Row) -> str:
    """Format a row; a star marks what misses its goal."""
    cells = [f"{row.model:18}"]
    for fit, edit, goal in zip(row.fits, row.edits, SIZES.values(), strict=True):
        cells.append(f"{fit:11.1f}{edit:10.1f}{goal:7.0f}{'*' if edit > goal else ' '}")
    if row.drag is not None:
        cells.append(f"{row.drag:8.0f}{GOAL_DRAG:5.0f}{'*' if row.drag < GOAL_DRAG else ' '}")
    return "".join(cells)
