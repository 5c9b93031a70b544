"""Tasks without targets: clustering finds groups of inputs, density estimation how likely inputs are."""

from __future__ import annotations

from vizml.learn.task import Task


class ClusterTask(Task):
    """Points have the colours of the groups that a model finds."""

    order = 2
    id = "cluster"
    about = "find groups in points without labels"
    synonyms = ("clustering", "unsupervised learning")
    hint = "They need no class. Or Data > Blobs."
    datasets = "classify"
    point_colours = "group"
    regions = "Clusters"
    favourite = "kmeans"
    contrasts = ("kmeans", "gmm", "dbscan", "agglomerative", "mean_shift")


class DensityTask(Task):
    """The plane is coloured by the density of the points."""

    order = 3
    id = "density"
    about = "find how densely points lie"
    synonyms = ("density estimation", "unsupervised learning")
    hint = "They need no class. Or Data > Blobs."
    datasets = "classify"
    regions = "Density"
    favourite = "kde"
    contrasts = ("kde", "gmm", "gaussian")


CLUSTER = ClusterTask()
DENSITY = DensityTask()
