"""Regressions that keep their training points: residuals, and figures of the fit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from vizml.field.arrays import Floats
from vizml.learn.formatting import explained_share
from vizml.learn.state import Regressor
from vizml.learn.view import CurveView, FittedCurveView, FittedMapView, PlaneView
from vizml.scene.typesetting import without_rounding


@dataclass(frozen=True, eq=False, kw_only=True)
class FittedRegressor(Regressor):
    """A regression that keeps its training inputs X (n, d) and targets y (n,)."""

    X: Floats
    y: Floats

    @cached_property
    def fitted(self) -> Floats:
        """The predictions (n,) for the training inputs."""
        return self.expected(self.X)

    @cached_property
    def residuals(self) -> Floats:
        """y - f(x), 0 where it is but rounding."""
        return without_rounding(self.y - self.fitted, self.y)

    @property
    def rss(self) -> float:
        """The residual sum of squares."""
        return float(self.residuals @ self.residuals)

    def fit_figures(self) -> dict[str, float]:
        """Return RSS, and R2 unless the target is constant."""
        tss = float(((self.y - self.y.mean()) ** 2).sum())
        return {"RSS": self.rss} | ({"R²": explained_share(self.rss, tss)} if tss > 0 else {})

    curve_view_class: ClassVar[type[CurveView[Any]]] = FittedCurveView
    plane_view_class: ClassVar[type[PlaneView[Any]]] = FittedMapView
