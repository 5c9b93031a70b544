"""Views of regressions on a basis: residuals, weighted basis functions, bands and samples of a posterior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.view import CurveView
from vizml.scene import Between, Curves, Mark, Rings, Segments

if TYPE_CHECKING:
    from vizml.learn.linear_models.basis_regression import BasisRegressionState
    from vizml.learn.linear_models.bayesian_regression import BayesianRegressionState  # noqa: F401

B = TypeVar("B", bound="BasisRegressionState")


def residual_lines(x: Floats, y: Floats, residuals: Floats) -> Segments:
    """Return the vertical lines from each point to its fitted value."""
    ends = np.stack([x, y, x, y - residuals], axis=1).reshape(-1, 2, 2)
    return Segments(layer="Residuals", ends=ends, ink="muted", opacity=0.6, legend="residual")


@dataclass(frozen=True, eq=False)
class BasisCurveView(CurveView[B]):
    """The fitted curve, the basis functions that add up to it, and the residuals."""

    def marks(self) -> tuple[Mark, ...]:
        return (*self.basis_curves(), *self.residuals(slice(None)))

    def basis_curves(self) -> tuple[Curves, ...]:
        """Return each basis function times its weight: their sum is the fitted curve."""
        state = self.state
        some = np.flatnonzero(state.weights)

        def values(x: Floats) -> Floats:
            design = state.basis.design(self.section.lift(x[:, None]))
            return np.asarray((design[:, some] * state.weights[some]).T)

        legend = "basis function × its weight"
        return (
            Curves(
                layer="Basis functions", values=values, ink="accent", opacity=0.35, legend=legend, quiet=True
            ),
        )

    def residuals(self, rows: slice) -> tuple[Segments, ...]:
        """Return the residuals of some samples, where the section is the input space."""
        if not self.section.whole:
            return ()
        state = self.state
        return (residual_lines(state.X[rows, 0], state.y[rows], state.residuals[rows]),)


@dataclass(frozen=True, eq=False)
class BayesianCurveView(BasisCurveView["BayesianRegressionState"]):
    """The credible band of the mean, curves drawn from the posterior, and the samples so far."""

    def marks(self) -> tuple[Mark, ...]:
        return (
            Between(
                layer="Credible band", edges=self.credible_band, ink="accent", opacity=0.25,
                legend="95 % credible band of the mean",
            ),
            Curves(
                layer="Samples", values=self.samples, ink="accent", opacity=0.4, legend="posterior sample"
            ),
            *self.basis_curves(),
            *self._seen(),
        )  # fmt: skip

    def credible_band(self, x: Floats) -> tuple[Floats, Floats]:
        """Return two standard deviations of the mean to each side at x (m,)."""
        return self.state.credible_interval(self.section.lift(x[:, None]))

    def samples(self, x: Floats) -> Floats:
        """Return curves (s, m) drawn from the posterior at x (m,)."""
        return self.state.samples(self.section.lift(x[:, None]))

    def _seen(self) -> tuple[Mark, ...]:
        """Return the residuals of the points so far, and a ring around the newest while there are more."""
        state, seen = self.state, self.state.posterior.seen
        newest = slice(seen - 1, seen) if 0 < seen < len(state.y) else slice(0)
        if not self.section.whole:
            return ()
        points = np.column_stack([state.X[newest, 0], state.y[newest]])
        radii = np.full(len(points), 9.0)
        ring = Rings(layer="Newest point", points=points, radii=radii, legend="newest point")
        return (*self.residuals(slice(seen)), ring)
