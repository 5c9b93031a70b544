"""Optimisation: find the lowest place of a surface f(w1, w2)."""

from __future__ import annotations

from functools import cache

import numpy as np

from vizml.data import Dataset
from vizml.data.dataset import Bounds
from vizml.data.formula import Formula, Surface
from vizml.learn.task import CanvasAxes, Task
from vizml.learn.training_data import TrainingData


@cache
def plain_bowl() -> Surface:
    """Return the surface below points that have none."""
    return Surface(Formula("(w1^2 + w2^2)/2"), minima=((0.0, 0.0),))


class DescendTask(Task):
    """Points are starts of optimisers on a surface; without points there is the start of the surface."""

    order = 4
    id = "descend"
    about = "find the lowest place of a surface"
    synonyms = ("gradient descent", "optimisation", "optimization", "minimisation", "loss surface")
    hint = "A click is the start of a path. Or Data > Rosenbrock."
    datasets = "descend"
    regions = "Surface"
    favourite = "gradient_descent"
    contrasts = ("gradient_descent", "momentum", "adam", "newton", "bfgs", "random_search")
    missing = "start"
    learns = False
    standardises = False

    def training_data(self, dataset: Dataset, *, incomplete: bool = False) -> TrainingData:
        starts = self.complete(dataset, incomplete=incomplete)
        X, ids = starts.points, starts.ids
        if dataset.surface is not None and not len(starts):
            X, ids = np.array([dataset.surface.start]), np.zeros(1, dtype=np.int64)
        return TrainingData(X, columns=dataset.axes, ids=ids, surface=dataset.surface or plain_bowl())

    def inputs(self, dataset: Dataset) -> tuple[str, ...]:
        return dataset.axes

    def canvas_axes(self, dataset: Dataset) -> CanvasAxes:
        return CanvasAxes(dataset.axes, dataset.axes)

    def bounds(self, dataset: Dataset) -> Bounds | None:
        points, surface = super().bounds(dataset), dataset.surface
        if surface is None or points is None:
            return points if surface is None else surface.bounds
        (left, right, bottom, top), (west, east, south, north) = surface.bounds, points
        return min(left, west), max(right, east), min(bottom, south), max(top, north)

    def same_unit(self, dataset: Dataset) -> bool:
        return dataset.surface is not None or super().same_unit(dataset)


DESCEND = DescendTask()
