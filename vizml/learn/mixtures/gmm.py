"""Gaussian mixture models fitted by EM, for clustering and for density estimation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLUSTER, DENSITY, Clusterer, Model, Scale, choice, integer, real, register, varied
from vizml.learn.clusters.kmeans_solver import (
    MAX_POSITIONS,
    PLACED,
    STARTS,
    kmeans_plus_plus,
    lloyd,
    placed_positions,
    random_centroids,
)
from vizml.learn.formatting import shortfall
from vizml.learn.gaussians import GaussianComponents, entropy, least_variances, log_sum_exp
from vizml.learn.learned import Learned, PointValues, shares_by_component
from vizml.learn.mixtures.em import EMStep, em, expected_log_likelihood, m_step
from vizml.learn.mixtures.views import GmmDensityLineView, GmmDensityView, GmmView, MeansLineView
from vizml.learn.outlines import MASSES, MassDensity, gaussian_levels
from vizml.learn.state import State, softmax
from vizml.learn.training_data import TrainingData

COVARIANCES = {
    "full": "full: each component its own ellipse", "tied": "tied: one ellipse shared by all components",
    "diag": "diagonal: axis-aligned ellipses", "spherical": "spherical: circles",
}  # fmt: skip
SYMBOLS = {
    "π": ("Weight of a component.",), "μ": ("Mean of a component.", "Means"),
    "Σ": ("Covariance matrix of a component.", "Ellipses"),
    "Q": ("Expected log-likelihood of the points and their components.",),
    "H": ("Entropy of the responsibilities.",),
}  # fmt: skip
REMARKS = (
    "Note 002 (12.1) calls log convex, and so does note 000; correct is concave, by Jensen's inequality.",
    "Note 002 (12.12) writes πₖ = Σₖ γⱼₖ / N; correct is the sum over the points, πₖ = Σⱼ γⱼₖ / N.",
    "Convention: the weight πₖ is αₖ in note 000.",
)
INIT_METHODS = {"kmeans": "k-means clusters", "random": "random points"}
AMBIGUOUS = 0.9
"""Points whose largest responsibility is lower count as shared between components in the notes."""
HALF_WAY = 10.0
"""Iterations at which the progress of a run of unknown length stands at one half."""


COVARIANCE: Any = choice(
    "full", tuple(COVARIANCES), labels=COVARIANCES, help="Covariance type of the Gaussian components.",
    symbol="\\Sigma",
)  # fmt: skip
"""The covariance type."""


REGULARISATION: Any = real(
    1e-6, 1e-12, 1e3, log=True, title="regularisation",
    help="Regularisation added to the diagonal of the covariance matrices, in squared units of the "
    "data. It keeps components from collapsing onto a single point.",
)  # fmt: skip
"""The variance that is added to the diagonal of covariances."""


TOLERANCE: Any = real(
    1e-4, 1e-12, 1.0, log=True, title="tolerance",
    help="Convergence tolerance: training stops after an iteration that raises the log-likelihood per "
    "point by less.",
)  # fmt: skip
"""The tolerance of the stopping criterion."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MixtureState(State):
    """Components after a step of EM, shared by the states for clustering and density estimation."""

    components: GaussianComponents
    responsibilities: Floats
    """r_ik (n, K) of the training data."""
    path: tuple[Floats, ...]
    """Means (K, d) after each iteration."""
    expanded_at: GaussianComponents
    """Components that the responsibilities were computed from."""
    covariance: str
    loss: float
    """Negative log-likelihood."""

    def learned(self) -> Learned:
        """Weights pi, means mu and covariances Sigma, a single matrix where components share it."""
        Sigma = self.components.covariances
        Sigma = Sigma[0] if self.covariance == "tied" else Sigma
        return {"pi": self.components.weights, "mu": self.components.means, "Sigma": Sigma}

    def row_values(self, data: TrainingData) -> PointValues:
        return shares_by_component(softmax(self.components.log_joint(data.X)))

    def metrics(self) -> Mapping[str, float]:
        """Log-likelihood, its lower bound F and the information criteria."""
        (n, k), d = self.responsibilities.shape, self.components.means.shape[1]
        free = free_parameters(k, d, self.covariance)
        Q = expected_log_likelihood(self.trained_on.X, self.responsibilities, self.components)
        H = entropy(self.responsibilities)
        return {
            "log-likelihood": -self.loss, "Q": Q, "entropy H": H, "F = Q + H": Q + H,
            "BIC": free * float(np.log(n)) + 2 * self.loss,
            "AIC": 2.0 * free + 2 * self.loss, "components": float(k),
            "iterations": float(len(self.path) - 1),
        }  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class GmmState(MixtureState, Clusterer):
    """Soft clustering: each point belongs to every component with its responsibility."""

    plane_view_class = GmmView
    line_view_class = MeansLineView
    scale: ClassVar[Scale] = Scale.LOGIT

    @property
    def assigned(self) -> Ints:
        return np.asarray(self.responsibilities.argmax(axis=1))

    def scores(self, X: ArrayLike) -> Floats:
        """log pi_k N(x | mu_k, S_k)."""
        return self.components.log_joint(np.asarray(X, dtype=np.float64))


@dataclass(frozen=True, eq=False, kw_only=True)
class GmmDensityState(MixtureState, MassDensity):
    """Density of a mixture: the weighted sum of its components."""

    plane_view_class = GmmDensityView
    line_view_class = GmmDensityLineView

    def log_density(self, X: ArrayLike) -> Floats:
        return log_sum_exp(self.components.log_joint(np.asarray(X, dtype=np.float64)))

    @property
    def reach(self) -> float:
        return 3 * float(np.sqrt(np.trace(self.components.covariances, axis1=1, axis2=2).max()))

    @cached_property
    def mass_levels(self) -> tuple[float, ...]:
        if len(self.components) > 1:
            return super().mass_levels
        return gaussian_levels(float(self.log_density(self.components.means)[0]), self.mass)


@dataclass(frozen=True)
class MixtureModel(Model):
    """Parameters and training of mixture models."""

    formula = (
        r"p(x) = \sum_{k=1}^{K} \pi_k\, \mathcal{N}(x \mid \mu_k, \Sigma_k)",
        r"r_{ik} = \frac{\pi_k\, \mathcal{N}(x_i \mid \mu_k, \Sigma_k)}{p(x_i)}",
        r"n_k = \sum_{i} r_{ik}, \quad \pi_k = \frac{n_k}{n}, \quad \mu_k = \sum_{i} \frac{r_{ik}}{n_k} x_i",
        r"\Sigma_k = \sum_{i} \frac{r_{ik}}{n_k} ( x_i - \mu_k )( x_i - \mu_k )^{\top}",
        r"\ln L \geq F = Q + H, \quad H = -\sum_{i,k} r_{ik} \ln r_{ik}",
        r"Q = \sum_{i,k} r_{ik} \ln ( \pi_k\, \mathcal{N}(x_i \mid \mu_k, \Sigma_k) )",
        r"\mathrm{BIC} = -2 \ln L + p \ln n, \quad \mathrm{AIC} = -2 \ln L + 2 p",
    )
    k: int = integer(
        3, 1, MAX_POSITIONS, help="Number of Gaussian components.", symbol="K", title="components",
        when={"init": tuple(INIT_METHODS)},
    )  # fmt: skip
    covariance: str = COVARIANCE
    init: str = choice(
        "kmeans", (*INIT_METHODS, PLACED), labels={**INIT_METHODS, PLACED: "placed by hand"},
        title="initialisation",
        help="Initial components: the clusters of k-means, random points, or means placed by hand.",
    )  # fmt: skip
    starts: str = varied(
        STARTS, title="initial means",
        help="Initial means as x,y pairs separated by semicolons. Dragging one on the canvas sets them.",
    )  # fmt: skip
    reg: float = REGULARISATION
    tol: float = TOLERANCE

    def fitted(self, X: Floats, rng: Generator) -> Iterator[dict[str, Any]]:
        """Run EM; yield the fields of the state after each step."""
        start, remark = self._start(X, rng)
        path: list[Floats] = []
        before = -np.inf
        for step in em(X, start, self.covariance, self.reg, self.tol):
            note = partial(self._described, X, step, before, remark)
            if step.phase != "E":
                path.append(step.components.means)
            before = step.log_likelihood
            yield {
                "components": step.components, "responsibilities": step.responsibilities,
                "expanded_at": step.expanded_at,
                "path": tuple(path), "covariance": self.covariance, "note": note, "loss": -before,
                "progress": 1.0 if step.converged else step.iteration / (step.iteration + HALF_WAY),
            }  # fmt: skip

    def _described(self, X: Floats, step: EMStep, before: float, remark: str, state: MixtureState) -> str:
        """Describe a step of EM, with components that are degenerate after it."""
        del state
        whole = step.phase != "E" or step.converged
        note = _note(step, before) + remark
        return note + degenerate_components(X, step.components, self.reg) if whole else note

    def _start(self, X: Floats, rng: Generator) -> tuple[GaussianComponents, str]:
        """Initial components, with a remark if they are not as requested."""
        placed = placed_positions(self.init, self.starts, X.shape[1])
        if len(placed):
            return components_at(X, placed, self.covariance, self.reg), ""
        if self.init == "random":
            start = components_at(X, random_centroids(X, self.k, rng), self.covariance, self.reg)
        else:
            start = kmeans_components(X, self.k, self.covariance, self.reg, rng)
        remark = " (no mean is placed: k-means is used)" if self.init == PLACED else ""
        return start, shortfall(self.k, len(start), "components") + remark


@register(
    "gmm", CLUSTER, "Mixture models", "Gaussian mixture (EM)", short="Gaussian mixture",
    symbols=SYMBOLS, remarks=REMARKS,
    synonyms=("GMM", "EM algorithm", "expectation maximisation", "soft clustering", "responsibilities"),
)  # fmt: skip
class GaussianMixture(MixtureModel):
    """Fits a mixture of Gaussians by expectation maximisation. Each point belongs to every component with a
    probability (responsibility).
    """

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[GmmState]:
        for fields in self.fitted(data.X, rng):
            yield GmmState(clusters=len(fields["components"]), **fields)


@register(
    "gmm", DENSITY, "Mixture models", "Gaussian mixture (EM)", short="Gaussian mixture",
    symbols=SYMBOLS, remarks=REMARKS,
    synonyms=("GMM", "EM algorithm"),
)  # fmt: skip
class GaussianMixtureDensity(MixtureModel):
    """Estimates the density as a weighted sum of Gaussians, fitted by expectation maximisation."""

    mass: str = MASSES

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[GmmDensityState]:
        for fields in self.fitted(data.X, rng):
            yield GmmDensityState(extent=data.X, mass=self.mass, **fields)


def kmeans_components(X: Floats, k: int, covariance: str, reg: float, rng: Generator) -> GaussianComponents:
    """Components of the clusters that k-means finds."""
    centred = X - X.mean(axis=0)
    *_, last = lloyd(centred, kmeans_plus_plus(centred, k, rng))
    memberships = last.labels[:, None] == np.arange(len(last.centroids))
    return m_step(X, memberships.astype(np.float64), covariance, least_variances(X, reg))


def components_at(X: Floats, means: Floats, covariance: str, reg: float) -> GaussianComponents:
    """Components of equal weight at given means, each with the covariance of all data."""
    whole = m_step(X, np.ones((len(X), 1)), covariance, least_variances(X, reg))
    k = len(means)
    return GaussianComponents(
        weights=np.full(k, 1 / k), means=means, covariances=np.repeat(whole.covariances, k, axis=0)
    )


def free_parameters(k: int, d: int, covariance: str) -> int:
    """Number of free parameters, as counted by AIC and BIC."""
    full = d * (d + 1) // 2
    return k - 1 + k * d + {"full": k * full, "tied": full, "diag": k * d, "spherical": k}[covariance]


def degenerate_components(X: Floats, components: GaussianComponents, reg: float) -> str:
    """Warning for a note about components that collapsed or lost their points, at most two of them."""
    deviations = np.sqrt(least_variances(X, reg))
    relative = components.covariances / np.outer(deviations, deviations)
    found = []
    for k in np.flatnonzero(np.linalg.eigvalsh(relative)[:, 0] <= 2.0):
        if components.weights[k] * len(X) < 1e-3:
            found.append(f"component {k + 1} has lost its points")
            continue
        point = np.trace(relative[k]) <= 2.0 * X.shape[1]
        shape = "a single point" if point else "a line" if X.shape[1] == 2 else "a subspace"
        found.append(f"component {k + 1} has collapsed onto {shape}: only the regularisation keeps it wide")
    return "".join(f"; {each}" for each in found[:2]) + ("; ..." if len(found) > 2 else "")


def _note(step: EMStep, before: float) -> str:
    L = f"log-likelihood {step.log_likelihood:.5g}"
    if step.phase == "start":
        return f"start: {plural(len(step.components), 'component')}, {L}"
    if step.rejected:
        return f"iteration {step.iteration}: the regularisation allows no further gain, {L}: converged"
    if step.phase == "E":
        shared = int((step.responsibilities.max(axis=1) < AMBIGUOUS).sum())
        ambiguous = f"{plural(shared, 'point')} below {AMBIGUOUS:g} for every component"
        return f"iteration {step.iteration}, E-step: responsibilities ({ambiguous}), {L}"
    note = f"iteration {step.iteration}, M-step: weights, means and covariances, "
    note += f"log-likelihood {before:.5g} → {step.log_likelihood:.5g}"
    return f"{note}: converged" if step.converged else note
