"""Gaussian process regression: f ~ N(0, k), y = f(x) + noise; the posterior is exact by Cholesky's factor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.learn import REGRESS, Model, Regressor, flag, integer, real, register, text
from vizml.learn.gaussian_processes.covariances import ALLOWED, Scales, Sum, parts_of
from vizml.learn.gaussian_processes.featured import AT_ONCE, enough
from vizml.learn.gaussian_processes.hyperparameters import Units, fitted, words
from vizml.learn.gaussian_processes.learned import learned, posterior
from vizml.learn.gaussian_processes.regression import Exact, Process
from vizml.learn.linear_models.curve_views import residual_lines
from vizml.learn.params import Value
from vizml.learn.state import Floats, abscissa
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Between, Chart, Mark, Path, Series

SIGMAS = 2.0
GRID, BEYOND = 241, 0.5
"""Where samples are drawn: so many places over the data and a share of their range beyond."""
MOST, MANY = 2000, 20_000
"""Points that are learned from: with a rough kernel the cost grows with their cube, with a smooth one not."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Belief(Regressor):
    """What is believed of f; the curve is its mean."""

    process: Process
    x: Floats
    y: Floats
    level: float
    """What was taken from y: the process is around it."""
    normals: Floats
    """Standard normal numbers (s, GRID), the same at each step."""

    def curve(self, x: Floats) -> Floats:
        return self.level + self.process.mean(x)

    def band(self, x: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Two deviations of f, which the noise is not part of."""
        mean, deviation = self._spread(abscissa(x))
        return mean, mean - SIGMAS * deviation, mean + SIGMAS * deviation

    @cached_property
    def residuals(self) -> Floats:
        """y - f(x)."""
        return self.y - self.curve(self.x)

    def marks(self) -> tuple[Mark, ...]:
        x = self._grid
        noisy = Between(
            layer="Uncertainty of a new point", edges=self._of_a_new_point, ink="accent", opacity=0.1,
            legend="a new point, 95 %",
        )  # fmt: skip
        which = "Posterior samples" if len(self.process.x) else "Prior samples"
        drawn = self.level + self.process.drawn(x, self.normals)
        lines = tuple(np.column_stack([x, line]) for line in drawn)
        samples = Path(
            layer=which, lines=lines, ink="accent", opacity=0.4, width=1.0, legend=which[:-1].lower()
        )
        seen = (residual_lines(self.x, self.y, self.residuals),) if len(self.process.x) else ()
        return (noisy, *((samples,) if lines else ()), *seen)

    def _of_a_new_point(self, x: Floats) -> tuple[Floats, Floats]:
        mean, deviation = self._spread(x)
        wide = SIGMAS * np.sqrt(deviation**2 + self.process.noise)
        return mean - wide, mean + wide

    def _spread(self, x: Floats) -> tuple[Floats, Floats]:
        """Mean and deviation of f; both bands of a picture ask for those of the very same places."""
        known = self._latest.get("spread")
        if known is None or known[0] is not x:
            known = self._latest["spread"] = x, self.curve(x), self.process.deviation(x)
        return known[1:]

    @cached_property
    def _latest(self) -> dict[str, tuple[Floats, Floats, Floats]]:
        return {}

    def charts(self) -> tuple[Chart, ...]:
        x = self._grid
        middle = np.array([(x[0] + x[-1]) / 2])
        values = self.process.covariance.between(x, middle)[:, 0]
        axes = Axis(title="x"), Axis(title=f"covariance with f({float(middle[0]):.4g})")
        return (Chart(title="Kernel", x=axes[0], y=axes[1], series=(Series(name="k", x=x, y=values),)),)

    def metrics(self) -> Mapping[str, float]:
        scales = self.process.covariance.scales
        figures = {"length": scales.length, "variance": scales.variance, "noise": self.process.noise}
        if self.process.covariance.periodic:
            figures["period"] = scales.period
        if not len(self.process.x):
            return figures
        rss, tss = float(self.residuals @ self.residuals), float(((self.y - self.y.mean()) ** 2).sum())
        figures = {"log marginal likelihood": self.process.evidence, "RSS": rss} | figures
        return figures | ({"R²": 1 - rss / tss} if tss > 0 else {})

    @property
    def _grid(self) -> Floats:
        low, high = float(self.x.min()), float(self.x.max())
        room = BEYOND * (high - low) or 1.0
        return np.linspace(low - room, high + room, GRID)


def _repeats(kernel: Value) -> bool:
    """Whether a part of a kernel has a period."""
    return "periodic" in parts_of(str(kernel))


@register(
    "gp",
    task=REGRESS,
    family="Curves",
    title="Gaussian process",
    about="Takes the curve for a random function, and keeps what its kernel and the points allow.",
    formula=(
        r"C = K + \beta^{-1} I, \quad K_{ij} = k(x_i, x_j)",
        r"\mu(x) = k(x)^{\top} C^{-1} t, \quad \sigma^2(x) = k(x, x) - k(x)^{\top} C^{-1} k(x)",
        r"\ln p(t) = -\tfrac{1}{2} t^{\top} C^{-1} t - \tfrac{1}{2} \ln |C| - \tfrac{n}{2} \ln 2 \pi",
    ),
)
@dataclass(frozen=True)
class GaussianProcessCurve(Model):
    kernel: str = text(
        "rbf",
        parts_of,
        ALLOWED,
        symbol="k",
        help="how f at one place tells of f at another; sums of rbf, matern32, matern52, periodic, linear",
    )
    length: float | str = real(
        "scale",
        1e-6,
        1e6,
        log=True,
        words=("scale",),
        symbol="ℓ",
        help="over what distance f may change; 'scale' takes a third of the deviation of x",
    )
    variance: float | str = real(
        "scale",
        1e-6,
        1e6,
        log=True,
        words=("scale",),
        symbol="v",
        help="how far f may go from 0; 'scale' takes the mean square of y",
    )
    noise: float | str = real(
        "scale",
        1e-10,
        1e6,
        log=True,
        words=("scale",),
        symbol="1/β",
        help="the variance of the noise of y; 'scale' takes a twentieth of the variance of y",
    )
    period: float = real(
        1.0,
        1e-6,
        1e6,
        log=True,
        symbol="p",
        when={"kernel": _repeats},
        help="after what distance the periodic kernel repeats itself",
    )
    centre: bool = flag(False, help="takes the mean of y for the level that f varies around, instead of 0")
    optimise: bool = flag(
        False,
        title="optimise the kernel",
        help="climbs to the length, variance, noise and period with the highest marginal likelihood",
    )
    samples: int = integer(4, 0, 12, help="how many functions are drawn from what is believed")  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Belief]:
        normals = rng.standard_normal((self.samples, GRID))
        level = float(data.y.mean()) if self.centre else 0.0
        units = Units.of(data.x, data.y - level)
        covariance, noise = self._chosen(units)
        state = Belief(
            process=Exact.prior(covariance, noise), x=data.x, y=data.y, level=level, normals=normals
        )
        before = f"before any point: functions of the kernel, {words(state.process)}"
        yield replace(state, note=before, progress=0.0)
        shown, count = _shown(data, covariance, noise, rng)
        x, t = shown.x, shown.y - level
        yield from _believed(state, learned(covariance, noise, x, t, count), len(x))
        start = posterior(covariance, noise, x, t) if self.optimise else None
        if start is not None:
            yield from _optimised(state, start, units)
        elif self.optimise:
            yield from _optimised_by_few(state, covariance, noise, x, t, units)

    def _chosen(self, units: Units) -> tuple[Sum, float]:
        length = units.x / 3 if isinstance(self.length, str) else self.length
        variance = units.square if isinstance(self.variance, str) else self.variance
        noise = units.noise if isinstance(self.noise, str) else self.noise
        return Sum(parts_of(self.kernel), Scales(length, variance, self.period)), noise


def _shown(
    data: TrainingData, covariance: Sum, noise: float, rng: Generator
) -> tuple[TrainingData, int | None]:
    """What is learned from, in an order by chance where it comes in blocks, and through how many nodes."""
    n = len(data)
    if n <= AT_ONCE:
        return data, enough(covariance, noise, data.x)
    mixed = rng.permutation(n)
    shown = data.take(np.sort(mixed[:MANY]))
    count = enough(covariance, noise, shown.x)
    return (shown, count) if count else (data.take(mixed[:MOST]), None)


def _believed(state: Belief, found: Iterator[Process], points: int) -> Iterator[Belief]:
    """The posterior, after more and more of the points where they take long."""
    for process in found:
        seen = len(process.x)
        if seen < points:
            note = f"{seen:,} of {points:,} points so far: log marginal likelihood {process.evidence:.5g}"
            yield replace(state, process=process, note=note, progress=seen / points)
        else:
            note = _found(process, len(state.x))
            yield replace(state, process=process, loss=-process.evidence, note=note, progress=1.0)


def _optimised(state: Belief, start: Process, units: Units) -> Iterator[Belief]:
    """The climb to the highest evidence."""
    for process, note, progress in fitted(start, units):
        yield replace(state, process=process, loss=-process.evidence, note=note, progress=progress)


def _optimised_by_few(
    state: Belief, covariance: Sum, noise: float, x: Floats, t: Floats, units: Units
) -> Iterator[Belief]:
    """The climb of a rough kernel to the highest evidence of some points, which speak for all of them."""
    best: Process = Exact.of(covariance, noise, x[:AT_ONCE], t[:AT_ONCE])
    for found, note, _ in fitted(best, units):
        yield replace(state, process=found, note=f"by {AT_ONCE} of {len(x):,} points: {note}")
        best = found
    yield from _believed(state, learned(best.covariance, best.noise, x, t, None), len(x))


def _found(process: Process, points: int) -> str:
    shown = len(process.x)
    count = f"{shown:,} points" if shown > 1 else "1 point"
    if shown < points:
        why = ", as the cost grows with their cube" if isinstance(process, Exact) else ""
        count = f"{shown:,} of {points:,} points{why}"
    note = f"from {count}: log marginal likelihood {process.evidence:.5g}"
    if process.jitter:
        return f"{note}; noise {process.jitter:.2g} was added, as rounding left the covariance singular"
    return note
