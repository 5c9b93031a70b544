"""Views of density estimates: fields of kernel sums, kernels drawn around points, marginals of a Gaussian."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from vizml.field import Field, Raster, pointwise
from vizml.field.arrays import Floats, Plane
from vizml.field.discs import caps_field
from vizml.field.kernels import ProductKernel, gaussian_field, laplace_field, product_shares
from vizml.field.log_kernel_sums import exponential_log_sums, gaussian_log_sums
from vizml.field.raster import Section
from vizml.learn.densities.kernels import EMPTY, ClassCentres, DensityKernel
from vizml.learn.line_views import SIDES, DensityLineView, JointLineView, interval_marks
from vizml.learn.mixtures.views import ellipse_marks
from vizml.learn.outlines import MassContourView, circle
from vizml.learn.view import PlaneView
from vizml.scene import Curves, Lens, Mark, Path, Profile, TextLabels

if TYPE_CHECKING:
    from vizml.learn.densities.gaussian import GaussianDensityState  # noqa: F401
    from vizml.learn.densities.kde import KdeState  # noqa: F401
    from vizml.learn.densities.parzen import ParzenState  # noqa: F401

MAX_OUTLINES = 32
"""Kernels whose outlines are drawn: more would cover each other."""
PROFILE = np.linspace(-3.5, 3.5, 121)
"""Positions of a marginal density in standard deviations."""


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


class GaussianDensityLineView(DensityLineView["GaussianDensityState"]):
    """The density with its mean."""

    def marks(self) -> tuple[Mark, ...]:
        return self.uprights(self.state.gaussian.means, "Means", "mean", ("text",))


class GaussianDensityView(MassContourView["GaussianDensityState"]):
    """Log density of one Gaussian with its contours, its ellipse, its marginals and the prior."""

    def field(self, raster: Raster) -> Field:
        return self.state.gaussian.joint_field(self.section, raster)

    def whole_marks(self) -> tuple[Mark, ...]:
        ellipse = ellipse_marks(self.state.gaussian, ("text",), (1.0,))
        return (*self._marginals(), *self._prior(), *super().whole_marks(), *ellipse)

    def _prior(self) -> tuple[Mark, ...]:
        """Circle at one standard deviation of the prior."""
        prior = self.state.prior
        if not prior.weight:
            return ()
        line = circle(np.array(prior.mean), prior.width)
        legend = "prior, 1 σ"
        return (Path(layer="Prior", lines=(line,), closed=True, ink="accent", stroke="dash", legend=legend),)

    def _marginals(self) -> tuple[Mark, ...]:
        """Density of each input along its axis."""
        heights = np.exp(-PROFILE * PROFILE / 2) / np.sqrt(2 * np.pi)
        means, deviations = self.state.gaussian.means[0], np.sqrt(np.diag(self.state.gaussian.covariances[0]))
        return tuple(
            Profile(
                layer="Marginals", axis="y" if axis else "x", at=mean + s * PROFILE,
                heights=heights / s, peak=float(heights.max() / s), ink="accent",
            )
            for axis, (mean, s) in enumerate(zip(means, deviations))
        )  # fmt: skip
