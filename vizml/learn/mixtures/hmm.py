"""Hidden Markov model with Gaussian emissions, trained by the Baum-Welch algorithm on the sequence of points.

log L = log sum over state sequences z of P(z_1) prod_t A(z_(t-1), z_t) prod_t N(x_t | mu_z, S_z).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field.arrays import Floats, Ints
from vizml.learn import CLUSTER, Clusterer, Model, Scale, integer, register
from vizml.learn.formatting import shortfall
from vizml.learn.gaussians import GaussianComponents, least_variances
from vizml.learn.learned import Learned, PointValues, shares_by_component
from vizml.learn.mixtures.em import decreases, m_step
from vizml.learn.mixtures.forward_backward import MarkovChain
from vizml.learn.mixtures.gmm import (
    COVARIANCE,
    HALF_WAY,
    REGULARISATION,
    TOLERANCE,
    degenerate_components,
    kmeans_components,
)
from vizml.learn.mixtures.views import HmmView, MeansLineView
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Diagram, Link, Node, Series

MAX_ITERATIONS = 300
"""Guard: Baum-Welch may gain a little more than the tolerance for very long."""
MIN_PROBABILITY = 1e-300
"""Probabilities below are raised to it, so that their logarithms are finite."""
SELF_TRANSITION = 0.8
"""Initial probability of staying in a state: sequences are expected to dwell."""
MIN_DRAWN = 0.005
"""Transitions with lower probability are left out of the diagram: they would read 0.00."""


class HmmParameters(NamedTuple):
    """Initial probabilities (K,), transition matrix (K, K) and the Gaussian emissions of each state."""

    initial: Floats
    transitions: Floats
    emissions: GaussianComponents

    def chain(self, X: Floats) -> MarkovChain:
        """Log probabilities along a sequence (n, d)."""
        return MarkovChain(
            log_initial=np.log(np.maximum(self.initial, MIN_PROBABILITY)),
            log_transitions=np.log(np.maximum(self.transitions, MIN_PROBABILITY)),
            log_emissions=self.emissions.log_densities(X),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class HmmState(Clusterer):
    """Training points have the states of Viterbi's path, other points that of the likeliest Gaussian."""

    plane_view_class = HmmView
    line_view_class = MeansLineView
    X: Floats
    parameters: HmmParameters
    chain: MarkovChain
    posteriors: Floats
    """P(z_t = k | x) (n, K)."""
    iteration: int = 0
    scale: ClassVar[Scale] = Scale.LOGIT

    @property
    def components(self) -> GaussianComponents:
        """Gaussian of each state, weighted by how often it is visited."""
        return self.parameters.emissions

    @property
    def transitions(self) -> Floats:
        """Transition matrix (K, K)."""
        return self.parameters.transitions

    @cached_property
    def path(self) -> Ints:
        """Most probable sequence of states (n,)."""
        return self.chain.viterbi()

    @property
    def assigned(self) -> Ints:
        return self.path

    def learned(self) -> Learned:
        """Return the initial probabilities pi, the transition matrix A and the Gaussian of each state."""
        emissions = self.components
        return {
            "pi": self.parameters.initial, "A": self.transitions, "mu": emissions.means,
            "Sigma": emissions.covariances,
        }  # fmt: skip

    def training_values(self) -> PointValues:
        return shares_by_component(self.posteriors)

    def scores(self, X: ArrayLike) -> Floats:
        return self.components.log_joint(np.asarray(X, dtype=np.float64))

    def diagram(self) -> Diagram:
        A = self.transitions
        angles = 2 * np.pi * np.arange(self.clusters) / self.clusters + np.pi / 2
        nodes = tuple(
            Node(
                id=str(k), x=0.5 + 0.36 * float(np.cos(angle)), y=0.5 + 0.36 * float(np.sin(angle)),
                texts=(f"state {k + 1}", f"stays {A[k, k]:.2f}"), shape="circle", ink=k,
            )
            for k, angle in enumerate(angles)
        )  # fmt: skip
        links = tuple(
            Link(
                start=str(i), end=str(j), width=0.5 + 6 * highest, opacity=0.3 + 0.7 * highest,
                text=", ".join(
                    f"{a + 1} → {b + 1}: {A[a, b]:.2f}" for a, b in ((i, j), (j, i)) if A[a, b] >= MIN_DRAWN
                ),
            )
            for i, j in combinations(range(self.clusters), 2)
            if (highest := float(max(A[i, j], A[j, i]))) >= MIN_DRAWN
        )  # fmt: skip
        return Diagram(
            title="States", nodes=nodes, links=links, note="Transition probabilities between states."
        )

    def charts(self) -> tuple[Chart, ...]:
        t = np.arange(1, len(self.X) + 1, dtype=float)
        posteriors = tuple(
            Series(name=f"state {k + 1}", x=t, y=column, ink=k) for k, column in enumerate(self.posteriors.T)
        )
        return (
            Chart(
                title="Posterior state probabilities", x=Axis(title="point"),
                y=Axis(title="probability", low=0.0, high=1.0), series=posteriors,
            ),
        )  # fmt: skip

    def metrics(self) -> Mapping[str, float]:
        return {
            "log-likelihood": -self.loss, "states": float(self.clusters),
            "state changes": float(np.count_nonzero(np.diff(self.path))), "iterations": float(self.iteration),
        }  # fmt: skip


@register(
    "hmm", CLUSTER, "Mixture models", "Hidden Markov model",
    symbols={
        "μ": ("Mean of the points of a state.", "Means"),
        "Σ": ("Covariance matrix of the points of a state.", "Ellipses"),
        "A": ("Transition probability.",),
    },
    synonyms=("HMM", "Baum-Welch", "Viterbi", "forward-backward", "Markov chain"),
)  # fmt: skip
class HiddenMarkovModel(Model):
    r"""Models the points, in their order, as a sequence of Gaussian emissions of hidden states. Trained by
    the Baum-Welch algorithm; the states of the points are decoded by the Viterbi algorithm.

    .. math::
        p(z) = \pi_{z_1} \prod_{t=2}^{n} A_{z_{t-1} z_t}
        p(x \mid z) = \prod_{t=1}^{n} \mathcal{N}(x_t \mid \mu_{z_t}, \Sigma_{z_t})
        \gamma_t(k) \propto \alpha_t(k)\, \beta_t(k)
    """

    states: int = integer(3, 1, 10, symbol="K", help="Number of hidden states.")
    covariance: str = COVARIANCE
    reg: float = REGULARISATION
    tol: float = TOLERANCE

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[HmmState]:
        X = data.X
        state, expected = _e_step(X, self._initial(X, rng))
        remark = shortfall(self.states, state.clusters, "states")
        yield replace(state, note=f"start: log-likelihood {-state.loss:.5g}{remark}", progress=0.0)
        for t in range(1, MAX_ITERATIONS + 1):
            before, previous = -state.loss, state
            state, expected = _e_step(X, self._m_step(X, state, expected))
            gain = -state.loss - before
            if decreases(before, -state.loss, len(X)):
                note = f"the regularisation allows no further gain, log-likelihood {before:.5g}: converged"
                yield replace(previous, note=note, progress=1.0, iteration=t - 1)
                return
            converged = gain < self.tol * len(X) or t == MAX_ITERATIONS
            note = f"iteration {t}: log-likelihood {before:.5g} → {-state.loss:.5g}"
            note += ": converged" if converged else ""
            state = replace(
                state, iteration=t, loss=min(state.loss, -before),
                note=note + degenerate_components(X, state.components, self.reg),
                progress=1.0 if converged else t / (t + HALF_WAY),
            )  # fmt: skip
            yield state
            if converged:
                return

    def _initial(self, X: Floats, rng: Generator) -> HmmParameters:
        emissions = kmeans_components(X, self.states, self.covariance, self.reg, rng)
        k = len(emissions)
        transitions = np.full((k, k), (1 - SELF_TRANSITION) / max(k - 1, 1))
        np.fill_diagonal(transitions, SELF_TRANSITION if k > 1 else 1.0)
        return HmmParameters(np.full(k, 1 / k), transitions, emissions)

    def _m_step(self, X: Floats, state: HmmState, expected: Floats) -> HmmParameters:
        """Parameters that suit the posteriors and the expected transitions best."""
        leaving = expected.sum(axis=1, keepdims=True)
        normalised = expected / np.maximum(leaving, MIN_PROBABILITY)
        return HmmParameters(
            initial=state.posteriors[0],
            transitions=np.where(leaving > MIN_PROBABILITY, normalised, state.transitions),
            emissions=m_step(X, state.posteriors, self.covariance, least_variances(X, self.reg)),
        )


def _e_step(X: Floats, parameters: HmmParameters) -> tuple[HmmState, Floats]:
    """State with the posteriors under some parameters, and the expected transitions (K, K)."""
    chain = parameters.chain(X)
    posteriors, expected, log_likelihood = chain.forward_backward()
    state = HmmState(
        clusters=len(parameters.emissions), X=X, parameters=parameters, chain=chain, posteriors=posteriors,
        loss=-log_likelihood,
    )  # fmt: skip
    return state, expected
