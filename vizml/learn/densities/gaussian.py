"""Gaussian density: maximum likelihood, or the posterior mode under a prior.

The prior (normal, inverse Wishart) counts as p points with mean m and variance w^2 in every direction:
mu = (p m + n mean) / (p + n), S = (p w^2 I + scatter of points and prior about mu) / (p + n).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.learn import DENSITY, CannotLearn, real, register, text
from vizml.learn.gaussians import GaussianComponents, correlation_of, least_variances, mean_of
from vizml.learn.learned import Learned
from vizml.learn.line_views import DensityLineView
from vizml.learn.mixtures.views import ellipse_marks
from vizml.learn.model import WatchedModel
from vizml.learn.outlines import MASSES, MassContourView, MassDensity, circle, gaussian_levels
from vizml.learn.training_data import TrainingData
from vizml.scene import Mark, Path, Profile

PROFILE = np.linspace(-3.5, 3.5, 121)
"""Positions of a marginal density in standard deviations."""


def parse_mean(text: str) -> tuple[float, ...]:
    """Parse '0, 1.5' as numbers; raise ValueError unless there are two finite ones."""
    mean = tuple(float(number) for number in text.split(","))
    if len(mean) != 2 or not np.isfinite(mean).all():
        raise ValueError
    return mean


def least_ratio(X: Floats, covariance: Floats) -> float:
    """Least variance in any direction, in units of the least that double precision can tell from zero."""
    deviations = np.sqrt(least_variances(X))
    return float(np.linalg.eigvalsh(covariance / np.outer(deviations, deviations))[0])


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianPrior:
    """Prior mean and standard deviation, and the number of points that the prior counts as."""

    weight: float
    mean: tuple[float, ...]
    width: float

    def fit(self, X: Floats, *, spherical: bool) -> GaussianComponents:
        """Posterior mode, or the mode among Gaussians with the same variance in every direction."""
        (n, d), p = X.shape, self.weight
        centre, m = mean_of(X), np.array(self.mean)
        mean = centre if not p else (p * m + n * centre) / (p + n)
        deviations, offset = X - mean, (m - mean if p else np.zeros(d))
        scatter = deviations.T @ deviations + p * (np.outer(offset, offset) + self.width**2 * np.eye(d))
        covariance = scatter / (p + n)
        if spherical:
            covariance = np.eye(d) * np.trace(covariance) / d
        covariance += max(1.0 - least_ratio(X, covariance), 0.0) * np.diag(least_variances(X))
        return GaussianComponents(weights=np.ones(1), means=mean[None], covariances=covariance[None])

    def negative_log_posterior(self, X: Floats, gaussian: GaussianComponents) -> float:
        """-log L of the points and of those that the prior stands for."""
        loss = -float(gaussian.log_joint(X).sum())
        if not self.weight:
            return loss
        offset = np.array(self.mean) - gaussian.means[0]
        scatter = np.outer(offset, offset) + self.width**2 * np.eye(len(offset))
        log_det = float(np.linalg.slogdet(gaussian.covariances[0])[1])
        misfit = float(np.trace(np.linalg.solve(gaussian.covariances[0], scatter)))
        return loss + self.weight / 2 * (log_det + misfit)


class GaussianDensityLineView(DensityLineView["GaussianDensityState"]):
    """The density with its mean."""

    def marks(self) -> tuple[Mark, ...]:
        return self.uprights(self.state.gaussian.means, "Means", "mean", ("text",))


class GaussianDensityView(MassContourView["GaussianDensityState"]):
    """Log density of one Gaussian with its contours, its ellipse, its marginals and the prior."""

    def field(self, raster: Raster) -> Field:
        return self.state.gaussian.joint_field(self.section, raster)

    def whole_marks(self) -> tuple[Mark, ...]:
        ellipse = ellipse_marks(self.state.gaussian, ("text",), (1.0,))
        return (*self._marginals(), *self._prior(), *super().whole_marks(), *ellipse)

    def _prior(self) -> tuple[Mark, ...]:
        """Circle at one standard deviation of the prior."""
        prior = self.state.prior
        if not prior.weight:
            return ()
        line = circle(np.array(prior.mean), prior.width)
        legend = "prior, 1 σ"
        return (Path(layer="Prior", lines=(line,), closed=True, ink="accent", stroke="dash", legend=legend),)

    def _marginals(self) -> tuple[Mark, ...]:
        """Density of each input along its axis."""
        heights = np.exp(-PROFILE * PROFILE / 2) / np.sqrt(2 * np.pi)
        means, deviations = self.state.gaussian.means[0], np.sqrt(np.diag(self.state.gaussian.covariances[0]))
        return tuple(
            Profile(
                layer="Marginals", axis="y" if axis else "x", at=mean + s * PROFILE,
                heights=heights / s, peak=float(heights.max() / s), ink="accent",
            )
            for axis, (mean, s) in enumerate(zip(means, deviations))
        )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianDensityState(MassDensity):
    """One Gaussian."""

    plane_view_class = GaussianDensityView
    line_view_class = GaussianDensityLineView
    gaussian: GaussianComponents
    prior: GaussianPrior

    def learned(self) -> Learned:
        return {"mu": self.gaussian.means[0], "Sigma": self.gaussian.covariances[0]}

    def log_density(self, X: ArrayLike) -> Floats:
        return self.gaussian.log_joint(np.asarray(X, dtype=np.float64))[:, 0]

    @property
    def reach(self) -> float:
        return 3 * float(np.sqrt(np.trace(self.gaussian.covariances[0])))

    @cached_property
    def mass_levels(self) -> tuple[float, ...]:
        return gaussian_levels(float(self.gaussian.log_peaks[0]), self.mass)

    def metrics(self) -> Mapping[str, float]:
        covariance = self.gaussian.covariances[0]
        deviations = np.sqrt(np.diag(covariance))
        figures = {"log-likelihood": float(self.log_density(self.extent).sum())}
        for name, mean, deviation in zip(self.space.names, self.gaussian.means[0], deviations):
            figures |= {f"mean of {name}": float(mean), f"standard deviation of {name}": float(deviation)}
        if len(deviations) == 2:
            figures["correlation"] = correlation_of(covariance)
        return figures


@register(
    "gaussian", DENSITY, "Density estimation", "Gaussian",
    symbols={"μ": ("Mean.", "Means"), "Σ": ("Covariance matrix.", "Ellipses")},
    synonyms=("normal distribution", "maximum likelihood estimator", "MLE", "MAP"),
)  # fmt: skip
class GaussianDensity(WatchedModel):
    r"""Fits one Gaussian by maximum likelihood, or by maximum a posteriori estimation with a prior.

    .. math::
        \hat\mu = \frac{1}{n} \sum_{i} x_i
        \hat\Sigma = \frac{1}{n} \sum_{i} (x_i - \hat\mu)(x_i - \hat\mu)^{\top}
        \mu_{\mathrm{MAP}} = \frac{p\, m + \sum_{i} x_i}{p + n}
    """

    prior: float = real(
        0.0, 0.0, 1000.0, symbol="p",
        help="Number of points that the prior counts as. 0 means maximum likelihood.",
    )  # fmt: skip
    mean: str = text(
        "0,0", check=parse_mean, symbol="m", title="prior mean", help="Mean of the prior.",
        allowed="two numbers separated by a comma, such as '0,1.5'",
    )  # fmt: skip
    width: float = real(
        1.0, 1e-6, 1e6, log=True, symbol="w", title="prior width", help="Standard deviation of the prior."
    )
    mass: str = MASSES

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[GaussianDensityState]:
        if self.prior and data.X.shape[1] != 2:
            raise CannotLearn(
                "the prior mean has two coordinates: set prior to 0 for other numbers of inputs"
            )
        prior = GaussianPrior(weight=self.prior, mean=parse_mean(self.mean), width=self.width)
        before = ""
        for kind in ("spherical", "full") if every else ("full",):
            gaussian = prior.fit(data.X, spherical=kind == "spherical")
            loss = prior.negative_log_posterior(data.X, gaussian)
            mean = ", ".join(f"{value:.4g}" for value in gaussian.means[0])
            objective = "negative log-posterior" if self.prior else "negative log-likelihood"
            note = f"{kind} covariance: mean ({mean}), {objective} {before}{loss:.5g}"
            yield GaussianDensityState(
                gaussian=gaussian, prior=prior, extent=data.X, mass=self.mass,
                note=note + _degenerate(data.X, gaussian), loss=loss, progress=1.0 if kind == "full" else 0.5,
            )  # fmt: skip
            before = f"{loss:.5g} → "


def _degenerate(X: Floats, gaussian: GaussianComponents) -> str:
    if least_ratio(X, gaussian.covariances[0]) > 2.0:
        return ""
    return "; the points have no variance in some direction, so a small one is added"
