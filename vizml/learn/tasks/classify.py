"""Classification: predict the class of an input."""

from __future__ import annotations

import numpy as np

from vizml.data import Dataset
from vizml.field.arrays import Floats
from vizml.learn.task import BELOW, Score, Task
from vizml.learn.training_data import TrainingData


class ClassifyTask(Task):
    """Points have classes; a click adds one of the current class."""

    order = 0
    id = "classify"
    about = "tell classes apart from labelled points"
    synonyms = ("classification", "supervised learning")
    hint = "1–8 picks the class. Or Data > Moons."
    score = Score("accuracy", "Accuracy", percent=True, labelled=False)
    datasets = "classify"
    point_colours = "class"
    regions = "Classes"
    favourite = "svm"
    contrasts = ("svm", "tree", "knn", "logistic", "random_forest", "mlp")
    missing = "labelled point"

    def training_data(self, dataset: Dataset, *, incomplete: bool = False) -> TrainingData:
        labelled = dataset if (dataset.labels >= 0).all() else dataset.take(dataset.labels >= 0)
        known = self.complete(labelled, incomplete=incomplete)
        return TrainingData.of(
            known, known.inputs, labels=known.labels, classes=known.classes,
            class_values=known.values_by_code if known.class_values else (),
            unlabelled=len(dataset) - len(labelled),
        )  # fmt: skip

    def levels(self, rows: Dataset | TrainingData, label: int = -1) -> Floats:
        count = max(len(rows.classes), int(rows.labels.max(initial=-1)) + 1, label + 1)
        return np.append(np.arange(count) / max(count - 1, 1), BELOW)


CLASSIFY = ClassifyTask()
