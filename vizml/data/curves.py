"""Noisy curves y = f(x) + e over x in [-3, 3], for regression."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.data.dataset import Dataset, Floats
from vizml.data.params import Param
from vizml.data.source import Make, Source, count, noise, real, renamed, seed


def sine(rng: Generator, n: int, noise: float, periods: float) -> Dataset:
    x = _abscissa(rng, n)
    return _noisy(rng, x, 1.5 * np.sin(2 * np.pi * periods * (x + 3) / 6), noise)


def step(rng: Generator, n: int, noise: float, jump: float) -> Dataset:
    x = _abscissa(rng, n)
    return _noisy(rng, x, np.where(x < 0, -jump / 2, jump / 2), noise)


def line(rng: Generator, n: int, noise: float, slope: float, intercept: float) -> Dataset:
    x = _abscissa(rng, n)
    return _noisy(rng, x, intercept + slope * x, noise)


def cubic(rng: Generator, n: int, noise: float) -> Dataset:
    x = _abscissa(rng, n)
    return _noisy(rng, x, x**3 / 6 - x, noise)


def hetero(rng: Generator, n: int, noise: float) -> Dataset:
    x = _abscissa(rng, n)
    return _noisy(rng, x, 0.5 * x, noise * (x + 3) / 3)


def _abscissa(rng: Generator, n: int) -> Floats:
    return rng.uniform(-3.0, 3.0, n)


def _noisy(rng: Generator, x: Floats, y: Floats, deviation: float | Floats) -> Dataset:
    return Dataset.curve(x, y + deviation * rng.standard_normal(len(x)))


def _source(make: Make, title: str, help: str, *options: Param) -> Source:
    return Source(make.__name__, title, help, "regress", (count(100), *options, seed()), make)


_NOISE = renamed(noise(0.25), "standard deviation of y around the curve")
_GROWING = renamed(noise(0.4), "standard deviation of y at x = 0; it grows in proportion to x + 3")
_PERIODS = real("periods", 1.5, 0.1, 10.0, help="how many waves there are from x = -3 to 3")
_JUMP = real("jump", 2.0, -6.0, 6.0, help="the height of the step at x = 0")
_SLOPE = real("slope", 0.7, -10.0, 10.0, help="how much y rises when x rises by 1")
_INTERCEPT = real("intercept", 0.5, -10.0, 10.0, help="y at x = 0")

SOURCES = (
    _source(sine, "Sine", "a wave of height 1.5", _NOISE, _PERIODS),
    _source(step, "Step", "a jump at x = 0", _NOISE, _JUMP),
    _source(line, "Line", "a straight line", _NOISE, _SLOPE, _INTERCEPT),
    _source(cubic, "Cubic", "y = x³/6 − x", _NOISE),
    _source(hetero, "Heteroscedastic", "a line whose noise grows with x", _GROWING),
)
