"""The objective of a network: J = mean loss + l2 / (2 n) |W|^2, with biases free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.networks.network import Activations, Network
from vizml.learn.state import softmax

SMALLEST_RESIDUAL = 1e-3
"""The curvature of |r| is approximated by 1 / |r|, and for smaller residuals by that of this one."""


class OutputLoss(NamedTuple):
    """The mean over points of a loss of outputs and targets (K, m), and m times its gradient.

    `roots` (r, K, m) factor m times the Hessian by the outputs into a sum of root root' over r.
    """

    value: Callable[[Floats, Floats], float]
    gradient: Callable[[Floats, Floats], Floats]
    roots: Callable[[Floats, Floats], Floats]


def _cross_entropy(outputs: Floats, target: Floats) -> float:
    """-ln p of the true class; a single output is the log-odds of the second of two classes."""
    if len(outputs) == 1:
        total = float(np.sum(np.logaddexp(0.0, outputs)))
    else:
        top = outputs.max(axis=0)
        total = float((np.log(np.exp(outputs - top).sum(axis=0)) + top).sum())
    mean: float = (total - float((outputs * target).sum())) / outputs.shape[1]
    return mean


def _cross_entropy_gradient(outputs: Floats, target: Floats) -> Floats:
    if len(outputs) == 1:
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * outputs) - target)
    return softmax(outputs.T).T - target


def _cross_entropy_roots(outputs: Floats, target: Floats) -> Floats:
    """Factor diag(p) - p p': the columns of diag(s) - p s', where s is the root of p."""
    del target
    if len(outputs) == 1:
        return np.asarray(0.5 / np.cosh(0.5 * outputs))[None]
    p = softmax(outputs.T).T
    root = np.sqrt(p)
    return np.asarray(np.eye(len(p))[:, :, None] * root - root[:, None] * p)


def _absolute_roots(outputs: Floats, target: Floats) -> Floats:
    """The curvature of the parabola that touches |r| from above."""
    residuals = np.maximum(np.abs(outputs - target), SMALLEST_RESIDUAL)
    return np.asarray(1.0 / np.sqrt(residuals))[None]


LOSSES = {
    "log": OutputLoss(_cross_entropy, _cross_entropy_gradient, _cross_entropy_roots),
    "squared": OutputLoss(
        lambda outputs, target: float(((outputs - target) ** 2).mean()) / 2,
        lambda outputs, target: outputs - target,
        lambda outputs, _: np.ones((1, *outputs.shape)),
    ),
    "absolute": OutputLoss(
        lambda outputs, target: float(np.abs(outputs - target).mean()),
        lambda outputs, target: np.sign(outputs - target),
        _absolute_roots,
    ),
}


@dataclass(frozen=True, eq=False)
class Sample:
    """Points for training or validation: inputs (d + 1, n) with the row of ones, targets (K, n)."""

    inputs: Floats
    targets: Floats

    def __len__(self) -> int:
        return int(self.inputs.shape[1])

    def take(self, which: Ints | slice) -> Sample:
        """Return some of the points."""
        return Sample(self.inputs[:, which], self.targets[:, which])


class Evaluation(NamedTuple):
    """Weights with the activations of all points and J."""

    theta: Floats
    activations: Activations
    J: float


@dataclass(frozen=True, eq=False)
class NetworkObjective:
    """J of a network on a sample."""

    network: Network
    loss: OutputLoss
    sample: Sample
    l2: float
    unit: float = 1.0
    """Factor that converts losses to data units; gradients are of the loss of standardised data."""

    def value(self, theta: Floats) -> float:
        """J in data units."""
        return self.unit * self.evaluate(theta).J

    def mean_loss(self, theta: Floats, sample: Sample) -> float:
        """The mean loss on any sample in data units, without the penalty."""
        outputs = self.network.forward(theta, sample.inputs).outputs
        return self.unit * self.loss.value(outputs, sample.targets)

    def evaluate(self, theta: Floats) -> Evaluation:
        """Compute activations and J of the standardised data."""
        activations = self.network.forward(theta, self.sample.inputs)
        weights = theta * self.network.penalised
        penalty = self.l2 / (2 * len(self.sample)) * float(weights @ weights)
        return Evaluation(
            theta, activations, self.loss.value(activations.outputs, self.sample.targets) + penalty
        )

    def gradient(self, theta: Floats, batch: Sample, masks: Sequence[Floats] = ()) -> Floats:
        """Gradient of J with the mean loss taken over a batch."""
        activations = self.network.forward(theta, batch.inputs, masks)
        error = self.loss.gradient(activations.outputs, batch.targets)
        error /= len(batch)
        gradient = self.network.gradient(theta, activations, error)
        if self.l2:
            gradient += (self.l2 / len(self.sample)) * (theta * self.network.penalised)
        return gradient

    def gauss_newton(self, here: Evaluation, part: slice) -> tuple[Floats, Floats]:
        """Contributions of some points to n times the Gauss-Newton matrix and gradient of the mean loss."""
        activations, targets = here.activations.columns(part), self.sample.targets[:, part]
        roots = self.loss.roots(activations.outputs, targets)
        jacobians = (self.network.gradients(here.theta, activations, root) for root in roots)
        error = self.loss.gradient(activations.outputs, targets)
        matrix = reduce(np.add, (jacobian @ jacobian.T for jacobian in jacobians))
        return matrix, self.network.gradient(here.theta, activations, error)
