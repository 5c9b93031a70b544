"""Objective functions: a surface with its derivatives, the kinds of its places, and searches along a line.

Derivatives are computed by forward-mode differentiation: numbers carry their gradient and Hessian. A line
search finds the share of a direction that decreases the objective enough.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from vizml.data.formula import Surface
from vizml.field.arrays import Floats

FLAT = 1e-12
"""Share of the largest eigenvalue below which another one counts as 0."""
ARMIJO, CURVATURE = 1e-4, 0.9
"""Constants of the Wolfe conditions for quasi-Newton methods (Nocedal and Wright, 2006, 3.1)."""
HALVINGS = 60
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
WIDEST = 1e8
"""Most multiples of its direction that a line is searched over."""


Rule: TypeAlias = Callable[[Any], tuple[Any, Any, Any]]
"""Value, first and second derivative of a function of one argument."""


def power(v: Any, exponent: float) -> tuple[Any, Any, Any]:
    """Return v^p and its derivatives for an exponent that is no whole number."""
    return v**exponent, exponent * v ** (exponent - 1), exponent * (exponent - 1) * v ** (exponent - 2)


RULES: dict[Any, Rule] = {
    np.sin: lambda v: (np.sin(v), np.cos(v), -np.sin(v)),
    np.cos: lambda v: (np.cos(v), -np.sin(v), -np.cos(v)),
    np.tan: lambda v: (t := np.tan(v), 1 + t * t, 2 * t * (1 + t * t)),
    np.tanh: lambda v: (t := np.tanh(v), 1 - t * t, -2 * t * (1 - t * t)),
    np.exp: lambda v: (e := np.exp(v), e, e),
    np.log: lambda v: (np.log(v), 1 / v, -1 / (v * v)),
    np.sqrt: lambda v: power(v, 0.5),
    np.absolute: lambda v: (np.abs(v), np.sign(v), 0.0 * v),
    np.reciprocal: lambda v: (1 / v, -1 / (v * v), 2 / (v * v * v)),
}


Number: TypeAlias = Any
"""A float of numpy, which has infinities where Python's raises errors."""
Parts: TypeAlias = tuple[Number, Number, Number, Number, Number, Number]
"""f, its derivatives by w1 and w2, and its second derivatives by w1 w1, w1 w2 and w2 w2."""


class Jet:
    """A value with its gradient and Hessian; numpy's functions apply the rules of calculus.

    >>> w1, w2 = Jet.variables(3.0, 2.0)
    >>> np.multiply(w1, np.multiply(w1, w2)).gradient
    array([12.,  9.])
    """

    __slots__ = ("parts",)

    def __init__(self, *parts: Number) -> None:
        self.parts: Parts = parts

    @classmethod
    def variables(cls, w1: float, w2: float) -> tuple[Jet, Jet]:
        """Return both variables at a point."""
        zero, one = np.float64(0.0), np.float64(1.0)
        return cls(np.float64(w1), one, zero, *[zero] * 3), cls(np.float64(w2), zero, one, *[zero] * 3)

    @classmethod
    def of(cls, value: Any) -> Jet:
        """Return a constant, or the jet itself."""
        return value if isinstance(value, Jet) else cls(np.float64(value), *[np.float64(0.0)] * 5)

    @property
    def value(self) -> Number:
        """The value f."""
        return self.parts[0]

    @property
    def gradient(self) -> Floats:
        """First derivatives (2,)."""
        return np.array(self.parts[1:3])

    @property
    def hessian(self) -> Floats:
        """Second derivatives (2, 2)."""
        _, _, _, f11, f12, f22 = self.parts
        return np.array([[f11, f12], [f12, f22]])

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any) -> Jet:
        first = Jet.of(inputs[0])
        if function is np.negative:
            return Jet(*(-part for part in first.parts))
        if function is np.power:
            return first.through(power(first.value, inputs[1]))
        if function in RULES:
            return first.through(RULES[function](first.value))
        second = Jet.of(inputs[1])
        if function is np.multiply:
            return first.times(second)
        if function is np.divide:
            return first.times(second.through(RULES[np.reciprocal](second.value)))
        combine = {np.add: operator.add, np.subtract: operator.sub}[function]
        return Jet(*map(combine, first.parts, second.parts))

    def times(self, other: Jet) -> Jet:
        """Apply the product rule."""
        (f, f1, f2, f11, f12, f22), (g, g1, g2, g11, g12, g22) = self.parts, other.parts
        return Jet(
            f * g, f1 * g + f * g1, f2 * g + f * g2, f11 * g + 2 * f1 * g1 + f * g11,
            f12 * g + f1 * g2 + f2 * g1 + f * g12, f22 * g + 2 * f2 * g2 + f * g22,
        )  # fmt: skip

    def through(self, found: tuple[Number, Number, Number]) -> Jet:
        """Apply the chain rule for a function with its first and second derivative."""
        (value, first, second), (_, f1, f2, f11, f12, f22) = found, self.parts
        return Jet(
            value, first * f1, first * f2, first * f11 + second * f1 * f1,
            first * f12 + second * f1 * f2, first * f22 + second * f2 * f2,
        )  # fmt: skip


def derivatives(function: Callable[[Any, Any], Any], w: Floats) -> Jet:
    """Return value, gradient and Hessian of a function of two variables at a point."""
    with np.errstate(all="ignore"):
        return Jet.of(function(*Jet.variables(*w.tolist())))


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


class SmoothFunction(Protocol):
    """A function of any number of weights (d,) with its gradient."""

    def value(self, w: Floats) -> float:
        """Return f(w)."""

    def gradient(self, w: Floats) -> Floats:
        """Return the gradient (d,)."""


def backtracking(
    objective: Objective, w: Floats, value: float, direction: Floats, gradient: Floats
) -> tuple[float, Floats, float]:
    """Halve a direction until f decreases by a share of its slope (Armijo); return the share, w and f there.

    The share is 0 where no decrease can be computed.
    """
    slope, share = float(direction @ gradient), 1.0
    for _ in range(HALVINGS):
        there = w + share * direction
        lower = objective.value(there)
        if lower <= value + ARMIJO * share * slope and (there != w).any():
            return share, there, lower
        share /= 2.0
    return 0.0, w, value


def wolfe(
    objective: SmoothFunction, w: Floats, value: float, direction: Floats, gradient: Floats
) -> tuple[float, Floats, float, Floats]:
    """Bisect for a share with the weak Wolfe conditions (Lewis and Overton, 2013)."""
    slope, low, high, share = float(direction @ gradient), 0.0, math.inf, 1.0
    best = 0.0, w, value, gradient
    for _ in range(HALVINGS):
        there = w + share * direction
        lower = objective.value(there)
        if not lower <= value + ARMIJO * share * slope:
            high = share
        else:
            steep = objective.gradient(there)
            best = share, there, lower, steep
            if float(steep @ direction) >= CURVATURE * slope:
                return best
            low = share
        share = (low + high) / 2 if high < math.inf else 2 * low
    return best


def golden_section(objective: Objective, w: Floats, direction: Floats, tolerance: float) -> Floats:
    """Minimise f along a line: widen a bracket until f rises at its end, then shrink it."""

    def height(t: float) -> float:
        return objective.value(w + t * direction)

    low, middle = 0.0, 1.0
    if height(middle) > height(low):
        low, middle = middle, low
    high = middle + 2 * (middle - low)
    while height(high) < height(middle) and abs(high) < WIDEST:
        low, middle, high = middle, high, high + 2 * (high - middle)
    inner, outer = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    f_inner, f_outer = height(inner), height(outer)
    while abs(high - low) * float(np.hypot(*direction)) > tolerance:
        if f_inner < f_outer:
            high, outer, f_outer = outer, inner, f_inner
            inner = high - GOLDEN * (high - low)
            f_inner = height(inner)
        else:
            low, inner, f_inner = inner, outer, f_outer
            outer = low + GOLDEN * (high - low)
            f_outer = height(outer)
    return w + (low + high) / 2 * direction
