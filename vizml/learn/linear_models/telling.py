"""A way down the loss in words: how far J fell, how steep it is, and why it ends."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from vizml.learn.linear_models.objective import LogLoss
from vizml.learn.linear_models.path import Place

EXPLOSION = 1e3
"""A loss so many times that of the start does not come back by itself."""
JUMP = 1.1
"""A loss so many times that of the epoch before is no noise of a small batch."""
CERTAIN = 10.0
"""A lead in log-odds at the worst point after which separable classes have nothing left to show."""


def told(path: Iterator[Place], loss: LogLoss, epochs: int, tol: float) -> Iterator[tuple[Place, str, float]]:
    """Each place with its note and progress, until it is done, the epochs are over, or it has blown up."""
    kept = start = next(path)
    yield start, f"start: all weights 0, loss {start.loss:.4g}, gradient norm {start.slope:.3g}", 0.0
    for place in path:
        if not place.loss <= EXPLOSION * max(start.loss, 1.0):
            yield kept, _diverged(start, place), 1.0
            return
        end = _end(place, kept, start, loss, epochs, tol * len(loss.design))
        change = f"loss {kept.loss:.4g} → {place.loss:.4g}, gradient norm {place.slope:.3g}"
        kept = place
        yield place, f"epoch {place.epoch:.4g}: {change}{end}", 1.0 if end else place.epoch / epochs
        if end:
            return


def _end(place: Place, before: Place, start: Place, loss: LogLoss, epochs: int, least: float) -> str:
    """Why this place is the last one; empty where it is not."""
    separated = place.margin > 0 and not loss.penalised
    if separated and (place.margin > CERTAIN or place.slope <= least):
        return "; the classes can be separated, so without a penalty the weights grow for ever: stopped"
    if place.slope <= least:
        return ": done"
    if place.loss == before.loss and np.array_equal(place.weights, before.weights):
        return "; stopped, rounding hides any further fall"
    if place.epoch < epochs:
        return ""
    if place.loss > start.loss:
        return "; the epochs are over and it is worse than at the start: a lower learning rate helps"
    if place.loss > JUMP * before.loss:
        return "; the epochs are over and the loss still jumps up: a lower learning rate helps"
    return (
        "; the classes can be separated, the weights go on growing" if separated else ": the epochs are over"
    )


def _diverged(start: Place, place: Place) -> str:
    rise = f"loss {start.loss:.4g} → {place.loss:.3g}"
    return f"diverged in epoch {math.ceil(place.epoch)}: {rise}; a lower learning rate helps"
