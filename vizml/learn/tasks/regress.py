"""Regression: predict a number from an input."""

from __future__ import annotations

from vizml.data import Dataset
from vizml.learn.task import Score, Task
from vizml.learn.training_data import TrainingData


class RegressTask(Task):
    """Models predict the target, by default the second axis, from the other inputs, by default the first."""

    order = 1
    id = "regress"
    about = "predict y from x"
    synonyms = ("regression", "supervised learning", "curve fitting")
    hint = "A curve will follow them. Or Data > Sine."
    score = Score("r2", "R²", percent=False, labelled=True)
    datasets = "regress"
    regions = "Prediction"
    favourite = "linear"
    contrasts = ("linear", "tree", "knn", "gp", "random_forest", "lasso")

    def upright(self, dataset: Dataset) -> str:
        return self.target(dataset)

    def training_data(self, dataset: Dataset, *, incomplete: bool = False) -> TrainingData:
        target, inputs = self.target(dataset), self.inputs(dataset)
        known = self.complete(dataset, incomplete=incomplete)
        return TrainingData.of(known, inputs, y=known.column(target).numbers, target=target)

    def targeted(self, dataset: Dataset) -> Dataset:
        unknown = dataset.column(self.target(dataset)).missing
        return dataset.take(~unknown) if unknown.any() else dataset

    def inputs(self, dataset: Dataset) -> tuple[str, ...]:
        target = self.target(dataset)
        chosen = tuple(name for name in dataset.chosen_inputs if name != target)
        # the only column of a table is predicted from itself
        return chosen or tuple(name for name in dataset.axes if name != target)[:1] or (target,)

    @staticmethod
    def target(dataset: Dataset) -> str:
        """Return the name of the column that models predict."""
        return dataset.target or dataset.axes[1]


REGRESS = RegressTask()
