"""Regression: predict a number from an input."""

from __future__ import annotations

from vizml.data import Dataset
from vizml.learn.task import Score, Task
from vizml.learn.training_data import TrainingData


class RegressTask(Task):
    """The second axis is the target that models predict from the first."""

    order = 1
    id = "regress"
    about = "predict y from x"
    hint = "A curve will follow them. Or Data > Sine."
    score = Score("r2", "R²", percent=False, labelled=True)
    datasets = "regress"
    point_colours = "plain"
    regions = "Nothing"
    drawn_as = "curve"
    favourite = "linear"
    contrasts = ("linear", "tree", "knn", "gp", "random_forest", "lasso")
    missing = "point"

    def training_data(self, dataset: Dataset) -> TrainingData:
        target = dataset.target or dataset.axes[1]
        inputs = dataset.chosen_inputs or dataset.axes[:1]
        X, y = dataset.matrix(inputs), dataset.matrix((target,))[:, 0]
        return TrainingData(X, y, columns=inputs, target=target, ids=dataset.ids)


REGRESS = RegressTask()
