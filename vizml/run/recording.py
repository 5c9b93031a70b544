"""Recordings: the states of a run for random access, thinned when they exceed a memory budget."""

from __future__ import annotations

import dataclasses
import math
import weakref
from typing import TYPE_CHECKING

import numpy as np

from vizml.run.errors import guarded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vizml.learn import State

BUDGET = 256 << 20
"""Bytes of all recordings together, as far as each has its least share."""
LEAST = BUDGET // 6
"""Bytes that a recording may use whatever others hold: six stages can train at a time."""
DEPTH = 4
"""Levels of nested fields, tuples and dataclasses in which arrays are counted."""


_held: dict[int, int] = {}
"""Sizes of the recordings of all stages by identity. Each is written in the thread of its stage only."""


class Recording:
    """The states of a run in order, with their step numbers (from 1) and losses."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.states: list[State] = []
        self.steps: list[int] = []
        self.losses: list[float] = []
        self.nbytes = 0
        """Size of the recording; arrays that states share count once."""
        self.taken = 0
        """Number of steps so far, recorded or dropped."""
        self._budget = budget
        self._array_sizes: dict[int, int] = {}
        self._counted_objects: set[int] = set()
        weakref.finalize(self, _held.pop, id(self), None)

    def append(self, state: State) -> None:
        """Add the state of the next step; beyond the budget every second older state is dropped."""
        self.taken += 1
        self.states.append(state)
        self.steps.append(self.taken)
        self.losses.append(guarded(state, "loss", lambda: float(state.loss), math.nan))
        self._count(state)
        if self.nbytes > min(self._budget, LEAST) and self.nbytes > self._room:
            self._thin()
        _held[id(self)] = self.nbytes

    @property
    def _room(self) -> int:
        others = sum(_held.values()) - _held.get(id(self), 0)
        return min(self._budget, max(BUDGET - others, LEAST))

    def _count(self, state: State) -> None:
        for value in vars(state).values():
            if isinstance(value, float | int | str) or id(value) in self._counted_objects:
                continue
            if not isinstance(value, list):  # a list can grow between states
                self._counted_objects.add(id(value))
            for key, size in arrays(value, DEPTH - 1):
                if key not in self._array_sizes:
                    self._array_sizes[key] = size
                    self.nbytes += size

    def _thin(self) -> None:
        """Keep the first, the last and every second state between; at least two remain."""
        last = len(self.states) - 1
        kept = [i for i in range(last + 1) if i % 2 == 0 or i == last]
        self.states = [self.states[i] for i in kept]
        self.steps = [self.steps[i] for i in kept]
        self.losses = [self.losses[i] for i in kept]
        self._array_sizes.clear()
        self._counted_objects.clear()
        self.nbytes = 0
        for state in self.states:
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
        for item in tuple(vars(value).values()):  # another thread may add cached properties
            yield from arrays(item, depth - 1)
