"""A hidden Markov model: the points in their order are said by hidden states that follow one another.

log L = log sum over sequences z of P(z_1) prod A(z_(t-1), z_t) prod N(x_t | mu_z, S_z); Baum-Welch raises it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn import CLUSTER, Clusterer, Model, Scale, integer, register
from vizml.learn.frame import Frame
from vizml.learn.mixtures.chain import Chain
from vizml.learn.mixtures.em import Expectation, falls, started
from vizml.learn.mixtures.gaussians import Gaussians
from vizml.learn.mixtures.model import covariance_parameter, tolerance_parameter, variance_parameter
from vizml.learn.state import Floats, Focus, Ints
from vizml.learn.telling import fewer
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Diagram, Link, Mark, Node, Rings, Segments, Series

ROUNDS = 300
NONE = 1e-300
STAYS = 0.8
"""The chance of staying in a state at the start."""
SEQUENCE, FIRST = "Sequence", "First point"


@dataclass(frozen=True, eq=False, kw_only=True)
class Sequence(Clusterer):
    """Each point is in the state that the likeliest sequence has there; the plane knows no sequence."""

    points: Floats
    mixture: Gaussians
    """The Gaussian of each state, weighing as much as it is visited."""
    first: Floats
    """The chance of each state at the first point."""
    going: Floats
    """The chance of going from one state to another (K, K)."""
    beliefs: Floats
    """The chance of each state at each point (n, K)."""
    chain: Chain
    rounds: int
    scale: ClassVar[Scale] = Scale.LOGIT

    @cached_property
    def path(self) -> Ints:
        """The likeliest sequence of states (n,)."""
        return self.chain.path()

    @property
    def assigned(self) -> Ints:
        return self.path

    def scores(self, X: ArrayLike) -> Floats:
        return self.mixture.joint(np.asarray(X, dtype=np.float64))

    def field(self, raster: Raster) -> Field:
        return self.mixture.field(raster)

    def marks(self) -> tuple[Mark, ...]:
        inks = tuple(range(self.clusters))
        ends = np.stack([self.points[:-1], self.points[1:]], axis=1)
        lines = (
            Segments(layer=SEQUENCE, ends=ends[self.path[1:] == k], ink=k, opacity=0.45, width=1.2)
            for k in inks
        )
        ring = Rings(layer=FIRST, points=self.points[:1], radii=np.array([9.0]), legend="first point")
        return (*lines, *self.mixture.ellipses(inks), self.mixture.dots(inks), ring)

    def diagram(self) -> Diagram:
        turn = 2 * np.pi * np.arange(self.clusters) / self.clusters + np.pi / 2
        nodes = tuple(
            Node(
                id=str(k), x=0.5 + 0.36 * float(np.cos(angle)), y=0.5 + 0.36 * float(np.sin(angle)),
                texts=(f"state {k + 1}", f"stays {self.going[k, k]:.2f}"), shape="circle", ink=k,
            )
            for k, angle in enumerate(turn)
        )  # fmt: skip
        links = tuple(
            Link(
                start=str(i), end=str(j), width=0.5 + 6 * float(self.going[i, j]), ink=i,
                text=f"{self.going[i, j]:.2f}", opacity=0.3 + 0.7 * float(self.going[i, j]),
            )
            for i in range(self.clusters)
            for j in range(self.clusters)
            if i != j and self.going[i, j] >= 0.005
        )  # fmt: skip
        return Diagram(title="States", nodes=nodes, links=links, note="how likely each state follows another")

    def focus(self, node: str) -> Focus:
        inside = self.points[self.path == int(node)]
        ring = Rings(layer="State", points=inside, radii=np.full(len(inside), 9.0), ink=int(node), width=2.0)
        return Focus((ring,))

    def trail(self, point: Floats) -> tuple[str, ...]:
        """The state of the nearest point."""
        return (str(int(self.path[((self.points - point) ** 2).sum(axis=1).argmin()])),)

    def charts(self) -> tuple[Chart, ...]:
        t = np.arange(1, len(self.points) + 1, dtype=float)
        return (
            Chart(
                title="States along the sequence",
                x=Axis(title="point"),
                y=Axis(title="probability", low=0.0, high=1.0),
                series=tuple(
                    Series(name=f"state {k + 1}", x=t, y=self.beliefs[:, k], ink=k)
                    for k in range(self.clusters)
                ),
            ),
        )

    def metrics(self) -> Mapping[str, float]:
        return {
            "log-likelihood": -self.loss,
            "states": float(self.clusters),
            "changes on the path": float(np.count_nonzero(np.diff(self.path))),
            "rounds": float(self.rounds),
        }


@register(
    "hmm",
    task=CLUSTER,
    family="Mixtures",
    title="Hidden Markov model",
    about="Takes the points in their order as said by hidden states that follow one another.",
    formula=(
        r"p(z) = \pi_{z_1} \prod_{t=2}^{n} A_{z_{t-1} z_t}",
        r"p(x \mid z) = \prod_{t=1}^{n} \mathcal{N}(x_t \mid \mu_{z_t}, \Sigma_{z_t})",
        r"\gamma_t(k) \propto \alpha_t(k)\, \beta_t(k)",
    ),
)
@dataclass(frozen=True)
class HiddenMarkov(Model):
    states: int = integer(3, 1, 10, symbol="K", help="number of hidden states")
    covariance: str = covariance_parameter()
    reg: float = variance_parameter()
    tol: float = tolerance_parameter()

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Sequence]:
        run = _BaumWelch(data.points, self, rng)
        yield run.moment(f"start: {run.told()}{run.fewer}", 0.0)
        while True:
            before = run.likelihood
            if not run.round():
                yield run.moment(f"the added variance allows no more, {run.told()}: done", 1.0)
                return
            gain = run.likelihood - before
            done = gain < self.tol * len(data) or run.turn == ROUNDS
            told = f"round {run.turn}: log-likelihood {before:.5g} → {run.likelihood:.5g}"
            told += ": done" if done else ""
            yield run.moment(
                told + run.task.troubles(run.mixture), 1.0 if done else run.turn / (run.turn + 10)
            )
            if done:
                return


class _BaumWelch:
    """Beliefs from parameters, parameters from beliefs."""

    def __init__(self, points: Floats, model: HiddenMarkov, rng: Generator) -> None:
        frame = Frame.of(points)
        self.points, self.turn = points, 0
        self.task = Expectation(frame.inside(points), frame, model.covariance, model.reg)
        self.mixture = started(self.task, model.states, "kmeans", rng)
        k = len(self.mixture)
        self.fewer = fewer(model.states, k, "states")
        self.first = np.full(k, 1 / k)
        self.going = np.full((k, k), (1 - STAYS) / max(k - 1, 1))
        np.fill_diagonal(self.going, STAYS if k > 1 else 1.0)
        self.chain, self.beliefs, self.goings, self.likelihood = self._expect(
            self.mixture, self.first, self.going
        )

    def round(self) -> bool:
        """One round; False where it would not be likelier."""
        mixture = self.task.maximise(self.beliefs)
        leaving = self.goings.sum(axis=1, keepdims=True)
        going = np.where(leaving > NONE, self.goings / np.maximum(leaving, NONE), self.going)
        first = self.beliefs[0]
        chain, beliefs, goings, likelihood = self._expect(mixture, first, going)
        if falls(self.likelihood, likelihood, len(self.points)):
            return False
        self.mixture, self.first, self.going, self.chain = mixture, first, going, chain
        self.beliefs, self.goings = beliefs, goings
        self.likelihood, self.turn = max(likelihood, self.likelihood), self.turn + 1
        return True

    def _expect(
        self, mixture: Gaussians, first: Floats, going: Floats
    ) -> tuple[Chain, Floats, Floats, float]:
        saying = self.task.basis @ mixture.terms - np.log(mixture.weights)
        logs = np.log(np.maximum(first, NONE)), np.log(np.maximum(going, NONE))
        chain = Chain(first=logs[0], going=logs[1], saying=saying)
        beliefs, goings, likelihood = chain.beliefs()
        return chain, beliefs, goings, likelihood - len(self.points) * mixture.unit

    def told(self) -> str:
        """Its log-likelihood in words."""
        return f"log-likelihood {self.likelihood:.5g}"

    def moment(self, note: str, progress: float) -> Sequence:
        """The state of now."""
        return Sequence(
            clusters=len(self.mixture), points=self.points, mixture=self.mixture, first=self.first,
            going=self.going, beliefs=self.beliefs, chain=self.chain, rounds=self.turn,
            note=note, loss=-self.likelihood, progress=progress,
        )  # fmt: skip
