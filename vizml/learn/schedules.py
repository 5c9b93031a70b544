"""Learning-rate schedules: the rate of each epoch of gradient descent, eta_t."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from vizml.learn.params import choice, real

SCHEDULES = {
    "constant": "constant", "inverse": "1/t: η/(1 + kt)", "exponential": "exponential: η exp(−kt)",
    "step": "step: η halved every 1/k epochs",
}  # fmt: skip
DECAYING = tuple(SCHEDULES)[1:]

LEARNING_RATE: Any = real(
    0.1, 1e-4, 100.0, log=True, symbol="η", title="learning rate", help="Learning rate."
)
SCHEDULE: Any = choice(
    "constant", tuple(SCHEDULES), labels=SCHEDULES, title="schedule", synonyms=("learning-rate decay",),
    help="Learning-rate schedule: how the learning rate falls with the epoch t.",
)  # fmt: skip
DECAY: Any = real(
    0.1, 1e-4, 10.0, log=True, symbol="k", title="decay",
    help="Decay of the learning rate for each epoch.",
)  # fmt: skip


class Schedule(NamedTuple):
    """The rule by which a learning rate falls, and its decay for each epoch.

    >>> [round(Schedule("inverse", 1.0).rate(0.6, epoch), 3) for epoch in range(4)]
    [0.6, 0.3, 0.2, 0.15]
    """

    name: str = "constant"
    decay: float = 0.0

    def rate(self, first: float, epoch: int) -> float:
        """Return the learning rate of an epoch, counted from 0."""
        t = self.decay * epoch
        match self.name:
            case "inverse":
                return first / (1.0 + t)
            case "exponential":
                return first * math.exp(-t)
            case "step":
                return first * 0.5 ** math.floor(t + 1e-9)
            case _:
                return first
