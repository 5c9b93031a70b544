"""How many moments of an ensemble a second the window shows while its timeline is scrubbed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from benchmarks.timing import quantiles
from desk import Desk
from vizml import data, learn
from vizml.learn import Model

SIZES, MOMENTS = (500, 10_000), 40
GOAL = 20
"""Frames a second."""
MODELS: tuple[tuple[str, dict[str, object]], ...] = (
    ("random_forest", {}),
    ("random_forest", {"derived": True, "m": 2}),
    ("gradient_boosting", {}),
)


@dataclass(frozen=True)
class Scrub:
    """From asking for a moment to its exact picture on the canvas, in milliseconds."""

    model: str
    settings: str
    n: int
    p50: float
    p95: float

    @property
    def rate(self) -> float:
        """Moments a second."""
        return 1e3 / self.p50


def scrubs(desk: Desk) -> Iterator[Scrub]:
    """A row for each model and size."""
    for name, values in MODELS:
        for n in SIZES:
            yield _scrub(desk, learn.create(name).with_(**values), values, n)


def _scrub(desk: Desk, model: Model, values: dict[str, object], n: int) -> Scrub:
    desk.document.set_model(model)
    desk.document.set_dataset("draw", data.generate("moons", n=n, noise=0.25, seed=0))
    desk.canvas.fit_all()
    desk.settle()
    timeline = desk.window.stage.timeline
    took = [_asked(desk, int(moment)) for moment in np.linspace(0, timeline.count - 2, MOMENTS)]
    timeline.show_step(timeline.count - 1)
    desk.settle()
    said = ", ".join(f"{key} {value}" for key, value in values.items())
    return Scrub(model.id, said, n, *quantiles(took))


def _asked(desk: Desk, moment: int) -> float:
    """Seconds until a moment is to be seen."""
    started = perf_counter()
    desk.window.stage.timeline.show_step(moment)
    desk.until(lambda: _shows(desk, moment))
    return desk.painted_at - started


def _shows(desk: Desk, moment: int) -> bool:
    """Whether a moment is on the canvas at each of its pixels."""
    frame = desk.painted_frame
    if frame is None or frame.shown is None or frame.scene is None:
        return False
    return frame is desk.window.stage.frame and frame.shown.index == moment and frame.scene.exact
