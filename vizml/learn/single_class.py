"""The classifier of data with a single class, which it predicts everywhere."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from vizml.field.arrays import Floats
from vizml.learn.state import Classifier
from vizml.learn.training_data import TrainingData


class SingleClassState(Classifier):
    """Probability 1 of the only class."""

    @classmethod
    def of(cls, data: TrainingData) -> Self:
        """Return the state for data with one class; its note asks for points of another."""
        only = data.class_names[0]
        note = f"only class {only} so far: add points of a second class to train a model"
        return cls(classes=data.present, note=note, progress=1.0)

    def scores(self, X: ArrayLike) -> Floats:
        return np.ones((len(np.asarray(X)), 1))
