"""The sampling distribution of two coefficients, with the ellipse of their covariance, and Gauss-Markov.

Coefficients b = M y that are linear in y have the covariance sigma^2 M M'. For least squares
M = (X'X)^-1 X', and the covariance is sigma^2 (X'X)^-1; for ridge M = (X'X + lam I)^-1 X'.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import name_field, seed_field, two_positions
from vizml.evaluate.resampling import Sampler
from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn import REGRESS, Model, fit_data, flag, integer
from vizml.learn.linear_models.basis_regression import BasisRegressionState
from vizml.learn.model import StandardisedModel
from vizml.learn.outlines import ellipse
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Ink, Series
from vizml.scene.typesetting import typeset, without_rounding

HEAVIEST = 20.0
"""Weight of the last row in relation to the first one, where wrong weights are used."""
CHI2_95 = -2 * math.log(0.05)
"""Squared radius of the ellipse that contains 95 % of a Gaussian of two variables."""
FIRST, GROWTH = 10, 2
"""Samples of the first chart, and the ratio of their numbers in successive charts."""
EXACT = 1e-6
"""Distance of the true curve from the functions of the model, as a share of its range, that is rounding."""


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
            expectation=np.mean([_applied(draw.mapping, draw.curve) for draw in draws], axis=0),
            truth=np.mean([_applied(draw.exact, draw.curve) for draw in draws], axis=0),
            covariance=_covariance([(draw.mapping, draw.curve) for draw in draws], sigma),
            other_expectation=np.mean([_applied(draw.weighted, draw.curve) for draw in draws], axis=0),
            other_covariance=_covariance([(draw.weighted, draw.curve) for draw in draws], sigma),
            sigma=sigma,
            misfit=max(draw.misfit for draw in draws),
        )


def _applied(mapping: Floats, curve: Floats) -> Floats:
    """Return coefficients M f, 0 where they are but rounding errors of its terms."""
    return without_rounding(mapping @ curve, mapping * curve)


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


@diagnostic(
    "sampling", title="Sampling distribution", tasks=(REGRESS,),
    synonyms=(
        "sampling distribution of coefficients", "unbiased", "unbiasedness", "Gauss-Markov", "BLUE",
        "variance of the estimator", "covariance of coefficients", "confidence ellipse", "standard error",
    ),
)  # fmt: skip
class CoefficientSampling(Diagnostic):
    """Estimates of two coefficients from new samples, with the ellipse of 95 % of their covariance σ²(X′X)⁻¹.
    By the Gauss-Markov theorem no other linear unbiased estimator has a smaller variance.
    """

    across: str = name_field("Coefficient along x; empty for the first.", "a coefficient")
    up: str = name_field("Coefficient along y; empty for the second.", "a coefficient")
    compare: bool = flag(
        default=True, title="wrong weights",
        help="Show least squares with wrong weights as well, from 1 at the lowest x to 20 at the highest.",
    )  # fmt: skip
    draws: int = integer(300, 3, 2000, help="Number of samples.")
    seed: int = seed_field()

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        model, data = linear_model(subject.model), subject.model.training_data(subject.train)
        noisy, noiseless = subject.sampler, subject.noiseless_sampler
        samplers = None
        if noisy and noiseless and model.training_data(noiseless(0)).columns == data.columns:
            samplers = noisy, noiseless
        done: list[Draw] = []
        shown = FIRST
        for draw in draws(model, samplers, data, self.draws, self.seed):
            check_cancelled()
            done.append(draw)
            if len(done) in (shown, self.draws):
                shown *= GROWTH
                yield ChartResult(self._chart(model, done))

    def _chart(self, model: Model, done: list[Draw]) -> Chart:
        names, found = done[0].names, SamplingDistribution.of(done)
        if len(names) < 2:
            raise ValueError("the model has a single coefficient: choose a degree of at least 1")
        least_squares, fits = model.id == "linear", found.misfit <= EXACT
        covariance = "95 % by σ²(X′X)⁻¹" if least_squares and fits else "95 % by theory"
        axes = list(two_positions(names, (self.across, self.up), 0, "coefficient"))
        pair = np.ix_(axes, axes)
        series = []
        if self.compare:
            series = [
                _cloud("wrong weights", found.others[:, axes], 1),
                _ellipse("", found.other_expectation[axes], found.other_covariance[pair], 1),
            ]
        series += [
            _cloud("least squares" if least_squares else model.short, found.estimates[:, axes], "accent"),
            _ellipse(covariance, found.expectation[axes], found.covariance[pair], "text"),
            _dot("mean of the estimates", found.estimates[:, axes].mean(axis=0), "text"),
            _dot("true coefficients" if fits else "best approximation", found.truth[axes], 3),
        ]
        x, y = (names[axis] for axis in axes)
        return Chart(
            title="Sampling distribution", x=Axis(title=x), y=Axis(title=y), series=tuple(series),
            note=typeset(self._note(found, y, axes[1])),
        )  # fmt: skip

    def _note(self, found: SamplingDistribution, name: str, axis: int) -> str:
        """Return mean and standard error of a coefficient, measured and by theory."""
        estimates = found.estimates[:, axis]
        theory, other = found.covariance[axis, axis], found.other_covariance[axis, axis]
        note = (
            f"{len(estimates)} samples, {name}: mean {estimates.mean():.4g} for {found.truth[axis]:.4g}, "
            f"standard error {estimates.std(ddof=1):.4g}, by theory {np.sqrt(theory):.4g}"
        )
        if self.compare and theory > 0:
            note += f"; the variance with wrong weights is {other / theory:.3g} times as large"
        return note


def linear_model(model: Model) -> Model:
    """Return the model with estimates that are linear in y; ValueError where there are none."""
    own = model.inner if isinstance(model, StandardisedModel) else model
    if own.id == "linear":
        return own.with_(solver="exact")
    if own.id != "ridge" or isinstance(own.values["lam"], str):
        raise ValueError(
            "choose linear regression, or ridge regression with a number as λ: estimates are linear in y"
        )
    return own


def _cloud(name: str, estimates: Floats, ink: Ink) -> Series:
    return Series(name=name, x=estimates[:, 0], y=estimates[:, 1], kind="dots", ink=ink, opacity=0.5)


def _dot(name: str, place: Floats, ink: Ink) -> Series:
    return Series(name=name, x=place[:1], y=place[1:], kind="dots", ink=ink)


def _ellipse(name: str, mean: Floats, covariance: Floats, ink: Ink) -> Series:
    x, y = ellipse(mean, covariance, float(np.sqrt(CHI2_95))).T
    return Series(name=name, x=np.append(x, x[0]), y=np.append(y, y[0]), ink=ink)
