"""Synthetic tables: curves over [-3, 3], samples of distributions, and tables like those of a textbook.

The textbook is James et al., An Introduction to Statistical Learning. In its regressions the noise is
orthogonal to the terms of the model: least squares finds the coefficients of the textbook. Default on balance
has the coefficients of its logistic regression.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate

import numpy as np
from numpy.random import Generator

from vizml.data.columns import Column, Floats, Ints
from vizml.data.dataset import Dataset
from vizml.data.generator import NOISE, SEED, SIZE, DatasetGenerator, Sampler
from vizml.data.params import Choice, Integer, Param, Real, Value


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
    declared = (replace(SIZE, default=100), *options, SEED)
    return DatasetGenerator(sample.__name__, title, help, "regress", declared, sample)


_RESIDUAL = replace(NOISE, default=0.25, help="Standard deviation of y around the curve.")
_GROWING = replace(NOISE, default=0.4, help="Standard deviation of y at x = 0. It is proportional to x + 3.")
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
        series, "Time series", "A trend with autocorrelated noise; rows in the order of time.",
        _RESIDUAL, _MEMORY,
    ),
)  # fmt: skip


Draw = Callable[..., Floats]


def coin(rng: Generator, n: int, theta: float) -> Dataset:
    """Flip a coin; the number of heads (1) is θ n, rounded."""
    return Dataset.of([Column("x", rng.permutation(np.arange(n) < round(theta * n)))])


def _generator(name: str, help: str, draw: Draw, *options: Param) -> DatasetGenerator:
    def sample(rng: Generator, n: int, **options: Value) -> Dataset:
        return Dataset.of([Column("x", draw(rng, n, **options))])

    return DatasetGenerator(
        name, f"{name.capitalize()} sample", help, "distribute", (SIZE, *options, SEED), sample,
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
        "coin", "Coin flips", "Flips of a coin: 1 for heads, 0 for tails. Seven of ten are heads.",
        "distribute", (replace(SIZE, default=10, help="Number of flips."), _THETA, SEED), coin,
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


SALES = (2.939, 0.046, 0.189, -0.001)
"""Intercept and coefficients of TV, radio and newspaper."""
MPG = (56.9001, -0.4662, 0.0012)
"""Intercept and coefficients of horsepower and its square."""
MEDIA = ("TV", "radio", "newspaper")
CLIPPED = 2.0
"""Standard deviations of the noise at the most: sales and consumption are positive."""
LOGIT_INTERCEPT, LOGIT_SLOPE = -10.6513, 0.0054989
"""Coefficients of the logistic regression of default on balance."""
STUDENTS = 0.29
"""Share of students."""
STARTS = 25
"""Systematic samples, with different starts."""


def advertising(rng: Generator, n: int, noise: float, a: str) -> Dataset:
    """Draw budgets; that of newspapers is correlated with that of radio (0.35)."""
    tv, radio, own = rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), (3, n))
    budgets = 147.0 + 80.0 * tv, 24.5 + 14.0 * radio, 31.0 + 13.0 * (0.354 * radio + 0.935 * own)
    sales = _response(rng, np.column_stack(budgets), SALES, noise)
    columns = [Column(name, values) for name, values in zip(MEDIA, budgets)]
    return Dataset.of([*columns, Column("sales", sales)], (a, "sales"))


def auto(rng: Generator, n: int, noise: float) -> Dataset:
    """Draw the power of engines, with a long tail."""
    power = np.clip(rng.lognormal(4.58, 0.34, n), 46.0, 230.0)
    mpg = _response(rng, np.column_stack([power, power**2]), MPG, noise)
    return Dataset.of([Column("horsepower", power), Column("mpg", mpg)])


def collinear(rng: Generator, n: int, noise: float, gap: float) -> Dataset:
    """Draw two inputs that are almost equal; y is their sum."""
    first, second = rng.uniform(-3.0, 3.0, n), rng.standard_normal(n)
    second = first + gap * second
    y = first + second + noise * rng.standard_normal(n)
    return Dataset.of([Column("x1", first), Column("x2", second), Column("y", y)], ("x1", "y"))


def _response(rng: Generator, terms: Floats, beta: tuple[float, ...], noise: float) -> Floats:
    """Return a linear model of some terms, with noise that is orthogonal to them."""
    design = np.column_stack([np.ones(len(terms)), terms])
    residual = noise * np.clip(rng.standard_normal(len(terms)), -CLIPPED, CLIPPED)
    basis = np.linalg.qr(design / np.abs(design).max(axis=0))[0]
    return np.asarray(design @ beta + residual - basis @ (basis.T @ residual))


TEXTBOOK = (
    DatasetGenerator(
        "advertising", "Advertising (synthetic)",
        "Synthetic sales in 200 markets by budgets of TV, radio and newspaper advertising.", "regress",
        (
            replace(SIZE, default=200, help="Number of markets."), replace(NOISE, default=1.69),
            Choice(name="a", default="TV", options=MEDIA, help="Budget on the x axis."), SEED,
        ),
        advertising,
    ),
    DatasetGenerator(
        "auto", "Auto (synthetic)", "Synthetic fuel consumption of 392 cars, quadratic in their power.",
        "regress", (replace(SIZE, default=392, help="Number of cars."), replace(NOISE, default=4.37), SEED),
        auto, synonyms=("mpg", "horsepower"),
    ),
    DatasetGenerator(
        "collinear", "Collinear inputs", "Two almost equal inputs x1 and x2, and y = x1 + x2.", "regress",
        (
            replace(SIZE, default=40),
            replace(NOISE, default=0.25, help="Standard deviation of y around x1 + x2."),
            Real(name="gap", default=0.001, lo=0.0, hi=3.0, help="Standard deviation of x2 − x1."),
            SEED,
        ),
        collinear, synonyms=("near-singular", "nearly singular", "multicollinearity", "ill-conditioned"),
    ),
)  # fmt: skip


def default(rng: Generator, n: int) -> Dataset:
    student = (rng.random(n) < STUDENTS).astype(np.int64)
    balance = np.maximum(rng.normal(np.where(student, 980.0, 770.0), 470.0), 0.0)
    income = np.maximum(
        rng.normal(np.where(student, 18_000.0, 40_000.0), np.where(student, 4_500.0, 10_000.0)), 700.0
    )
    return Dataset(
        np.column_stack([balance, income]), _defaults(balance), ("No", "Yes"),
        axes=("balance", "income"), others=(Column("student", student, ("No", "Yes")),),
        chosen_inputs=("balance",),
    )  # fmt: skip


def _defaults(balance: Floats) -> Ints:
    """Return who defaults: a systematic sample, in the order of the balance, with probabilities p(balance).

    Of some samples it takes the one with the smallest score of the slope, which is 0 at the fit.
    """
    x = np.sort(balance)
    p = 1.0 / (1.0 + np.exp(-(LOGIT_INTERCEPT + LOGIT_SLOPE * x)))
    centred = x - np.average(x, weights=p * (1.0 - p))  # its score is that of the slope alone
    starts = (np.arange(STARTS)[:, None] + 0.5) / STARTS
    samples = np.diff(np.floor(np.cumsum(p) + starts), prepend=0.0)
    labels = np.empty(len(x), dtype=np.int64)
    labels[np.argsort(balance, kind="stable")] = samples[np.argmin(np.abs((samples - p) @ centred))]
    return labels


CREDIT = DatasetGenerator(
    "default", "Credit default (synthetic)",
    "Synthetic credit card accounts: default on balance, with income and student status.",
    "classify", (replace(SIZE, default=10_000, help="Number of accounts."), SEED), default,
)  # fmt: skip
