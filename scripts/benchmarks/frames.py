"""Regressions in the real window: from an edit to its curve on the canvas, and curves a second of a drag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.window import drag
from desk import Desk
from vizml import data, learn
from vizml.learn import REGRESS, Model

SIZES = {200: 1000 / 60, 2000: 100.0}
"""Points, and the milliseconds that an edit may take: a frame of the display, and what feels at once."""
EDITS = 9
CLOSED = ("linear", "ridge", "bayes_linear", "knn", "kernel_smoother", "gp")
"""Those without a descent: their curves follow a drag."""
GOAL_DRAG = 30.0


@dataclass(frozen=True)
class Row:
    """Milliseconds from an edit to its curve, for each size; curves a second of a drag at 200 points."""

    model: str
    fits: tuple[float, ...]
    """Of those, spent in training."""
    edits: tuple[float, ...]
    drag: float | None = None


HEADER = (
    f"{'model':18}"
    + "".join(f"{f'fit {n:,}':>11}{'to curve':>10}{'goal':>8}" for n in SIZES)
    + f"{'drag':>8}{'goal':>6}"
)


def measure(desk: Desk, wanted: Sequence[str] = ()) -> Iterator[Row]:
    """A row for each regression."""
    for kind in learn.models():
        if kind.task is REGRESS and (not wanted or kind.id in wanted):
            yield _row(desk, kind())


def _row(desk: Desk, model: Model) -> Row:
    found, curves = [], None
    for n in SIZES:
        desk.document.set_dataset("draw", data.generate("sine", n=n, seed=0))
        desk.document.set_model(model)
        desk.canvas.fit_all()
        desk.canvas.set_tool("point")
        desk.settle()
        desk.rest()  # the cards and slides that a new model brings along are no part of an edit
        found.append(_edits(desk))
        if n == min(SIZES) and model.id in CLOSED:
            _, curves = drag(desk)
    fits, edits = zip(*found)
    return Row(model.id, fits, edits, curves)


def _edits(desk: Desk) -> tuple[float, float]:
    """The median time of training, and from a click to the exact picture of what it led to."""
    rng, fits, edits = np.random.default_rng(0), [], []
    left, right, bottom, top = desk.canvas.bounds
    for _ in range(EDITS):
        at = desk.pixel(rng.uniform(left, right), rng.uniform(bottom, top))
        started = perf_counter()
        desk.click(at)
        desk.settle()
        edits.append((desk.painted_at - started) * 1e3)
        frame = desk.window.stage.frame
        fits.append(frame.seconds * 1e3 if frame is not None else float("nan"))
        desk.document.undo()
        desk.settle()
    return median(fits), median(edits)


def line(row: Row) -> str:
    """A row for people, what misses its goal with a star."""
    cells = [f"{row.model:18}"]
    for fit, edit, goal in zip(row.fits, row.edits, SIZES.values(), strict=True):
        cells.append(f"{fit:11.1f}{edit:10.1f}{goal:7.0f}{'*' if edit > goal else ' '}")
    if row.drag is not None:
        cells.append(f"{row.drag:8.0f}{GOAL_DRAG:5.0f}{'*' if row.drag < GOAL_DRAG else ' '}")
    return "".join(cells)
