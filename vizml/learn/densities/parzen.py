"""Parzen window classifier: class densities p(x | k) = 1/n_k sum_i K_h(x - x_i), combined by Bayes' rule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster, pointwise
from vizml.field.arrays import Floats, Ints, Plane
from vizml.field.raster import BandCache
from vizml.learn import CLASSIFY, Classifier, Model, Scale, choice, real, register
from vizml.learn.densities.kernels import (
    MAX_OUTLINES,
    PAIRS,
    ClassCentres,
    DensityKernel,
    outline,
    plane_terms,
    posterior_field,
    sum_plane,
    window_interval,
    window_marks,
)
from vizml.learn.learned import Learned
from vizml.learn.line_views import JointLineView
from vizml.learn.priors import CLASS_PRIORS, prior_shares
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Axis, Chart, Lens, Mark, Path, Rule, Series

KERNELS = {"gaussian": "Gaussian", "laplace": "Laplace", "epanechnikov": "Epanechnikov", "box": "box (disc)"}
CHART_POINTS = 400
"""Points by which bandwidths are compared in the chart: 25 bandwidths take about 50 ms."""
CHART_FACTORS = np.geomspace(1 / 8, 8, 25)
"""Bandwidths in the chart, in units of the chosen one."""


class ParzenView(PlaneView["ParzenState"]):
    """Posterior probabilities, class densities as lenses and the outlines of few kernels."""

    def field(self, raster: Raster) -> Field:
        state = self.state
        terms = plane_terms(state.kernel, self.section, state.groups.centres)
        if terms is None:
            return super().field(raster)
        paint = partial(posterior_field, state.kernel, state.groups, terms)
        return state.band_cache.band(raster, len(state.classes), paint, self.section.key)

    def lenses(self) -> tuple[Lens, ...]:
        state = self.state
        names = ("Density", *(f"Density of {name}" for name in state.names))
        return tuple(
            Lens(name=name, plane=partial(self._density_plane, part), low=0.0, high=state.highest_density)
            for name, part in zip(names, (state.groups, *state.groups.by_class()))
        )

    def _density_plane(self, groups: ClassCentres, raster: Raster) -> Plane:
        kernel = self.state.kernel
        factor = np.float32(math.exp(-kernel.log_volume(groups.centres.shape[1])))
        terms = None if self.section.skew else plane_terms(kernel, self.section, groups.centres)
        if terms is not None:
            return np.asarray(sum_plane(kernel, groups, terms, raster) * factor)
        return np.asarray(pointwise(lambda points: self._densities(groups, points), raster, 1)[0] * factor)

    def _densities(self, groups: ClassCentres, points: Floats) -> Floats:
        distances = self.state.kernel.distances(self.section.lift(points), groups.centres)
        return np.asarray(groups.sums(self.state.kernel.log_values(distances)).sum(axis=1, keepdims=True))

    def whole_marks(self) -> tuple[Mark, ...]:
        kernel, groups = self.state.kernel, self.state.groups
        if len(groups.centres) > MAX_OUTLINES:
            return ()
        return tuple(
            Path(
                layer="Kernels", lines=tuple(outline(kernel, centre) for centre in part.centres),
                closed=True, ink=int(code), width=1.0, fill=0.08,
                legend="" if k else "bandwidth around a point",
            )
            for k, (code, part) in enumerate(zip(self.state.classes, groups.by_class()))
        )  # fmt: skip

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_marks(self.state.kernel, point, self.state.densities_text(point))


class ParzenLineView(JointLineView["ParzenState"]):
    """Posterior probabilities, with the densities at the pointer and its window."""

    @property
    def peaks(self) -> Floats:
        return self.state.sampled_centres

    def joint(self, X: Floats) -> Floats:
        return self.state.densities(X)

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_interval(self.state.kernel, point, self.state.densities_text(point[:1]))


@dataclass(frozen=True, eq=False, kw_only=True)
class ParzenState(Classifier):
    """Kernel density estimates of the classes on the points that have been included so far."""

    plane_view_class = ParzenView
    line_view_class = ParzenLineView
    groups: ClassCentres
    kernel: DensityKernel
    names: tuple[str, ...]
    scale: ClassVar[Scale] = Scale.SHARE
    band_cache: BandCache = field(default_factory=BandCache, init=False)
    """The field being painted, which views in narrow bands share."""

    def learned(self) -> Learned:
        return {"pi": self.groups.priors, "h": float(self.kernel.bandwidth)}

    def scores(self, X: ArrayLike) -> Floats:
        """Posterior probability of each class."""
        points = np.asarray(X, dtype=np.float64)
        step = max(2 * PAIRS // len(self.groups.centres), 1)
        parts = [
            self.groups.posteriors(self._logs(points[i : i + step])) for i in range(0, len(points), step)
        ]
        return np.concatenate([np.empty((0, len(self.classes))), *parts])

    def densities(self, X: Floats) -> Floats:
        """pi_k p(x | k) (m, K)."""
        return np.asarray(self.groups.sums(self._logs(X)) * np.exp(-self.kernel.log_volume(X.shape[1])))

    def _logs(self, X: Floats) -> Floats:
        return self.kernel.log_values(self.kernel.distances(X, self.groups.centres))

    @cached_property
    def highest_density(self) -> float:
        """Highest density at the centres, or at a sample of them."""
        return float(self.densities(self.sampled_centres).sum(axis=1).max())

    @property
    def sampled_centres(self) -> Floats:
        """The centres, or a sample of many."""
        n = len(self.groups.centres)
        return self.groups.centres[:: n * n // (2 * PAIRS) + 1]

    def densities_text(self, x: Floats) -> str:
        """Return pi_k p(x | k) of each class as text."""
        return ", ".join(f"{name} {p:.3g}" for name, p in zip(self.names, self.densities(x[None])[0]))

    def leave_one_out_errors(self, bandwidths: Floats) -> Floats:
        """Share of the points that the others misclassify, for each bandwidth."""
        some = _sample(self.groups, CHART_POINTS)
        own = np.repeat(np.arange(len(some.sizes)), some.sizes)
        distances = self.kernel.distances(some.centres, some.centres)
        np.fill_diagonal(distances, np.inf)
        kernels = (DensityKernel(self.kernel.name, float(h)) for h in bandwidths)
        predicted = (some.posteriors(kernel.log_values(distances)).argmax(axis=1) for kernel in kernels)
        return np.array([np.mean(classes != own) for classes in predicted])

    def charts(self) -> tuple[Chart, ...]:
        return (self._bandwidth_chart,)

    @cached_property
    def _bandwidth_chart(self) -> Chart:
        h = self.kernel.bandwidth
        tried = CHART_FACTORS * h
        return Chart(
            title="Leave-one-out error by bandwidth",
            x=Axis(title="bandwidth", log=True), y=Axis(title="leave-one-out error", low=0.0),
            series=(Series(name="error", x=tried, y=self.leave_one_out_errors(tried)),),
            rules=(Rule(name=f"h = {h:.3g}", x=h),),
            sets=("bandwidth",), choices=(tuple(tried.tolist()),),
            note="Each point is classified by all other points. Click to set h.",
        )  # fmt: skip

    def metrics(self) -> Mapping[str, float]:
        return {"bandwidth": self.kernel.bandwidth, "points": float(len(self.groups.centres))}


@register(
    "parzen", CLASSIFY, "Bayes classifiers", "Parzen windows",
    symbols={
        "π": ("Prior probability of a class.",), "n": ("Number of training points of a class.",),
    },
    synonyms=("kernel Bayes classifier", "Parzen estimate"),
)  # fmt: skip
class ParzenWindows(Model):
    r"""Estimates each class density with a kernel at every point and predicts the class with the highest
    density times prior.

    .. math::
        p(x \mid k) = \frac{1}{n_k} \sum_{i:\, y_i = k} K_h(x - x_i)
        p(k \mid x) = \frac{\pi_k\, p(x \mid k)}{\sum_{j} \pi_j\, p(x \mid j)}
    """

    uses_distances = True

    kernel: str = choice("gaussian", tuple(KERNELS), labels=KERNELS, symbol="K", help="Kernel function.")
    bandwidth: float | str = real(
        "scott", 1e-6, 1e6, log=True, words=("scott",), labels={"scott": "Scott"}, symbol="h",
        help="Bandwidth of the kernel. 'scott' follows the spread within the classes and their sizes.",
    )  # fmt: skip
    priors: str = CLASS_PRIORS

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[ParzenState]:
        X, codes, n = data.X, np.searchsorted(data.present, data.labels), len(data)
        order, names = stratified_order(codes, rng), data.class_names
        h = within_class_scott(X, codes) if isinstance(self.bandwidth, str) else self.bandwidth
        kernel, count = DensityKernel(self.kernel, h), len(names)
        while True:
            groups = self._groups(X, codes, order[:count])
            yield ParzenState(
                classes=data.present, groups=groups, kernel=kernel, names=names,
                note=_note(groups, names, kernel, n), progress=count / n,
            )  # fmt: skip
            if count == n:
                return
            count = min(2 * count, n)

    def _groups(self, X: Floats, codes: Ints, rows: Ints) -> ClassCentres:
        rows = rows[np.argsort(codes[rows], kind="stable")]
        sizes = np.bincount(codes[rows])
        priors = prior_shares(sizes, self.priors)
        return ClassCentres(centres=X[rows], sizes=tuple(sizes.tolist()), weights=priors / sizes)


def within_class_scott(X: Floats, codes: Ints) -> float:
    """Scott's rule with the standard deviation within the classes and the mean size of a class."""
    sizes = np.bincount(codes)
    means = np.column_stack([np.bincount(codes, column) / sizes for column in X.T])
    within, total = np.mean((X - means[codes]) ** 2), X.var(axis=0).mean()
    spread = float(np.sqrt(within if within > 0 else total))
    return float((spread or 1.0) * (len(X) / len(sizes)) ** (-1 / (X.shape[1] + 4)))


def stratified_order(codes: Ints, rng: Generator) -> Ints:
    """Random order of the points whose beginnings have the classes in proportion, each from the start."""
    order = rng.permutation(len(codes))
    rank = np.empty(len(codes))
    for code, size in enumerate(np.bincount(codes)):
        rank[codes[order] == code] = np.arange(size) / size
    return order[np.argsort(rank, kind="stable")]


def _sample(groups: ClassCentres, most: int) -> ClassCentres:
    """About so many of the centres, in proportion and at least two of a class that has them."""
    step = len(groups.centres) / most
    if step <= 1:
        return groups
    parts = [part.centres for part in groups.by_class()]
    kept = [part[np.linspace(0, len(part) - 1, max(int(len(part) / step), 2)).astype(int)] for part in parts]
    sizes = tuple(len(part) for part in kept)
    return ClassCentres(centres=np.concatenate(kept), sizes=sizes, weights=groups.priors / np.array(sizes))


def _note(groups: ClassCentres, names: tuple[str, ...], kernel: DensityKernel, n: int) -> str:
    count = len(groups.centres)
    each = ", ".join(f"{name} {size}" for name, size in zip(names, groups.sizes))
    which = f"all {n} points" if count == n else f"{count} of {n} points"
    note = f"{which} ({each}), kernels of bandwidth {kernel.bandwidth:.3g}"
    return f"{note}; beyond all kernels the priors decide" if kernel.compact else note
