"""Down the bowl of RSS(w) / 2n: w <- w - rate Phi'(Phi w - y) / n, with all points or with one at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats

SLICE = 1000
"""Single points between two looks at stochastic descent: some milliseconds of work."""
EXPLOSION = 1e6
"""An RSS so many times that of the start does not come back."""
FLAT = 1e-9
"""A gradient so much smaller than that of the start is the bottom."""


class Moment(NamedTuple):
    """Weights on the way, and what to say of them."""

    weights: Floats
    rss: float
    note: str
    progress: float


class Place(NamedTuple):
    """Where a path stands after so many epochs, and how steep it is there."""

    epoch: float
    weights: Floats
    rss: float
    slope: float


def gradient_path(design: Floats, y: Floats, rate: float) -> Iterator[Place]:
    """One step an epoch, along the gradient of all points."""
    weights, epoch = np.zeros(design.shape[1]), 0
    while True:
        apart = design @ weights - y
        gradient = design.T @ apart / len(y)
        yield Place(epoch, weights, float(apart @ apart), _norm(gradient))
        weights, epoch = weights - rate * gradient, epoch + 1


def stochastic_path(design: Floats, y: Floats, rate: float, rng: Generator) -> Iterator[Place]:
    """One step a point, in a new order each epoch; seen after each epoch or slice of one."""
    weights, n = np.zeros(design.shape[1]), len(y)
    yield _seen(0.0, design, y, weights)
    epoch = 0
    while True:
        order = rng.permutation(n)
        for start in range(0, n, SLICE):
            for i in order[start : start + SLICE]:
                row = design[i]
                weights = weights - (rate * (float(row @ weights) - y[i])) * row
            yield _seen(epoch + min(start + SLICE, n) / n, design, y, weights)
        epoch += 1


def told(path: Iterator[Place], epochs: int, advice: str) -> Iterator[Moment]:
    """The moments of a path until its epochs are over, it is flat, or it has blown up."""
    start = next(path)
    yield (kept := Moment(start.weights, start.rss, f"start: all weights 0, RSS {start.rss:.4g}", 0.0))
    for place in path:
        if not place.rss <= EXPLOSION * start.rss:
            rise = f"RSS {start.rss:.4g} → {place.rss:.3g}"
            note = f"diverged in epoch {math.ceil(place.epoch)}: {rise}; {advice}"
            yield kept._replace(note=note, progress=1.0)
            return
        flat = place.slope <= FLAT * start.slope
        over = flat or place.epoch >= epochs
        move = f"RSS {kept.rss:.4g} → {place.rss:.4g}"
        note = f"epoch {place.epoch:.4g}: {move}, gradient norm {place.slope:.3g}"
        note += ": the bottom is reached" if flat else ": the epochs are over" if over else ""
        kept = Moment(place.weights, place.rss, note, 1.0 if over else place.epoch / epochs)
        yield kept
        if over:
            return


def limit(design: Floats, rate: float) -> str:
    """The rate above which gradient descent diverges: 2 by the largest curvature."""
    steepest = np.linalg.norm(design, ord=2) ** 2 / len(design)
    return f"the learning rate {rate:g} is above {2 / steepest:.3g}, where descent turns into ascent"


def _seen(epoch: float, design: Floats, y: Floats, weights: Floats) -> Place:
    apart = design @ weights - y
    return Place(epoch, weights, float(apart @ apart), _norm(design.T @ apart / len(y)))


def _norm(vector: Floats) -> float:
    return float(np.sqrt(vector @ vector))
