"""Views: a state on a section of its input space, with everything that depends on the canvas.

A state names a view of its own by `plane_view_class` or `curve_view_class`; the views here evaluate any
state point by point, so that a state that only predicts can be drawn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from vizml.data import Dataset
from vizml.data.params import Value
from vizml.field import Field, Raster, pointwise
from vizml.field.arrays import Floats, Ints
from vizml.field.raster import Section
from vizml.learn.task import cell_jitter
from vizml.scene import Ink, Lens, Mark, Ordinate, Rings, Segments, TextLabels
from vizml.scene.marks import upright_ends

if TYPE_CHECKING:
    from vizml.learn.fitted_regressor import FittedRegressor
    from vizml.learn.state import Regressor, State

MENTIONED = 10.0
"""Radius in pixels of the ring around a point that a note mentions."""
RING = (4.5, 14.0)
"""Radii in pixels of the rings around points without a residual and with the largest one."""
S = TypeVar("S", bound="State")
R = TypeVar("R", bound="Regressor")
F = TypeVar("F", bound="FittedRegressor")


@dataclass(frozen=True, eq=False)
class Focus:
    """Marks of a node of the diagram on the canvas, or a lens that replaces the regions."""

    marks: tuple[Mark, ...] = ()
    lens: Lens | None = None


@dataclass(frozen=True)
class Anchor:
    """A part of a state that can be dragged; training continues from where it is dropped."""

    name: str
    at: tuple[float, float]
    ink: Ink = "accent"


@dataclass(frozen=True, eq=False)
class View(ABC, Generic[S]):
    """A state on a section; everything is in the coordinates of the section."""

    state: S
    section: Section

    @property
    def row_points(self) -> Floats:
        """The coordinates (n, k) of the training rows, within cells of categories as points are drawn."""
        rows = self.state.trained_on
        points = self.section.project(rows.X)[0].copy()
        shown = self.section.axes if any(rows.categories) else None
        for axis, column in enumerate(shown or ()):
            if rows.categories[column] and rows.ids is not None:
                points[:, axis] += cell_jitter(rows.ids, axis)
        return points

    @abstractmethod
    def field(self, raster: Raster) -> Field:
        """Return the values (K, H, W) at the pixel centres of a raster."""

    def marks(self) -> tuple[Mark, ...]:
        """Return the marks that are drawn over the field."""
        return self.whole_marks() if self.section.whole else ()

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        """Return the marks for the pointer at a point (2,): neighbours, paths, circles."""
        return self.whole_probe(point) if self.section.whole else ()

    @property
    def has_probe(self) -> bool:
        """Whether there can be marks for the pointer."""
        kind = type(self)
        return kind.probe is not View.probe or kind.whole_probe is not View.whole_probe

    def focus(self, node: str) -> Focus:
        """Return the marks or the lens of a node of the diagram."""
        return self.whole_focus(node) if self.section.whole else Focus()

    def anchors(self) -> tuple[Anchor, ...]:
        """Return the parts that can be dragged, with distinct names."""
        return self.whole_anchors() if self.section.whole else ()

    def moved(self, anchor: str, at: Floats) -> Mapping[str, Value]:
        """Return the parameters under which training continues with an anchor put at (2,)."""
        raise KeyError(anchor)

    def trail(self, point: Floats) -> tuple[str, ...]:
        """Return the nodes of the diagram that a point (2,) belongs to."""
        return ()

    def lenses(self) -> tuple[Lens, ...]:
        """Return other quantities to show in place of the regions: uncertainty, a neuron, a density."""
        return ()

    # -- the same for views that draw them only where the section is the whole input space --

    def whole_marks(self) -> tuple[Mark, ...]:
        return ()

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return ()

    def whole_focus(self, node: str) -> Focus:
        return Focus()

    def whole_anchors(self) -> tuple[Anchor, ...]:
        return ()


class PlaneView(View[S]):
    """A state over two axes: regions, densities, maps."""

    def field(self, raster: Raster) -> Field:
        return pointwise(self._values, raster, self.state.plane_count)

    def edges(self) -> tuple[Floats, Floats] | None:
        """Return the rising x and y at which the field jumps, where it is constant on boxes between them."""
        return None

    def _values(self, points: Floats) -> Floats:
        return self.state.plane_values(self.section.lift(points))


class CurveView(View[R]):
    """A regression on one input: the input on the horizontal axis, the target on the vertical one."""

    def curve(self, x: Floats) -> Floats:
        """Return the prediction at each x (m,)."""
        return np.asarray(self.state.predict(self.section.lift(x[:, None])), dtype=np.float64)

    def band(self, x: Floats) -> tuple[Floats, Floats, Floats] | None:
        """Return mean, low and high at each x (m,), where the state knows its uncertainty."""
        return self.state.band(x if self.section.whole else self.section.lift(x[:, None]))

    def field(self, raster: Raster) -> Field:
        out = np.empty((1, *raster.shape), dtype=np.float32)
        out[:] = self.curve(raster.x)
        return out


class FittedCurveView(CurveView[F]):
    """A regression on one input with the residuals of its training points."""

    def whole_marks(self) -> tuple[Mark, ...]:
        return residual_lines(self, self.state)


class FittedMapView(PlaneView[F]):
    """A regression over two inputs with the residuals of its training points, projected onto the section."""

    def marks(self) -> tuple[Mark, ...]:
        return residual_rings(self, self.state)


def residual_lines(
    view: CurveView[Any], fitted: FittedRegressor, rows: slice = slice(None)
) -> tuple[Mark, ...]:
    """Return the vertical lines from each point to its fitted value."""
    if not len(fitted.residuals):
        return ()
    x, y = view.row_points[rows, 0], fitted.y[rows]
    ends = np.stack([x, y, x, fitted.fitted[rows]], axis=1).reshape(-1, 2, 2)
    return (Segments(layer="Residuals", ends=ends, ink="muted", opacity=0.6, legend="residual"),)


def residual_rings(view: PlaneView[Any], fitted: FittedRegressor) -> tuple[Mark, ...]:
    """Return a ring around each point, the larger the residual is."""
    sizes = np.abs(fitted.residuals)
    if not len(sizes):
        return ()
    largest, seen = float(sizes.max()), sizes > 0
    radii = RING[0] + (RING[1] - RING[0]) * sizes[seen] / (largest or 1.0)
    return (
        Rings(
            layer="Residuals", points=view.row_points[seen], radii=radii, opacity=0.7, width=1.0,
            legend=f"|residual| ≤ {largest:.3g}",
        ),
    )  # fmt: skip


class LineView(View[S]):
    """A state over one axis: curves over the input, drawn between the heights 0 and 1 of the canvas."""

    filled: ClassVar[bool] = False
    """Whether the area below the curve is filled, in place of regions."""

    @property
    def inks(self) -> tuple[Ink, ...]:
        """The ink of each curve."""
        return ("accent",)

    def ordinate(self, data: Dataset) -> Ordinate:
        """Return the vertical axis of the curves of a state trained on a data set."""
        del data
        return Ordinate("prediction")

    def bars(self, ordinate: Ordinate) -> tuple[Mark, ...]:
        """Return marks with heights on the vertical axis, which another quantity on this axis replaces."""
        return ()

    def heights(self, x: Floats, ordinate: Ordinate) -> Floats:
        """Return the heights (m, K) of the curves at each x (m,)."""
        return ordinate.height(self.curves(x))

    def curves(self, x: Floats) -> Floats:
        """Return the values (m, K) that the state gives at each x (m,)."""
        return self.state.plane_values(self.section.lift(x[:, None]))

    @property
    def places(self) -> Floats:
        """The places (n, 2) of the training rows on the canvas: input, and height of the class."""
        rows = self.state.trained_on
        return np.column_stack([self.row_points[:, 0], self.state.task.heights(rows)])

    def uprights(self, points: Floats, layer: str, legend: str, inks: Sequence[Ink]) -> tuple[Mark, ...]:
        """Return vertical lines through points (k, d) of the input space, each in its ink."""
        x = self.section.project(points)[0][:, 0]
        return tuple(
            Segments(
                layer=layer, ends=upright_ends(x[k : k + 1]), ink=ink, width=1.5, stroke="dash",
                legend="" if k else legend,
            )
            for k, ink in enumerate(inks)
        )  # fmt: skip

    def field(self, raster: Raster) -> Field:
        curves = np.asarray(self.curves(raster.x), dtype=np.float32).T
        return np.ascontiguousarray(np.broadcast_to(curves[:, None, :], (len(curves), *raster.shape)))


def calculation_labels(view: View[Any], point: Floats) -> tuple[Mark, ...]:
    """Return the calculation of the prediction at a point (2,) as text beside it, where the state has one."""
    inputs = view.section.lift(point[None, : view.section.dimensions])[0]
    text = "\n".join(view.state.calculation(inputs))
    return (TextLabels(layer="Calculation", points=point[None], texts=(text,)),) if text else ()


def numbered_rings(points: Floats, numbers: Ints, layer: str, legend: str) -> tuple[Mark, ...]:
    """Return rings around points that a note mentions, with their numbers beside them."""
    radii = np.full(len(points), MENTIONED)
    texts = tuple(str(number) for number in numbers.tolist())
    return (
        Rings(layer=layer, points=points, radii=radii, ink="accent", width=2.5, legend=legend),
        TextLabels(layer=layer, points=points, texts=texts),
    )
