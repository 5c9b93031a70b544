"""Marks of a view for the pointer, found in a thread where they take long."""

from __future__ import annotations

import time
from functools import partial
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from vizml.run.errors import guarded
from vizml.run.runner import POINTER, BackgroundQuery
from vizml.scene import Mark
from vizml.ui.canvas.document_view import AnyView

BUDGET = 0.008
"""Seconds, half a frame of the display, that marks may take in the window's thread."""
Answer: TypeAlias = tuple[tuple[float, float], object, tuple[Mark, ...], float]
"""A point, the cost of the view, its marks for the point, and the seconds that they took."""


class PointerProbe(QObject):
    """Marks for the pointer: at once where the last ones were quick and cost as much, else from a thread."""

    found = Signal()
    """There are other marks than the last time."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view: AnyView | None = None
        self._point = (0.0, 0.0)
        self._marks: tuple[Mark, ...] = ()
        self._quick: object = None
        """Cost of the last answer, where it was quick."""
        self._query = BackgroundQuery(self, POINTER)
        self._query.answered.connect(self._on_answer)

    def close_down(self) -> None:
        """End the thread."""
        self._query.close()

    def marks(self, view: AnyView | None, point: tuple[float, float], cost: object) -> tuple[Mark, ...]:
        """Return the marks of a view for a point, those of the last view until they are found.

        `cost` is equal for views that take equally long.
        """
        view = view if view is not None and view.has_probe else None
        if view is None or point != self._point:
            self._marks = ()
        if view is not self._view or point != self._point:
            self._view, self._point = view, point
            if view is None:
                self._query.cancel()
            elif cost == self._quick:
                self._query.cancel()
                self._take(_answer(view, point, cost))
            else:
                self._query.follow(object(), partial(_answer, view, point, cost))
        return self._marks

    def _take(self, answer: Answer) -> None:
        point, cost, marks, seconds = answer
        self._quick = cost if seconds <= BUDGET else None
        if point == self._point and self._view is not None:
            self._marks = marks

    @Slot(object)
    def _on_answer(self, answer: Answer) -> None:
        self._take(answer)
        self.found.emit()


def _answer(view: AnyView, point: tuple[float, float], cost: object) -> Answer:
    """Find the marks of a view for a point, and measure how long that takes."""
    started = time.perf_counter()
    marks = guarded(view.state, "probe", lambda: view.probe(np.array(point)), ())
    return point, cost, marks, time.perf_counter() - started
