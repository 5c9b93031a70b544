"""A clock that goes only when it is told to, and a model and a state that take its time."""

from dataclasses import dataclass

import numpy as np

from tests.run.fakes import Halves
from vizml.learn import CLASSIFY, Model, PlaneView


class Clock:
    """In place of perf_counter."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    def stop_in(self, monkeypatch, *modules):
        for module in modules:
            monkeypatch.setattr(f"vizml.run.{module}.perf_counter", self)


@dataclass(frozen=True, eq=False, kw_only=True)
class Painted(Halves):
    """A field that takes some time for each pixel, and points that take some to be scored."""

    clock: Clock
    per_pixel: float = 0.0
    per_score: float = 0.0

    def plane_view(self, section):
        return PaintedView(self, section)

    def coded(self, X):
        self.clock.now += self.per_score
        return super().coded(X)


class PaintedView(PlaneView):
    def field(self, raster):
        self.state.clock.now += self.state.per_pixel * len(raster.x) * len(raster.y)
        return super().field(raster)


@dataclass(frozen=True)
class Timed(Model):
    """Steps that take some time each, and whose states do."""

    clock: Clock = None
    count: int = 5
    step: float = 0.0
    per_pixel: float = 0.0
    per_score: float = 0.0

    def steps(self, data, rng):
        for i in range(self.count):
            self.clock.now += self.step
            yield Painted(
                classes=np.array([0, 1]), weights=np.zeros(1), note=f"step {i}",
                progress=(i + 1) / self.count, clock=self.clock,
                per_pixel=self.per_pixel, per_score=self.per_score,
            )  # fmt: skip


Timed.id, Timed.title, Timed.task = "timed", "Timed", CLASSIFY
