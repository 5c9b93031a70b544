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
    datasets = "distribute"
    regions = "Density"
    favourite = "gaussian"
    contrasts = ("empirical", "gaussian", "laplace", "gamma")
    missing = "sample"
    standardises = False
    one_column = True

    def inputs(self, dataset: Dataset) -> tuple[str, ...]:
        chosen, x = dataset.inputs, dataset.axes[0]
        return (x if x in chosen else chosen[0],)


DISTRIBUTE = DistributeTask()
