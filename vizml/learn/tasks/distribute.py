"""Distributions: describe how the values of one quantity are distributed."""

from __future__ import annotations

from vizml.data import Dataset
from vizml.learn.task import Task


class DistributeTask(Task):
    """Points are samples of one input; the canvas shows a density or probabilities over it."""

    order = 5
    id = "distribute"
    about = "describe the distribution of one quantity"
    synonyms = (
        "probability distribution", "distribution", "random variable", "probability density function", "PDF",
        "probability mass function", "PMF", "maximum likelihood", "MLE", "quantiles", "mean and variance",
    )  # fmt: skip
    hint = "Each click is a sample. Or Data > Coin flips."
    score = None
    datasets = "distribute"
    point_colours = "plain"
    regions = "Density"
    favourite = "gaussian"
    contrasts = ("empirical", "gaussian", "laplace", "gamma")
    missing = "sample"
    standardises = False

    def inputs(self, dataset: Dataset) -> tuple[str, ...]:
        chosen = dataset.inputs
        return (*(name for name in dataset.axes if name in chosen), *chosen)[:1]


DISTRIBUTE = DistributeTask()
