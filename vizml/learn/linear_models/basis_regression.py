"""Regression on basis functions, y = sum_j w_j phi_j(x): shared state, parameters and goodness of fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.polynomial import polynomial_through
from vizml.learn import CannotLearn, Model, choice, flag, integer
from vizml.learn.fitted_regressor import FittedRegressor
from vizml.learn.formatting import explained_share
from vizml.learn.learned import Learned, PointValues
from vizml.learn.linear_models.basis import KINDS, LABELS, AdditiveBasis, Basis, basis_over
from vizml.learn.linear_models.inference import HatMatrix
from vizml.learn.linear_models.reports import equation
from vizml.learn.linear_models.standardised import StandardisedProblem
from vizml.learn.training_data import TrainingData
from vizml.learn.view import CurveView, FittedCurveView, FittedMapView
from vizml.scene import Curves, Mark
from vizml.scene.typesetting import without_rounding

B = TypeVar("B", bound="BasisRegressionState")

PERFECT = 1e-24
"""A mean squared error below this share of the variance is rounding: its likelihood has no bound."""
MOST_INTERACTING = 20
"""The most inputs whose interactions are terms: 190 products."""

DEGREE: Any = integer(
    9, 1, 15, symbol="d", help="Polynomial degree, or number of waves, Gaussian bumps or spline pieces."
)


@dataclass(frozen=True)
class BasisRegression(Model):
    """A model that is linear in the functions of a basis."""

    loss: ClassVar[str] = "squared"
    basis: str = choice("polynomial", tuple(KINDS), labels=LABELS, symbol="φ", help="Basis functions.")
    degree: int = DEGREE
    interactions: bool = flag(
        False, when={"basis": ("polynomial",)},
        help="Include the product of each pair of inputs as a term (interaction), where there are several.",
    )  # fmt: skip

    def basis_of(self, data: TrainingData) -> Basis:
        """Return the basis over the range of the data."""
        interactions = self.interactions and self.basis == "polynomial"
        d = len(data.columns)
        if interactions and d > MOST_INTERACTING:
            remedy = f"choose at most {MOST_INTERACTING} inputs, or none of their interactions"
            raise CannotLearn(f"{d} inputs have {d * (d - 1) // 2:,} interactions: {remedy}")
        return basis_over(self.basis, self.degree, data.X, data.columns, interactions=interactions)

    def problem(self, data: TrainingData, *, standardise: bool = True) -> StandardisedProblem:
        """Return least squares on the standardised terms of the basis."""
        return StandardisedProblem.over(self.basis_of(data), data.X, data.y, standardise=standardise)


class BasisCurveView(FittedCurveView[B]):
    """The fitted curve, the basis functions that add up to it, and the residuals."""

    def marks(self) -> tuple[Mark, ...]:
        functions = Curves(
            layer="Basis functions", values=self._parts, ink="accent", opacity=0.35,
            legend="basis function × its weight", off_by_default=True,
        )  # fmt: skip
        return (functions, *super().marks())

    def inputs(self, x: Floats) -> Floats:
        """Return the inputs (m, d) at positions (m,) on the horizontal axis."""
        return self.section.lift(x[:, None])

    def _parts(self, x: Floats) -> Floats:
        """Return each basis function times its weight: their sum is the fitted curve."""
        some = np.flatnonzero(self.state.weights)
        design = self.state.basis.design(self.inputs(x))
        return np.asarray((design[:, some] * self.state.weights[some]).T)


class BasisMapView(FittedMapView["BasisRegressionState"]):
    """A sum of functions of each input: along two, the sum of a row, a column and a multiple of x y."""

    def field(self, raster: Raster) -> Field:
        basis, empty = self.state.basis, not raster.x.size or not raster.y.size
        if self.section.axes is None and isinstance(basis, AdditiveBasis) and basis.has_powers and not empty:
            return polynomial_through(self._values, raster, basis.degree)
        if self.section.axes is None or empty:
            return super().field(raster)
        x, y = raster.x[len(raster.x) // 2], raster.whole.y[len(raster.whole.y) // 2]
        along = self._expected(raster.x, np.full_like(raster.x, y))
        down = self._expected(np.full_like(raster.y, x), raster.y) - self._expected(x[None], y[None])
        mixed = self.state.basis.mixed_slope(self.state.weights, self.section.axes)
        total = np.add.outer(down, along)
        if mixed:
            total += np.outer(mixed * (raster.y - y), raster.x - x)
        return np.asarray(total, dtype=np.float32)[None]

    def _expected(self, x: Floats, y: Floats) -> Floats:
        return self.state.expected(self.section.lift(np.column_stack([x, y])))


class BasisRegressionState(FittedRegressor):
    """Weights on a basis, and the data that they were fitted to."""

    basis: Basis
    weights: Floats

    def expected(self, X: Floats) -> Floats:
        return np.asarray(self.basis.design(X) @ self.weights)

    curve_view_class: ClassVar[type[CurveView[Any]]] = BasisCurveView
    plane_view_class = BasisMapView

    @property
    def degrees_of_freedom(self) -> float:
        """The effective number of coefficients, the intercept included."""
        return float(self.basis.size)

    @cached_property
    def coefficients(self) -> Floats:
        """The coefficients of 1, x, x^2, ... in data units; of another basis, its weights."""
        matrix, weights = self.basis.conversion(), without_rounding(self.weights, self.y)
        return without_rounding(matrix @ weights, matrix * weights)

    @property
    def coefficient_names(self) -> tuple[str, ...]:
        """The names of `coefficients` among the metrics; none where they are not those of powers."""
        return ("intercept", *self.basis.term_names()) if self.basis.has_powers else ()

    @cached_property
    def hat(self) -> HatMatrix:
        """The linear map from targets to fitted values."""
        return HatMatrix.of(self.hat_design(self.X))

    def hat_design(self, X: Floats) -> Floats:
        """Return the functions (m, p) whose coefficients are fitted."""
        return self.basis.design(X)

    def learned(self) -> Learned:
        return {"beta": self.coefficients}

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        terms = ("intercept", *self.basis.term_names())
        return {**super().learned_axes(), "beta": (terms,), "se": (terms,)}

    def row_values(self, data: TrainingData) -> PointValues:
        return {"leverage": self.hat.leverage(self.hat_design(data.X))}

    def training_values(self) -> PointValues:
        return {"cook": self.hat.cook(self.hat_design(self.X), self.residuals)}

    @property
    def equation(self) -> str:
        return equation(self.basis, self.weights, self.coefficients, self.space.target)

    def metrics(self) -> Mapping[str, float]:
        figures = quality(self.y, self.rss, self.degrees_of_freedom)
        figures |= dict(zip(self.coefficient_names, self.coefficients.tolist()))
        return {name: value for name, value in figures.items() if math.isfinite(value)}


@dataclass(frozen=True, eq=False, kw_only=True)
class TermRegressionState(BasisRegressionState):
    """Slopes of the standardised terms of a problem, which give the weights."""

    problem: StandardisedProblem
    slopes: Floats
    """The slopes of the standardised terms, in units of the standard deviation of y."""
    shift: float = 0.0
    """The mean of the curve less the mean of y."""

    @property
    def basis(self) -> Basis:  # type: ignore[override]
        return self.problem.basis

    @cached_property
    def weights(self) -> Floats:  # type: ignore[override]
        return self.problem.weights(self.slopes, self.shift)

    @cached_property
    def coefficients(self) -> Floats:
        return self.problem.coefficients(self.slopes, self.shift)

    def hat_design(self, X: Floats) -> Floats:
        """The constant and the standardised terms with a slope: shrinkage leaves leverage to these."""
        used = self.problem.columns(X)[:, self.slopes != 0]
        return np.concatenate([np.ones((len(X), 1)), used], axis=1)


def quality(y: Floats, rss: float, p: float) -> dict[str, float]:
    """Return RSS, RSE, R2, adjusted R2, AIC and BIC of p coefficients; NaN where n is too small."""
    n = len(y)
    tss = float(((y - y.mean()) ** 2).sum())
    free = n - p if n > p else math.nan
    noise = rss / n if rss > PERFECT * (tss + rss) else math.nan
    r2 = explained_share(rss, tss) if tss > 0 else math.nan
    return {
        "RSS": rss, "RSE": math.sqrt(rss / free), "R²": r2,
        "adjusted R²": explained_share((1 - r2) * (n - 1), free),
        **information_criteria(n, noise, p),
    }  # fmt: skip


def information_criteria(n: int, noise: float, p: float) -> dict[str, float]:
    """Return AIC = 2 k - 2 ln L and BIC = k ln n - 2 ln L of p coefficients.

    `noise` is RSS / n, the maximum likelihood estimate of the noise variance, which k = p + 1 counts.
    """
    deviance = n * (math.log(2 * math.pi * noise) + 1) if noise > 0 else math.nan
    return {"AIC": deviance + 2 * (p + 1), "BIC": deviance + math.log(n) * (p + 1)}
