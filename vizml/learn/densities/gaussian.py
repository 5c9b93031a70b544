"""One Gaussian: mu = mean, S = 1/n sum_i (x_i - mu)(x_i - mu)' are likeliest; a prior draws them to itself.

The prior (normal, inverse Wishart) counts as p points with mean m and variance w^2 in every direction:
mu = (p m + n mean) / (p + n), S = (p w^2 I + squares of points and prior about mu) / (p + n).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn import DENSITY, Model, real, register, text
from vizml.learn.densities.masses import MassDensity, gaussian_thresholds, masses_parameter
from vizml.learn.frame import Frame
from vizml.learn.mixtures.em import LEAST
from vizml.learn.mixtures.gaussians import CIRCLE, Gaussians, smallest_variances
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData
from vizml.scene import Mark, Path, Profile

REACH, CORNERS = 3.5, 121
"""The curves along the axes go so many standard deviations, through so many places."""


def place(given: str) -> tuple[float, float]:
    """'0, 1.5' as a point."""
    x, y = (float(each) for each in given.split(","))
    if not np.isfinite([x, y]).all():
        raise ValueError
    return x, y


@dataclass(frozen=True, eq=False, kw_only=True)
class Prior:
    """What was believed before, as so many points."""

    weight: float
    mean: tuple[float, float]
    width: float

    def fitted(self, points: Floats, frame: Frame, *, round_: bool) -> Gaussians:
        """The likeliest Gaussian after seeing points, or the likeliest one that is a circle."""
        n, p = len(points), self.weight
        u, m, w = frame.inside(points), frame.inside(np.array(self.mean)), self.width / frame.spread
        mean = (p * m + u.sum(axis=0)) / (p + n)
        apart, off = u - mean, m - mean
        spread = (apart.T @ apart + p * (np.outer(off, off) + w * w * np.eye(2))) / (p + n)
        if round_:
            spread = np.eye(2) * np.trace(spread) / 2
        spread += np.eye(2) * max(LEAST - float(smallest_variances(spread[None])[0]), 0.0)
        return Gaussians(frame=frame, weights=np.ones(1), centres=mean[None], spreads=spread[None])

    def misfit(self, points: Floats, gaussian: Gaussians) -> float:
        """-log L of the points, and of what the prior stands for."""
        mean, spread = gaussian.means[0], gaussian.covariances[0]
        against = -float(gaussian.joint(points).sum())
        if not self.weight:
            return against
        off = np.array(self.mean) - mean
        scatter = np.outer(off, off) + self.width**2 * np.eye(2)
        log_det = float(np.linalg.slogdet(spread)[1])
        return against + self.weight / 2 * (log_det + float(np.trace(np.linalg.solve(spread, scatter))))


@dataclass(frozen=True, eq=False, kw_only=True)
class Bell(MassDensity):
    """One Gaussian."""

    gaussian: Gaussians
    prior: Prior
    points: Floats

    def log_density(self, X: ArrayLike) -> Floats:
        return self.gaussian.joint(np.asarray(X, dtype=np.float64))[:, 0]

    def field(self, raster: Raster) -> Field:
        return self.gaussian.field(raster)

    @property
    def thresholds(self) -> tuple[float, ...]:
        return gaussian_thresholds(float(self.log_density(self.gaussian.means)[0]), self.mass)

    def marks(self) -> tuple[Mark, ...]:
        ellipse = self.gaussian.ellipses(("text",), sigmas=(1.0,))
        own = (*self.contours(), *ellipse, self.gaussian.dots(("text",)))
        if not self.prior.weight:
            return (*self._profiles(), *own)
        ring = np.array(self.prior.mean) + self.prior.width * CIRCLE
        before = Path(
            layer="Prior", lines=(ring,), closed=True, ink="accent", stroke="dash", legend="prior, 1 σ"
        )
        return (*self._profiles(), before, *own)

    def metrics(self) -> Mapping[str, float]:
        (x, y), S = self.gaussian.means[0], self.gaussian.covariances[0]
        deviations = np.sqrt(np.diag(S))
        return {
            "log-likelihood": float(self.log_density(self.points).sum()),
            "mean of x": float(x),
            "mean of y": float(y),
            "deviation of x": float(deviations[0]),
            "deviation of y": float(deviations[1]),
            "correlation": float(S[0, 1] / (deviations[0] * deviations[1])),
        }

    def _profiles(self) -> tuple[Mark, ...]:
        """The density of each coordinate alone, along its axis."""
        t = np.linspace(-REACH, REACH, CORNERS)
        heights = np.exp(-t * t / 2) / np.sqrt(2 * np.pi)
        deviations = np.sqrt(np.diag(self.gaussian.covariances[0]))
        each = zip(("x", "y"), self.gaussian.means[0], deviations)
        return tuple(
            Profile(
                layer="Marginals", axis="x" if axis == "x" else "y", at=mean + s * t,
                heights=heights / s, peak=float(heights.max() / s), ink="accent",
            )
            for axis, mean, s in each
        )  # fmt: skip


@register(
    "gaussian",
    task=DENSITY,
    family="Densities",
    title="Gaussian",
    about="Fits one Gaussian by maximum likelihood, or by a prior and the points together.",
    formula=(
        r"\hat\mu = \frac{1}{n} \sum_{i} x_i",
        r"\hat\Sigma = \frac{1}{n} \sum_{i} (x_i - \hat\mu)(x_i - \hat\mu)^{\top}",
        r"\mu_{\mathrm{MAP}} = \frac{p\, m + \sum_{i} x_i}{p + n}",
    ),
)
@dataclass(frozen=True)
class Gaussian(Model):
    prior: float = real(
        0.0, 0.0, 1000.0, symbol="p", help="how many points the prior counts as; 0 is maximum likelihood"
    )
    mean: str = text(
        "0,0",
        check=place,
        allowed="two numbers with a comma between them, such as '0,1.5'",
        symbol="m",
        title="prior mean",
        help="where the prior puts the middle",
    )
    width: float = real(
        1.0, 1e-6, 1e6, log=True, symbol="w", title="prior width", help="the standard deviation of the prior"
    )
    mass: str = masses_parameter()

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Bell]:
        del rng
        frame = Frame.of(data.points)
        prior = Prior(weight=self.prior, mean=place(self.mean), width=self.width)
        before = ""
        for kind in ("circle", "ellipse"):
            gaussian = prior.fitted(data.points, frame, round_=kind == "circle")
            loss = prior.misfit(data.points, gaussian)
            x, y = gaussian.means[0]
            told = f"the likeliest {kind}: mean ({x:.4g}, {y:.4g}), misfit {before}{loss:.5g}"
            yield Bell(
                gaussian=gaussian, prior=prior, points=data.points, mass=self.mass,
                note=told + _flat(gaussian), loss=loss, progress=1.0 if kind == "ellipse" else 0.5,
            )  # fmt: skip
            before = f"{loss:.5g} → "


def _flat(gaussian: Gaussians) -> str:
    if smallest_variances(gaussian.spreads)[0] > 2 * LEAST:
        return ""
    return "; the points have no extent in some direction, so a little is assumed"
