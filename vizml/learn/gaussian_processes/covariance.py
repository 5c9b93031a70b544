"""Covariance functions k(x, z) of Gaussian processes, with their derivatives by the log hyperparameters.

The marginal likelihood is maximised over these by BFGS within a box.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats
from vizml.field.distances import expanded_distances
from vizml.learn.optimisers.newton import updated_inverse

Real: TypeAlias = NDArray[np.floating[Any]]

FIRST, LONGEST = 0.3, 1.5
"""Longest first step and longest step of all in any coordinate. Coordinates are logarithms: 1.5 is a factor
of 4.5. The first step knows no curvature and could leap to another maximum.
"""
EVALUATIONS = 80
SUFFICIENT = 1e-4
"""Share of the predicted rise that a step must achieve (Armijo's condition)."""
SHRINK, SHORTEST = 3.0, 1e-4
"""Divisor of the step after a failure, and the share of it that ends the search."""
CONVERGED, FLAT = 1e-7, 1e-6
"""A smaller relative rise, or a smaller gradient, ends the search."""


class Stationary(NamedTuple):
    """A unit covariance g of s = (r / length)^2. Both functions may overwrite s."""

    value: Callable[[Real], Real]
    slope: Callable[[Real], Real]
    """dg / d ln length."""


def _rbf(s: Real) -> Real:
    s *= -0.5
    return np.exp(s, out=s)


def _rbf_slope(s: Real) -> Real:
    return np.asarray(s * np.exp(-0.5 * s))


def _matern32(s: Real) -> Real:
    s *= 3.0
    t = np.sqrt(s, out=s)
    decay = np.exp(-t)
    t += 1.0
    t *= decay
    return t


def _matern32_slope(s: Real) -> Real:
    return np.asarray(3.0 * s * np.exp(-sqrt(3.0) * np.sqrt(s)))


def _matern52(s: Real) -> Real:
    s *= 5.0
    t = np.sqrt(s)
    s /= 3.0
    s += t
    s += 1.0
    np.negative(t, out=t)
    s *= np.exp(t, out=t)
    return s


def _matern52_slope(s: Real) -> Real:
    t = sqrt(5.0) * np.sqrt(s)
    return np.asarray((5.0 / 3.0) * s * (1.0 + t) * np.exp(-t))


STATIONARY = {
    "rbf": Stationary(_rbf, _rbf_slope),
    "matern32": Stationary(_matern32, _matern32_slope),
    "matern52": Stationary(_matern52, _matern52_slope),
}
NAMES = (*STATIONARY, "periodic", "linear")
SMOOTH = frozenset({"rbf", "periodic", "linear"})
"""Kernels whose matrices have a low numerical rank."""
ALLOWED = f"one or more of {', '.join(NAMES)}, each once, joined by +, for example 'rbf+linear'"


def kernel_names(text: str) -> tuple[str, ...]:
    """Return the kernels of a sum such as 'rbf+linear'."""
    names = tuple(name.strip() for name in text.split("+"))
    if not set(names) <= set(NAMES) or len(set(names)) < len(names):
        raise ValueError(ALLOWED)
    return names


@dataclass(frozen=True)
class Covariance:
    """k(x, z) = variance (k_1(x, z) + k_2(x, z) + ...); all kernels share the length and the period.

    With r = |x - z|: rbf exp(-r^2 / (2 length^2)); Matern 3/2 and 5/2; linear 1 + x'z; periodic
    exp(-2 sum_j sin^2(pi (x_j - z_j) / period) / length^2).

    >>> Covariance(("rbf", "linear"), 1.0, 2.0)(np.array([[0.0], [1.0]]), np.array([[1.0]])).round(4)
    array([[3.2131],
           [6.    ]])
    """

    names: tuple[str, ...]
    length: float
    variance: float
    period: float = 1.0

    def __call__(self, X: Floats, Z: Floats) -> Floats:
        """Return k (n, m) of points (n, d) and (m, d)."""
        total = np.zeros((len(X), len(Z)))
        for name in self.names:
            if name in STATIONARY:
                total += STATIONARY[name].value(self._scaled(X, Z))
            else:
                total += 1.0 + X @ Z.T if name == "linear" else np.exp(self._periodic_exponent(X, Z))
        total *= self.variance
        return total

    def diagonal(self, X: Floats) -> Floats:
        """Return k(x, x) (n,)."""
        own = len(self.names) + ((X * X).sum(axis=1) if "linear" in self.names else np.zeros(len(X)))
        return np.asarray(self.variance * own)

    def of_squares(self, scaled: Real) -> Real:
        """Return k of one stationary kernel at squared distances in lengths, which it overwrites."""
        values = STATIONARY[self.names[0]].value(scaled)
        values *= scaled.dtype.type(self.variance)
        return values

    @property
    def periodic(self) -> bool:
        """Whether the period matters."""
        return "periodic" in self.names

    @property
    def logs(self) -> Floats:
        """The logarithms of length, variance and, where it matters, period."""
        return np.log([self.length, self.variance, *([self.period] if self.periodic else [])])

    def with_logs(self, logs: Floats) -> Self:
        """Return the covariance with other hyperparameters, given by their logarithms."""
        length, variance, *period = (float(value) for value in np.exp(logs))
        return replace(self, length=length, variance=variance, period=period[0] if period else self.period)

    def gradients(self, X: Floats, Z: Floats) -> list[Floats]:
        """Return the derivatives (n, m) of k by each of `logs`."""
        by_length, by_period = np.zeros((2, len(X), len(Z)))
        for name in self.names:
            if name in STATIONARY:
                by_length += STATIONARY[name].slope(self._scaled(X, Z))
            elif name == "periodic":
                exponent = self._periodic_exponent(X, Z)
                by_length -= 2.0 * exponent * np.exp(exponent)
                by_period += np.exp(exponent) * self._turned(X, Z)
        found = [self.variance * by_length, self(X, Z)]
        return [*found, self.variance * by_period] if self.periodic else found

    def _scaled(self, X: Floats, Z: Floats) -> Floats:
        """Return |x - z|^2 / length^2, in which close points far from the origin keep their digits."""
        return expanded_distances(X / self.length, Z / self.length)

    def _periodic_exponent(self, X: Floats, Z: Floats) -> Floats:
        waves = (np.sin(np.pi * np.subtract.outer(x, z) / self.period) ** 2 for x, z in zip(X.T, Z.T))
        return np.asarray(-2.0 * sum(waves, start=np.zeros((len(X), len(Z)))) / self.length**2)

    def _turned(self, X: Floats, Z: Floats) -> Floats:
        """Return the derivative of the periodic exponent by ln period."""
        total = np.zeros((len(X), len(Z)))
        for x, z in zip(X.T, Z.T):
            angle = np.pi * np.subtract.outer(x, z) / self.period
            total += 2.0 * angle * np.sin(2.0 * angle)
        return np.asarray(total / self.length**2)


class Evaluated(Protocol):
    """The objective at one place."""

    @property
    def evidence(self) -> float:
        """Value to maximise."""

    def gradient(self) -> Floats:
        """Derivatives of the evidence by the coordinates."""


E = TypeVar("E", bound=Evaluated)
S = TypeVar("S")


def maximise(
    search: BoxBfgs, evaluate: Callable[[Floats], Generator[S, None, E]], improved: Callable[[E, E], S]
) -> Generator[S, None, E]:
    """Run a search and return the best evaluation; yields a report of each improvement (before, after).

    Evaluations may yield reports of their own.
    """
    best = yield from evaluate(search.trial)
    search.update(best.evidence, best.gradient())
    while not search.done:
        found = yield from evaluate(search.trial)
        if search.update(found.evidence, found.gradient()):
            yield improved(best, found)
            best = found
    return best


class BoxBfgs:
    """Ascent by BFGS with projection onto a box; `trial` is the next place to evaluate, until `done`.

    >>> search = BoxBfgs(np.array([0.0]), np.array([-5.0]), np.array([5.0]))
    >>> while not search.done:
    ...     x = search.trial[0]
    ...     better = search.update(-((x - 2.0) ** 2), np.array([-2.0 * (x - 2.0)]))
    >>> search.best.round(3)
    array([2.])
    """

    def __init__(self, start: Floats, low: Floats, high: Floats) -> None:
        self.low, self.high = np.minimum(low, start), np.maximum(high, start)
        self.trial = self.best = start
        self.value = -np.inf
        self.done = False
        self.evaluations = 0
        self._gradient = np.zeros_like(start)
        self._inverse = np.eye(len(start))
        self._length, self._longest = 1.0, FIRST

    def update(self, value: float, gradient: Floats) -> bool:
        """Take the value and the gradient at the trial; return whether it is the best so far."""
        self.evaluations += 1
        step = self.trial - self.best
        predicted = max(float(self._gradient @ step), 0.0)
        better = bool(np.isfinite(value) and value >= self.value + SUFFICIENT * predicted)
        if better:
            self._accept(value, gradient, step)
        else:
            self._length /= SHRINK
            self.done = self._length < SHORTEST
        self.done = self.done or self.evaluations >= EVALUATIONS
        if not self.done:
            self._propose()
        return better

    def _accept(self, value: float, gradient: Floats, step: Floats) -> None:
        rise, self.value = value - self.value, value
        if self.evaluations > 1:
            self._longest = min(2.0 * self._longest, LONGEST)
        fall = self._gradient - gradient
        if float(step @ fall) > 1e-12:
            self._inverse = updated_inverse(self._inverse, step, fall)
        self.best, self._gradient, self._length = self.trial, gradient, 1.0
        flat = float(np.abs(self._free_gradient).max(initial=0.0)) < FLAT
        self.done = rise <= CONVERGED * (1.0 + abs(value)) or flat

    @property
    def _free_gradient(self) -> Floats:
        """The gradient without components that point out of the box."""
        outward = ((self.best <= self.low) & (self._gradient < 0)) | (
            (self.best >= self.high) & (self._gradient > 0)
        )
        return np.where(outward, 0.0, self._gradient)

    def _propose(self) -> None:
        free = self._free_gradient
        direction = np.where(free == 0.0, 0.0, self._inverse @ free)
        if direction @ free <= 0.0:
            self._inverse = np.eye(len(free))
            direction = free
        longest = float(np.abs(direction).max(initial=0.0))
        if longest > 0:
            direction = direction * min(1.0, self._longest / longest)
        self.trial = np.clip(self.best + self._length * direction, self.low, self.high)
