"""Sampling distributions of coefficients that are linear in y: b = M y has the covariance sigma^2 M M'.

For least squares M = (X'X)^-1 X', and the covariance is sigma^2 (X'X)^-1; for ridge M = (X'X + lam I)^-1 X'.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vizml.evaluate.resampling import Sampler
from vizml.field.arrays import Floats
from vizml.learn import Model, fit_data
from vizml.learn.linear_models.basis_regression import BasisRegressionState
from vizml.learn.training_data import TrainingData

HEAVIEST = 20.0
"""Weight of the last row in relation to the first one, where wrong weights are used."""
CHI2_95 = -2 * math.log(0.05)
"""Squared radius of the ellipse that contains 95 % of a Gaussian of two variables."""


@dataclass(frozen=True, eq=False)
class Draw:
    """A new sample with its noiseless curve, and the coefficients that are estimated from it."""

    names: tuple[str, ...]
    data: TrainingData
    curve: Floats
    estimate: Floats
    mapping: Floats
    """M (p, n) of the estimate."""
    exact: Floats
    """Mapping of least squares."""
    weighted: Floats
    """Mapping of least squares with wrong weights."""
    misfit: float
    """Largest distance of the curve from the functions of the model, as a share of its range."""

    @property
    def noise(self) -> Floats:
        """The noise of each row."""
        return np.asarray(self.data.y - self.curve)


@dataclass(frozen=True, eq=False)
class SamplingDistribution:
    """Estimates (m, p) from m samples, their expectation given the inputs, and their covariance by theory."""

    estimates: Floats
    others: Floats
    """Estimates by least squares with wrong weights."""
    expectation: Floats
    truth: Floats
    covariance: Floats
    other_expectation: Floats
    other_covariance: Floats
    sigma: float
    misfit: float

    @classmethod
    def of(cls, draws: list[Draw]) -> SamplingDistribution:
        """Summarise samples."""
        sigma = math.sqrt(float(np.mean([np.mean(draw.noise**2) for draw in draws])))
        return cls(
            estimates=np.array([draw.estimate for draw in draws]),
            others=np.array([draw.weighted @ draw.data.y for draw in draws]),
            expectation=np.mean([draw.mapping @ draw.curve for draw in draws], axis=0),
            truth=np.mean([draw.exact @ draw.curve for draw in draws], axis=0),
            covariance=_covariance([(draw.mapping, draw.curve) for draw in draws], sigma),
            other_expectation=np.mean([draw.weighted @ draw.curve for draw in draws], axis=0),
            other_covariance=_covariance([(draw.weighted, draw.curve) for draw in draws], sigma),
            sigma=sigma,
            misfit=max(draw.misfit for draw in draws),
        )


def _covariance(mappings: list[tuple[Floats, Floats]], sigma: float) -> Floats:
    """Return the mean of sigma^2 M M' and, where inputs differ between samples, the covariance of M f."""
    given = sigma**2 * np.mean([mapping @ mapping.T for mapping, _ in mappings], axis=0)
    return np.asarray(given + np.cov(np.array([mapping @ curve for mapping, curve in mappings]).T, ddof=0))


def draws(
    model: Model, samplers: tuple[Sampler, Sampler] | None, data: TrainingData, count: int, seed: int
) -> Iterator[Draw]:
    """Yield the estimates from new samples of a generator with and without its noise.

    Without a generator, samples have the inputs of the data, and targets of the fitted curve with noise.
    """
    if samplers is not None:
        noisy, noiseless = samplers
        for i in range(count):
            yield _estimated(model, model.training_data(noisy(i)), model.training_data(noiseless(i)).y)
        return
    state = _checked(fit_data(model, data))
    curve, rng = state.expected(data.X), np.random.default_rng(seed)
    sigma = math.sqrt(state.rss / (len(data) - state.basis.size))
    for _ in range(count):
        y = curve + sigma * rng.standard_normal(len(data))
        yield _estimated(model, replace(data, y=y), curve)


def _estimated(model: Model, data: TrainingData, curve: Floats) -> Draw:
    """Fit a model to a sample."""
    state = _checked(fit_data(model, data))
    conversion, design = state.basis.conversion(), state.basis.design(data.X)
    smoother, inverse = state.hat_design(data.X) @ state.hat.root, np.linalg.pinv(design)
    weights = np.sqrt(np.geomspace(1.0, HEAVIEST, len(data))[np.argsort(np.argsort(data.X[:, 0]))])
    misfit = np.abs(curve - design @ (inverse @ curve)).max() / (np.ptp(curve) or 1.0)
    return Draw(
        names=("intercept", *state.basis.term_names()), data=data, curve=curve,
        estimate=state.coefficients, exact=conversion @ inverse,
        mapping=conversion @ inverse @ smoother @ smoother.T,
        weighted=conversion @ np.linalg.pinv(design * weights[:, None]) * weights, misfit=float(misfit),
    )  # fmt: skip


def _checked(state: object) -> BasisRegressionState:
    """Return a state whose coefficients are those of powers of numbers; ValueError for others."""
    if not isinstance(state, BasisRegressionState) or not state.basis.has_powers:
        raise ValueError("choose linear or ridge regression on polynomials of numbers")
    if len(state.y) <= state.basis.size:
        raise ValueError("there are too few points for so many coefficients")
    return state
