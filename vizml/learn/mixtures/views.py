"""Views of Gaussian mixtures and hidden Markov models: ellipses, means, trails and the sequence of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from vizml.data.params import Value
from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.learn.clusters.kmeans_solver import numbered_anchors, restart_parameters, trail_marks
from vizml.learn.gaussians import GaussianComponents
from vizml.learn.line_views import ClusterLineView, DensityLineView
from vizml.learn.outlines import SIGMAS, MassContourView, ellipse, sigma_legend
from vizml.learn.view import Anchor, Focus, PlaneView
from vizml.scene import Curves, Dots, Ink, Mark, Path, Rings, Segments

if TYPE_CHECKING:
    from vizml.learn.mixtures.gmm import GmmDensityState, GmmState
    from vizml.learn.mixtures.hmm import HmmState  # noqa: F401

M = TypeVar("M", "GmmState", "GmmDensityState")
ROW_BAND = 32
"""Rows summed at a time, so that the planes of all components stay in the cache."""


def ellipse_marks(
    components: GaussianComponents, inks: tuple[Ink, ...], sigmas: tuple[float, ...] = SIGMAS
) -> tuple[Mark, ...]:
    """Ellipses of components at some standard deviations, the outer ones fainter, and their means."""
    ellipses = tuple(
        Path(
            layer="Ellipses", lines=(ellipse(mean, covariance, sigma),), closed=True, ink=ink,
            width=2.0 if sigma == 1.0 else 1.2, opacity=1.0 / sigma**0.7,
            legend=sigma_legend(sigmas) if k == 0 and sigma == sigmas[0] else "",
        )
        for k, (mean, covariance, ink) in enumerate(zip(components.means, components.covariances, inks))
        for sigma in sigmas
    )  # fmt: skip
    return (*ellipses, Dots(layer="Means", points=components.means, inks=inks, legend="mean"))


class MixtureMarks(PlaneView[M]):
    """Marks and anchors of a mixture, whatever its task."""

    def mixture_marks(self, sigmas: tuple[float, ...] = SIGMAS) -> tuple[Mark, ...]:
        """Return ellipses, trails of the means and means."""
        *ellipses, means = ellipse_marks(
            self.state.components, tuple(range(len(self.state.components))), sigmas
        )
        return (*ellipses, *trail_marks(np.stack(self.state.path)), means)

    def whole_anchors(self) -> tuple[Anchor, ...]:
        return numbered_anchors("mean", self.state.components.means)

    def moved(self, anchor: str, at: Floats) -> Mapping[str, Value]:
        return restart_parameters(self.anchors(), anchor, at)


class GmmView(MixtureMarks["GmmState"]):
    """Clusters of a mixture."""

    def field(self, raster: Raster) -> Field:
        return self.state.components.joint_field(self.section, raster)

    def whole_marks(self) -> tuple[Mark, ...]:
        return self.mixture_marks()


@dataclass(frozen=True, eq=False)
class GmmDensityView(MixtureMarks["GmmDensityState"], MassContourView["GmmDensityState"]):
    """Density of a mixture."""

    def field(self, raster: Raster) -> Field:
        out = np.empty((1, *raster.shape), dtype=np.float32)
        for rows, band in raster.bands(ROW_BAND):
            planes = self.state.components.joint_field(self.section, band)
            highest = planes.max(axis=0)
            planes -= highest
            np.exp(planes, out=planes)
            np.log(planes.sum(axis=0), out=out[0, rows])
            out[0, rows] += highest
        return out

    def whole_marks(self) -> tuple[Mark, ...]:
        return (*super().whole_marks(), *self.mixture_marks((1.0,)))


class MeansLineView(ClusterLineView[Any]):
    """Probabilities of components or states, with their means."""

    def marks(self) -> tuple[Mark, ...]:
        means = self.state.components.means
        return self.uprights(means, "Means", "mean", range(len(means)))


class GmmDensityLineView(DensityLineView["GmmDensityState"]):
    """The density as a sum of its components, which are drawn with their weights."""

    def marks(self) -> tuple[Mark, ...]:
        high, components = self.peak, self.state.components

        def weighted(x: Floats, k: int) -> Floats:
            return np.exp(components.log_joint(self.section.lift(x[:, None]))[:, k])[None] / high

        curves = (
            Curves(
                layer="Components", values=partial(weighted, k=k), ink=k, width=1.5,
                legend="" if k else "component",
            )
            for k in range(len(components))
        )  # fmt: skip
        means = self.uprights(components.means, "Means", "mean", range(len(components)))
        return (*curves, *means)


class HmmView(PlaneView["HmmState"]):
    """Regions of the states' Gaussians and the sequence of points."""

    def field(self, raster: Raster) -> Field:
        return self.state.components.joint_field(self.section, raster)

    def whole_marks(self) -> tuple[Mark, ...]:
        points, path = self.state.X, self.state.path
        inks = tuple(range(self.state.clusters))
        transitions = np.stack([points[:-1], points[1:]], axis=1)
        sequence = (
            Segments(layer="Sequence", ends=transitions[path[1:] == k], ink=k, opacity=0.45, width=1.2)
            for k in inks
        )
        first = Rings(layer="First point", points=points[:1], radii=np.array([9.0]), legend="first point")
        return (*sequence, *ellipse_marks(self.state.components, inks), first)

    def whole_focus(self, node: str) -> Focus:
        members = self.state.X[self.state.path == int(node)]
        radii = np.full(len(members), 9.0)
        return Focus((Rings(layer="State", points=members, radii=radii, ink=int(node), width=2.0),))

    def trail(self, point: Floats) -> tuple[str, ...]:
        """Return the state of the training point nearest to a point."""
        distances = ((self.state.X - self.section.lift(point[None])) ** 2).sum(axis=1)
        return (str(int(self.state.path[distances.argmin()])),)
