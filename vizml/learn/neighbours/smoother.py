"""Kernel smoother: f(x) = a of min over a (and b) of sum_i K((x - x_i) / h) (y_i - a - b (x_i - x))^2."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.field.smooth import smooth_curve
from vizml.learn import REGRESS, Model, Regressor, choice, integer, real, register
from vizml.learn.linear_models.curve_views import residual_lines
from vizml.learn.neighbours.smoothing import SHAPES, Smoother
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Mark, Path, Profile, Rings, Rule, Series

LAYER = "Weights"
TRIED = 18
"""How many bandwidths are tried, from the widest down."""
WIDEST, NARROWEST = 0.5, 0.01
"""As shares of the range of x."""
WIDE = 14.0
"""Over so many bandwidths of a Gaussian a few places say all of the curve."""
JUDGES = 150
"""The most points that are left out in turn."""
STICKS = 1000
"""More points than this have no residuals drawn: each is a sum over all points."""
LARGEST = 9.0
"""Radius in pixels of the ring around the point with the largest weight."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SmoothCurve(Regressor):
    """The points themselves and the bandwidth; and the errors of those that were tried so far."""

    smoother: Smoother
    tried: Floats
    errors: Floats

    def curve(self, x: Floats) -> Floats:
        wide = len(x) and float(np.ptp(x)) < WIDE * self.smoother.bandwidth
        if wide and self.smoother.kernel == "gaussian":
            return smooth_curve(self.smoother.at, x)
        return self.smoother.at(x)

    @cached_property
    def residuals(self) -> Floats:
        """y - f(x)."""
        return self.smoother.y - self.curve(self.smoother.x)

    def marks(self) -> tuple[Mark, ...]:
        if len(self.smoother.x) > STICKS:
            return ()
        return (residual_lines(self.smoother.x, self.smoother.y, self.residuals),)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        """The kernel around the pointer, the weights of the points, and the mean or line through them."""
        s, at = self.smoother, float(point[0])
        x = np.array([at])
        share = s.weights(x)
        slope = float(s.lines(x, share)[0]) if s.order == 1 else 0.0
        y = float(self.curve(x)[0])
        ends = np.array(
            [[at - s.bandwidth, y - slope * s.bandwidth], [at + s.bandwidth, y + slope * s.bandwidth]]
        )
        size = np.sqrt(share[0] / share[0].max())
        seen = size > 0.1
        along, heights = _profile(s, at)
        return (
            Profile(layer=LAYER, axis="x", at=along, heights=heights, peak=1.0, ink="muted"),
            Rings(
                layer=LAYER,
                points=np.column_stack([s.x[seen], s.y[seen]]),
                radii=LARGEST * size[seen],
                ink="text",
            ),
            Path(layer=LAYER, lines=(ends,), ink="text"),
        )

    def metrics(self) -> dict[str, float]:
        found = {"points": float(len(self.smoother.x)), "bandwidth": self.smoother.bandwidth}
        if len(self.smoother.x) <= STICKS:
            found["RSS"] = float(self.residuals @ self.residuals)
        if len(self.errors):
            found["leave-one-out error"] = float(self.errors.min())
        return found

    def charts(self) -> tuple[Chart, ...]:
        if not len(self.tried):
            return ()
        best = self.smoother.bandwidth
        chart = Chart(
            title="Error against bandwidth",
            x=Axis(title="bandwidth h", log=True),
            y=Axis(title="leave-one-out squared error"),
            series=(Series(name="leave-one-out", x=self.tried[::-1], y=self.errors[::-1]),),
            rules=(Rule(name=f"h = {best:.3g}", x=best, ink="text"),),
            sets=("bandwidth",),
            choices=(tuple(float(f"{h:.3g}") for h in self.tried[::-1]),),
        )
        return (chart,)


@register(
    "kernel_smoother",
    task=REGRESS,
    family="Neighbours",
    title="Kernel smoother",
    about="Takes at each x the mean of all points, or the line through them, nearer points weighing more.",
    formula=(
        r"\hat y(x) = \frac{\sum_i K_h(x - x_i)\, y_i}{\sum_i K_h(x - x_i)}",
        r"\min_{a,\, b} \sum_i K_h(x - x_i) ( y_i - a - b\, (x_i - x) )^2, \quad \hat y(x) = a",
    ),
)
@dataclass(frozen=True)
class KernelSmoother(Model):
    bandwidth: float | str = real(
        "loo",
        1e-9,
        1e9,
        log=True,
        words=("loo",),
        labels={"loo": "leave one out"},
        symbol="h",
        help="how wide the kernel is; 'loo' (leave one out) finds it by leaving out one point after another",
    )
    kernel: str = choice(
        "gaussian",
        tuple(SHAPES),
        symbol="K",
        labels={"gaussian": "Gaussian", "laplace": "Laplace", "epanechnikov": "Epanechnikov"},
        help="how the weight of a point falls with its distance",
    )
    order: int = integer(
        0, 0, 1, help="what is fitted around each x: 0 a mean (Nadaraya-Watson), 1 a line (local linear)"
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[SmoothCurve]:
        none = np.empty(0)
        widest = _range(data.x)
        if not isinstance(self.bandwidth, str):
            yield self._curve(
                data, self.bandwidth, none, none, f"nothing to train: h = {self.bandwidth:.3g}", 1.0
            )
        elif len(data) < 3 or not widest:
            note = "too few different x to choose a bandwidth"
            yield self._curve(data, WIDEST * widest or 1.0, none, none, note, 1.0)
        else:
            yield from self._searched(data, np.geomspace(WIDEST, NARROWEST, TRIED) * widest, rng)

    def _searched(self, data: TrainingData, widths: Floats, rng: Generator) -> Iterator[SmoothCurve]:
        """One bandwidth after another, and the best."""
        judges = _judges(len(data), rng)
        errors: list[float] = []
        for count, h in enumerate(widths.tolist(), start=1):
            s = Smoother(data.x, data.y, self.kernel, h, self.order)
            apart = data.y[judges] - s.at(data.x[judges], without=judges)
            errors.append(float(apart @ apart) / len(judges))
            note = f"bandwidth {h:.3g}: leave-one-out error {errors[-1]:.4g}"
            share = count / (len(widths) + 1)
            yield self._curve(data, h, widths[:count].copy(), np.array(errors), note, share)
        best = int(np.argmin(errors))
        h = float(widths[best])
        note = (
            f"of {len(widths)} bandwidths h = {h:.3g} has the least leave-one-out error, {errors[best]:.4g}"
        )
        yield self._curve(data, h, widths.copy(), np.array(errors), note, 1.0)

    def _curve(
        self, data: TrainingData, h: float, tried: Floats, errors: Floats, note: str, progress: float
    ) -> SmoothCurve:
        smoother = Smoother(data.x, data.y, self.kernel, h, self.order)
        loss = (
            float(errors[-1])
            if len(errors) and progress < 1
            else float(errors.min())
            if len(errors)
            else math.nan
        )
        return SmoothCurve(
            smoother=smoother, tried=tried, errors=errors, note=note, progress=progress, loss=loss
        )


def _range(x: Floats) -> float:
    return float(np.ptp(x))


def _judges(n: int, rng: Generator) -> Ints:
    """The points that are left out in turn: all, or some."""
    return np.arange(n) if n <= JUDGES else np.sort(rng.choice(n, JUDGES, replace=False))


def _profile(s: Smoother, at: float) -> tuple[Floats, Floats]:
    """The kernel around an x, 1 at its peak."""
    t = np.linspace(-4.0, 4.0, 161)
    shape = SHAPES[s.kernel]
    value = shape.value(np.abs(t))
    return at + s.bandwidth * t, np.exp(value) if shape.exponential else value
