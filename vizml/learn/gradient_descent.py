"""Gradient descent: the one loop for full batches, mini-batches and single samples, and its optimisers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints
from vizml.learn.iterative_training import PATIENCE, Schedule, restored

MOMENTUM = 0.9
DECAY = 0.9
BETAS = (0.9, 0.999)
EPSILON = 1e-8
"""The usual constants of momentum, RMSProp (Hinton) and Adam (Kingma and Ba)."""
UPDATES = 500
"""Updates between two iterates of a long epoch: some milliseconds of work."""
EXPLOSION = 1e3
"""A loss so many times that of the start does not come down again."""
CONSTANT = Schedule()
LOWER_RATE = "a lower learning rate helps"


class Optimiser:
    """Turn gradients into steps by gradient descent, momentum, Nesterov's momentum, RMSProp or Adam.

    >>> Optimiser("gd", rate=0.1, shape=(2,)).step(np.array([1.0, -2.0]))
    array([ 0.1, -0.2])
    """

    def __init__(
        self, solver: str, rate: float, shape: tuple[int, ...], *, momentum: float = MOMENTUM,
        decay: float = DECAY, betas: tuple[float, float] = BETAS, epsilon: float = EPSILON,
        schedule: Schedule = CONSTANT,
    ) -> None:  # fmt: skip
        self.rate, self.count = rate, 0
        self.first_rate, self.schedule = rate, schedule
        self.momentum, self.decay, self.betas, self.epsilon = momentum, decay, betas, epsilon
        self.first, self.second = np.zeros(shape), np.zeros(shape)
        steps = {
            "momentum": self._momentum, "nesterov": self._nesterov, "rmsprop": self._rmsprop,
            "adam": self._adam,
        }  # fmt: skip
        self.step: Callable[[Floats], Floats] = steps.get(solver, self._plain)

    def begin(self, epoch: int) -> None:
        """Set the learning rate of an epoch by the schedule."""
        self.rate = self.schedule.rate(self.first_rate, epoch)

    def _plain(self, gradient: Floats) -> Floats:
        return self.rate * gradient

    def _momentum(self, gradient: Floats) -> Floats:
        self.first = self.momentum * self.first + gradient
        return self.rate * self.first

    def _nesterov(self, gradient: Floats) -> Floats:
        """Add the gradient and the next velocity: the form of Sutskever et al. (2013)."""
        self.first = self.momentum * self.first + gradient
        return self.rate * (gradient + self.momentum * self.first)

    def _rmsprop(self, gradient: Floats) -> Floats:
        self.second = self.decay * self.second + (1 - self.decay) * gradient * gradient
        return self.rate * gradient / (np.sqrt(self.second) + self.epsilon)

    def _adam(self, gradient: Floats) -> Floats:
        self.count += 1
        first, second = self.betas
        self.first = first * self.first + (1 - first) * gradient
        self.second = second * self.second + (1 - second) * gradient * gradient
        mean, spread = self.first / (1 - first**self.count), self.second / (1 - second**self.count)
        return self.rate * mean / (np.sqrt(spread) + self.epsilon)


class MeanLoss(Protocol):
    """An objective that is a mean over samples, as gradient descent needs it."""

    def __len__(self) -> int:
        """Return the number of samples."""

    def shuffled(self, order: Ints) -> Self:
        """Return the same objective with its samples in another order."""

    def batch_gradient(self, weights: Floats, batch: slice) -> Floats:
        """Return the gradient of the mean over a batch of samples."""


def descend(
    loss: MeanLoss, weights: Floats, optimiser: Optimiser, batch: int, rng: Generator,
    proximal: Callable[[Floats], Floats] | None = None, updates: int = UPDATES,
) -> Iterator[tuple[float, Floats]]:  # fmt: skip
    """Yield (epochs so far, weights) at the start and after each epoch, or slice of a long one, for ever.

    Samples are shuffled before each epoch, unless a batch holds them all. `proximal` is applied after
    each step, for a penalty without a gradient.
    """
    n = len(loss)
    batch = min(batch, n)
    yield 0.0, weights
    for epoch in count():
        optimiser.begin(epoch)
        sample = loss.shuffled(rng.permutation(n)) if batch < n else loss
        for begin in range(0, n, batch * updates):
            stop = min(begin + batch * updates, n)
            for at in range(begin, stop, batch):
                gradient = sample.batch_gradient(weights, slice(at, min(at + batch, n)))
                weights = weights - optimiser.step(gradient)
                weights = weights if proximal is None else proximal(weights)
            yield epoch + stop / n, weights


class Iterate(NamedTuple):
    """Weights after a number of epochs, with the loss and the norm of its gradient there."""

    epoch: float
    weights: Floats
    loss: float
    gradient_norm: float
    validation: float = math.inf
    """Mean loss of the points of the validation set, infinite without one."""


def reported(
    path: Iterator[Iterate], epochs: int, stop: Callable[[Iterate, Iterate, Iterate], str], *,
    name: str = "loss", unit: float = 0.0, advice: str = LOWER_RATE, preface: str = "",
) -> Iterator[tuple[Iterate, str, float]]:  # fmt: skip
    """Yield each iterate with its note and progress, until `stop` gives a reason or the loss explodes.

    `stop` is asked about the first, the previous and the current iterate; an empty answer goes on. `unit` is
    a loss that counts as much as that of the first iterate where this one is smaller. With a validation set,
    training also stops where its loss falls no more, and the best iterate is the last.
    """
    previous = first = best = next(path)
    note = f"{preface}start: all weights 0, {name} {first.loss:.4g}, gradient norm {first.gradient_norm:.3g}"
    yield first, note, 0.0
    for here in path:
        if not here.loss <= EXPLOSION * max(first.loss, unit):
            rise = f"{name} {first.loss:.4g} → {here.loss:.3g}"
            yield previous, f"diverged in epoch {math.ceil(here.epoch)}: {rise}; {advice}", 1.0
            break
        best = here if here.validation < best.validation else best
        reason = stop(first, previous, here)
        if not reason and here.epoch - best.epoch >= PATIENCE and math.isfinite(best.validation):
            reason = f": no lower validation loss for {PATIENCE} epochs"
        change = f"{name} {previous.loss:.4g} → {here.loss:.4g}, gradient norm {here.gradient_norm:.3g}"
        if math.isfinite(here.validation):
            change += f", validation loss {here.validation:.4g}"
        previous = here
        yield here, f"epoch {here.epoch:.4g}: {change}{reason}", 1.0 if reason else here.epoch / epochs
        if reason:
            break
    if math.isfinite(best.validation):
        yield best, restored("epoch", best.epoch, best.validation), 1.0
