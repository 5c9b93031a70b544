"""How wide a kernel should be: rules that follow the spread, and the likelihood of points left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.random import Generator

from vizml.learn.densities.kernels import Kernel
from vizml.learn.state import Floats

PAIRS = 1 << 19
"""Pairs of points at a time: of many points some are left out in turn, not all."""
RANGE, TRIALS = 16.0, 25
"""Bandwidths from Scott's divided by this to Scott's times this; refined where the best one is."""
GOLDEN = (np.sqrt(5) - 1) / 2
REFINED = 14
IQR = 1.349
"""The quartiles of a Gaussian are so many standard deviations apart."""


def scott(points: Floats) -> float:
    """s n^(-1/6), with s^2 the mean of the two variances."""
    spread = float(np.sqrt(points.var(axis=0).mean()))
    return (spread or 1.0) * float(len(points) ** (-1 / 6))


def silverman(points: Floats) -> float:
    """The same with quartiles for the spread where these are nearer: outliers do not count."""
    low, high = np.quantile(points, [0.25, 0.75], axis=0)
    robust = float((high - low).mean()) / IQR
    spread = float(np.sqrt(points.var(axis=0).mean()))
    return (min(robust, spread) or spread or 1.0) * float(len(points) ** (-1 / 6))


class LeftOut:
    """The mean log density at points by all the others."""

    def __init__(self, points: Floats, kernel: type[Kernel], rng: Generator) -> None:
        n = len(points)
        self.kernel, self.n = kernel, n
        rows = np.sort(rng.permutation(n)[: max(PAIRS // n, 1)])
        self.apart = ((points[rows, None] - points) ** 2).sum(axis=2)
        self.apart[np.arange(len(rows)), rows] = np.inf

    def __call__(self, h: float) -> float:
        kernel = self.kernel(h)
        square = self.apart / h**2
        logs = kernel.logs(square)
        best = logs.max(axis=1)
        found = best + np.log(np.exp(logs - best[:, None]).sum(axis=1))
        return float(found.mean() - np.log(self.n - 1) - kernel.log_volume)


def search(likelihood: Callable[[float], float], middle: float) -> Iterator[tuple[float, float]]:
    """Bandwidths with their likelihood: from wide to narrow, then closer and closer to the best."""
    tried = middle * np.geomspace(RANGE, 1 / RANGE, TRIALS)
    found = []
    for h in tried.tolist():
        found.append(likelihood(h))
        yield h, found[-1]
    at = int(np.argmax(found))
    wide, narrow = tried[max(at - 1, 0)], tried[min(at + 1, TRIALS - 1)]
    yield from _golden(likelihood, float(np.log(narrow)), float(np.log(wide)))


def _golden(likelihood: Callable[[float], float], low: float, high: float) -> Iterator[tuple[float, float]]:
    """Golden sections of an interval of log h."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = likelihood(float(np.exp(left))), likelihood(float(np.exp(right)))
    yield float(np.exp(left)), at_left
    yield float(np.exp(right)), at_right
    for _ in range(REFINED):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = likelihood(float(np.exp(left)))
            yield float(np.exp(left)), at_left
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = likelihood(float(np.exp(right)))
            yield float(np.exp(right)), at_right
