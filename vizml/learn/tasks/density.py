"""Density estimation: find how likely inputs are."""

from __future__ import annotations

from vizml.data import Dataset
from vizml.learn.task import Task
from vizml.learn.training_data import TrainingData


class DensityTask(Task):
    """The plane is coloured by the density of the points."""

    order = 3
    id = "density"
    about = "find how densely points lie"
    hint = "They need no class. Or Data > Blobs."
    score = None
    datasets = "classify"
    point_colours = "plain"
    regions = "Density"
    favourite = "kde"
    contrasts = ("kde", "gmm", "gaussian")
    missing = "point"

    def training_data(self, dataset: Dataset) -> TrainingData:
        return TrainingData(dataset.features, columns=dataset.inputs, ids=dataset.ids)


DENSITY = DensityTask()
