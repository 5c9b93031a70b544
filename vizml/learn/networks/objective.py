"""What a network is to make small: J = mean loss + l2 / (2 n) |W|^2, biases free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np

from vizml.learn.networks.plan import Plan, Signals
from vizml.learn.state import Floats, Ints, softmax

SHARPEST = 1e-3
"""The curvature of |r| is taken as 1 / |r|, and near its crease as if r were so large."""


class Loss(NamedTuple):
    """The mean over points of a loss of outputs and targets (outputs, m), and m times its slope.

    The roots (r, outputs, m) are those of m times its curvature by the outputs, sum_r root root'.
    """

    value: Callable[[Floats, Floats], float]
    slope: Callable[[Floats, Floats], Floats]
    roots: Callable[[Floats, Floats], Floats]


def _entropy(outputs: Floats, target: Floats) -> float:
    """-ln p of the own class; one output is the log-odds of the second of two classes."""
    if len(outputs) == 1:
        total = float(np.sum(np.logaddexp(0.0, outputs)))
    else:
        top = outputs.max(axis=0)
        total = float((np.log(np.exp(outputs - top).sum(axis=0)) + top).sum())
    mean: float = (total - float((outputs * target).sum())) / outputs.shape[1]
    return mean


def _entropy_slope(outputs: Floats, target: Floats) -> Floats:
    if len(outputs) == 1:
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * outputs) - target)
    return softmax(outputs.T).T - target


def _entropy_roots(outputs: Floats, target: Floats) -> Floats:
    """Of diag(p) - p p': the columns of diag(s) - p s', where s is the root of p."""
    del target
    if len(outputs) == 1:
        return np.asarray(0.5 / np.cosh(0.5 * outputs))[None]
    shares = softmax(outputs.T).T
    root = np.sqrt(shares)
    return np.asarray(np.eye(len(shares))[:, :, None] * root - root[:, None] * shares)


def _squared(outputs: Floats, target: Floats) -> float:
    return float(((outputs - target) ** 2).mean()) / 2


def _apart(outputs: Floats, target: Floats) -> Floats:
    return outputs - target


def _even(outputs: Floats, target: Floats) -> Floats:
    del target
    return np.ones((1, *outputs.shape))


def _absolute(outputs: Floats, target: Floats) -> float:
    return float(np.abs(outputs - target).mean())


def _side(outputs: Floats, target: Floats) -> Floats:
    return np.sign(outputs - target)


def _sharpness(outputs: Floats, target: Floats) -> Floats:
    """Of the parabola that touches |r| from above."""
    return np.asarray(1.0 / np.sqrt(np.maximum(np.abs(outputs - target), SHARPEST)))[None]


LOSSES = {
    "log": Loss(_entropy, _entropy_slope, _entropy_roots),
    "squared": Loss(_squared, _apart, _even),
    "absolute": Loss(_absolute, _side, _sharpness),
}


@dataclass(frozen=True, eq=False)
class Sample:
    """Points to learn from or to judge by: inputs (d + 1, n) with the row of ones, targets (outputs, n)."""

    inputs: Floats
    targets: Floats

    def __len__(self) -> int:
        return int(self.inputs.shape[1])

    def take(self, which: Ints) -> Sample:
        """Some of the points."""
        return Sample(self.inputs[:, which], self.targets[:, which])


class Place(NamedTuple):
    """Weights, what they make of each point, and J."""

    theta: Floats
    signals: Signals
    J: float


@dataclass(frozen=True, eq=False)
class Objective:
    """J of a plan on a sample."""

    plan: Plan
    loss: Loss
    sample: Sample
    l2: float
    unit: float = 1.0
    """What J is told in; gradients are not, so that rates mean the same for all data."""

    def value(self, theta: Floats) -> float:
        """J."""
        return self.unit * self.at(theta).J

    def judged(self, theta: Floats, sample: Sample) -> float:
        """The mean loss on any sample."""
        return self.unit * self.loss.value(self.plan.signals(theta, sample.inputs).outputs, sample.targets)

    def at(self, theta: Floats) -> Place:
        """What there is at these weights; J is as the network sees it, whatever the unit."""
        signals = self.plan.signals(theta, self.sample.inputs)
        own = theta * self.plan.weighing
        cost = self.l2 / (2 * len(self.sample)) * float(own @ own)
        return Place(theta, signals, self.loss.value(signals.outputs, self.sample.targets) + cost)

    def curvature(self, place: Place, begin: int, end: int) -> tuple[Floats, Floats]:
        """What some of the points add to n times the matrix of Gauss and Newton, and to the gradient of J."""
        signals, targets = place.signals.between(begin, end), self.sample.targets[:, begin:end]
        roots = self.loss.roots(signals.outputs, targets)
        matrices = (rays @ rays.T for rays in (self.plan.rays(place.theta, signals, root) for root in roots))
        error = self.loss.slope(signals.outputs, targets)
        return reduce(np.add, matrices), self.plan.gradient(place.theta, signals, error)

    def gradient(self, theta: Floats, batch: Sample, masks: Sequence[Floats] = ()) -> Floats:
        """Of J, its mean taken over a batch."""
        signals = self.plan.signals(theta, batch.inputs, masks)
        error = self.loss.slope(signals.outputs, batch.targets)
        error /= len(batch)
        gradient = self.plan.gradient(theta, signals, error)
        if self.l2:
            gradient += (self.l2 / len(self.sample)) * (theta * self.plan.weighing)
        return gradient
