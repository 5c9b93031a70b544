"""Hidden Markov model with Gaussian emissions, trained by the Baum-Welch algorithm on the sequence of points.

log L = log sum over state sequences z of P(z_1) prod_t A(z_(t-1), z_t) prod_t N(x_t | mu_z, S_z).
Messages of the forward-backward and Viterbi algorithms,
a_t = a_(t-1) M_t with M_t(i, j) = A(i, j) p(x_t | j), are prefix products of matrices. They are computed
block by block, all blocks side by side, in logarithms, with log-sum-exp or max in place of sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
from vizml.learn.gaussians import GaussianComponents, least_variances, log_sum_exp
from vizml.learn.learned import Learned, PointValues, shares_by_component
from vizml.learn.mixtures.em import decreases, m_step
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
Reduction = Callable[[Floats, int], Floats]
"""Combination of log values along an axis: log-sum-exp, or the maximum."""
LOG_ZERO = -1e300
"""Logarithm that stands for zero; minus infinity would give NaN in differences."""


def log_messages(first: Floats, steps: Floats, reduce: Reduction) -> Floats:
    """Logarithms of messages a_0 ... a_n (n + 1, K), from those of a_0 (K,) and M (n, K, K)."""
    n, k, _ = steps.shape
    length = max(int(np.ceil(np.sqrt(n))), 1)
    blocks = -(-n // length)
    identity = np.where(np.eye(k, dtype=bool), 0.0, LOG_ZERO)
    padding = np.broadcast_to(identity, (blocks * length - n, k, k))
    products = np.concatenate([steps, padding]).reshape(blocks, length, k, k)
    for t in range(1, length if blocks else 0):
        products[:, t] = reduce(products[:, t - 1, :, :, None] + products[:, t, None, :, :], 2)
    starts = [first]
    for product in products[:-1, -1]:
        starts.append(reduce(starts[-1][:, None] + product, 0))
    following = reduce(np.array(starts)[:blocks, None, :, None] + products, 2)
    return np.concatenate([first[None], following.reshape(-1, k)[:n]])


@dataclass(frozen=True, eq=False, kw_only=True)
class MarkovChain:
    """Logarithms of the initial (K,), transition (K, K) and emission (n, K) probabilities."""

    log_initial: Floats
    log_transitions: Floats
    log_emissions: Floats

    @property
    def log_steps(self) -> Floats:
        """log M_t = log A + log p(x_t | j) (n - 1, K, K)."""
        return self.log_transitions + self.log_emissions[1:, None, :]

    def forward_backward(self) -> tuple[Floats, Floats, float]:
        """Posteriors P(z_t | x) (n, K), expected numbers of transitions (K, K) and the log-likelihood.

        >>> chain = MarkovChain(
        ...     log_initial=np.log([0.5, 0.5]),
        ...     log_transitions=np.log([[0.9, 0.1], [0.1, 0.9]]),
        ...     log_emissions=np.log([[0.8, 0.2], [0.8, 0.2], [0.2, 0.8]]),
        ... )
        >>> posteriors, _, log_likelihood = chain.forward_backward()
        >>> posteriors[:, 0].round(3).tolist(), chain.viterbi().tolist()
        ([0.84, 0.8, 0.559], [0, 0, 0])
        """
        steps = self.log_steps
        forward = log_messages(self.log_initial + self.log_emissions[0], steps, log_sum_exp)
        backward = log_messages(np.zeros(forward.shape[1]), np.swapaxes(steps[::-1], 1, 2), log_sum_exp)[::-1]
        log_likelihood = float(log_sum_exp(forward[-1], 0))
        joint = np.exp(forward[:-1, :, None] + steps + backward[1:, None, :] - log_likelihood)
        return _normalised(np.exp(forward + backward - log_likelihood)), joint.sum(axis=0), log_likelihood

    def viterbi(self) -> Ints:
        """Most probable sequence of states (n,)."""
        steps = self.log_steps
        forward = log_messages(self.log_initial + self.log_emissions[0], steps, np.max)
        predecessors = (forward[:-1, :, None] + steps).argmax(axis=1).tolist()
        path = [int(forward[-1].argmax())]
        for row in reversed(predecessors):
            path.append(row[path[-1]])
        return np.array(path[::-1])


def _normalised(rows: Floats) -> Floats:
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


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
