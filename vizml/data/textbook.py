"""Synthetic tables modelled on data sets of James et al., An Introduction to Statistical Learning.

In regressions the noise is orthogonal to the terms of the model: least squares finds the coefficients of the
textbook. Default on balance has the coefficients of its logistic regression.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.data.columns import Column, Floats
from vizml.data.dataset import Dataset
from vizml.data.generator import SEED, DatasetGenerator, noise_option, size_option
from vizml.data.labels import Ints
from vizml.data.params import Choice, Real

SALES = (2.939, 0.046, 0.189, -0.001)
"""Intercept and coefficients of TV, radio and newspaper."""
MPG = (56.9001, -0.4662, 0.0012)
"""Intercept and coefficients of horsepower and its square."""
MEDIA = ("TV", "radio", "newspaper")
CLIPPED = 2.0
"""Standard deviations of the noise at the most: sales and consumption are positive."""
INTERCEPT, SLOPE = -10.6513, 0.0054989
"""Coefficients of the logistic regression of default on balance."""
STUDENTS = 0.29
"""Share of students."""
SAMPLES = 25
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
            size_option(200, help="Number of markets."), noise_option(1.69),
            Choice(name="a", default="TV", options=MEDIA, help="Budget on the x axis."), SEED,
        ),
        advertising,
    ),
    DatasetGenerator(
        "auto", "Auto (synthetic)", "Synthetic fuel consumption of 392 cars, quadratic in their power.",
        "regress", (size_option(392, help="Number of cars."), noise_option(4.37), SEED), auto,
        synonyms=("mpg", "horsepower"),
    ),
    DatasetGenerator(
        "collinear", "Collinear inputs", "Two almost equal inputs x1 and x2, and y = x1 + x2.", "regress",
        (
            size_option(40), noise_option(0.25, "Standard deviation of y around x1 + x2."),
            Real(
                name="gap", default=0.001, lo=0.0, hi=3.0, help="Standard deviation of x2 − x1."
            ),
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
    p = 1.0 / (1.0 + np.exp(-(INTERCEPT + SLOPE * x)))
    centred = x - np.average(x, weights=p * (1.0 - p))  # its score is that of the slope alone
    starts = (np.arange(SAMPLES)[:, None] + 0.5) / SAMPLES
    samples = np.diff(np.floor(np.cumsum(p) + starts), prepend=0.0)
    labels = np.empty(len(x), dtype=np.int64)
    labels[np.argsort(balance, kind="stable")] = samples[np.argmin(np.abs((samples - p) @ centred))]
    return labels


CREDIT = DatasetGenerator(
    "default", "Credit default (synthetic)",
    "Synthetic credit card accounts: default on balance, with income and student status.",
    "classify", (size_option(10_000, help="Number of accounts."), SEED), default,
)  # fmt: skip
