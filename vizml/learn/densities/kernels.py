"""Kernels of density estimates, with value 1 at distance 0: log values, integrals, sums and their fields."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Plane
from vizml.field.cancellation import check_cancelled
from vizml.field.discs import caps_field
from vizml.field.distances import METRICS, expanded_distances
from vizml.field.kernels import ProductKernel, gaussian_field, laplace_field, product_shares
from vizml.field.log_kernel_sums import exponential_log_sums, gaussian_log_sums
from vizml.field.raster import Section
from vizml.learn.line_views import SIDES, interval_marks
from vizml.learn.outlines import circle
from vizml.scene import Mark, Path, TextLabels

EMPTY = -690.0
"""Stands for the logarithm of zero where a finite number is needed: exp(EMPTY) is just above zero."""
MAX_OUTLINES = 32
"""Kernels whose outlines are drawn: more would cover each other."""
PAIRS = 1 << 17
"""Distances computed at a time: 1 MB, which stays in the cache."""


@dataclass(frozen=True)
class DensityKernel:
    """Gaussian exp(-|d|^2 / 2h^2), exponential exp(-|d| / h), Laplace exp(-|d|_1 / h), Epanechnikov or box.

    The last two are (1 - |d|^2 / h^2)^p within the bandwidth h and 0 beyond, with p = 1 and p = 0.

    >>> DensityKernel("gaussian", 2.0).log_values(np.array([0.0, 8.0])).tolist()
    [-0.0, -1.0]
    """

    name: str
    bandwidth: float

    @property
    def compact(self) -> bool:
        """Whether the kernel is zero beyond the bandwidth."""
        return self.name in ("epanechnikov", "box")

    @property
    def power(self) -> int:
        """The exponent p of a compact kernel."""
        return 1 if self.name == "epanechnikov" else 0

    @property
    def reach(self) -> float:
        """Distance beyond which the kernel is negligible."""
        return self.bandwidth * (1.0 if self.compact else 3.0 if self.name == "gaussian" else 6.0)

    def log_volume(self, d: int) -> float:
        """Logarithm of the integral over d dimensions."""
        log_ball = d / 2 * math.log(math.pi) - math.lgamma(d / 2 + 1)
        log_unit = {
            "gaussian": d / 2 * math.log(2 * math.pi),
            "exponential": log_ball + math.lgamma(d + 1),
            "laplace": d * math.log(2),
            "epanechnikov": log_ball + math.log(2 / (d + 2)),
            "box": log_ball,
        }[self.name]
        return log_unit + d * math.log(self.bandwidth)

    def distances(self, X: Floats, centres: Floats) -> Floats:
        """Distances (m, n) for `log_values`: L1 for the Laplace kernel, squared Euclidean for others."""
        if self.name != "laplace":
            return expanded_distances(X, centres)
        return METRICS["l1"].ranks(X, centres)

    def log_values(self, distances: Floats) -> Floats:
        """Logarithm of the kernel at some distances, -inf where it is zero."""
        h = self.bandwidth
        if self.name == "gaussian":
            return -distances / (2 * h * h)
        if self.name == "exponential":
            return -np.sqrt(distances) / h
        if self.name == "laplace":
            return -distances / h
        inside = 1.0 - distances / (h * h)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.where(inside >= 0.0, np.maximum(inside, 0.0) ** self.power, 0.0)))

    def log_sums(self, X: Floats, centres: Floats) -> Floats:
        """log sum_i k(x - c_i) (m,), `EMPTY` where all terms are zero."""
        sums = np.empty(len(X))
        step = max(PAIRS // len(centres), 1)
        for start in range(0, len(X), step):
            check_cancelled()
            logs = self.log_values(self.distances(X[start : start + step], centres))
            sums[start : start + step] = log_sum(logs)
        return sums


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassCentres:
    """Centres (n, d) of K classes, class after class, and the weight of a centre of each class (K,)."""

    centres: Floats
    sizes: tuple[int, ...]
    weights: Floats

    def __post_init__(self) -> None:
        self.centres.flags.writeable = self.weights.flags.writeable = False

    @property
    def each(self) -> Floats:
        """Weight of each centre (n,)."""
        return np.repeat(self.weights, self.sizes)

    @property
    def priors(self) -> Floats:
        """Total weight of each class (K,)."""
        return np.asarray(self.weights * np.array(self.sizes))

    def by_class(self) -> list[ClassCentres]:
        """Return the classes one by one."""
        parts = zip(np.split(self.centres, np.cumsum(self.sizes)[:-1]), self.weights)
        return [ClassCentres(centres=own, sizes=(len(own),), weights=weight[None]) for own, weight in parts]

    def sums(self, logs: Floats) -> Floats:
        """sum_i w_i k_i of each class (m, K), from the log values of a kernel (m, n)."""
        return np.asarray(np.add.reduceat(np.exp(logs) * self.each, class_starts(self.sizes), axis=1))

    def posteriors(self, logs: Floats) -> Floats:
        """Share of each class in the weighted sum (m, K); the priors where all kernels are zero."""
        check_cancelled()
        logs = logs + np.log(self.each)
        highest = logs.max(axis=1, keepdims=True)
        terms = np.exp(logs - np.where(np.isfinite(highest), highest, 0.0))
        sums = np.add.reduceat(terms, class_starts(self.sizes), axis=1)
        total = sums.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            return np.where(total > 0, sums / total, self.priors)


def class_starts(sizes: Sequence[int]) -> list[int]:
    """Index of the first centre of each class."""
    return [0, *np.cumsum(sizes)[:-1].tolist()]


def log_sum(logs: Floats) -> Floats:
    """log sum exp of each row (m, n), `EMPTY` where all are -inf."""
    highest = logs.max(axis=1)
    finite = np.where(np.isfinite(highest), highest, EMPTY)
    with np.errstate(divide="ignore"):
        found = finite + np.log(np.exp(logs - finite[:, None]).sum(axis=1))
    return np.where(np.isfinite(highest), found, EMPTY)


def log_sum_plane(kernel: DensityKernel, raster: Raster, centres: Floats, beside: Floats) -> Plane:
    """log sum_i k(x - c_i) at each pixel, for centres with some squared distances from the plane."""
    if kernel.compact:
        sums = caps_field(raster, centres, (len(centres),), kernel.bandwidth, kernel.power, beside)[0]
        return np.asarray(np.log(np.maximum(sums, math.exp(EMPTY), dtype=np.float64)), dtype=np.float32)
    # in bandwidths from the middle of the centres squares neither overflow nor vanish
    middle, h = centres.mean(axis=0), kernel.bandwidth
    scaled = Raster((raster.x - middle[0]) / h, (raster.y - middle[1]) / h)
    if kernel.name == "gaussian":
        return gaussian_log_sums(scaled, (centres - middle) / h, 0.5, beside / h**2)
    return exponential_log_sums(scaled, (centres - middle) / h, 1.0, beside / h**2)


def product_kernel(kernel: DensityKernel) -> ProductKernel:
    """Return a Gaussian or Laplace kernel as a product over the axes."""
    h = kernel.bandwidth
    return ProductKernel(0.5 / (h * h), 2) if kernel.name == "gaussian" else ProductKernel(1.0 / h, 1)


def plane_terms(kernel: DensityKernel, section: Section, centres: Floats) -> tuple[Floats, Floats] | None:
    """Coordinates of centres (n, 2) on a section and their distances (n,) from it, in the kernel's metric.

    None if the two do not add up to the distance: for the L1 norm on an oblique section. Gaussian kernels may
    have a factor in common there, if its directions are not orthogonal.
    """
    if kernel.compact and section.skew:
        return None
    if kernel.name != "laplace":
        return section.project(centres)
    if section.axes is None:
        return None
    beside = np.delete(centres - section.origin, section.axes, axis=1)
    return centres[:, list(section.axes)], np.abs(beside).sum(axis=1)


def sum_plane(
    kernel: DensityKernel, groups: ClassCentres, terms: tuple[Floats, Floats], raster: Raster
) -> Plane:
    """sum_i w_i k(x - c_i) over all classes at each pixel."""
    points, beside = terms
    if not kernel.compact:
        weights = groups.each * np.exp(kernel.log_values(beside))
        weighted_field = gaussian_field if kernel.name == "gaussian" else laplace_field
        gamma = product_kernel(kernel).gamma
        return np.asarray(weighted_field(raster, points, weights[None], gamma, np.zeros(1))[0])
    each = caps_field(raster, points, groups.sizes, kernel.bandwidth, kernel.power, beside)
    return np.asarray(np.tensordot(groups.weights.astype(np.float32), each, axes=1))


def posterior_field(
    kernel: DensityKernel, groups: ClassCentres, terms: tuple[Floats, Floats], raster: Raster
) -> Field:
    """Share of each class in the weighted sum at each pixel (K, H, W)."""
    points, beside = terms
    if not kernel.compact:
        log_weights = np.log(groups.each) + kernel.log_values(beside)
        return product_shares(raster, product_kernel(kernel), points, log_weights, groups.sizes)
    out = caps_field(raster, points, groups.sizes, kernel.bandwidth, kernel.power, beside)
    out *= groups.weights.astype(np.float32)[:, None, None]
    total = out.sum(axis=0)
    empty = total <= 0
    total[empty] = 1.0
    out /= total
    for plane, prior in zip(out, groups.priors):
        plane[empty] = prior
    return out


def outline(kernel: DensityKernel, point: Floats) -> Floats:
    """Line at the bandwidth around a point."""
    corners = {"corners": 4} if kernel.name == "laplace" else {}
    return circle(point, kernel.bandwidth, **corners)


def window_marks(kernel: DensityKernel, point: Floats, densities: str) -> tuple[Mark, ...]:
    """The kernel's window around the pointer, with the density there."""
    edge = Path(layer="Window", lines=(outline(kernel, point),), closed=True, ink="muted", width=1.0)
    return (edge, TextLabels(layer="Window", points=point[None], texts=(f"density {densities}",)))


def window_interval(kernel: DensityKernel, point: Floats, densities: str) -> tuple[Mark, ...]:
    """The same on one input."""
    return interval_marks("Window", point, point[0] + kernel.bandwidth * SIDES, f"density {densities}")
