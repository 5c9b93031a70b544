"""Bayes classifiers on the canvas: Gaussians as ellipses and densities along the axes, bins as grid lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Plane
from vizml.learn.gaussians import log_sum_exp
from vizml.learn.outlines import SIGMAS, ellipse, sigma_legend
from vizml.learn.view import PlaneView
from vizml.scene import Dots, Lens, Mark, Path, Profile, Segments, TextLabels

if TYPE_CHECKING:
    from vizml.learn.bayes.discriminant import GaussianState
    from vizml.learn.bayes.naive_bayes import CategoricalNbState, GaussianNbState  # noqa: F401

G = TypeVar("G", bound="GaussianState")
LOG_RANGE = 12.0
"""Range of the log density below its maximum that the lens shows."""
NARROWEST = 1e-2
"""Classes narrower than this share of the widest do not set the height of the densities drawn."""
EXTENT = 4.0
"""Standard deviations of a density that are drawn."""
AXES: tuple[Literal["x", "y"], ...] = ("x", "y")


class GaussianView(PlaneView[G]):
    """Quadratic log-odds on any section, with the density as a lens and ellipses of the marginals."""

    def field(self, raster: Raster) -> Field:
        return self.state.log_odds.on(self.section.origin, self.section.basis).field(raster)

    def lenses(self) -> tuple[Lens, ...]:
        peak = float(log_sum_exp(self.state.log_joint(self.state.means)).max())
        return (Lens(name="Log density", plane=self._log_density, low=peak - LOG_RANGE, high=peak),)

    def marks(self) -> tuple[Mark, ...]:
        inks = tuple(int(label) for label in self.state.classes)
        means = Dots(layer="Means", points=self._means(), inks=inks, size=11.0, legend="mean")
        return (*self._ellipses(1.5), means)

    def _log_density(self, raster: Raster) -> Plane:
        joint = self.state.log_joint.on(self.section.origin, self.section.basis).field(raster)
        density: Plane = log_sum_exp(np.moveaxis(joint, 0, -1))
        return density

    def _means(self) -> Floats:
        return self.section.project(self.state.means)[0]

    def _ellipses(self, width: float) -> Iterator[Mark]:
        basis = self.section.basis
        for k, (label, mean) in enumerate(zip(self.state.classes, self._means())):
            covariance = basis @ self.state.covariances[k] @ basis.T
            yield Path(
                layer="Ellipses", lines=tuple(ellipse(mean, covariance, sigma) for sigma in SIGMAS),
                closed=True, ink=int(label), width=width, legend="" if k else sigma_legend(),
            )  # fmt: skip


class GaussianNbView(GaussianView["GaussianNbState"]):
    """Densities of the features that have been used, along the edges; ellipses once all of them have."""

    def lenses(self) -> tuple[Lens, ...]:
        return ()

    def marks(self) -> tuple[Mark, ...]:
        shown = [(axis, int(np.argmax(row))) for axis, row in zip(AXES, self.section.basis)]
        used = [(axis, feature) for axis, feature in shown if feature < self.state.used]
        densities = [mark for axis, feature in used for mark in self._densities(axis, feature)]
        return (*densities, *(self._ellipses(1.0) if len(used) == len(shown) else ()))

    def _densities(self, axis: Literal["x", "y"], feature: int) -> Iterator[Mark]:
        """pi_k p_k(x_j) along an axis, clipped where one class is far narrower than the others."""
        state = self.state
        widths = np.sqrt(state.variances[:, feature])
        tops = state.priors / (np.sqrt(2 * np.pi) * widths)
        peak = float(tops[widths >= NARROWEST * widths.max()].max())
        away = np.linspace(-EXTENT, EXTENT, 129)
        for k, label in enumerate(state.classes):
            yield Profile(
                layer="Densities", axis=axis, at=state.means[k, feature] + widths[k] * away,
                heights=np.minimum(tops[k] * np.exp(-0.5 * away**2), peak), peak=peak, ink=int(label),
                legend="" if k or axis == "y" else "class density × prior",
            )  # fmt: skip


class CategoricalNbView(PlaneView["CategoricalNbState"]):
    """Log-odds that are a sum over the axes, and the bin edges as lines."""

    def field(self, raster: Raster) -> Field:
        section, state = self.section, self.state
        if np.count_nonzero(section.basis) > len(section.basis):
            return super().field(raster)
        held = state.scores(section.origin[None])[0]
        across, down = (self._change(axis, values) for axis, values in enumerate((raster.x, raster.y)))
        across = (across + held[:, None]).astype(np.float32)
        # Pages of zeros cost nothing until they are written to.
        out = np.zeros((len(state.classes), *raster.shape), dtype=np.float32)
        for plane, row, column in zip(out[1:], across[1:], down.astype(np.float32)[1:]):
            np.add(column[:, None], row, out=plane)
        return out

    def marks(self) -> tuple[Mark, ...]:
        edges = [_lines(self.state.edges[j, 1:-1], axis) for axis, j in self._features()]
        ends = np.concatenate([np.empty((0, 2, 2)), *edges])
        return (Segments(layer="Bins", ends=ends, ink="muted", opacity=0.5, legend="bin edge"),)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        texts = [self._counts(j, float(point[axis])) for axis, j in self._features()]
        return (TextLabels(layer="Counts", points=point[None], texts=("; ".join(texts),)),) if texts else ()

    def _features(self) -> list[tuple[int, int]]:
        """The axes of the canvas with the used features that they show."""
        shown = enumerate(int(np.argmax(row)) for row in self.section.basis)
        return [(axis, feature) for axis, feature in shown if feature < self.state.used]

    def _change(self, axis: int, values: Floats) -> Floats:
        """The change (K, n) of the scores from the origin of the section to values along an axis."""
        for shown, feature in self._features():
            if shown == axis:
                there = self.state.feature_scores(feature, self.section.basis[axis, feature] * values)
                return there - self.state.feature_scores(feature, self.section.origin[[feature]])
        return np.zeros((len(self.state.classes), len(values)))

    def _counts(self, feature: int, value: float) -> str:
        column = self.state.counts[feature][:, self.state.bins(feature, np.array([value]))[0]]
        each = ", ".join(f"{name} {count}" for name, count in zip(self.state.names, column))
        return f"{self.state.space.names[feature]}: {each}"


def _lines(cuts: Floats, axis: int) -> Floats:
    """Segments (n, 2, 2) across the whole view at these values of an axis."""
    ends = np.empty((len(cuts), 2, 2))
    ends[:, :, axis] = cuts[:, None]
    ends[:, :, 1 - axis] = -np.inf, np.inf
    return ends
