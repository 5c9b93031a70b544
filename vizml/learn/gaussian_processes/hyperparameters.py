"""The kernel of a Gaussian process on a line: its natural units, and the climb to the highest evidence."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from vizml.learn.gaussian_processes.climb import Climb, uphill
from vizml.learn.gaussian_processes.covariances import Scales
from vizml.learn.gaussian_processes.learned import posterior
from vizml.learn.gaussian_processes.regression import Process
from vizml.learn.state import Floats

Rise: TypeAlias = tuple[Process, str, float | None]
LENGTHS, PERIODS = (1e-3, 1e3), (1e-2, 1e1)
"""What a climb may try, as shares of the deviation of x."""
VARIANCES, NOISES = (1e-4, 1e4), (1e-8, 1e1)
"""The same, as shares of the mean square of y."""
NOISE = 0.05
"""The share of the variance of y that is taken for noise, where nobody says more."""


class Units(NamedTuple):
    """The deviation of x, the mean square of y, and a guess at the variance of its noise."""

    x: float
    square: float
    noise: float

    @classmethod
    def of(cls, x: Floats, t: Floats) -> Units:
        """Of data; 1 where they do not vary."""
        deviation, square, variance = float(x.std()), float(t @ t) / len(t), float(t.var())
        square = square if square > 0 else 1.0
        deviation = deviation if deviation > 1e-12 * float(np.abs(x).max()) else 1.0
        return cls(deviation, square, NOISE * variance if variance > 1e-9 * square else 1e-3 * square)


def fitted(process: Process, units: Units) -> Iterator[Rise]:
    """The places of a climb over the logarithms of all that the kernel has, with what they brought."""
    low, high = _box(process, units)
    start = _place(process)
    climb = Climb(start, np.minimum(low, start), np.maximum(high, start))

    def visit(place: Floats) -> Generator[Rise, None, Process]:
        yield from ()
        return _moved(process, place)

    best = yield from uphill(climb, visit, _risen)
    end = f"at the top after {climb.evaluations} trials: {words(best)}"
    yield best, f"{end}; log marginal likelihood {best.evidence:.5g}", 1.0


def _risen(before: Process, now: Process) -> Rise:
    return now, f"{words(now)}: log marginal likelihood {before.evidence:.5g} → {now.evidence:.5g}", None


def words(process: Process) -> str:
    """The parameters with their figures."""
    scales = process.covariance.scales
    period = f", period {scales.period:.4g}" if process.covariance.periodic else ""
    return f"length {scales.length:.3g}, variance {scales.variance:.3g}{period}, noise {process.noise:.3g}"


def _place(process: Process) -> Floats:
    length, variance, period = process.covariance.scales
    periods = [period] if process.covariance.periodic else []
    return np.log([length, variance, *periods, process.noise])


def _box(process: Process, units: Units) -> Floats:
    """Low and high."""
    ends = (0, 1)
    rows = [units.x * np.array(LENGTHS), units.square * np.array(VARIANCES)]
    if process.covariance.periodic:
        rows.append(units.x * np.array(PERIODS))
    rows.append(units.square * np.array(NOISES))
    return np.log([[row[end] for row in rows] for end in ends])


def _moved(process: Process, place: Floats) -> Process:
    length, variance, *periods, noise = (float(value) for value in np.exp(place))
    period = periods[0] if periods else process.covariance.scales.period
    covariance = replace(process.covariance, scales=Scales(length, variance, period))
    found = posterior(covariance, noise, process.x, process.t)
    # a place that would take minutes to see is as good as none: the climb turns back
    return replace(process, evidence=-math.inf) if found is None else found
