"""Linear and quadratic discriminant analysis: Gaussian classes with one covariance, or one for each class."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Plane
from vizml.learn import CLASSIFY, register
from vizml.learn.gaussians import (
    ClassMoments,
    Quadratics,
    correlation_of,
    is_singular,
    log_sum_exp,
    regularised,
    shrunk,
)
from vizml.learn.learned import Learned
from vizml.learn.line_views import JointLineView
from vizml.learn.model import WatchedModel
from vizml.learn.outlines import SIGMAS, ellipse, sigma_legend
from vizml.learn.params import flag, real, varied
from vizml.learn.priors import CLASS_PRIORS, prior_shares
from vizml.learn.state import Classifier, Scale
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Dots, Lens, Mark, Path

G = TypeVar("G", bound="GaussianState")
SMOOTHING = 1e-9
"""Share of the largest pooled variance that is added to the variances of a singular class."""
LOG_RANGE = 12.0
"""Range of the log density below its maximum that the lens shows."""
SYMBOLS = {
    "μ": ("Mean of a class.", "Means"),
    "Σ": ("Covariance matrix of a class.", "Ellipses"),
    "π": ("Prior probability of a class.",),
}


class GaussianView(PlaneView[G]):
    """Quadratic log-odds on any section, with the density as a lens and ellipses of the marginals."""

    def field(self, raster: Raster) -> Field:
        return self.state.log_odds.on(self.section.origin, self.section.basis).field(raster)

    def lenses(self) -> tuple[Lens, ...]:
        peak = float(log_sum_exp(self.state.log_joint(self.state.means)).max())
        return (Lens(name="Log density", plane=self._log_density, low=peak - LOG_RANGE, high=peak),)

    def marks(self) -> tuple[Mark, ...]:
        inks = tuple(int(label) for label in self.state.classes)
        means = Dots(layer="Means", points=self._means(), inks=inks, size=11.0, legend="mean")
        return (*self._ellipses(1.5), means)

    def _log_density(self, raster: Raster) -> Plane:
        joint = self.state.log_joint.on(self.section.origin, self.section.basis).field(raster)
        density: Plane = log_sum_exp(np.moveaxis(joint, 0, -1))
        return density

    def _means(self) -> Floats:
        return self.section.project(self.state.means)[0]

    def _ellipses(self, width: float) -> Iterator[Mark]:
        basis = self.section.basis
        for k, (label, mean) in enumerate(zip(self.state.classes, self._means())):
            covariance = basis @ self.state.covariances[k] @ basis.T
            yield Path(
                layer="Ellipses", lines=tuple(ellipse(mean, covariance, sigma) for sigma in SIGMAS),
                closed=True, ink=int(label), width=width, legend="" if k else sigma_legend(),
            )  # fmt: skip


class GaussianLineView(JointLineView["GaussianState"]):
    """Posteriors of Gaussian classes, with their means."""

    def marks(self) -> tuple[Mark, ...]:
        return self.uprights(self.state.means, "Means", "mean", self.state.classes.tolist())

    @property
    def peaks(self) -> Floats:
        return self.state.means

    def joint(self, X: Floats) -> Floats:
        return np.asarray(np.exp(self.state.log_joint(X)))


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianState(Classifier):
    """Means (K, d), covariances (K, d, d) and priors (K,) of Gaussian classes.

    The loss is the negative log-likelihood of the joint density.
    """

    plane_view_class = GaussianView
    line_view_class = GaussianLineView
    scale: ClassVar[Scale] = Scale.LOGIT
    priors: Floats
    means: Floats
    covariances: Floats
    points: int
    """Number of training points."""

    @cached_property
    def log_joint(self) -> Quadratics:
        """ln p(x, k)."""
        return Quadratics.log_joint(self.priors, self.means, self.covariances)

    @cached_property
    def log_odds(self) -> Quadratics:
        """ln p(x, k) less that of the first class, which leaves out all terms that the classes share."""
        return self.log_joint.relative()

    def scores(self, X: ArrayLike) -> Floats:
        return self.log_odds(X)

    def learned(self) -> Learned:
        """Priors, means and covariances, of equal ones a single matrix; w and b of a linear boundary."""
        shared = (self.covariances == self.covariances[0]).all()
        found: Learned = {"pi": self.priors, "mu": self.means}
        found["Sigma"] = self.covariances[0] if shared else self.covariances
        odds = self.log_odds
        if len(self.classes) == 2 and not odds.precision.any():
            found |= {"w": odds.linear[1], "b": float(odds.constant[1] - odds.linear[1] @ odds.centre)}
        return found

    def metrics(self) -> Mapping[str, float]:
        figures = {"log-likelihood": -self.loss, "log-likelihood per point": -self.loss / self.points}
        odds = self.log_odds
        if len(self.classes) == 2 and not odds.precision.any():  # the boundary is linear
            figures["intercept"] = float(odds.constant[1] - odds.linear[1] @ odds.centre)
            figures |= zip(self.space.names, odds.linear[1].tolist())
        return figures


@dataclass(frozen=True)
class DiscriminantModel(WatchedModel):
    """The parameters that both models share; each step fits the Gaussian of one more class."""

    priors: str = CLASS_PRIORS
    shrinkage: float = real(
        0.0, 0.0, 1.0,
        help="Shrinkage of covariances towards a multiple of the identity, for estimates from few points.",
    )  # fmt: skip
    unbiased: bool = flag(
        False,
        help="Unbiased estimates: divide sums of squares by the degrees of freedom (n - K or n - 1) instead "
        "of n.",
    )

    @abstractmethod
    def covariances(
        self, moments: ClassMoments, priors: Floats, means: Floats, fitted: int
    ) -> tuple[Floats, str]:
        """Estimate covariances (K, d, d) when some classes have been fitted, and describe the last one."""

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[GaussianState]:
        """Yield the states with each number of fitted classes, or only the last."""
        moments = ClassMoments.of(data.X, data.class_indices)
        priors, classes = prior_shares(moments.counts, self.priors), len(data.present)
        for fitted in range(0 if every else classes, classes + 1):
            means = np.where(np.arange(classes)[:, None] < fitted, moments.means, moments.mean)
            covariances, note = self.covariances(moments, priors, means, fitted)
            yield GaussianState(
                classes=data.present, priors=priors, means=means, covariances=covariances, points=len(data),
                loss=moments.negative_log_likelihood(priors, means, covariances),
                note=f"{_step(data, moments, fitted)}; {note}", progress=fitted / classes,
            )  # fmt: skip

    def corrected(self, covariance: Floats, count: float, means: float) -> Floats:
        """Apply the divisor for so many estimated means, and the shrinkage."""
        factor = count / max(count - means, 1.0) if self.unbiased else 1.0
        return shrunk(factor * covariance, self.shrinkage)


@register(
    "lda", CLASSIFY, "Bayes classifiers", "Linear discriminant analysis", short="LDA",
    symbols=SYMBOLS | {"Σ": ("Covariance matrix of all classes.", "Ellipses")},
    synonyms=("discriminant analysis", "Fisher discriminant", "generative classifier"),
)  # fmt: skip
class LinearDiscriminant(DiscriminantModel):
    r"""Models each class as a Gaussian with a shared covariance, so that the boundaries are linear.

    .. math::
        \delta_k(x) = x^T \Sigma^{-1} \mu_k - \tfrac{1}{2} \mu_k^T \Sigma^{-1} \mu_k + \ln \pi_k
        p(k \mid x) = \frac{e^{\delta_k(x)}}{\sum_{j} e^{\delta_j(x)}}
        \Sigma = \sum_{k} \frac{\pi_k}{n_k} \sum_{i:\, y_i = k} (x_i - \mu_k)(x_i - \mu_k)^T
    """

    priors: str = varied(
        CLASS_PRIORS,
        help="Prior probabilities of the classes. They also weight the classes in the shared covariance.",
    )

    def covariances(
        self, moments: ClassMoments, priors: Floats, means: Floats, fitted: int
    ) -> tuple[Floats, str]:
        within = np.tensordot(priors, moments.second_moments(means), axes=1)
        shared, note = self.corrected(within, moments.counts.sum(), len(priors)), "shared covariance"
        if is_singular(shared):
            shared, how = regularised(shared, moments.covariance)
            note += f" is {how}"
        return np.tile(shared, (len(priors), 1, 1)), f"{note}: {spread(shared)}"


@register(
    "qda", CLASSIFY, "Bayes classifiers", "Quadratic discriminant analysis", short="QDA",
    symbols=SYMBOLS,
    synonyms=("Gaussian Bayes classifier",),
)  # fmt: skip
class QuadraticDiscriminant(DiscriminantModel):
    r"""Models each class as a Gaussian with its own covariance, so that the boundaries are quadratic.

    .. math::
        \delta_k(x) = \ln \pi_k - \tfrac{1}{2} \ln |\Sigma_k| - \tfrac{1}{2} d_k^2
        d_k^2 = (x - \mu_k)^T \Sigma_k^{-1} (x - \mu_k)
        p(k \mid x) = \frac{e^{\delta_k(x)}}{\sum_{j} e^{\delta_j(x)}}
    """

    def covariances(
        self, moments: ClassMoments, priors: Floats, means: Floats, fitted: int
    ) -> tuple[Floats, str]:
        whole = moments.covariance
        if is_singular(whole):
            whole, _ = regularised(whole, whole)
        estimates = [(whole, "")] * len(priors)
        pooled = self._pooled(moments)
        estimates[:fitted] = [self._estimate(moments, k, pooled) for k in range(fitted)]
        last, replacement = estimates[max(fitted - 1, 0)]
        return np.array([covariance for covariance, _ in estimates]), spread(last) + replacement

    def _pooled(self, moments: ClassMoments) -> Floats:
        counts = moments.counts
        within = np.tensordot(counts / counts.sum(), moments.covariances, axes=1)
        return self.corrected(within, counts.sum(), len(counts))

    def _estimate(self, moments: ClassMoments, k: int, pooled: Floats) -> tuple[Floats, str]:
        """The covariance of a class; if it is singular, a replacement and its description.

        All singular ones get the same addition, which cancels in a direction where no class has an extent.
        """
        own = self.corrected(moments.covariances[k], moments.counts[k], 1.0)
        if not is_singular(own):
            return own, ""
        if own.any():
            ridge = SMOOTHING * float(np.linalg.eigvalsh(pooled)[-1])
            return own + ridge * np.eye(len(own)), "; its covariance is singular and was regularised"
        note = "; its covariance is zero and replaced by the pooled one"
        if is_singular(pooled):
            pooled, how = regularised(pooled, moments.covariance)
            note += f", which is {how}"
        return pooled, note


def spread(covariance: Floats) -> str:
    """Describe a covariance by standard deviations and, for two inputs, the correlation."""
    deviations = np.sqrt(np.diag(covariance))
    text = f"σ {' by '.join(f'{value:.3g}' for value in deviations)}"
    if len(deviations) != 2:
        return text
    return f"{text}, correlation {correlation_of(covariance):.2g}"


def _step(data: TrainingData, moments: ClassMoments, fitted: int) -> str:
    """Describe the means before or after the class of a step."""
    if not fitted:
        return f"start: mean of all points for every class, {_vector(moments.mean)}"
    k = fitted - 1
    points = plural(int(moments.counts[k]), "point")
    return f"class {data.class_names[k]}: {points}, mean {_vector(moments.means[k])}"


def _vector(values: Sequence[float] | Floats) -> str:
    return f"({', '.join(f'{value:.4g}' for value in values)})"
