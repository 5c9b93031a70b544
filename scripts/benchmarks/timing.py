"""Timing by the minimum of several runs, which other processes disturb least."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

import numpy as np

T = TypeVar("T")
ENOUGH = 0.6
"""Seconds after which no further run is started."""


def best(work: Callable[[], T], tries: int = 7) -> tuple[float, T]:
    """Return the shortest time of several runs, and the result of the last one."""
    shortest, spent = float("inf"), 0.0
    for _ in range(tries):
        started = perf_counter()
        result = work()
        took = perf_counter() - started
        shortest, spent = min(shortest, took), spent + took
        if spent > ENOUGH:
            break
    return shortest, result


def best_of_both(ours: Callable[[], object], theirs: Callable[[], object], tries: int = 15) -> list[float]:
    """Return the shortest times of two kinds of work that take turns."""
    shortest = [float("inf")] * 2
    started = perf_counter()
    for number in range(tries):
        if number > 1 and perf_counter() - started > 2 * ENOUGH:
            break
        shortest = [min(before, best(work, 1)[0]) for before, work in zip(shortest, (ours, theirs))]
    return shortest


def one_exp(pixels: int = 800_000) -> float:
    """Time one numpy.exp of so many float32, the unit of the cost of a field."""
    values = np.random.default_rng(0).random(pixels, dtype=np.float32)
    out = np.empty_like(values)
    return best(lambda: np.exp(values, out=out), tries=30)[0]


def quantiles(seconds: list[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile, in milliseconds."""
    p50, p95 = np.percentile(np.array(seconds) * 1e3, [50, 95])
    return float(p50), float(p95)
