"""Base class and parameters that several ensembles share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from vizml.learn.model import Model
from vizml.learn.params import choice, flag, integer, real
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.tree import CRITERION_LABELS, LOSS_LABELS

VARIANCE_FORMULA = r"\mathrm{Var} = \rho\, \sigma^2 + \frac{1 - \rho}{B}\, \sigma^2"
"""Variance of the mean of B members with correlation rho."""


@dataclass(frozen=True)
class EnsembleModel(Model):
    """Model whose members can be trained several at once."""

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return self.states(data, rng, every=True)

    def strides(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return self.states(data, rng, every=False)

    @abstractmethod
    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        """Yield a state for every member, or only for the last of those that are trained at once."""


def trees() -> Any:
    """Size of a forest."""
    return integer(100, 1, 1000, log=True, symbol="B", help="Number of trees.")


def members() -> Any:
    """Size of a bagged ensemble."""
    return integer(25, 1, 200, log=True, symbol="B", help="Number of bootstrap samples and members.")


def share() -> Any:
    """Size of bootstrap samples."""
    return real(
        1.0, 0.1, 1.0, title="sample size", help="Size of each bootstrap sample as a share of all points."
    )


def max_depth(default: int, lo: int = 1, hi: int = 10) -> Any:
    """Depth of the trees; 0 is no limit."""
    no_limit = " 0 means no limit." if lo == 0 else ""
    return integer(default, lo, hi, help=f"Maximum depth of the trees.{no_limit}")


def min_leaf(points: str = "points") -> Any:
    """Size of leaves."""
    return integer(1, 1, 1000, log=True, help=f"Minimum number of {points} in a leaf.")


def candidate_features() -> Any:
    """Features that each split of a forest may choose from."""
    return integer(1, 1, 4, symbol="m", help="Number of features drawn at random for each split.")


def diagonals() -> Any:
    """Splits along the diagonals."""
    return flag(
        False,
        title="diagonals",
        help="Also split on the sums and differences of the inputs, so that m may be up to 4.",
    )


def criterion() -> Any:
    """Impurity of trees for classes."""
    return choice(
        "gini",
        tuple(CRITERION_LABELS),
        labels=CRITERION_LABELS,
        symbol="I",
        help="Impurity measure that splits minimise.",
    )


def leaf_loss() -> Any:
    """Loss that the leaves of regression trees minimise."""
    return choice(
        "squared",
        tuple(LOSS_LABELS),
        labels=LOSS_LABELS,
        help="Loss that the values of leaves minimise: means or medians of their points.",
    )


def rounds(default: int = 100) -> Any:
    """Length of boosting."""
    return integer(default, 1, 1000, log=True, symbol="M", help="Number of boosting rounds.")


def rate(default: float) -> Any:
    """Shrinkage of boosting."""
    return real(
        default,
        1e-3,
        1.0,
        log=True,
        symbol="η",
        title="learning rate",
        help="Learning rate (shrinkage): factor of each tree's contribution.",
    )


def hold() -> Any:
    """Monitoring of boosting."""
    return real(
        0.0,
        0.0,
        0.5,
        title="held-out share",
        help="Share of the points held out to monitor the loss for early stopping.",
    )


def patience() -> Any:
    """Early stopping of boosting."""
    return integer(
        0,
        0,
        100,
        help="Early stopping: number of rounds without a lower held-out loss before training stops and "
        "returns to the best round. 0 disables it.",
    )


def regression_loss() -> Any:
    """Loss of boosting for numbers."""
    return choice(
        "squared",
        ("squared", "absolute"),
        symbol="L",
        help="Loss to minimise. For the absolute loss, trees are fitted to the signs of the residuals.",
    )
