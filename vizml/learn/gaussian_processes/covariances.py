"""Sums of covariances along a line: Gaussian, Matern, periodic, linear; with their slopes by ln parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vizml.learn.gaussian_processes.covariance import SHAPES
from vizml.learn.state import Floats


class Scales(NamedTuple):
    """The parameters of a sum: each part has the same length and period, the sum a variance."""

    length: float
    variance: float
    period: float


class Part(NamedTuple):
    """One covariance of variance 1 at x (n, 1) and z (m,), and its slopes by ln length and ln period."""

    value: Callable[[Floats, Floats, Scales], Floats]
    by_length: Callable[[Floats, Floats, Scales], Floats] | None = None
    by_period: Callable[[Floats, Floats, Scales], Floats] | None = None


def _stationary(kind: str) -> Part:
    shape = SHAPES[kind]
    return Part(
        lambda x, z, s: shape.value(((x - z) / s.length) ** 2),
        lambda x, z, s: shape.slope(((x - z) / s.length) ** 2),
    )


def _periodic(x: Floats, z: Floats, s: Scales) -> Floats:
    return np.asarray(np.exp(-2.0 * (np.sin(np.pi * (x - z) / s.period) / s.length) ** 2))


def _periodic_by_length(x: Floats, z: Floats, s: Scales) -> Floats:
    return _periodic(x, z, s) * 4.0 * (np.sin(np.pi * (x - z) / s.period) / s.length) ** 2


def _periodic_by_period(x: Floats, z: Floats, s: Scales) -> Floats:
    u = np.pi * (x - z) / s.period
    return _periodic(x, z, s) * 2.0 * u * np.sin(2.0 * u) / s.length**2


def _linear(x: Floats, z: Floats, s: Scales) -> Floats:
    del s
    return 1.0 + x * z


PARTS = {
    "rbf": _stationary("rbf"),
    "matern32": _stationary("matern32"),
    "matern52": _stationary("matern52"),
    "periodic": Part(_periodic, _periodic_by_length, _periodic_by_period),
    "linear": Part(_linear),
}
ALLOWED = f"one or more of {', '.join(PARTS)}, each once, with + between, as 'rbf+linear'"


def parts_of(text: str) -> tuple[str, ...]:
    """The parts of a sum out of 'rbf+linear'."""
    names = tuple(name.strip() for name in text.split("+"))
    if not set(names) <= set(PARTS) or len(set(names)) < len(names):
        raise ValueError(ALLOWED)
    return names


@dataclass(frozen=True)
class Sum:
    """k(x, z) = variance (k_1(x, z) + k_2(x, z) + ...)."""

    names: tuple[str, ...]
    scales: Scales

    def between(self, x: Floats, z: Floats) -> Floats:
        """k (n, m) of x (n,) and z (m,)."""
        return self._summed([PARTS[name].value for name in self.names], x, z)

    def at(self, x: Floats) -> Floats:
        """k(x, x) (n,)."""
        ones = len(self.names) - ("linear" in self.names)
        own = ones + (1.0 + x * x if "linear" in self.names else 0.0)
        return np.asarray(self.scales.variance * (own + np.zeros(len(x))))

    def slopes(self, x: Floats, z: Floats) -> list[Floats]:
        """dk / d ln length, ln variance and, where there is one, ln period (n, m) of x (n,) and z (m,)."""
        found = [self._summed([PARTS[name].by_length for name in self.names], x, z), self.between(x, z)]
        if self.periodic:
            found.append(self._summed([PARTS[name].by_period for name in self.names], x, z))
        return found

    @property
    def periodic(self) -> bool:
        """Whether the period means anything."""
        return "periodic" in self.names

    def _summed(
        self, parts: list[Callable[[Floats, Floats, Scales], Floats] | None], x: Floats, z: Floats
    ) -> Floats:
        values = [part(x[:, None], z, self.scales) for part in parts if part is not None]
        total = sum(values[1:], start=values[0]) if values else np.zeros((len(x), len(z)))
        return np.asarray(self.scales.variance * total)
