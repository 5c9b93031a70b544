"""Samples of one quantity: coin flips, and draws from common distributions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from vizml.data.columns import Column, Floats
from vizml.data.dataset import Dataset
from vizml.data.generator import SEED, DatasetGenerator, size_option
from vizml.data.params import Integer, Param, Real, Value

Draw = Callable[..., Floats]
TASK = "distribute"
SIZE = 200


def single_column(values: Floats) -> Dataset:
    """Return a data set with one column, x."""
    return Dataset.of([Column("x", np.asarray(values, dtype=np.float64))])


def coin(rng: Generator, n: int, theta: float) -> Dataset:
    """Flip a coin; the number of heads (1) is θ n, rounded."""
    return single_column(rng.permutation(np.arange(n) < round(theta * n)))


def _generator(name: str, help: str, draw: Draw, *options: Param) -> DatasetGenerator:
    def sample(rng: Generator, n: int, **options: Value) -> Dataset:
        return single_column(draw(rng, n, **options))

    return DatasetGenerator(
        name, f"{name.capitalize()} sample", help, TASK, (size_option(SIZE), *options, SEED), sample,
        model=name, synonyms=(f"{name} distribution",),
    )  # fmt: skip


_THETA = Real(name="theta", default=0.7, lo=0.0, hi=1.0, help="Success probability.", symbol=r"\theta")
_TRIALS = Integer(name="trials", default=10, lo=1, hi=1000, log=True, help="Number of trials of each sample.")
_CATEGORIES = Integer(name="categories", default=6, lo=2, hi=20, help="Number of equally likely categories.")
_RATE = Real(
    name="rate", default=3.0, lo=1e-3, hi=1e4, log=True, help="Rate: the mean count.", symbol=r"\lambda"
)
_LOW = Real(name="low", default=0.0, lo=-1e6, hi=1e6, help="Lower bound.")
_WIDTH = Real(name="width", default=1.0, lo=1e-3, hi=1e6, log=True, help="Width of the interval.")
_MU = Real(name="mu", default=0.0, lo=-1e6, hi=1e6, help="Mean.", symbol=r"\mu")
_SIGMA = Real(
    name="sigma", default=1.0, lo=1e-3, hi=1e6, log=True, help="Standard deviation.", symbol=r"\sigma"
)
_SCALE = Real(name="scale", default=1.0, lo=1e-3, hi=1e6, log=True, help="Scale parameter.")
_SHAPE = Real(name="shape", default=2.0, lo=0.05, hi=1e4, log=True, help="Shape parameter.")
_TAIL = Real(name="shape", default=3.0, lo=0.5, hi=1e4, log=True, help="Shape parameter of the tail.")
_A, _B = (
    Real(name=name, default=default, lo=0.1, hi=1e4, log=True, help=f"{which} shape parameter.")
    for name, default, which in (("a", 2.0, "First"), ("b", 5.0, "Second"))
)

SAMPLES = (
    DatasetGenerator(
        "coin", "Coin flips", "Flips of a coin: 1 for heads, 0 for tails. Seven of ten are heads.", TASK,
        (size_option(10, help="Number of flips."), _THETA, SEED), coin,
        model="bernoulli", synonyms=("Bernoulli trials", "MLE Bernoulli", "heads or tails"),
    ),
    _generator(
        "binomial", "Numbers of successes in several trials each.",
        lambda rng, n, trials, theta: rng.binomial(trials, theta, n), _TRIALS, _THETA,
    ),
    _generator(
        "multinomial", "Categories that are equally likely, such as the faces of a die.",
        lambda rng, n, categories: rng.integers(1, categories, n, endpoint=True), _CATEGORIES,
    ),
    _generator("poisson", "Numbers of rare events.", lambda rng, n, rate: rng.poisson(rate, n), _RATE),
    _generator(
        "uniform", "Numbers that are equally likely within an interval.",
        lambda rng, n, low, width: rng.uniform(low, low + width, n), _LOW, _WIDTH,
    ),
    _generator(
        "gaussian", "Normally distributed numbers.",
        lambda rng, n, mu, sigma: rng.normal(mu, sigma, n), _MU, _SIGMA
    ),
    _generator(
        "laplace", "Numbers with heavier tails than a Gaussian.",
        lambda rng, n, mu, scale: rng.laplace(mu, scale, n), _MU, _SCALE,
    ),
    _generator(
        "gamma", "Waiting times.", lambda rng, n, shape, scale: rng.gamma(shape, scale, n), _SHAPE, _SCALE
    ),
    _generator("beta", "Shares between 0 and 1.", lambda rng, n, a, b: rng.beta(a, b, n), _A, _B),
    _generator(
        "pareto", "Numbers with a long tail, such as incomes.",
        lambda rng, n, shape, scale: scale * (1 + rng.pareto(shape, n)), _TAIL, _SCALE,
    ),
)  # fmt: skip
