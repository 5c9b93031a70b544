"""Views of Gaussian processes: probabilities and deviations on a plane, the mean with bands on a line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from vizml.field import Field, Raster, pointwise
from vizml.field.arrays import Floats
from vizml.field.kernels import gaussian_field
from vizml.field.polynomial import affine_field
from vizml.field.raster import Section
from vizml.field.tiles import TiledField, are_many, tiled
from vizml.learn.gaussian_processes.covariance import STATIONARY
from vizml.learn.gaussian_processes.posterior import Posterior
from vizml.learn.gaussian_processes.posterior_field import WIDEST, PosteriorField
from vizml.learn.recent import keep_recent
from vizml.learn.view import FittedCurveView, FittedMapView, PlaneView
from vizml.scene import FunctionBand, Lens, Mark, Path

if TYPE_CHECKING:
    from vizml.learn.gaussian_processes.gp import GpClassifierState, GpRegressorState

GRID, BEYOND = 241, 0.5
"""Places at which samples are drawn, over the data and a share of their range beyond on either side."""
SIGMAS = 2.0
"""Half-width of bands, in standard deviations."""
TOLERANCE, MOST_PROBED = 2e-7, 500
"""Error allowed in a mean as a share of its range, which is taken from so many points at most."""
FIELDS = 6
"""Posteriors on sections that are kept."""


class DeviationView(PlaneView[Any]):
    """A plane view with standard deviations of Gaussian processes as lenses."""

    def _deviation(self, posterior: Posterior, about: str = "") -> Lens:
        high = float(np.sqrt(posterior.covariance.variance))
        return Lens(
            name=f"Standard deviation of f{about}", plane=partial(self._deviation_plane, posterior=posterior),
            low=0.0, high=high,
        )  # fmt: skip

    def _deviation_plane(self, raster: Raster, *, posterior: Posterior) -> Field:
        found = self._kept((posterior,)).deviation.field(raster) if are_many(raster) else None
        if found is None:
            lift = self.section.lift
            found = pointwise(lambda X: np.sqrt(posterior.moments(lift(X))[1])[:, None], raster, 1)
        plane: Field = found[0]
        return plane

    def _kept(self, posteriors: tuple[Posterior, ...]) -> PosteriorField:
        return _posterior_field(posteriors[0], posteriors[1:], *self.section.key)


class GpMapView(DeviationView, FittedMapView[Any]):
    """The mean over two inputs with the residuals, and the deviation of f as a lens."""

    state: GpRegressorState

    def field(self, raster: Raster) -> Field:
        """Add up the parts of the mean by each kernel of the covariance."""
        out = np.full((1, *raster.shape), self.state.level, dtype=np.float32)
        for name in self.state.posterior.covariance.names:
            part = _with_kernel(self.state.posterior, name)
            if name == "linear":
                out += self._linear(part, raster)
            elif name == "rbf" and not self.section.skew:
                out += self._gaussian(part, raster)
            elif name == "periodic" and self.section.axes is not None:
                out += self._periodic(part, self.section.axes, raster)
            else:
                out += self._smooth(part, name, raster)
        return out

    def _linear(self, part: Posterior, raster: Raster) -> Field:
        weights = part.covariance.variance * part.a
        slopes = weights @ part.points
        level = weights.sum() + slopes @ self.section.origin
        return affine_field((self.section.basis @ slopes)[None], np.array([level]), raster)

    def _gaussian(self, part: Posterior, raster: Raster) -> Field:
        (points, beside), gamma = self.section.project(part.points), 0.5 / part.covariance.length**2
        weights = part.covariance.variance * part.a * np.exp(-gamma * beside)
        return gaussian_field(raster, points, weights[None], gamma, np.zeros(1))

    def _periodic(self, part: Posterior, axes: tuple[int, ...], raster: Raster) -> Field:
        """Multiply the factors of the two inputs; those of the others belong to the weights."""
        unit, points = replace(part.covariance, variance=1.0), part.points
        others = [k for k in range(points.shape[1]) if k not in axes]
        beside = unit(self.section.origin[None, others], points[:, others])[0]
        across, down = (unit(u[:, None], points[:, [k]]) for u, k in zip((raster.x, raster.y), axes))
        sums = (down * (part.covariance.variance * part.a * beside)) @ across.T
        return np.asarray(sums[None], dtype=np.float32)

    def _smooth(self, part: Posterior, name: str, raster: Raster) -> Field:
        found = None
        if name in STATIONARY and are_many(raster):
            found = _mean_tiles(self.state.posterior, name, *self.section.key).field(raster)
        if found is None:
            found = pointwise(lambda u: part.mean(self.section.lift(u))[:, None], raster, 1)
        return found

    def marks(self) -> tuple[Mark, ...]:
        return FittedMapView.marks(self) if len(self.state.posterior.points) else ()

    def lenses(self) -> tuple[Lens, ...]:
        names = self.state.posterior.covariance.names
        return (self._deviation(self.state.posterior),) if len(names) == 1 and names[0] in STATIONARY else ()


@dataclass(frozen=True, eq=False)
class GpPlaneView(DeviationView):
    """Class probabilities on any plane, with the deviation of f as a lens."""

    state: GpClassifierState

    def field(self, raster: Raster) -> Field:
        found = self._kept(self.state.posteriors).probabilities.field(raster) if are_many(raster) else None
        if found is None:
            return super().field(raster)
        return found if len(found) > 1 else np.concatenate([1.0 - found, found])

    def lenses(self) -> tuple[Lens, ...]:
        names = self.state.names
        if len(self.state.posteriors) == 1:
            return self._probability(1, names[1]), self._deviation(self.state.posteriors[0])
        return tuple(
            lens
            for k, name in enumerate(names)
            for lens in (
                self._probability(k, name),
                self._deviation(self.state.posteriors[k], f" about {name}"),
            )
        )

    def _probability(self, k: int, name: str) -> Lens:
        return Lens(
            name=f"Mean probability of {name}", plane=partial(self._probability_plane, k=k),
            low=0.0, high=1.0, diverging=True, levels=(0.25, 0.5, 0.75),
        )  # fmt: skip

    def _probability_plane(self, raster: Raster, *, k: int) -> Field:
        plane: Field = self.field(raster)[k]
        return plane


@dataclass(frozen=True, eq=False)
class GpCurveView(FittedCurveView[Any]):
    """The mean over one input, the prediction band of new points, and samples of f."""

    state: GpRegressorState

    def marks(self) -> tuple[Mark, ...]:
        state, fitted = self.state, len(self.state.posterior.points)
        band = FunctionBand(
            layer="Prediction band", edges=self._new_point, ink="accent", opacity=0.1,
            legend="prediction band",
        )  # fmt: skip
        x, name = self._grid(), "Posterior samples" if fitted else "Prior samples"
        drawn = state.level + state.posterior.samples(self.section.lift(x[:, None]), state.normals)
        lines = tuple(np.column_stack([x, line]) for line in drawn)
        samples = Path(
            layer=name, lines=lines, ink="accent", opacity=0.4, width=1.0, legend=name[:-1].lower()
        )  # fmt: skip
        return (band, *((samples,) if lines else ()), *super().marks())

    def whole_marks(self) -> tuple[Mark, ...]:
        return super().whole_marks() if len(self.state.posterior.points) else ()

    def _new_point(self, x: Floats) -> tuple[Floats, Floats]:
        mean, deviation = self.state.moments(self.section.lift(x[:, None]))
        half = SIGMAS * np.sqrt(deviation**2 + self.state.noise)
        return mean - half, mean + half

    def _grid(self) -> Floats:
        direction = self.section.basis[0]
        places = (self.state.X - self.section.origin) @ direction / (direction @ direction)
        return extended_grid(places)


def extended_grid(values: Floats) -> Floats:
    """Return even places over the range of values and beyond."""
    low, high = float(values.min()), float(values.max())
    room = BEYOND * (high - low) or 1.0
    return np.linspace(low - room, high + room, GRID)


def _with_kernel(posterior: Posterior, name: str) -> Posterior:
    """Return a posterior with one kernel of its covariance."""
    return replace(posterior, covariance=replace(posterior.covariance, names=(name,)))


@keep_recent(FIELDS)
def _mean_tiles(posterior: Posterior, name: str, origin: bytes, basis: bytes) -> TiledField:
    """Return the part of the mean by a stationary kernel on a section."""
    part, widest = _with_kernel(posterior, name), WIDEST * posterior.covariance.length
    section = Section(np.frombuffer(origin), np.frombuffer(basis).reshape(2, -1))
    error = TOLERANCE * float(np.ptp(part.mean(part.points[:MOST_PROBED])))
    return tiled(lambda u: part.mean(section.lift(u))[:, None], 1, error, widest)


@keep_recent(FIELDS)
def _posterior_field(
    first: Posterior, others: tuple[Posterior, ...], origin: bytes, basis: bytes
) -> PosteriorField:
    return PosteriorField((first, *others), np.frombuffer(origin), np.frombuffer(basis).reshape(2, -1))
