"""Naive Bayes: ln p(k | x) = ln pi_k + sum_j ln p_k(x_j) + const, one feature at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, create, real, register
from vizml.learn.bayes.discriminant import GaussianState, GaussianView
from vizml.learn.bayes.distributions import EXTENT
from vizml.learn.gaussians import Quadratics, log_sum_exp, mean_of
from vizml.learn.model import WatchedModel
from vizml.learn.priors import CLASS_PRIORS, prior_shares
from vizml.learn.state import Classifier, Scale
from vizml.learn.training_data import TrainingData
from vizml.learn.view import View
from vizml.scene import Lens, Mark, Profile

S = TypeVar("S", bound="NaiveBayesState")
NARROWEST = 1e-2
"""Classes narrower than this share of the widest do not set the height of the densities drawn."""
AXES: tuple[Literal["x", "y"], ...] = ("x", "y")


class GaussianNbView(GaussianView["GaussianNbState"]):
    """Densities of the features that have been used, along the edges; ellipses once all of them have."""

    def lenses(self) -> tuple[Lens, ...]:
        return ()

    def marks(self) -> tuple[Mark, ...]:
        used, state = used_features(self), self.state
        densities: list[Mark] = []
        for axis, j in used:
            widths = np.sqrt(state.variances[:, j])
            densities += density_profiles(axis, state.priors, state.means[:, j], widths, state.classes)
        known = state.used == state.means.shape[1] or len(used) == len(self.section.basis)
        return (*densities, *(self._ellipses(1.0) if known else ()))


@dataclass(frozen=True, eq=False, kw_only=True)
class NaiveBayesState(Classifier):
    """Log-odds that are a sum over the features."""

    scale = Scale.LOGIT
    priors: Floats
    used: int
    """Number of features that have been taken into account; the other ones have no influence."""

    @abstractmethod
    def feature_scores(self, feature: int, values: Floats) -> Floats:
        """Return ln p_k(x_j) - ln p_0(x_j) (K, n) for values of a feature."""

    def prior_scores(self, count: int) -> Floats:
        """Return ln pi_k - ln pi_0 (K, n) for so many points."""
        return np.tile(np.log(self.priors / self.priors[0])[:, None], count)

    def scores(self, X: ArrayLike) -> Floats:
        points = np.asarray(X, dtype=np.float64)
        total = self.prior_scores(len(points))
        for feature in range(self.used):
            total += self.feature_scores(feature, points[:, feature])
        return np.ascontiguousarray(total.T)


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianNbState(NaiveBayesState, GaussianState):
    """Gaussian classes with diagonal covariances; the loss is the log-loss, -sum_i ln p(y_i | x_i)."""

    plane_view_class = GaussianNbView
    added: float
    """Variance added by smoothing."""

    @property
    def variances(self) -> Floats:
        """The variances (K, d) of the classes."""
        return np.diagonal(self.covariances, axis1=1, axis2=2)

    @cached_property
    def log_joint(self) -> Quadratics:
        precision = np.asarray(np.linalg.inv(self.covariances), dtype=np.float64)
        precision[:, self.used :] = 0.0
        return Quadratics.around(self.means, self._peaks, precision)

    def feature_scores(self, feature: int, values: Floats) -> Floats:
        # From the differences to the means: variances may be so small that powers of x cancel.
        variances = self.variances[:, feature, None]
        away = values - self.means[:, feature, None]
        logs = -0.5 * (away * away / variances + np.log(variances))
        return np.asarray(logs - logs[0])

    def metrics(self) -> Mapping[str, float]:
        return {"log-loss": self.loss, "log-loss per point": self.loss / self.points}

    @property
    def _peaks(self) -> Floats:
        log_variances = np.log(2 * np.pi * self.variances[:, : self.used])
        return np.asarray(np.log(self.priors) - log_variances.sum(axis=1) / 2)


class NaiveBayesModel(WatchedModel, Generic[S]):
    """Takes the distributions of one more feature into account at each step, the first `used` ones."""

    priors: str

    @abstractmethod
    def estimate(self, data: TrainingData, priors: Floats, codes: Ints) -> S:
        """Estimate the distributions of all features."""

    @abstractmethod
    def describe(self, data: TrainingData, state: S, feature: int) -> str:
        """Describe the distributions of a feature."""

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[S]:
        """Yield a state for the priors and every feature, or only for the last."""
        codes, features = data.class_indices, len(data.columns)
        priors = prior_shares(np.bincount(codes), self.priors)
        fitted = self.estimate(data, priors, codes)
        shares = ", ".join(f"{name} {share:.3g}" for name, share in zip(data.class_names, priors))
        note = f"start: class priors only, {shares}"
        scores = fitted.prior_scores(len(data))
        for used in range(features + 1):
            if used:
                scores += fitted.feature_scores(used - 1, data.X[:, used - 1])
            if used < features and not every:
                continue
            if used:
                note = f"feature {data.columns[used - 1]}{self.describe(data, fitted, used - 1)}"
            loss = log_loss(scores.T, codes)
            text = f"{note}; log-loss {loss:.4g}"
            yield fitted.later(used=used, loss=loss, note=text, progress=used / features)


@register(
    "gaussian_nb", CLASSIFY, "Bayes classifiers", "Gaussian naive Bayes",
    symbols={
        "μ": ("Mean of a feature in a class.", "Ellipses"),
        "σ": ("Standard deviation of a feature in a class.", "Ellipses"),
        "π": ("Prior probability of a class.",),
    },
    synonyms=("GNB", "naive Bayes"),
)  # fmt: skip
class GaussianNaiveBayes(NaiveBayesModel[GaussianNbState]):
    r"""Models each feature of each class as a Gaussian and assumes that the features are independent given
    the class. Categories have their frequencies in each class, with Laplace smoothing.

    .. math::
        p(k \mid x) \propto \pi_k \prod_{j} p(x_j \mid k)
        p(x_j \mid k) = \frac{1}{\sqrt{2 \pi}\, \sigma_{kj}} e^{-(x_j - \mu_{kj})^2 / 2 \sigma_{kj}^2}
    """

    priors: str = CLASS_PRIORS
    smoothing: float = real(
        1e-9, 1e-12, 1.0, log=True, symbol="\\epsilon",
        help="Variance smoothing: share of the largest variance of all features that is added to each "
        "variance.",
    )  # fmt: skip

    takes_categories = True

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[Any]:
        if any(data.categories):
            mixed = create("categorical_nb", CLASSIFY, numbers="gaussian", priors=self.priors)
            return mixed.steps(data, rng) if every else mixed.coarse_steps(data, rng)
        return super().states(data, rng, every=every)

    def estimate(self, data: TrainingData, priors: Floats, codes: Ints) -> GaussianNbState:
        groups = [data.X[codes == k] for k in range(len(priors))]
        added = self.smoothing * (float(data.X.var(axis=0).max()) or 1.0)
        return GaussianNbState(
            classes=data.present, priors=priors, points=len(data), used=0, added=added,
            means=np.array([mean_of(group) for group in groups]),
            covariances=np.array([np.diag(group.var(axis=0) + added) for group in groups]),
        )  # fmt: skip

    def describe(self, data: TrainingData, state: GaussianNbState, feature: int) -> str:
        variances = state.variances[:, feature]
        figures = list(zip(data.class_names, state.means[:, feature], variances))
        note = ": " + ", ".join(f"{name} {mean:.3g} ± {np.sqrt(v):.2g}" for name, mean, v in figures)
        constant = ", ".join(name for name, _, variance in figures if variance <= state.added)
        sigma = np.sqrt(state.added)
        return f"{note}; zero variance of {constant}: σ {sigma:.2g} from smoothing" if constant else note


def density_profiles(
    axis: int, priors: Floats, means: Floats, widths: Floats, classes: Ints
) -> Iterator[Mark]:
    """pi_k p_k(x_j) of Gaussians along an axis, clipped where one class is far narrower than the others."""
    tops = priors / (np.sqrt(2 * np.pi) * widths)
    peak = float(tops[widths >= NARROWEST * widths.max()].max())
    away = np.linspace(-EXTENT, EXTENT, 129)
    for k, label in enumerate(classes):
        yield Profile(
            layer="Densities", axis=AXES[axis], at=means[k] + widths[k] * away,
            heights=np.minimum(tops[k] * np.exp(-0.5 * away**2), peak), peak=peak, ink=int(label),
            legend="" if k or axis else "class density × prior",
        )  # fmt: skip


def used_features(view: View[Any]) -> list[tuple[int, int]]:
    """The axes of the canvas with the used features that they show; none on an oblique plane."""
    shown = enumerate(view.section.axes or ())
    return [(axis, feature) for axis, feature in shown if feature < view.state.used]


def log_loss(scores: Floats, codes: Ints) -> float:
    """-sum_i ln p(y_i | x_i) of log-odds (n, K) and the indices (n,) of the true classes."""
    return float((log_sum_exp(scores) - scores[np.arange(len(codes)), codes]).sum())
