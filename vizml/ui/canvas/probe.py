"""What the model has to show for the pointer, as long as it is quick enough to follow the hand."""

from __future__ import annotations

import time

from vizml.data.dataset import Floats
from vizml.learn import State
from vizml.run.errors import guarded
from vizml.scene import Mark

BUDGET = 0.008
"""Seconds that a probe may take before it is left out."""
PATIENCE = 30
"""How many places to leave out before it is tried again."""


class Probe:
    """Remembers its last answer, and whether the state was too slow for it."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._place = (0.0, 0.0)
        self._marks: tuple[Mark, ...] = ()
        self._skips = 0

    def marks(self, state: State | None, point: Floats) -> tuple[Mark, ...]:
        """The marks of a state for a point; none while it is too slow."""
        place = (float(point[0]), float(point[1]))
        if state is not self._state or place != self._place:
            self._state, self._place = state, place
            self._marks = () if state is None else self._asked(state, point)
        return self._marks

    def _asked(self, state: State, point: Floats) -> tuple[Mark, ...]:
        if self._skips:
            self._skips -= 1
            return ()
        start = time.perf_counter()
        marks = guarded(state, "probe", lambda: state.probe(point), ())
        if time.perf_counter() - start > BUDGET:
            self._skips = PATIENCE
        return marks
