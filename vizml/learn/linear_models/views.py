"""Views of linear models: planes by one outer sum for each class, and curves with their basis functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.polynomial import affine_field, affine_plane, opposed_field, polynomial_plane
from vizml.field.section import Section
from vizml.learn.linear_models.basis import PolynomialFeatures
from vizml.learn.view import FittedCurveView, PlaneView
from vizml.scene import Curves, FunctionBand, Lens, Levels, Mark, Rings

if TYPE_CHECKING:
    from vizml.learn.linear_models.basis_regression import BasisRegressionState
    from vizml.learn.linear_models.bayesian_regression import BayesianRegressionState  # noqa: F401
    from vizml.learn.linear_models.least_squares import LeastSquaresState  # noqa: F401
    from vizml.learn.linear_models.logistic import LogisticState  # noqa: F401
    from vizml.learn.linear_models.perceptron import PerceptronState  # noqa: F401

B = TypeVar("B", bound="BasisRegressionState")
BAND = 96
"""Rows of a field at a time, where there are many pairs of classes."""
SMALLEST, LARGEST = 5.0, 12.0
"""Radii in pixels of the rings around points with the least and the greatest alpha."""


def on_section(w: Floats, b: Floats, centre: Floats, section: Section) -> tuple[Floats, Floats, Floats]:
    """Return w (K, 2), b (K,) and the centre (2,) on a plane of functions w.(x - centre) + b of d inputs."""
    at = section.basis @ (centre - section.origin)
    return w @ section.basis.T, b + w @ (section.lift(at[None])[0] - centre), at


def polynomial_plane_of(features: PolynomialFeatures, weights: Floats, raster: Raster, out: Field) -> None:
    """Write the weighted sum of 1 and polynomial features of two inputs into a plane (H, W)."""
    table = np.zeros((features.degree + 1, features.degree + 1))
    for weight, exponents in zip(weights, features.exponents):
        table[exponents] = weight
    polynomial_plane(table, raster, out, features.centre, features.scale)


class LogisticView(PlaneView["LogisticState"]):
    """Logits: affine on every section, polynomial where the section is the input space."""

    def field(self, raster: Raster) -> Field:
        state = self.state
        features = state.features
        if features.degree > 1 and not self.section.whole:
            return super().field(raster)
        # pages of zeros cost nothing until they are written to
        out = np.zeros((state.plane_count, *raster.shape), dtype=np.float32)
        w, b, centre = on_section(
            state.weights[:, 1 : 1 + len(features.scale)] / features.scale,
            state.weights[:, 0], features.centre, self.section,
        )  # fmt: skip
        for k, plane in enumerate(out[-len(b) :]):
            if features.degree == 1:
                affine_plane(w[k], float(b[k]), raster, plane, centre)
            else:
                polynomial_plane_of(features, state.weights[k], raster, plane)
        return out


class LeastSquaresView(PlaneView["LeastSquaresState"]):
    """Fitted codes as affine planes, with lines where they meet the codes."""

    def field(self, raster: Raster) -> Field:
        w, b, centre = self._planes()
        if self.state.ordinal:
            codes = np.array(self.state.code_values)
            w, b = 2.0 * codes[:, None] * w, 2.0 * codes * b - codes**2
        return affine_field(w, b, raster, centre)

    def marks(self) -> tuple[Mark, ...]:
        state, classes = self.state, self.state.classes.tolist()
        if state.ordinal:
            values = tuple(2.0 * code - 1.0 for code in state.code_values)  # plane 0 holds 2 f - 1
            return (Levels(layer="Codes", plane=0, values=values, stroke="dash", legend="fitted code"),)
        planes = [(1, "text")] if len(classes) == 2 else list(enumerate(classes))
        return tuple(
            Levels(
                layer="Codes", plane=plane, values=(0.0, 1.0), stroke="dash", width=1.0, ink=ink,
                legend="" if i else "fitted 0 and 1",
            )
            for i, (plane, ink) in enumerate(planes)
        )  # fmt: skip

    def lenses(self) -> tuple[Lens, ...]:
        state, codes = self.state, self.state.code_values
        values = state.fitted_samples
        low, high = min(float(values.min()), codes[0]), max(float(values.max()), codes[-1])
        levels = tuple(codes) if state.ordinal else (0.0, 0.5, 1.0)
        names = ["Fitted code"] if state.ordinal else [f"Fitted value of {name}" for name in state.names]
        w, b, centre = self._planes()

        def lens(row: int, name: str) -> Lens:
            own = slice(row, row + 1)
            return Lens(
                name=name, plane=lambda raster: affine_field(w[own], b[own], raster, centre)[0],
                low=low, high=high, levels=levels,
            )  # fmt: skip

        return tuple(lens(row, name) for row, name in enumerate(names))

    def _planes(self) -> tuple[Floats, Floats, Floats]:
        weights, scaling = self.state.weights, self.state.scaling
        return on_section(weights[:, 1:] / scaling.scale, weights[:, 0], scaling.centre, self.section)


class PerceptronView(PlaneView["PerceptronState"]):
    """Lines as affine planes, the latest mistake and the dual coefficients as rings."""

    def field(self, raster: Raster) -> Field:
        state = self.state
        weights, scaling = state.weights, state.scaling
        w, b, centre = on_section(
            weights[:, :-1] / scaling.scale, weights[:, -1], scaling.centre, self.section
        )
        if len(state.classes) == 2:
            return opposed_field(w[0], float(b[0]), raster, centre)
        out = np.empty((len(state.classes), *raster.shape), dtype=np.float32)
        for rows, band in raster.bands(BAND):
            out[:, rows] = state.class_scores(affine_field(w, b, band, centre))
        return out

    def marks(self) -> tuple[Mark, ...]:
        state, line = self.state, self.state.lines[-1]
        points, _ = self.section.project(state.data.X[line.run.rows])
        marks: list[Mark] = []
        if state.dual:
            alpha = line.alpha
            positive = alpha > 0
            size = np.sqrt(alpha[positive] / max(float(alpha.max()), 1e-300))
            radii = SMALLEST + (LARGEST - SMALLEST) * size
            marks.append(
                Rings(layer="Alphas", points=points[positive], ink="muted", radii=radii, legend="alpha")
            )
        if (delta := line.run.rule.delta) and len(state.classes) == 2:
            marks.append(Levels(layer="Margin", plane=1, values=(-delta, delta), stroke="dash", legend="±δ"))
        if line.mistakes and not line.ended:
            marks.append(
                Rings(
                    layer="Mistake", points=points[line.sample][None], radii=np.array([10.0]), ink="accent",
                    width=2.5, legend="latest mistake",
                )
            )  # fmt: skip
        return tuple(marks)


class BasisCurveView(FittedCurveView[B]):
    """The fitted curve, the basis functions that add up to it, and the residuals."""

    def marks(self) -> tuple[Mark, ...]:
        functions = Curves(
            layer="Basis functions", values=self._parts, ink="accent", opacity=0.35,
            legend="basis function × its weight", off_by_default=True,
        )  # fmt: skip
        return (functions, *super().marks())

    def _parts(self, x: Floats) -> Floats:
        """Return each basis function times its weight: their sum is the fitted curve."""
        some = np.flatnonzero(self.state.weights)
        design = self.state.basis.design(self.section.lift(x[:, None]))
        return np.asarray((design[:, some] * self.state.weights[some]).T)


class BayesianCurveView(BasisCurveView["BayesianRegressionState"]):
    """The credible band of the mean, curves drawn from the posterior, and the samples so far."""

    def marks(self) -> tuple[Mark, ...]:
        return (
            FunctionBand(
                layer="Credible band", edges=self.credible_band, ink="accent", opacity=0.25,
                legend="95 % band of the mean",
            ),
            Curves(
                layer="Samples", values=self.samples, ink="accent", opacity=0.4, legend="posterior sample"
            ),
            *super().marks(),
        )  # fmt: skip

    def credible_band(self, x: Floats) -> tuple[Floats, Floats]:
        """Return two standard deviations of the mean to each side at x (m,)."""
        return self.state.credible_interval(self.section.lift(x[:, None]))

    def samples(self, x: Floats) -> Floats:
        """Return curves (s, m) drawn from the posterior at x (m,)."""
        return self.state.samples(self.section.lift(x[:, None]))

    def whole_marks(self) -> tuple[Mark, ...]:
        """Return the residuals of the points so far, and a ring around the newest while there are more."""
        state, seen = self.state, self.state.posterior.seen
        newest = slice(seen - 1, seen) if 0 < seen < len(state.y) else slice(0)
        points = np.column_stack([state.X[newest, 0], state.y[newest]])
        radii = np.full(len(points), 9.0)
        ring = Rings(layer="Newest point", points=points, radii=radii, legend="newest point")
        return (self.residual_lines(slice(seen)), ring)
