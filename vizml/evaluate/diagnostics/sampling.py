"""The sampling distribution of two coefficients, with the ellipse of sigma^2 (X'X)^-1, and Gauss-Markov."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import name_field, seed_field, two_positions
from vizml.evaluate.sampling import CHI2_95, Draw, SamplingDistribution, draws
from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn import REGRESS, Model, flag, integer
from vizml.learn.model import StandardisedModel
from vizml.learn.outlines import ellipse
from vizml.scene import Axis, Chart, Ink, Series
from vizml.scene.typesetting import typeset

FIRST, GROWTH = 10, 2
"""Samples of the first chart, and the ratio of their numbers in successive charts."""
EXACT = 1e-6
"""Distance of the true curve from the functions of the model, as a share of its range, that is rounding."""


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
        return (
            f"{note}; the variance with wrong weights is {other / theory:.3g} times as large"
            if self.compare and theory > 0
            else note
        )


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
