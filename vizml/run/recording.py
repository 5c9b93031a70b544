"""Every step of a run, so that any moment can be shown again; thinned when it outgrows its budget."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from vizml.run.errors import guarded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vizml.learn import State
    from vizml.run.frame import Losses

BUDGET = 256 << 20
DEPTH = 4
"""How deep in a state arrays are looked for: in its fields, what those hold, and so on."""


class Recording:
    """The states of a run in order, with the number of the step of each (from 1) and its loss."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget
        self._states: list[State] = []
        self._steps: list[int] = []
        self._losses: list[float] = []
        self._known: dict[int, int] = {}
        self._walked: set[int] = set()
        self._bytes = 0
        self._taken = 0

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, index: int) -> State:
        return self._states[index]

    def append(self, state: State) -> None:
        """Keep the next step; beyond the budget every second one of the older steps is let go."""
        self._taken += 1
        self._states.append(state)
        self._steps.append(self._taken)
        self._losses.append(guarded(state, "loss", lambda: float(state.loss), math.nan))
        self._count(state)
        if self._bytes > self._budget:
            self._thin()

    @property
    def states(self) -> tuple[State, ...]:
        """Each state that was kept."""
        return tuple(self._states)

    @property
    def nbytes(self) -> int:
        """Size of the recording in bytes; arrays that states share count once."""
        return self._bytes

    @property
    def losses(self) -> Losses:
        """The loss of each state that was kept."""
        return np.array(self._losses, dtype=np.float64)

    @property
    def steps(self) -> NDArray[np.int64]:
        """The number of the step of each state that was kept."""
        return np.array(self._steps, dtype=np.int64)

    def _count(self, state: State) -> None:
        for value in vars(state).values():
            if isinstance(value, float | int | str) or id(value) in self._walked:
                continue
            if not isinstance(value, list):  # what can grow is looked through again
                self._walked.add(id(value))
            for key, size in arrays(value, DEPTH - 1):
                if key not in self._known:
                    self._known[key] = size
                    self._bytes += size

    def _thin(self) -> None:
        """Keep the first, the last and every second one between; at least two remain."""
        last = len(self._states) - 1
        kept = [i for i in range(last + 1) if i % 2 == 0 or i == last]
        self._states = [self._states[i] for i in kept]
        self._steps = [self._steps[i] for i in kept]
        self._losses = [self._losses[i] for i in kept]
        self._known.clear()
        self._walked.clear()
        self._bytes = 0
        for state in self._states:
            self._count(state)


def arrays(value: object, depth: int = DEPTH) -> Iterator[tuple[int, int]]:
    """The identity and size of each array in a state: in its fields, in tuples, in nested dataclasses."""
    if isinstance(value, np.ndarray):
        owner = value if value.base is None else value.base
        yield id(owner), getattr(owner, "nbytes", value.nbytes)
    elif depth and isinstance(value, tuple | list):
        for item in value:
            yield from arrays(item, depth - 1)
    elif depth and dataclasses.is_dataclass(value) and not isinstance(value, type):
        for item in vars(value).values():
            yield from arrays(item, depth - 1)
