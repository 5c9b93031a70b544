"""Steps of an ensemble per second that the window shows while its timeline is scrubbed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from benchmarks.timing import quantiles
from vizml import data, learn
from vizml.learn import Model
from window_driver import WindowDriver

SIZES, STEPS = (500, 10_000), 40
MODELS: tuple[tuple[str, dict[str, object]], ...] = (
    ("random_forest", {}),
    ("random_forest", {"derived": True, "m": 2}),
    ("gradient_boosting", {}),
)


@dataclass(frozen=True)
class Scrub:
    """Milliseconds from the request of a step to its exact picture on the canvas."""

    model: str
    settings: str
    n: int
    p50: float
    p95: float

    @property
    def rate(self) -> float:
        """Steps per second."""
        return 1e3 / self.p50


def measure(driver: WindowDriver, wanted: Sequence[str] = ()) -> Iterator[Scrub]:
    """Measure each model at each size."""
    for name, values in MODELS:
        for n in SIZES if not wanted or name in wanted else ():
            yield _scrub(driver, learn.create(name).with_(**values), values, n)


HEADER = f"{'model':18} {'settings':18} {'n':>8}{'p50':>8}{'p95':>8}{'frames/s':>10}"


def line(row: Scrub) -> str:
    """Format a row."""
    return f"{row.model:18} {row.settings:18} {row.n:8}{row.p50:8.1f}{row.p95:8.1f}{row.rate:10.0f}"


def _scrub(driver: WindowDriver, model: Model, values: dict[str, object], n: int) -> Scrub:
    driver.document.set_model(model)
    driver.document.set_dataset("draw", data.generate("moons", n=n, noise=0.25, seed=0))
    driver.canvas.fit_all()
    driver.settle()
    timeline = driver.window.stage.timeline
    took = [_seconds(driver, int(step)) for step in np.linspace(0, timeline.count - 2, STEPS)]
    timeline.show_step(timeline.count - 1)
    driver.settle()
    settings = ", ".join(f"{key} {value}" for key, value in values.items())
    return Scrub(model.id, settings, n, *quantiles(took))


def _seconds(driver: WindowDriver, step: int) -> float:
    """Return the seconds until a step is shown."""
    started = perf_counter()
    driver.window.stage.timeline.show_step(step)
    driver.until(lambda: _shows(driver, step))
    return driver.painted_at - started


def _shows(driver: WindowDriver, step: int) -> bool:
    """Whether the exact picture of a step is on the canvas."""
    frame = driver.painted_frame
    if frame is None or frame.shown is None or frame.scene is None:
        return False
    return frame is driver.window.stage.frame and frame.shown.index == step and frame.scene.exact
