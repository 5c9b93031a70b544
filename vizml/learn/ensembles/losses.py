"""Losses for boosting: initial constant, negative gradient, second derivative, Newton step of a leaf."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.gaussians import log_sum_exp
from vizml.learn.state import softmax
from vizml.learn.trees.structure import group_medians, group_quantiles

Rows = Ints | slice
FLAT = 1e-150
"""Sums of second derivatives below this count as zero: the leaf keeps its value."""


@dataclass(frozen=True, eq=False)
class LeafSamples:
    """Points in leaves 0, 1, ..., count - 1, with their derivatives, rows in the training data and F."""

    nodes: Ints
    """Leaf of each point."""
    count: int
    gradient: Floats
    second: Floats
    rows: Rows
    F: Floats

    def sums(self, values: Floats) -> Floats:
        """Sum of the points' values in each leaf, 0 in an empty one."""
        return np.bincount(self.nodes, values, minlength=self.count)  # type: ignore[return-value]


class Loss(ABC):
    """L(y, F) at points with known y; F is (n, V), a column for each tree of a round."""

    name: ClassVar[str]
    step_factor = 1.0
    """Factor of a leaf's Newton step."""
    log_odds_factor = 1.0
    """Log-odds of the second class per unit of F."""

    @abstractmethod
    def initial(self) -> Floats:
        """Constant F (V,) with the least loss."""

    @abstractmethod
    def negative_gradient(self, F: Floats) -> Floats:
        """-dL/dF (n, V): the pseudo-residuals."""

    @abstractmethod
    def second_derivative(self, F: Floats, gradient: Floats) -> Floats:
        """d^2L/dF^2 (n, V); `gradient` is the negative gradient at F."""

    @abstractmethod
    def values(self, F: Floats) -> Floats:
        """L at each point (n,)."""

    @abstractmethod
    def take(self, rows: Rows) -> Loss:
        """Restrict the loss to some of the points."""

    def adapt(self, F: Floats, training: Mask) -> None:
        """Set what depends on the fit F to the training points: nothing, but for the Huber loss."""
        del F, training

    def residuals(self, gradient: Floats) -> Floats:
        """Negative gradient (n,) for the true class, or for the only column of F."""
        return gradient[:, 0]

    def leaf_steps(self, samples: LeafSamples) -> Floats:
        """Newton step sum(gradient) / sum(second derivative) in each leaf."""
        slope, curvature = samples.sums(samples.gradient), samples.sums(samples.second)
        flat = np.abs(curvature) < FLAT
        return np.where(flat, 0.0, self.step_factor * slope / np.where(flat, 1.0, curvature))


class ScalarLoss(Loss):
    """Loss with one tree in a round, for targets y (n, 1)."""

    def __init__(self, y: Floats) -> None:
        self.y = y[:, None]

    def take(self, rows: Rows) -> Loss:
        return type(self)(self.y[rows, 0])


class BinomialLogLoss(ScalarLoss):
    """-y F + log(1 + e^F) with y in {0, 1}: F is the log-odds of the second class."""

    name = "log-loss"

    def initial(self) -> Floats:
        share = self.y.mean(axis=0)
        odds: Floats = np.log(share / (1 - share))
        return odds

    def negative_gradient(self, F: Floats) -> Floats:
        return self.y - 1 / (1 + np.exp(-F))

    def second_derivative(self, F: Floats, gradient: Floats) -> Floats:
        p = self.y - gradient
        return p * (1 - p)

    def values(self, F: Floats) -> Floats:
        return (np.logaddexp(0.0, F) - self.y * F)[:, 0]


class ExponentialLoss(BinomialLogLoss):
    """e^{-yF} with y in {-1, 1}: F is half the log-odds of the second class."""

    name = "exponential loss"
    log_odds_factor = 2.0

    def initial(self) -> Floats:
        return super().initial() / 2

    def negative_gradient(self, F: Floats) -> Floats:
        sign = 2 * self.y - 1
        return sign * np.exp(-sign * F)

    def second_derivative(self, F: Floats, gradient: Floats) -> Floats:
        return np.abs(gradient)

    def values(self, F: Floats) -> Floats:
        return np.exp((1 - 2 * self.y) * F)[:, 0]


class MultinomialLogLoss(Loss):
    """-F_y + log sum_k e^{F_k}: a tree for each class in each round."""

    name = "log-loss"

    def __init__(self, truth: Ints, classes: int) -> None:
        self.truth, self.classes = truth, classes
        self.y = np.eye(classes)[truth]
        self.step_factor = (classes - 1) / classes

    def initial(self) -> Floats:
        logs: Floats = np.log(self.y.mean(axis=0))
        logs -= logs.mean()
        return logs

    def negative_gradient(self, F: Floats) -> Floats:
        return self.y - softmax(F)

    def second_derivative(self, F: Floats, gradient: Floats) -> Floats:
        p = self.y - gradient
        return p * (1 - p)

    def values(self, F: Floats) -> Floats:
        return log_sum_exp(F) - F[np.arange(len(F)), self.truth]

    def residuals(self, gradient: Floats) -> Floats:
        return gradient[np.arange(len(gradient)), self.truth]

    def take(self, rows: Rows) -> Loss:
        return MultinomialLogLoss(self.truth[rows], self.classes)


class SquaredLoss(ScalarLoss):
    """(y - F)^2 / 2; `values` are twice that, the squared errors."""

    name = "squared error"

    def __init__(self, y: Floats) -> None:
        super().__init__(y)
        self._ones = np.ones_like(self.y)

    def initial(self) -> Floats:
        mean: Floats = self.y.mean(axis=0)
        return mean

    def negative_gradient(self, F: Floats) -> Floats:
        return self.y - F

    def second_derivative(self, F: Floats, gradient: Floats) -> Floats:
        return self._ones

    def values(self, F: Floats) -> Floats:
        residuals: Floats = self.y[:, 0] - F[:, 0]
        residuals *= residuals
        return residuals

    def leaf_steps(self, samples: LeafSamples) -> Floats:
        """Mean residual of each leaf."""
        counts = np.bincount(samples.nodes, minlength=samples.count)
        return samples.sums(samples.gradient) / np.maximum(counts, 1)


class AbsoluteLoss(SquaredLoss):
    """|y - F|: trees are fitted to the signs of the residuals, leaves step to their medians."""

    name = "absolute error"

    def initial(self) -> Floats:
        return np.array([np.median(self.y)])

    def negative_gradient(self, F: Floats) -> Floats:
        return np.sign(self.y - F)

    def values(self, F: Floats) -> Floats:
        return np.abs(self.y - F)[:, 0]

    def leaf_steps(self, samples: LeafSamples) -> Floats:
        """Median residual of each leaf."""
        return group_medians(samples.nodes, samples.count, self.y[samples.rows, 0] - samples.F)


class QuantileLoss(SquaredLoss):
    """max(q r, (q - 1) r) of the residual r = y - F: leaves step to the q-quantile of their residuals."""

    name = "quantile loss"

    def __init__(self, y: Floats, quantile: float = 0.9) -> None:
        super().__init__(y)
        self.quantile = quantile

    def take(self, rows: Rows) -> Loss:
        return type(self)(self.y[rows, 0], self.quantile)

    def initial(self) -> Floats:
        return np.array([np.quantile(self.y, self.quantile)])

    def negative_gradient(self, F: Floats) -> Floats:
        return np.where(self.y >= F, self.quantile, self.quantile - 1)

    def values(self, F: Floats) -> Floats:
        residuals = (self.y - F)[:, 0]
        return np.maximum(self.quantile * residuals, (self.quantile - 1) * residuals)

    def leaf_steps(self, samples: LeafSamples) -> Floats:
        """Quantile of the residuals of each leaf."""
        residuals = self.y[samples.rows, 0] - samples.F
        return group_quantiles(samples.nodes, samples.count, residuals, self.quantile)


class HuberLoss(QuantileLoss):
    """r^2 / 2 up to |r| = delta and delta (|r| - delta / 2) beyond; delta is a quantile of the |r|.

    Leaves step to the median of their residuals plus the mean of the clipped differences from it
    (Friedman 2001, algorithm 4).
    """

    name = "Huber loss"
    delta = np.inf

    def adapt(self, F: Floats, training: Mask) -> None:
        """Set delta to the quantile of the absolute residuals of the training points."""
        size = np.abs(self.y - F)[training, 0]
        self.delta = float(np.quantile(size, self.quantile, method="inverted_cdf"))

    def initial(self) -> Floats:
        return np.array([np.median(self.y)])

    def negative_gradient(self, F: Floats) -> Floats:
        return np.clip(self.y - F, -self.delta, self.delta)

    def values(self, F: Floats) -> Floats:
        size = np.abs(self.y - F)[:, 0]
        inner = np.minimum(size, self.delta)
        return inner * (size - inner / 2)

    def leaf_steps(self, samples: LeafSamples) -> Floats:
        """Median of the residuals of each leaf and mean of the clipped differences from it."""
        residuals = self.y[samples.rows, 0] - samples.F
        medians = group_quantiles(samples.nodes, samples.count, residuals, 0.5)
        clipped = np.clip(residuals - medians[samples.nodes], -self.delta, self.delta)
        counts = np.bincount(samples.nodes, minlength=samples.count)
        return medians + samples.sums(clipped) / np.maximum(counts, 1)


SCALAR_LOSSES: Mapping[str, type[ScalarLoss]] = {
    "log": BinomialLogLoss, "exponential": ExponentialLoss, "squared": SquaredLoss, "absolute": AbsoluteLoss,
}  # fmt: skip
QUANTILE_LOSSES: Mapping[str, type[QuantileLoss]] = {"huber": HuberLoss, "quantile": QuantileLoss}
"""Losses with a quantile as a parameter."""
