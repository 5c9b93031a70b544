"""Coded inputs for any model: standardised to z = (x - mean) / standard deviation, or one-hot categories.

The model is trained on coded inputs. Its states are wrapped, so that predictions take x, and fields, marks
and anchors are in data units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from vizml.data.params import Value
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Plane
from vizml.field.raster import Section
from vizml.learn.fitted_regressor import FittedRegressor
from vizml.learn.learned import LeafRule, Learned, PointValues
from vizml.learn.line_views import ClassLineView, ClusterLineView, DensityLineView
from vizml.learn.scaling import InputCoding
from vizml.learn.state import Classifier, Clusterer, Density, Regressor, State
from vizml.learn.training_data import LARGEST, TrainingData
from vizml.learn.view import Anchor, CurveView, Focus, PlaneView, View, residual_lines, residual_rings
from vizml.scene import Chart, CurveLens, Diagram, Lens, Mark
from vizml.scene.marks import Rescaling


class _WithInner(View[Any]):
    """A view of a coded state on a section along axes, with marks of the view of the inner state."""

    @property
    def inner(self) -> View[Any]:
        """The view of the inner state."""
        coding = self.state.coding
        held, axes = coding.transform(self.section.origin[None])[0], list(self.section.axes or ())
        found: View[Any] = self.state.inner.on(Section.along(coding.starts[axes].tolist(), held))
        return found

    @property
    def rescaling(self) -> Rescaling:
        """Conversion between the coordinates of the inner view and data units."""
        offset, scale, shown = np.zeros(2), np.ones(2), list(self.section.axes or ())
        z, k = self.state.coding, len(shown)
        offset[:k], scale[:k] = z.centre[shown], z.spread[shown]
        return Rescaling(offset, scale)

    def marks(self) -> tuple[Mark, ...]:
        if not self.state.keeps_axes(self.section):
            return ()
        return tuple(map(self.rescaling.mark, self.inner.marks()))

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        if not self.state.keeps_axes(self.section):
            return ()
        rescaling = self.rescaling
        return tuple(map(rescaling.mark, self.inner.probe(rescaling.inside(point))))


class CodedClassLineView(_WithInner, ClassLineView[Any]):
    """Curves of the classes of a coded state over one axis."""

    def lenses(self) -> tuple[Lens, ...]:
        """Return the lenses of the inner view in data units; densities are per unit of the data."""
        if not self.state.keeps_axes(self.section):
            return super().lenses()
        return tuple(self._lens(lens) for lens in self.inner.lenses() if isinstance(lens, CurveLens))

    def _lens(self, lens: CurveLens) -> Lens:
        unit = float(self.state.coding.spread.prod()) if lens.density else 1.0
        (offset, _), (scale, _) = self.rescaling.offset, self.rescaling.scale

        def curves(x: Floats) -> Floats:
            return lens.curves((x - offset) / scale) / unit

        return replace(lens, curves=curves, low=lens.low / unit, high=lens.high / unit)


class CodedClusterLineView(_WithInner, ClusterLineView[Any]):
    """Curves of the clusters of a coded state over one axis."""


class CodedDensityLineView(_WithInner, DensityLineView[Any]):
    """The density of a coded state over one axis."""


class _RescaledView(_WithInner):
    """The view of the inner state on a section along axes, in data units."""

    def field(self, raster: Raster) -> Field:
        found: Field = self.state.in_data_units(self.inner.field(self.rescaling.raster(raster)))
        return found

    def focus(self, node: str) -> Focus:
        found = self.inner.focus(node)
        lens = None if found.lens is None else self._lens(found.lens)
        return Focus(tuple(map(self.rescaling.mark, found.marks)), lens)

    def trail(self, point: Floats) -> tuple[str, ...]:
        return self.inner.trail(self.rescaling.inside(point))

    def lenses(self) -> tuple[Lens, ...]:
        return tuple(map(self._lens, self.inner.lenses()))

    def anchors(self) -> tuple[Anchor, ...]:
        outside = self.rescaling.outside
        return tuple(
            replace(anchor, at=tuple(outside(np.array(anchor.at)).tolist()))
            for anchor in self.inner.anchors()
        )

    def moved(self, anchor: str, at: Floats) -> Mapping[str, Value]:
        return self.inner.moved(anchor, self.rescaling.inside(at))

    def _lens(self, lens: Lens) -> Lens:
        def plane(raster: Raster) -> Plane:
            return lens.plane(self.rescaling.raster(raster))

        return replace(lens, plane=plane)


@dataclass(frozen=True, eq=False)
class StandardisedPlaneView(_RescaledView, PlaneView[Any]):
    """A plane view of a state on standardised inputs, or along numbers beside one-hot categories."""


@dataclass(frozen=True, eq=False)
class CellView(PlaneView[Any]):
    """A plane view that evaluates each category on an axis once: values between codes are the same."""

    def field(self, raster: Raster) -> Field:
        (x, columns), (y, rows) = self._distinct(0, raster.x), self._distinct(1, raster.y)
        return super().field(Raster(x, y)).take(columns, axis=2).take(rows, axis=1)

    def marks(self) -> tuple[Mark, ...]:
        inner = self.state.inner
        return residual_rings(self, inner) if isinstance(inner, FittedRegressor) else ()

    def _distinct(self, axis: int, values: Floats) -> tuple[Floats, Ints]:
        """Return the different values along an axis, and the position of each value among them."""
        axes = self.section.axes
        if axes is None or self.state.coding.is_number(axes[axis]):
            return values, np.arange(len(values))
        return np.unique(np.rint(values), return_inverse=True)


@dataclass(frozen=True, eq=False)
class ScaledPlaneView(CellView):
    """An oblique plane along numbers: in coded inputs, one whose directions may not be orthogonal."""

    def field(self, raster: Raster) -> Field:
        coding, shown = self.state.coding, self.section.basis.any(axis=0)
        origin = coding.transform(self.section.origin[None])[0]
        basis = np.zeros((2, len(origin)))
        basis[:, coding.starts[shown]] = self.section.basis[:, shown] / coding.spread[shown]
        lengths = np.linalg.norm(basis, axis=1)
        inner = self.state.inner.on(Section(origin, basis / lengths[:, None]))
        found = inner.field(Rescaling(np.zeros(2), 1.0 / lengths).raster(raster))
        return np.asarray(self.state.in_data_units(found))


class CategoryCurveView(CurveView[Any]):
    """Predictions for the categories of the only input, with the residuals."""

    def whole_marks(self) -> tuple[Mark, ...]:
        inner = self.state.inner
        return residual_lines(self, inner) if isinstance(inner, FittedRegressor) else ()


@dataclass(frozen=True, eq=False)
class StandardisedCurveView(_RescaledView, CurveView[Any]):
    """A curve view of a state on standardised inputs."""

    def field(self, raster: Raster) -> Field:
        return CurveView.field(self, raster)


@dataclass(frozen=True, eq=False, kw_only=True)
class CodedState(State):
    """A state of a model that was trained on coded inputs."""

    inner: State
    coding: InputCoding

    def _inside(self, X: ArrayLike) -> Floats:
        """Return coded inputs, as large ones as a state takes."""
        return np.clip(self.coding.transform(self.space.matrix(X)), -LARGEST, LARGEST)

    def in_data_units(self, found: Field) -> Field:
        """Return the field of a view of the inner state as that of this one."""
        return found

    @property
    def shading(self) -> Any:
        return self.inner.shading

    def calculation(self, x: Floats) -> tuple[str, ...]:
        return self.inner.calculation(self._inside(x[None])[0])

    def kernel_matrix(self, X: Floats) -> Floats | None:
        return self.inner.kernel_matrix(self._inside(X))

    def metrics(self) -> Mapping[str, float]:
        return self.inner.metrics()

    def learned(self) -> Learned:
        """The parameters for coded inputs, and the means and standard deviations of the coding."""
        return {**self.inner.learned(), **self.coding.learned()}

    def rules(self) -> tuple[LeafRule, ...]:
        return self.inner.rules()

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        return (
            {**self.inner.learned_axes(), **super().learned_axes()}
            if self.coding.affine
            else self.inner.learned_axes()
        )

    def row_values(self, data: TrainingData) -> PointValues:
        return self.inner.row_values(coded_data(data, self.coding))

    def back_values(self, row: int | None = None) -> tuple[str, ...]:
        return self.inner.back_values(row)

    def sample_gradients(self) -> Floats | None:
        return self.inner.sample_gradients()

    def training_values(self) -> PointValues:
        return self.inner.training_values()

    def charts(self) -> tuple[Chart, ...]:
        return self.inner.charts()

    def charts_on(self, held: TrainingData) -> tuple[Chart, ...]:
        return self.inner.charts_on(coded_data(held, self.coding))

    @property
    def has_diagram(self) -> bool:
        return self.inner.has_diagram

    def diagram(self) -> Diagram | None:
        return self.inner.diagram()

    def plane_view(self, section: Section) -> PlaneView[Any]:
        if self.keeps_axes(section):
            return StandardisedPlaneView(self, section)
        shown = np.flatnonzero(section.basis.any(axis=0)).tolist()
        return (ScaledPlaneView if all(map(self.coding.is_number, shown)) else CellView)(self, section)

    def keeps_axes(self, section: Section) -> bool:
        """Whether a section has orthogonal coordinates in the coded inputs as well."""
        return section.axes is not None and all(map(self.coding.is_number, section.axes))


@dataclass(frozen=True, eq=False, kw_only=True)
class CodedClassifier(CodedState, Classifier):
    """A classifier on coded inputs."""

    line_view_class = CodedClassLineView
    inner: Classifier
    scale = property(lambda self: self.inner.scale)

    def scores(self, X: ArrayLike) -> Floats:
        return self.inner.scores(self._inside(X))

    def coded(self, X: ArrayLike) -> Ints:
        return self.inner.coded(self._inside(X))


@dataclass(frozen=True, eq=False, kw_only=True)
class CodedClusterer(CodedState, Clusterer):
    """A clustering of coded inputs."""

    line_view_class = CodedClusterLineView
    inner: Clusterer
    scale = property(lambda self: self.inner.scale)
    floor = property(lambda self: self.inner.floor)
    groups = property(lambda self: self.inner.groups)
    assigned = property(lambda self: self.inner.assigned)
    outside = property(lambda self: self.inner.outside)

    def description(self, x: Floats) -> str:
        return self.inner.description(self._inside(x[None])[0])

    def scores(self, X: ArrayLike) -> Floats:
        return self.inner.scores(self._inside(X))

    def predict(self, X: ArrayLike) -> Ints:
        return self.inner.predict(self._inside(X))


@dataclass(frozen=True, eq=False, kw_only=True)
class CodedDensity(CodedState, Density):
    """A density of coded inputs, per unit of the data: p(x) = p(z) / prod(spread)."""

    line_view_class = CodedDensityLineView
    inner: Density

    def log_density(self, X: ArrayLike) -> Floats:
        return np.asarray(self.inner.log_density(self._inside(X)) - np.log(self.coding.spread).sum())

    def in_data_units(self, found: Field) -> Field:
        return found - np.float32(np.log(self.coding.spread).sum())


@dataclass(frozen=True, eq=False, kw_only=True)
class CodedRegressor(CodedState, Regressor):
    """A regression on coded inputs."""

    inner: Regressor
    band_name = property(lambda self: self.inner.band_name)

    @property
    def equation(self) -> str:
        """The formula on indicators of categories; a formula in standard deviations is not one in x."""
        return "" if self.coding.affine else self.inner.equation

    def expected(self, X: Floats) -> Floats:
        return self.inner.expected(self._inside(X))

    def interval(self, X: Floats) -> tuple[Floats, Floats, Floats] | None:
        return self.inner.interval(self._inside(X))

    def line_view(self, section: Section) -> View[Any]:
        return (StandardisedCurveView if self.keeps_axes(section) else CategoryCurveView)(self, section)


def coded_data(data: TrainingData, coding: InputCoding) -> TrainingData:
    """Return training data with coded inputs, which are no codes of categories after one-hot coding."""
    columns, categories = coding.columns(data.columns), data.categories if coding.affine else ()
    return replace(data, X=coding.transform(data.X), columns=columns, categories=categories)


def with_coding(state: State, coding: InputCoding) -> State:
    """Return a state that takes inputs in data units, of one that was trained on coded inputs."""
    kinds = (
        (Classifier, CodedClassifier), (Clusterer, CodedClusterer), (Density, CodedDensity),
        (Regressor, CodedRegressor),
    )  # fmt: skip
    kind: Any = next(wrapper for base, wrapper in kinds if isinstance(state, base))
    shared = {f.name for f in fields(kind)} - {"inner", "coding", "space", "note"}
    known = {name: getattr(state, name) for name in shared}
    return kind(inner=state, coding=coding, note=lambda _: state.note, **known)  # type: ignore[no-any-return]
