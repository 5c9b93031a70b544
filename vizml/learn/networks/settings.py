"""What both networks can be set to, and how they go from data to moments of training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from vizml.learn import Model, choice, flag, integer, real, text
from vizml.learn.networks.marching import Limits, marched
from vizml.learn.networks.moments import Moment, held_back
from vizml.learn.networks.objective import Loss, Objective, Sample
from vizml.learn.networks.plan import ALLOWED, Plan, widths
from vizml.learn.networks.training import Pace, trained
from vizml.learn.state import Ints

DESCENTS = {"gd": "gradient descent", "momentum": "momentum", "rmsprop": "RMSProp", "adam": "Adam"}
"""Those that go by the gradient of small batches."""
SOLVERS = {**DESCENTS, "lm": "Levenberg-Marquardt"}
BY_BATCH = {"solver": tuple(DESCENTS)}


def solver(default: str) -> Any:
    """How the weights are found."""
    return choice(
        default, tuple(SOLVERS), labels=SOLVERS,
        help="how a gradient becomes a step; Levenberg-Marquardt asks all points how the loss bends, too, "
        "and needs tens of steps where the others need thousands",
    )  # fmt: skip


@dataclass(frozen=True)
class NetworkModel(Model):
    """The parameters of a network."""

    hidden: str = text("8,8", widths, ALLOWED, title="hidden layers", help="how many neurons each layer has")
    activation: str = choice(
        "tanh",
        ("tanh", "relu", "sigmoid"),
        symbol="g",
        help="what a neuron makes of its sum: soft steps, or creases where the sum changes its sign",
    )
    solver: str = solver("adam")
    rate: float = real(
        0.02,
        1e-4,
        10.0,
        log=True,
        symbol="η",
        title="learning rate",
        when=BY_BATCH,
        help="how far each step goes down the slope",
    )
    batch: int = integer(32, 1, 1024, log=True, when=BY_BATCH, help="points in each step")
    epochs: int = integer(300, 1, 5000, log=True, help="how often all points are gone through, at the most")
    tol: float = real(
        2e-3, 1e-12, 0.1, log=True, symbol="τ", title="tolerance", when={"solver": ("lm",)},
        help="training ends when three steps in a row gain less than this share of the loss",
    )  # fmt: skip
    l2: float = real(0.03, 0.0, 1e3, log=True, symbol="λ", help="what the squares of the weights cost")
    dropout: float = real(
        0.0, 0.0, 0.9, when=BY_BATCH,
        help="the share of the hidden neurons that each point of a batch does without",
    )  # fmt: skip
    early_stop: bool = flag(
        False, title="early stopping",
        help="holds a fifth of the points back, and returns to where their loss was least",
    )  # fmt: skip

    def _run(
        self, sample: Sample, loss: Loss, strata: Ints, rng: Generator, unit: float = 1.0
    ) -> Iterator[tuple[Plan, Ints, Moment]]:
        """The moments, with the plan and the points held back, which are taken from each stratum.

        The unit is what losses are told in.
        """
        outputs = len(sample.targets)
        plan = Plan((len(sample.inputs) - 1, *widths(self.hidden), outputs), self.activation)
        held = held_back(strata, rng) if self.early_stop else np.empty(0, dtype=np.int64)
        shown = sample.take(np.setdiff1d(np.arange(len(sample)), held))
        judge = sample.take(held) if len(held) else None
        objective = Objective(plan, loss, shown, self.l2, unit)
        for moment in self._moments(objective, judge, rng, self._preface(len(held), len(sample))):
            yield plan, held, moment

    def _moments(
        self, objective: Objective, judge: Sample | None, rng: Generator, preface: str
    ) -> Iterator[Moment]:
        if self.solver == "lm":
            return marched(objective, judge, Limits(self.epochs, self.tol), rng, preface)
        pace = Pace(self.solver, self.rate, self.batch, self.epochs, self.dropout)
        return trained(objective, judge, pace, rng, preface)

    def _preface(self, held: int, points: int) -> str:
        if not self.early_stop:
            return ""
        if not held:
            return f"too few points ({points}) to hold any back for early stopping; "
        return f"{held} of {points} points held back for early stopping; "
