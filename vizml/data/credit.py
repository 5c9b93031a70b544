"""Synthetic credit card accounts, modelled on the data set Default of James et al., An Introduction to
Statistical Learning: default on balance has the coefficients of its logistic regression.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.data.dataset import Column, Dataset, Floats
from vizml.data.generator import SEED, DatasetGenerator, size_option
from vizml.data.labels import Ints

INTERCEPT, SLOPE = -10.6513, 0.0054989
STUDENTS = 0.29
"""Share of students."""
SAMPLES = 25
"""Systematic samples, with different starts."""


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
