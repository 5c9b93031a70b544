"""Clustering: find groups of inputs."""

from __future__ import annotations

from vizml.data import Dataset
from vizml.learn.task import Task
from vizml.learn.training_data import TrainingData


class ClusterTask(Task):
    """Points have the colours of the groups that a model finds."""

    order = 2
    id = "cluster"
    about = "find groups in points without labels"
    hint = "They need no class. Or Data > Blobs."
    score = None
    datasets = "classify"
    point_colours = "group"
    regions = "Clusters"
    favourite = "kmeans"
    contrasts = ("kmeans", "gmm", "dbscan", "agglomerative", "mean_shift")
    missing = "point"

    def training_data(self, dataset: Dataset) -> TrainingData:
        return TrainingData(dataset.features, columns=dataset.inputs, ids=dataset.ids)


CLUSTER = ClusterTask()
