"""Synthetic curves with noise over [-3, 3]."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.random import Generator

from vizml.data.dataset import Dataset, Floats
from vizml.data.generator import SEED, DatasetGenerator, Sampler, noise_option, size_option
from vizml.data.params import Param, Real


def sine(rng: Generator, n: int, noise: float, periods: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, 1.5 * np.sin(2 * np.pi * periods * (x + 3) / 6), noise)


def step(rng: Generator, n: int, noise: float, jump: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, np.where(x < 0, -jump / 2, jump / 2), noise)


def line(rng: Generator, n: int, noise: float, slope: float, intercept: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, intercept + slope * x, noise)


def cubic(rng: Generator, n: int, noise: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, x**3 / 6 - x, noise)


def hetero(rng: Generator, n: int, noise: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, 0.5 * x, noise * (x + 3) / 3)


def series(rng: Generator, n: int, noise: float, memory: float) -> Dataset:
    x, steps = np.linspace(-3.0, 3.0, n), rng.standard_normal(n)
    steps[1:] *= np.sqrt(1 - memory**2)
    deviations = list(accumulate(steps.tolist(), lambda before, step: memory * before + step))
    return Dataset.curve(x, 0.5 * x + noise * np.array(deviations))


def _inputs(rng: Generator, n: int) -> Floats:
    return rng.uniform(-3.0, 3.0, n)


def _noisy(rng: Generator, x: Floats, y: Floats, deviation: float | Floats) -> Dataset:
    return Dataset.curve(x, y + deviation * rng.standard_normal(len(x)))


def _curve(sample: Sampler, title: str, help: str, *options: Param) -> DatasetGenerator:
    declared = (size_option(100), *options, SEED)
    return DatasetGenerator(sample.__name__, title, help, "regress", declared, sample)


_RESIDUAL = noise_option(0.25, "Standard deviation of y around the curve.")
_GROWING = noise_option(0.4, "Standard deviation of y at x = 0. It is proportional to x + 3.")
_PERIODS = Real(name="periods", default=1.5, lo=0.1, hi=10.0, help="Number of periods from x = −3 to x = 3.")
_JUMP = Real(name="jump", default=2.0, lo=-6.0, hi=6.0, help="Height of the step at x = 0.")
_SLOPE = Real(name="slope", default=0.7, lo=-10.0, hi=10.0, help="Slope of the line.")
_INTERCEPT = Real(name="intercept", default=0.5, lo=-10.0, hi=10.0, help="Value of y at x = 0.")
_MEMORY = Real(
    name="memory",
    default=0.9,
    lo=0.0,
    hi=0.99,
    help="Correlation of the deviations of two consecutive points.",
)

CURVES = (
    _curve(sine, "Sine", "A sine wave of amplitude 1.5.", _RESIDUAL, _PERIODS),
    _curve(step, "Step", "A step function with its jump at x = 0.", _RESIDUAL, _JUMP),
    _curve(line, "Line", "A straight line.", _RESIDUAL, _SLOPE, _INTERCEPT),
    _curve(cubic, "Cubic", "The cubic y = x³/6 − x.", _RESIDUAL),
    _curve(hetero, "Heteroscedastic", "A line with noise that grows with x.", _GROWING),
    _curve(
        series,
        "Time series",
        "A trend with autocorrelated noise; rows in the order of time.",
        _RESIDUAL,
        _MEMORY,
    ),
)
