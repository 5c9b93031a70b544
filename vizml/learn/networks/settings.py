"""What both networks can be set to, and how they go from data to moments of training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn import Model, choice, flag, integer, real, text
from vizml.learn.networks.objective import Loss, Objective, Sample
from vizml.learn.networks.plan import ALLOWED, Plan, widths
from vizml.learn.networks.training import Moment, Pace, held_back, trained
from vizml.learn.state import Ints


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
    solver: str = choice(
        "adam",
        ("gd", "momentum", "rmsprop", "adam"),
        labels={"gd": "gradient descent", "momentum": "momentum", "rmsprop": "RMSProp", "adam": "Adam"},
        help="how a gradient becomes a step",
    )
    rate: float = real(
        0.02,
        1e-4,
        10.0,
        log=True,
        symbol="η",
        title="learning rate",
        help="how far each step goes down the slope",
    )
    batch: int = integer(32, 1, 1024, log=True, help="points in each step")
    epochs: int = integer(300, 1, 5000, log=True, help="how often all points are gone through")
    l2: float = real(0.03, 0.0, 1e3, log=True, symbol="λ", help="what the squares of the weights cost")
    dropout: float = real(
        0.0, 0.0, 0.9, help="the share of the hidden neurons that each point of a batch does without"
    )
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
        pace = Pace(self.solver, self.rate, self.batch, self.epochs, self.dropout)
        judge = sample.take(held) if len(held) else None
        preface = self._preface(len(held), len(sample))
        objective = Objective(plan, loss, shown, self.l2, unit)
        for moment in trained(objective, judge, pace, rng, preface):
            yield plan, held, moment

    def _preface(self, held: int, points: int) -> str:
        if not self.early_stop:
            return ""
        if not held:
            return f"too few points ({points}) to hold any back for early stopping; "
        return f"{held} of {points} points held back for early stopping; "
