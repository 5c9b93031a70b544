"""Objective functions: a surface with its derivatives, and the kinds of its places."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vizml.data.surface import Surface
from vizml.field.arrays import Floats
from vizml.learn.optimisers.derivatives import Jet, derivatives

FLAT = 1e-12
"""Share of the largest eigenvalue below which another one counts as 0."""


class Objective:
    """Value, gradient and Hessian of a surface at a point (2,), with the number of evaluations."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.values = self.gradients = self.hessians = 0

    def value(self, w: Floats) -> float:
        """Return f(w), infinite where the formula is not defined."""
        self.values += 1
        return float(self.surface.formula.values(w[0], w[1]))

    def gradient(self, w: Floats) -> Floats:
        """Return the gradient (2,)."""
        self.gradients += 1
        return derivatives(self.surface.formula, w).gradient

    def slope(self, w: Floats) -> tuple[float, Floats]:
        """Return f(w) and the gradient (2,), evaluated together."""
        self.values += 1
        self.gradients += 1
        found = derivatives(self.surface.formula, w)
        return math.inf if math.isnan(found.value) else float(found.value), found.gradient

    def hessian(self, w: Floats) -> Floats:
        """Return the Hessian (2, 2)."""
        self.hessians += 1
        return derivatives(self.surface.formula, w).hessian

    @property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of evaluations of f, its gradient and its Hessian so far."""
        return self.values, self.gradients, self.hessians


@dataclass(frozen=True, eq=False)
class Curvature:
    """Slope and curvature of a surface at a place."""

    jet: Jet
    eigenvalues: Floats
    """Eigenvalues of the Hessian, rising; NaN where it is not defined."""

    @classmethod
    def at(cls, surface: Surface, w: Floats) -> Curvature:
        """Return the curvature at a point (2,)."""
        jet = derivatives(surface.formula, w)
        known = np.isfinite(jet.hessian).all()
        found = np.linalg.eigvalsh(jet.hessian) if known else np.full(2, np.nan)
        return cls(jet, np.asarray(found, dtype=np.float64))

    @property
    def signs(self) -> tuple[int, int]:
        """Signs of the eigenvalues; 0 where one is negligible beside the other."""
        small = FLAT * np.abs(self.eigenvalues).max()
        low, high = np.where(np.abs(self.eigenvalues) <= small, 0, np.sign(self.eigenvalues)).tolist()
        return int(low), int(high)

    @property
    def steepness(self) -> float:
        """Norm of the gradient."""
        return float(np.hypot(*self.jet.gradient))

    def stationary(self, reach: float) -> bool:
        """Whether the gradient vanishes within a distance, by the quadratic model."""
        if not np.isfinite(self.eigenvalues).all() or not np.isfinite(self.steepness):
            return False
        step = np.linalg.pinv(self.jet.hessian) @ self.jet.gradient
        left = self.jet.gradient - self.jet.hessian @ step
        size = np.abs(self.eigenvalues).max()
        return bool(np.hypot(*step) <= reach and np.hypot(*left) <= reach * size)

    def kind(self) -> str:
        """Return the kind of a stationary point with this curvature."""
        kinds = {(1, 1): "minimum", (-1, -1): "maximum", (-1, 1): "saddle point"}
        return kinds.get(self.signs, "flat place")

    def shape(self) -> str:
        """Describe the curvature."""
        if not np.isfinite(self.eigenvalues).all():
            return "not differentiable here"
        low, high = self.signs
        if low < 0:
            return "concave here" if high <= 0 else "not convex here"
        return "convex here" if high > 0 else "flat here"
