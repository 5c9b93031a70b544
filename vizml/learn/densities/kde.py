"""Kernel density estimation: p(x) = 1 / (n h^d) sum_i K((x - x_i) / h), and the choice of the bandwidth h."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.learn import DENSITY, Model, choice, real, register
from vizml.learn.densities.kernels import (
    MAX_OUTLINES,
    DensityKernel,
    log_sum,
    log_sum_plane,
    outline,
    window_interval,
    window_marks,
)
from vizml.learn.learned import Learned
from vizml.learn.line_views import DensityLineView
from vizml.learn.outlines import MASSES, MassContourView, MassDensity
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Curves, Mark, Path, Rule, Series

KERNELS = {
    "gaussian": "Gaussian", "laplace": "Laplace (exponential)", "epanechnikov": "Epanechnikov",
    "box": "box (disc)",
}  # fmt: skip
PAIRS = 1 << 19
"""Distances kept for the leave-one-out likelihood: of many points only a sample is left out in turn."""
SEARCH_FACTOR, GRID = 16.0, 25
"""The search covers Scott's bandwidth divided and multiplied by this factor, in this many steps."""
GOLDEN_RATIO, REFINEMENTS = (np.sqrt(5) - 1) / 2, 14
"""Golden-section steps around the best bandwidth of the grid: to about 0.1 %."""
GAUSSIAN_IQR = 1.349
"""Interquartile range of a Gaussian in standard deviations."""


def scott(X: Floats) -> float:
    """Scott's rule: s n^(-1 / (d + 4)), where s^2 is the mean variance of the inputs."""
    spread = float(np.sqrt(X.var(axis=0).mean()))
    return (spread or 1.0) * float(len(X) ** (-1 / (X.shape[1] + 4)))


def silverman(X: Floats) -> float:
    """Silverman's rule: as Scott's, with the interquartile range in place of s where it is smaller."""
    low, high = np.quantile(X, [0.25, 0.75], axis=0)
    robust = float((high - low).mean()) / GAUSSIAN_IQR
    spread = float(np.sqrt(X.var(axis=0).mean())) or 1.0
    return scott(X) * (min(robust, spread) or spread) / spread


RULES = {"scott": scott, "silverman": silverman}


class LeaveOneOut:
    """Mean log density at each point under the kernels of all others, as a function of the bandwidth."""

    def __init__(self, X: Floats, kernel: str, rng: Generator) -> None:
        self.kernel, (self.n, self.d) = kernel, X.shape
        rows = np.sort(rng.permutation(self.n)[: max(PAIRS // self.n, 1)])
        self.distances = DensityKernel(kernel, 1.0).distances(X[rows], X)
        self.distances[np.arange(len(rows)), rows] = np.inf

    def __call__(self, bandwidth: float) -> float:
        kernel = DensityKernel(self.kernel, bandwidth)
        logs = log_sum(kernel.log_values(self.distances))
        return float(logs.mean() - np.log(self.n - 1) - kernel.log_volume(self.d))


def search_bandwidth(score: Callable[[float], float], middle: float) -> Iterator[tuple[float, float]]:
    """Maximise a score of the bandwidth on a grid, then by golden-section search; yield every trial."""
    grid = middle * np.geomspace(SEARCH_FACTOR, 1 / SEARCH_FACTOR, GRID)
    scores = []
    for h in grid.tolist():
        scores.append(score(h))
        yield h, scores[-1]
    best = int(np.argmax(scores))
    low, high = (float(np.log(grid[at])) for at in (min(best + 1, GRID - 1), max(best - 1, 0)))
    inner = [high - GOLDEN_RATIO * (high - low), low + GOLDEN_RATIO * (high - low)]
    found = [score(float(np.exp(log_h))) for log_h in inner]
    yield from zip(np.exp(inner).tolist(), found)
    for _ in range(REFINEMENTS):
        if left := found[0] > found[1]:
            high = inner[1]
            inner, found = [high - GOLDEN_RATIO * (high - low), inner[0]], [np.nan, found[0]]
        else:
            low = inner[0]
            inner, found = [inner[1], low + GOLDEN_RATIO * (high - low)], [found[1], np.nan]
        new = 0 if left else 1
        found[new] = score(float(np.exp(inner[new])))
        yield float(np.exp(inner[new])), found[new]


class KdeView(MassContourView["KdeState"]):
    """Log density with its contours and the outlines of few kernels."""

    def field(self, raster: Raster) -> Field:
        kernel, skew = self.state.kernel, self.section.skew
        if skew and kernel.name != "gaussian":
            return super().field(raster)
        centres, beside = self.section.project(self.state.centres)
        plane = log_sum_plane(kernel, raster, centres, beside)
        plane += np.float32(self.state.log_factor)
        if skew:
            plane += kernel.log_values(skew * np.outer(raster.y, raster.x)).astype(np.float32)
        return plane[None]

    def whole_marks(self) -> tuple[Mark, ...]:
        kernel, centres = self.state.kernel, self.state.centres
        if len(centres) > MAX_OUTLINES:
            return super().whole_marks()
        lines = tuple(outline(kernel, centre) for centre in centres)
        legend = "bandwidth around a point"
        outlines = Path(layer="Kernels", lines=lines, closed=True, ink="muted", width=1.0, legend=legend)
        return (outlines, *super().whole_marks())

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        density = math.exp(float(self.state.log_density(point[None])[0]))
        return window_marks(self.state.kernel, point, f"{density:.3g}")


class KdeLineView(DensityLineView["KdeState"]):
    """The density as the sum of few kernels."""

    def marks(self) -> tuple[Mark, ...]:
        state, high = self.state, self.peak

        def kernels(x: Floats) -> Floats:
            away = state.kernel.distances(self.section.lift(x[:, None]), state.centres)
            return np.exp(state.kernel.log_values(away) + state.log_factor).T / high

        if len(state.centres) > MAX_OUTLINES:
            return ()
        return (Curves(layer="Kernels", values=kernels, ink="muted", width=1.0, legend="kernel of a point"),)

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        density = math.exp(float(self.state.log_density(point[None, :1])[0]))
        return window_interval(self.state.kernel, point, f"{density:.3g}")


@dataclass(frozen=True, eq=False, kw_only=True)
class KdeState(MassDensity):
    """Kernel density estimate on the points that have been included so far."""

    plane_view_class = KdeView
    line_view_class = KdeLineView
    centres: Floats
    kernel: DensityKernel
    tried: tuple[tuple[float, float], ...] = ()
    """Bandwidths of a search and their leave-one-out log densities."""

    @property
    def log_factor(self) -> float:
        """Logarithm of the factor that makes the density integrate to one."""
        return -math.log(len(self.centres)) - self.kernel.log_volume(self.centres.shape[1])

    def learned(self) -> Learned:
        return {"h": float(self.kernel.bandwidth)}

    def log_density(self, X: ArrayLike) -> Floats:
        return self.kernel.log_sums(np.asarray(X, dtype=np.float64), self.centres) + self.log_factor

    @property
    def reach(self) -> float:
        return self.kernel.reach

    def charts(self) -> tuple[Chart, ...]:
        if not self.tried:
            return ()
        bandwidths, scores = np.array(sorted(self.tried)).T
        h = self.kernel.bandwidth
        return (
            Chart(
                title="Leave-one-out likelihood",
                x=Axis(title="bandwidth", log=True), y=Axis(title="mean log density"),
                series=(Series(name="left out", x=bandwidths, y=scores),),
                rules=(Rule(name=f"h = {h:.3g}", x=h),),
                note="Mean log density of each point under the kernels of all other points. Click to set h.",
                sets=("bandwidth",), choices=(tuple(bandwidths.tolist()),),
            ),
        )  # fmt: skip

    def metrics(self) -> Mapping[str, float]:
        figures = {"bandwidth": self.kernel.bandwidth, "points": float(len(self.centres))}
        if self.tried:
            figures["leave-one-out log density"] = max(score for _, score in self.tried)
        return figures


@register(
    "kde", DENSITY, "Density estimation", "Kernel density estimation (Parzen)", short="KDE",
    symbols={
        "p": ("Estimated density.",), "s": ("Standard deviation of the points.",),
        "n": ("Number of points.",),
    },
    remarks=("Convention: the bandwidth is λ in note 004.",),
    synonyms=("KDE", "Parzen windows", "kernel density"),
)  # fmt: skip
class KernelDensityEstimation(Model):
    r"""Estimates the density as the mean of kernels centred on the points.

    .. math::
        p(x) = \frac{1}{n h^2} \sum_{i=1}^{n} K\!\left( \frac{x - x_i}{h} \right)
        h_{\mathrm{Scott}} = s\, n^{-1/6}
    """

    uses_distances = True

    kernel: str = choice("gaussian", tuple(KERNELS), labels=KERNELS, symbol="K", help="Kernel function.")
    bandwidth: float | str = real(
        "scott", 1e-6, 1e6, log=True, words=("scott", "silverman", "loo"), symbol="h",
        labels={"scott": "Scott", "silverman": "Silverman", "loo": "leave-one-out"},
        help="Bandwidth of the kernel. 'scott' and 'silverman' follow the spread of the data, the latter "
        "robustly; 'loo' maximises the leave-one-out likelihood.",
    )  # fmt: skip
    mass: str = MASSES

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[KdeState]:
        X = data.X
        if self.bandwidth == "loo" and len(X) > 1:
            yield from self._searched(X, rng)
            return
        h = self.bandwidth if isinstance(self.bandwidth, float) else RULES.get(self.bandwidth, scott)(X)
        order, count = rng.permutation(len(X)), 1
        while True:
            complete = count == len(X)
            note = f"{plural(count, 'kernel')} of bandwidth {h:.4g}"
            note = note if complete else f"{note}, of {len(X):,}"
            centres = X if complete else X[order[:count]]
            yield self._state(X, centres, h, note=note, progress=count / len(X))
            if complete:
                return
            count = min(2 * count, len(X))

    def _kernel(self) -> str:
        """Name of the kernel: 'laplace' is the exponential of the Euclidean distance, as in scikit-learn."""
        return "exponential" if self.kernel == "laplace" else self.kernel

    def _state(self, X: Floats, centres: Floats, h: float, **fields: object) -> KdeState:
        kernel = DensityKernel(self._kernel(), h)
        return KdeState(extent=X, mass=self.mass, centres=centres, kernel=kernel, **fields)  # type: ignore[arg-type]

    def _searched(self, X: Floats, rng: Generator) -> Iterator[KdeState]:
        """Choose the bandwidth by the leave-one-out likelihood."""
        tried: list[tuple[float, float]] = []
        for h, score in search_bandwidth(LeaveOneOut(X, self._kernel(), rng), scott(X)):
            tried.append((h, score))
            note = f"bandwidth {h:.4g}: leave-one-out log density {score:.4g}"
            yield self._state(X, X, h, note=note, loss=-max(score for _, score in tried))
        h, score = max(tried, key=lambda pair: pair[1])
        narrowest = h <= min(h for h, _ in tried) * 1.001
        remark = ", the narrowest tried: some points coincide" if narrowest else ""
        yield self._state(
            X, X, h, loss=-score, progress=1.0, tried=tuple(tried),
            note=f"bandwidth {h:.4g} is best{remark}: leave-one-out log density {score:.4g}",
        )  # fmt: skip
