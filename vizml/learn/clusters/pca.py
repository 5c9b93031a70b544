"""Principal component analysis: the eigenvectors of the covariance matrix S, by falling eigenvalue.

The first one is found by power iteration, v <- S v / |S v|, which turns any direction towards it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Plane
from vizml.field.polynomial import affine_section_field
from vizml.learn import CLUSTER, Clusterer, Model, register
from vizml.learn.gaussians import mean_of
from vizml.learn.learned import Learned, PointValues
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Axis, Chart, Dots, Lens, Mark, Path, Segments, Series, TextLabels
from vizml.scene.typesetting import without_rounding

MAX_ITERATIONS = 40
"""Nearly equal eigenvalues let the axis turn for long; after these iterations it is computed directly."""
TOLERANCE = 1e-7
"""Change of the axis, in radians, at which power iteration stops."""
PROJECTION_STEPS = 16
"""Steps in which the points move onto the first axis."""


def power_iteration(S: Floats, v: Floats) -> Iterator[Floats]:
    """Turn a unit vector towards the first eigenvector of S until it stands still.

    >>> *_, v = power_iteration(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0]))
    >>> v.round(6).tolist()
    [0.707107, 0.707107]
    """
    for _ in range(MAX_ITERATIONS):
        product = S @ v
        length = float(np.linalg.norm(product))
        if not length > 0:
            return
        previous, v = v, product / length
        yield v
        if np.linalg.norm(v - previous) < TOLERANCE:
            return


def principal_axes(S: Floats, first: Floats) -> Floats:
    """Return the first axis and the principal axes perpendicular to it as rows (d, d).

    The largest component of each is positive.
    """
    complement = np.eye(len(S)) - np.outer(first, first)
    vectors = np.linalg.eigh(complement @ S @ complement - np.outer(first, first) * np.trace(S))[1]
    axes = np.vstack([first, vectors[:, :0:-1].T])
    largest = np.abs(axes).argmax(axis=1)
    return np.asarray(axes * np.where(axes[np.arange(len(axes)), largest] > 0, 1.0, -1.0)[:, None])


class PcaView(PlaneView["PcaState"]):
    """Coordinate along the first axis, principal axes and the projection of the points."""

    def field(self, raster: Raster) -> Field:
        return self._coordinate(0, raster)

    def _coordinate(self, k: int, raster: Raster) -> Field:
        return affine_section_field(
            self.state.axes[k : k + 1], np.zeros(1), self.state.mean, self.section, raster
        )

    def whole_marks(self) -> tuple[Mark, ...]:
        state = self.state
        reaches = 2 * np.sqrt(state.variances)[:, None, None]
        ends = state.mean + reaches * np.stack([-state.axes, state.axes], axis=1)
        extent = 1e3 * (float(np.abs(state.X - state.mean).max()) or 1.0) * state.axes[0]
        line = np.stack([state.mean - extent, state.mean + extent])
        labels = tuple(f"{share:.1%}" for share in state.explained_variance_ratio)
        axes: tuple[Mark, ...] = (
            Path(layer="First axis", lines=(line,), ink="muted", stroke="dash", width=1.0),
            Segments(
                layer="Principal axes", ends=ends, ink="accent", width=2.5,
                legend="axis, 2 standard deviations",
            ),
            TextLabels(layer="Principal axes", points=ends[:, 1], texts=labels),
        )  # fmt: skip
        if not state.projection:
            return axes
        feet = state.mean + np.outer(state.transform(state.X)[:, 0], state.axes[0])
        projected = state.X + state.projection * (feet - state.X)
        segments = np.stack([state.X, projected], axis=1)
        return (
            Segments(layer="Distances", ends=segments, ink="muted", width=0.8),
            *axes,
            Dots(layer="Projected points", points=projected, size=7.0, shape="circle", ink="accent"),
        )

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        place = self.state.transform(point[None])[0]
        first, second = without_rounding(place, place)
        foot = self.state.mean + first * self.state.axes[0]
        ends = np.array([[point, foot], [foot, self.state.mean]])
        return (
            Segments(layer="Coordinates", ends=ends, ink="accent"),
            TextLabels(layer="Coordinates", points=point[None], texts=(f"({first:.3g}, {second:.3g})",)),
        )

    def lenses(self) -> tuple[Lens, ...]:
        return tuple(
            Lens(name=name, plane=partial(self._component_plane, k), low=-reach, high=reach, diverging=True)
            for k, (name, reach) in enumerate(zip(("First component", "Second component"), self._reaches()))
        )

    def _component_plane(self, k: int, raster: Raster) -> Plane:
        return np.asarray(self._coordinate(k, raster)[0])

    def _reaches(self) -> list[float]:
        extent = float(np.abs(self.state.X - self.state.mean).max()) or 1.0
        return [reach or extent for reach in (3 * np.sqrt(self.state.variances)).tolist()]


@dataclass(frozen=True, eq=False, kw_only=True)
class PcaState(Clusterer):
    """Principal axes and the variance along each; there are no clusters."""

    plane_view_class = PcaView
    X: Floats
    mean: Floats
    """Mean of the training points (d,)."""
    axes: Floats
    """Unit vectors as rows (d, d), the first axis first."""
    variances: Floats
    """Variance along each axis (d,), with the divisor n - 1."""
    projection: float = 0.0
    """Share of the way that points have moved onto the first axis."""
    clusters: int = 1
    groups: ClassVar[bool] = False

    @property
    def assigned(self) -> Ints:
        return np.zeros(len(self.X), dtype=np.int64)

    def description(self, x: Floats) -> str:
        """Return the coordinate along the first axis."""
        return f"first component {self.transform(x[None])[0, 0]:.3g}"

    @property
    def explained_variance_ratio(self) -> Floats:
        """Share of the variance along each axis."""
        total = float(self.variances.sum())
        return self.variances / total if total > 0 else np.eye(len(self.variances))[0]

    def learned(self) -> Learned:
        """Return the mean, the principal axes w as rows and the variances lambda along them."""
        return {"mu": self.mean, "w": self.axes, "lambda": self.variances}

    def row_values(self, data: TrainingData) -> PointValues:
        """Return the coordinates along the axes, z1, z2, ..."""
        return {f"z{k}": column for k, column in enumerate(self.transform(data.X).T.copy(), start=1)}

    def scores(self, X: ArrayLike) -> Floats:
        """Coordinate along the first axis."""
        return self.transform(X)[:, :1]

    def transform(self, X: ArrayLike) -> Floats:
        """Coordinates (m, d) along all axes."""
        return np.asarray((np.asarray(X, dtype=np.float64) - self.mean) @ self.axes.T)

    def charts(self) -> tuple[Chart, ...]:
        ratio = self.explained_variance_ratio
        k = np.arange(1.0, len(ratio) + 1)
        return (
            Chart(
                title="Explained variance",
                x=Axis(title="principal component", ticks={number: f"{number:.0f}" for number in k.tolist()}),
                y=Axis(title="share of the variance", low=0.0, high=1.0),
                series=(
                    Series(name="individual", x=k, y=ratio, kind="bars"),
                    Series(name="cumulative", x=k, y=np.cumsum(ratio), ink="muted"),
                ),
            ),
        )

    def metrics(self) -> Mapping[str, float]:
        each = {f"variance {k + 1}": float(variance) for k, variance in enumerate(self.variances[:3])}
        figures = {"explained variance ratio 1": float(self.explained_variance_ratio[0]), **each}
        if len(self.axes) == 2:
            figures["angle"] = float(np.degrees(np.arctan2(self.axes[0, 1], self.axes[0, 0])))
        return figures


@register(
    "pca", CLUSTER, "Dimensionality reduction", "Principal component analysis (PCA)", short="PCA",
    symbols={"v": ("Direction of largest variance.", "Principal axes")},
    synonyms=("PCA", "eigenvectors", "principal axes"),
)  # fmt: skip
class PrincipalComponentAnalysis(Model):
    r"""Finds the direction of largest variance and projects the points onto it.

    .. math::
        S = \frac{1}{n - 1} \sum_{i} (x_i - \mu)(x_i - \mu)^{\top}
        S v_1 = \lambda_1 v_1, \quad v \leftarrow \frac{S v}{\| S v \|}
    """

    def coarse_steps(self, data: TrainingData, rng: Generator) -> Iterator[PcaState]:
        state = _exact(data.X, *_moments(data.X))
        yield replace(state, projection=1.0, note=_summary(state), progress=1.0)

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[PcaState]:
        mean, S = _moments(data.X)
        first = _random_direction(data.X.shape[1], rng)
        start = _state(data.X, mean, S, first)
        centre = ", ".join(f"{value:.4g}" for value in mean)
        yield replace(start, note=f"start: mean ({centre}), random axis")
        for t, axis in enumerate(power_iteration(S, first), start=1):
            turned, first = np.degrees(float(np.linalg.norm(axis - first))), axis
            state = _state(data.X, mean, S, first)
            yield replace(state, note=f"power iteration {t}: axis turned by {turned:.3g}°, {_summary(state)}")
        state = _exact(data.X, mean, S)
        for number in range(PROJECTION_STEPS + 1):
            share = number / PROJECTION_STEPS
            note = f"projection onto the first axis: {share:.0%} of the way"
            note = _summary(state) if number in (0, PROJECTION_STEPS) else note
            yield replace(state, projection=share, note=note, progress=share)


def _moments(X: Floats) -> tuple[Floats, Floats]:
    """Return the mean (d,) and the covariance (d, d) with the divisor n - 1."""
    mean = mean_of(X)
    return mean, (X - mean).T @ (X - mean) / max(len(X) - 1, 1)


def _random_direction(d: int, rng: Generator) -> Floats:
    if d == 2:
        angle = rng.uniform(0.0, np.pi)
        return np.array([np.cos(angle), np.sin(angle)])
    direction = rng.normal(size=d)
    return np.asarray(direction / np.linalg.norm(direction))


def _exact(X: Floats, mean: Floats, S: Floats) -> PcaState:
    return _state(X, mean, S, np.linalg.eigh(S)[1][:, -1])


def _state(X: Floats, mean: Floats, S: Floats, first: Floats) -> PcaState:
    axes = principal_axes(S, first)
    variances = np.maximum(np.einsum("ki,ij,kj->k", axes, S, axes), 0.0)
    loss = float(variances[1:].sum()) * max(len(X) - 1, 1)
    return PcaState(X=X, mean=mean, axes=axes, variances=variances, loss=loss)


def _summary(state: PcaState) -> str:
    ratio = state.explained_variance_ratio[0]
    return f"the first axis explains {ratio:.2%} of the variance, reconstruction error {state.loss:.4g}"
