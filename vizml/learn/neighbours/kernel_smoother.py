"""Kernel smoother: f(x) = a of min over a (and b) of sum_i K(|x - x_i| / h) (y_i - a - b . (x_i - x))^2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.kernels import ProductKernel, product_shares
from vizml.field.polynomial import smooth_curve
from vizml.field.raster import Section
from vizml.field.tiles import TiledField, are_many, tiled
from vizml.learn import REGRESS, FittedRegressor, Model, choice, integer, real, register
from vizml.learn.learned import Learned
from vizml.learn.neighbours.knn import error_chart
from vizml.learn.neighbours.smoothing import KERNELS, Smoother
from vizml.learn.recent import keep_recent
from vizml.learn.training_data import TrainingData
from vizml.learn.view import FittedCurveView, FittedMapView
from vizml.scene import Chart, Mark, Path, Profile, Rings

TRIED = 18
"""Number of bandwidths that leave-one-out validation compares, from the widest down."""
WIDEST, NARROWEST = 0.5, 0.01
"""The widest and the narrowest of them as shares of the range of the inputs."""
SMOOTH_WITHIN = 14.0
"""Over so many bandwidths, a curve of Gaussians is determined by its values at a few Chebyshev nodes."""
VALIDATED = 150
"""Largest number of points that are left out in turn; of more points a random sample is."""
MOST_RESIDUALS = 1000
"""With more points there are no residuals: each is a sum over all points."""
WIDEST_TILE, TOLERANCE, FIELDS = 2.5, 2e-7, 6
"""Widest tile of local planes in bandwidths, error as a share of the targets, and fields that are kept."""
WEIGHTS = "Weights"
LARGEST_RING = 9.0
"""Radius in pixels of the ring around the point with the largest weight."""
SMALLEST_WEIGHT = 0.01
"""Points with smaller shares of the largest weight have no ring."""


class SmootherMapView(FittedMapView["SmootherState"]):
    """Weighted means over two axes, with the residuals. Means with Gaussian weights are separable sums."""

    def field(self, raster: Raster) -> Field:
        s = self.state.smoother
        if s.kernel != "gaussian" or s.order:
            smooth = s.kernel == "gaussian" and are_many(raster)
            found = _plane_tiles(self.state, *self.section.key).field(raster) if smooth else None
            return super().field(raster) if found is None else found
        low, high = float(s.y.min()), float(s.y.max())
        points, beside = self.section.project(s.X)
        shares, apart = (s.y - low, high - s.y), -beside / (2 * s.bandwidth**2)
        rows = [np.flatnonzero(share) for share in shares]
        logs = [np.log(share[held]) + apart[held] for share, held in zip(shares, rows)]
        if not len(rows[0]):
            return np.full((1, *raster.shape), low, dtype=np.float32)
        kernel = ProductKernel(0.5 / s.bandwidth**2, 2)
        found = product_shares(
            raster, kernel, points[np.concatenate(rows)], np.concatenate(logs), [*map(len, rows)]
        )
        return np.asarray(low + (high - low) * found[:1], dtype=np.float32)


@keep_recent(FIELDS)
def _plane_tiles(state: SmootherState, origin: bytes, basis: bytes) -> TiledField:
    """Return the field of local planes with Gaussian weights on a section."""
    section = Section(np.frombuffer(origin), np.frombuffer(basis).reshape(2, -1))
    smoother, error = state.smoother, TOLERANCE * (float(np.ptp(state.y)) or 1.0)
    widest = WIDEST_TILE * smoother.bandwidth
    return tiled(lambda u: smoother.predict(section.lift(u))[:, None], 1, error, widest)


class SmootherView(FittedCurveView["SmootherState"]):
    """Residuals; the pointer shows the kernel, the weights of the points and the local fit."""

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        s, at = self.state.smoother, float(point[0])
        query = np.array([[at]])
        weights = s.weights(query)
        slope = float(s.slopes(query, weights)[0, 0]) if s.order == 1 else 0.0
        y = float(self.state.expected(query)[0])
        ends = np.array([[at + side, y + slope * side] for side in (-s.bandwidth, s.bandwidth)])
        share = weights[0] / weights[0].max()
        seen = share > SMALLEST_WEIGHT
        t = np.linspace(-4.0, 4.0, 161)
        value = KERNELS[s.kernel].value(np.abs(t))
        return (
            Profile(
                layer=WEIGHTS, axis="x", at=at + s.bandwidth * t, peak=1.0, ink="muted",
                heights=np.exp(value) if KERNELS[s.kernel].exponential else value,
            ),
            Rings(
                layer=WEIGHTS, points=np.column_stack([s.X[seen, 0], s.y[seen]]),
                radii=LARGEST_RING * np.sqrt(share[seen]), ink="text",
            ),
            Path(layer=WEIGHTS, lines=(ends,), ink="text"),
        )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class SmootherState(FittedRegressor):
    """The training points with a bandwidth, and the leave-one-out errors of the bandwidths tried so far."""

    curve_view_class = SmootherView
    plane_view_class = SmootherMapView
    smoother: Smoother
    tried: Floats
    errors: Floats

    def expected(self, X: Floats) -> Floats:
        s = self.smoother
        narrow = X.shape[1] > 1 or not len(X) or float(np.ptp(X)) >= SMOOTH_WITHIN * s.bandwidth
        if narrow or s.kernel != "gaussian":
            return s.predict(X)
        return smooth_curve(lambda x: s.predict(x[:, None]), X[:, 0])

    @cached_property
    def residuals(self) -> Floats:
        """y - f(x); empty for too many points."""
        return self.y - self.fitted if len(self.y) <= MOST_RESIDUALS else np.empty(0)

    def learned(self) -> Learned:
        return {"h": float(self.smoother.bandwidth)}

    def metrics(self) -> dict[str, float]:
        found = {"points": float(len(self.y)), "bandwidth": self.smoother.bandwidth}
        if len(self.residuals):
            found["RSS"] = self.rss
        if len(self.errors):
            found["leave-one-out error"] = float(self.errors.min())
        return found

    def charts(self) -> tuple[Chart, ...]:
        if not len(self.tried):
            return ()
        tried, errors, h = self.tried[::-1].tolist(), self.errors[::-1], self.smoother.bandwidth
        return (error_chart("bandwidth", "bandwidth h", h, tried, errors),)


@register(
    "kernel_smoother", REGRESS, "Neighbours", "Kernel smoother",
    symbols={
        "a": ("Value of the local line at x.",), "b": ("Slope of the local line.",),
        "y": ("Target of a training point.",),
    },
    synonyms=("Nadaraya-Watson", "LOESS", "local regression"),
)  # fmt: skip
class KernelSmoother(Model):
    r"""Predicts a kernel-weighted mean (Nadaraya-Watson) or a locally weighted linear fit.

    .. math::
        \hat y(x) = \frac{\sum_i K_h(x - x_i)\, y_i}{\sum_i K_h(x - x_i)}
        \min_{a,\, b} \sum_i K_h(x - x_i) ( y_i - a - b\, (x_i - x) )^2, \quad \hat y(x) = a
    """

    uses_distances = True

    bandwidth: float | str = real(
        "loo", 1e-9, 1e9, log=True, words=("loo",), labels={"loo": "leave-one-out"}, symbol="h",
        help="Bandwidth of the kernel in units of x. 'loo' selects it by leave-one-out cross-validation.",
    )  # fmt: skip
    kernel: str = choice(
        "gaussian", tuple(KERNELS), symbol="K",
        labels={"gaussian": "Gaussian", "laplace": "Laplace", "epanechnikov": "Epanechnikov"},
        help="Kernel function that weights the points by distance.",
    )  # fmt: skip
    order: int = integer(
        0, 0, 1,
        help="Degree of the local polynomial: 0 is the Nadaraya-Watson mean, 1 is local linear regression.",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[SmootherState]:
        extent = float(np.ptp(data.X, axis=0).max())
        h, note = self.bandwidth, ""
        if not isinstance(h, str):
            note = f"no training: h = {h:.3g}"
        elif len(data) < 3 or not extent:
            h, note = WIDEST * extent or 1.0, "too few distinct values of x to select a bandwidth"
        if isinstance(h, str):
            yield from self._search(data, np.geomspace(WIDEST, NARROWEST, TRIED) * extent, rng)
        else:
            none = np.empty(0)
            yield SmootherState(
                X=data.X, y=data.y, smoother=self._smoother(data, h), tried=none, errors=none, note=note,
                progress=1.0,
            )  # fmt: skip

    def _search(self, data: TrainingData, widths: Floats, rng: Generator) -> Iterator[SmootherState]:
        """Try one bandwidth after another; end with the best."""
        n = len(data)
        left_out = np.arange(n) if n <= VALIDATED else np.sort(rng.choice(n, VALIDATED, replace=False))
        errors = np.empty(0)
        for count, h in enumerate(widths.tolist(), start=1):
            smoother = self._smoother(data, h)
            apart = data.y[left_out] - smoother.predict(data.X[left_out], without=left_out)
            errors = np.append(errors, apart @ apart / len(left_out))
            state = SmootherState(
                X=data.X, y=data.y, smoother=smoother, tried=widths[:count].copy(), errors=errors,
                loss=float(errors[-1]), note=f"bandwidth {h:.3g}: leave-one-out error {errors[-1]:.4g}",
                progress=count / (len(widths) + 1),
            )  # fmt: skip
            yield state
        h, least = float(widths[errors.argmin()]), float(errors.min())
        note = f"h = {h:.3g} minimises the leave-one-out error, {least:.4g}, among {len(widths)} bandwidths"
        yield replace(state, smoother=self._smoother(data, h), loss=least, note=note, progress=1.0)

    def _smoother(self, data: TrainingData, h: float) -> Smoother:
        return Smoother(data.X, data.y, self.kernel, h, self.order)
