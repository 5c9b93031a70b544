"""How a gradient becomes a step: the plain rate, momentum, RMSProp, Adam."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vizml.learn.state import Floats

MOMENTUM = 0.9
DECAY = 0.9
BETAS = (0.9, 0.999)
EPSILON = 1e-8


class Rule:
    """How a gradient becomes a step; it remembers what came before."""

    def __init__(self, solver: str, rate: float, shape: tuple[int, ...]) -> None:
        self.rate, self.count = rate, 0
        self.first, self.second = np.zeros(shape), np.zeros(shape)
        steps: dict[str, Callable[[Floats], Floats]] = {
            "momentum": self._momentum,
            "rmsprop": self._rmsprop,
            "adam": self._adam,
        }
        self.step = steps.get(solver, self._plain)

    def _plain(self, gradient: Floats) -> Floats:
        return self.rate * gradient

    def _momentum(self, gradient: Floats) -> Floats:
        self.first = MOMENTUM * self.first + gradient
        return self.rate * self.first

    def _rmsprop(self, gradient: Floats) -> Floats:
        self.second = DECAY * self.second + (1 - DECAY) * gradient * gradient
        return self.rate * gradient / (np.sqrt(self.second) + EPSILON)

    def _adam(self, gradient: Floats) -> Floats:
        self.count += 1
        self.first = BETAS[0] * self.first + (1 - BETAS[0]) * gradient
        self.second = BETAS[1] * self.second + (1 - BETAS[1]) * gradient * gradient
        mean = self.first / (1 - BETAS[0] ** self.count)
        spread = self.second / (1 - BETAS[1] ** self.count)
        return self.rate * mean / (np.sqrt(spread) + EPSILON)
