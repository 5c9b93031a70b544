"""Principal components: the axis with the least sum of squared distances to it, and the one across.

It is the first eigenvector of the covariance S; v <- S v / |S v| turns any direction towards it.
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
from vizml.field.linear import affine_field
from vizml.learn import CLUSTER, Clusterer, Model, register
from vizml.learn.frame import Frame
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Dots, Lens, Mark, Path, Segments, Series, Words
from vizml.scene.lens import Plane

TURNS = 40
"""Two variances that are nearly equal let the axis turn for long; then it is solved for."""
STILL = 1e-7
FRAMES = 16
"""Moments of the projection."""
AXES, PROJECTED, LOST, LINE = "Principal axes", "Projected points", "Distances", "First axis"


@dataclass(frozen=True, eq=False, kw_only=True)
class Projection(Clusterer):
    """Places have a coordinate along each axis; there are no groups."""

    points: Floats
    frame: Frame
    axes: Floats
    """Unit vectors as rows (2, 2), the first axis first."""
    variances: Floats
    """Along the axes, in the frame, with 1 / (n - 1)."""
    share: float = 0.0
    """How far the points have come on their way to the first axis."""
    clusters: int = 1
    groups: ClassVar[bool] = False

    @property
    def assigned(self) -> Ints:
        return np.zeros(len(self.points), dtype=np.int64)

    @property
    def mean(self) -> Floats:
        """Where the axes meet."""
        return self.frame.centre

    @property
    def explained(self) -> Floats:
        """The share of the variance along each axis."""
        total = float(self.variances.sum())
        return self.variances / total if total > 0 else np.array([1.0, 0.0])

    def scores(self, X: ArrayLike) -> Floats:
        """The coordinate along the first axis."""
        return self.transform(X)[:, :1]

    def transform(self, X: ArrayLike) -> Floats:
        """The coordinates (n, 2) along both axes."""
        apart: Floats = np.asarray(X, dtype=np.float64) - self.mean
        return apart @ self.axes.T

    def field(self, raster: Raster) -> Field:
        return affine_field(self.axes[:1], np.zeros(1), raster, self.mean)

    def marks(self) -> tuple[Mark, ...]:
        deviations = np.sqrt(self.variances) * self.frame.spread
        ends = self.mean + 2 * deviations[:, None, None] * np.stack([-self.axes, self.axes], axis=1)
        far = 1e3 * self.frame.spread * self.axes[0]
        line = np.stack([self.mean - far, self.mean + far])
        labels = tuple(f"{share:.1%}" for share in self.explained)
        axes: tuple[Mark, ...] = (
            Path(layer=LINE, lines=(line,), ink="muted", stroke="dash", width=1.0),
            Segments(layer=AXES, ends=ends, ink="accent", width=2.5, legend="two deviations along an axis"),
            Words(layer=AXES, points=ends[:, 1], texts=labels),
        )
        if not self.share:
            return axes
        feet = self.mean + np.outer(self.transform(self.points)[:, 0], self.axes[0])
        here = self.points + self.share * (feet - self.points)
        ways = Segments(layer=LOST, ends=np.stack([self.points, here], axis=1), ink="muted", width=0.8)
        return (ways, *axes, Dots(layer=PROJECTED, points=here, size=7.0, shape="circle", ink="accent"))

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        first, second = self.transform(point[None])[0]
        foot = self.mean + first * self.axes[0]
        return (
            Segments(layer="Coordinates", ends=np.array([[point, foot], [foot, self.mean]]), ink="accent"),
            Words(layer="Coordinates", points=point[None], texts=(f"({first:.3g}, {second:.3g})",)),
        )

    def lenses(self) -> tuple[Lens, ...]:
        return tuple(
            Lens(name=name, plane=partial(self._along, k), low=-reach, high=reach, diverging=True)
            for k, (name, reach) in enumerate(zip(("First component", "Second component"), self._reaches()))
        )

    def charts(self) -> tuple[Chart, ...]:
        k = np.array([1.0, 2.0])
        return (
            Chart(
                title="Explained variance",
                x=Axis(title="axis", ticks={1.0: "first", 2.0: "second"}),
                y=Axis(title="share of the variance", low=0.0, high=1.0),
                series=(
                    Series(name="each", x=k, y=self.explained, kind="bars"),
                    Series(name="together", x=k, y=np.cumsum(self.explained), ink="muted"),
                ),
            ),
        )

    def metrics(self) -> Mapping[str, float]:
        first, second = self.variances * self.frame.spread**2
        return {
            "explained by the first axis": float(self.explained[0]),
            "variance along the first": float(first),
            "variance along the second": float(second),
            "angle": float(np.degrees(np.arctan2(self.axes[0, 1], self.axes[0, 0]))),
        }

    def _along(self, k: int, raster: Raster) -> Plane:
        plane: Plane = affine_field(self.axes[k : k + 1], np.zeros(1), raster, self.mean)[0]
        return plane

    def _reaches(self) -> list[float]:
        reaches: list[float] = (3 * np.sqrt(self.variances) * self.frame.spread).tolist()
        return [reach or self.frame.spread for reach in reaches]


@register(
    "pca",
    task=CLUSTER,
    family="Projections",
    title="Principal components",
    about="Finds the axis along which points vary most, and drops them onto it.",
    formula=(
        r"S = \frac{1}{n - 1} \sum_{i} (x_i - \mu)(x_i - \mu)^{\top}",
        r"S v_1 = \lambda_1 v_1, \quad v \leftarrow \frac{S v}{\| S v \|}",
    ),
)
@dataclass(frozen=True)
class PrincipalComponents(Model):
    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Projection]:
        frame = Frame.of(data.points)
        inside = frame.inside(data.points)
        spread = inside.T @ inside / max(len(inside) - 1, 1)
        angle = rng.uniform(0.0, np.pi)
        first = np.array([np.cos(angle), np.sin(angle)])
        state = _moment(data.points, frame, spread, first)
        x, y = frame.centre
        yield replace(state, note=f"start: mean ({x:.4g}, {y:.4g}), an axis at {np.degrees(angle):.3g}°")
        for turn in range(1, TURNS + 1):
            ahead = spread @ first
            length = float(np.hypot(*ahead))
            if not length > 0:
                break
            turned = float(np.hypot(*(ahead / length - first)))
            first = ahead / length
            state = _moment(data.points, frame, spread, first)
            yield replace(state, note=f"turn {turn}: by {np.degrees(turned):.3g}°, {_told(state)}")
            if turned < STILL:
                break
        vectors = np.linalg.eigh(spread)[1]
        state = _moment(data.points, frame, spread, vectors[:, 1])
        for number in range(FRAMES + 1):
            share = number / FRAMES
            note = (
                _told(state)
                if number in (0, FRAMES)
                else f"points drop onto the first axis, {share:.0%} of the way"
            )
            yield replace(state, share=share, note=note, progress=share)


def _moment(points: Floats, frame: Frame, spread: Floats, first: Floats) -> Projection:
    """With an axis, the larger component of which is made positive."""
    sign = 1.0 if first[int(np.abs(first).argmax())] > 0 else -1.0
    v = sign * first
    across = np.array([-v[1], v[0]])
    across *= np.sign(across[int(np.abs(across).argmax())])
    axes = np.stack([v, across])
    variances = np.maximum(np.einsum("ki,ij,kj->k", axes, spread, axes), 0.0)
    n = len(points)
    lost = float(variances[1]) * max(n - 1, 1) * frame.spread**2
    return Projection(points=points, frame=frame, axes=axes, variances=variances, loss=lost)


def _told(state: Projection) -> str:
    share, S = state.explained[0], state.loss
    return f"the first axis explains {share:.2%} of the variance, squared distances to it {S:.4g}"
