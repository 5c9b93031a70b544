"""Recordings: the states of a run for random access, thinned when they exceed a memory budget."""

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
"""Levels of nested fields, tuples and dataclasses in which arrays are counted."""


class Recording:
    """The states of a run in order, with their step numbers (from 1) and losses."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget
        self._states: list[State] = []
        self._steps: list[int] = []
        self._losses: list[float] = []
        self._array_sizes: dict[int, int] = {}
        self._counted_objects: set[int] = set()
        self._bytes = 0
        self._steps_taken = 0

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, index: int) -> State:
        return self._states[index]

    def append(self, state: State) -> None:
        """Add the state of the next step; beyond the budget every second older state is dropped."""
        self._steps_taken += 1
        self._states.append(state)
        self._steps.append(self._steps_taken)
        self._losses.append(guarded(state, "loss", lambda: float(state.loss), math.nan))
        self._count(state)
        if self._bytes > self._budget:
            self._thin()

    @property
    def states(self) -> tuple[State, ...]:
        """The recorded states."""
        return tuple(self._states)

    @property
    def nbytes(self) -> int:
        """Size of the recording in bytes; arrays that states share count once."""
        return self._bytes

    @property
    def losses(self) -> Losses:
        """Loss of each recorded state."""
        return np.array(self._losses, dtype=np.float64)

    @property
    def steps(self) -> NDArray[np.int64]:
        """Step number of each recorded state."""
        return np.array(self._steps, dtype=np.int64)

    def _count(self, state: State) -> None:
        for value in vars(state).values():
            if isinstance(value, float | int | str) or id(value) in self._counted_objects:
                continue
            if not isinstance(value, list):  # a list can grow between states
                self._counted_objects.add(id(value))
            for key, size in arrays(value, DEPTH - 1):
                if key not in self._array_sizes:
                    self._array_sizes[key] = size
                    self._bytes += size

    def _thin(self) -> None:
        """Keep the first, the last and every second state between; at least two remain."""
        last = len(self._states) - 1
        kept = [i for i in range(last + 1) if i % 2 == 0 or i == last]
        self._states = [self._states[i] for i in kept]
        self._steps = [self._steps[i] for i in kept]
        self._losses = [self._losses[i] for i in kept]
        self._array_sizes.clear()
        self._counted_objects.clear()
        self._bytes = 0
        for state in self._states:
            self._count(state)


def arrays(value: object, depth: int = DEPTH) -> Iterator[tuple[int, int]]:
    """Yield identity and size of each array in a state: in its fields, in tuples, in nested dataclasses."""
    if isinstance(value, np.ndarray):
        owner = value if value.base is None else value.base
        yield id(owner), getattr(owner, "nbytes", value.nbytes)
    elif depth and isinstance(value, tuple | list):
        for item in value:
            yield from arrays(item, depth - 1)
    elif depth and dataclasses.is_dataclass(value) and not isinstance(value, type):
        for item in vars(value).values():
            yield from arrays(item, depth - 1)
