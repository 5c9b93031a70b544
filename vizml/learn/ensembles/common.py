"""Base classes of ensemble models and states, and parameters that several models share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator

from vizml.learn.ensembles import views
from vizml.learn.ensembles.out_of_bag import OutOfBag, VarianceDecomposition, decompose_variance
from vizml.learn.model import Model
from vizml.learn.params import choice, integer, real
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Series

VARIANCE_FORMULA = r"\mathrm{Var} = \rho\, \sigma^2 + \frac{1 - \rho}{B}\, \sigma^2"
"""Variance of the mean of B members with correlation rho."""


class EnsembleModel(Model):
    """Model whose members can be trained several at once."""

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return self.states(data, rng, every=True)

    def coarse_steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return self.states(data, rng, every=False)

    @abstractmethod
    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        """Yield a state for every member, or only for the last of those that are trained at once."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanState(State):
    """Mean of members, with an out-of-bag error as its loss where they are trained on bootstrap samples."""

    error_name: ClassVar[str] = "error"
    bags: tuple[OutOfBag, ...] = ()
    sets: str = "members"
    """Parameter that holds the number of members."""
    stepwise: bool = True
    """Whether there is a state for each member."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of members."""

    @cached_property
    def variance(self) -> VarianceDecomposition:
        """Variance of the members' errors and of their mean."""
        return decompose_variance(self.bags, self.size)

    def error_text(self, error: float) -> str:
        """Format an out-of-bag error."""
        return f"{error:.1%}" if self.error_name == "error" else f"{error:.4g}"

    def charts(self) -> tuple[Chart, ...]:
        if not self.bags:
            return ()
        errors = np.concatenate([bag.errors for bag in self.bags])
        last = float(errors[self.size - 1])
        at = np.arange(1, len(errors) + 1)
        chart = Chart(
            title="Out-of-bag error", x=Axis(title="members", low=1), y=Axis(title=self.error_name, low=0),
            series=(Series(name="out-of-bag", x=at.astype(float), y=errors),),
            note=f"{self.error_text(last)} with {self.size}" if np.isfinite(last) else "",
            cursor="step" if self.stepwise else "", sets=(self.sets,), choices=(tuple(at.tolist()),),
        )  # fmt: skip
        return chart, views.variance_chart(self.variance)

    def metrics(self) -> Mapping[str, float]:
        found = {self.sets: float(self.size)}
        if self.bags and np.isfinite(self.loss):
            found |= {
                f"OOB {self.error_name}": self.loss,
                "ρ": float(self.variance.rho[-1]),
                "σ²": float(self.variance.sigma2[-1]),
                "variance of the mean": float(self.variance.measured[-1]),
                views.VARIANCE_TERM: float(self.variance.predicted[-1]),
            }
        return found


def rounds(default: int = 100) -> Any:
    """Length of boosting."""
    return integer(default, 1, 1000, log=True, symbol="M", help="Number of boosting rounds.")


def rate(default: float) -> Any:
    """Shrinkage of boosting."""
    help = "Learning rate (shrinkage): factor of each tree's contribution."
    return real(default, 1e-3, 1.0, log=True, symbol="η", title="learning rate", help=help)


def max_depth(default: int, lo: int = 1, hi: int = 10) -> Any:
    """Depth of trees; 0 is no limit."""
    no_limit = " 0 means no limit." if lo == 0 else ""
    return integer(default, lo, hi, help=f"Maximum depth of the trees.{no_limit}")


def min_leaf(points: str = "points") -> Any:
    """Size of leaves."""
    return integer(1, 1, 1000, log=True, help=f"Minimum number of {points} in a leaf.")


def hold() -> Any:
    """Monitoring of boosting."""
    help = "Share of the points held out to monitor the loss for early stopping."
    return real(0.0, 0.0, 0.5, title="held-out share", help=help)


def patience() -> Any:
    """Early stopping of boosting."""
    help = (
        "Early stopping: number of rounds without a lower held-out loss before training stops and returns "
        "to the best round. 0 disables it."
    )
    return integer(0, 0, 100, help=help)


def regression_loss() -> Any:
    """Loss of boosting for numbers."""
    help = "Loss to minimise. For the absolute loss, trees are fitted to the signs of the residuals."
    return choice("squared", ("squared", "absolute"), symbol="L", help=help)
