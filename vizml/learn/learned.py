"""Learned parameters and values of single rows, under their names in textbooks: the tables of a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats
from vizml.learn.training_data import InputSpace, TrainingData

Learned: TypeAlias = dict[str, float | NDArray[Any]]
"""Numbers and arrays by name: `w` (d,), `b`, `mu` (K, d), `Sigma` (K, d, d)."""
PointValues: TypeAlias = dict[str, NDArray[Any]]
"""Arrays (n,) by name, a value for each row."""


@dataclass(frozen=True, kw_only=True)
class LeafRule:
    """A leaf of a tree as a rule, with its support n and its accuracy or RMSE on the training points."""

    conditions: tuple[str, ...]
    outcome: str
    figures: Mapping[str, float]

    def __str__(self) -> str:
        return f"IF {' AND '.join(self.conditions) or 'true'} THEN {self.outcome}"


class LearnedValues:
    """The part of a state that tells its parameters, and what they mean for each row."""

    trained_on: TrainingData = TrainingData(np.empty((0, 0)))
    """The rows that the model learned from; `learn.run` sets them."""

    space: InputSpace

    def learned(self) -> Learned:
        """Return every learned parameter under its usual name; nothing where a model has none."""
        return {}

    def rules(self) -> tuple[LeafRule, ...]:
        """Return the model as IF ... THEN rules; nothing where it is no tree."""
        return ()

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        """Return the names of positions along the last axes of parameters, as far as there are names."""
        groups, inputs = self.group_names, self.space.names
        return {
            "w": (groups, inputs), "b": (groups,), "pi": (groups,), "mu": (groups, inputs),
            "length": (groups,), "variance": (groups,), "Sigma": (groups, inputs, inputs),
            "x": ((), inputs), "input mean": (inputs,),
            "input deviation": (inputs,),
        }  # fmt: skip

    @property
    def group_names(self) -> Sequence[str]:
        """Names of the classes among the parameters; clusters and components are numbered."""
        return ()

    def back_values(self, row: int | None = None) -> tuple[str, ...]:
        """Return current values for the back of the formula card, and those of a training row."""
        del row
        return ()

    def sample_gradients(self) -> Floats | None:
        """Return the gradient of the loss of each training row by the weights (n, p), where it is known."""
        return None

    def by_point(self) -> PointValues:
        """Return the values of each training row: target, those of the model, prediction, score."""
        return self._beside_answers(self.trained_on, self.training_values())

    def by_point_on(self, data: TrainingData) -> PointValues:
        """Return the values that other rows have as well, such as held-out ones."""
        return self._beside_answers(data, {})

    def _beside_answers(self, data: TrainingData, further: PointValues) -> PointValues:
        """Return the target first, as a narrow table shows few columns, then all other values."""
        answers = self.answers(data)
        return dict(islice(answers.items(), 1)) | further | self.row_values(data) | answers

    def named_values(self, data: TrainingData, values: Mapping[str, NDArray[Any]]) -> PointValues:
        """Return values of rows that are codes as names to show."""
        del data, values
        return {}

    def answers(self, data: TrainingData) -> PointValues:
        """Return target, prediction and score of rows, as the task has them."""
        del data
        return {}

    def row_values(self, data: TrainingData) -> PointValues:
        """Return further values of a model that any rows with targets have."""
        del data
        return {}

    def training_values(self) -> PointValues:
        """Return further values of a model that only the training rows have."""
        return {}


def shares_by_component(shares: Floats) -> PointValues:
    """Return shares (n, K) as columns r1, ..., rK."""
    return {f"r{k}": column.copy() for k, column in enumerate(shares.T, start=1)}


def scalar(values: Floats) -> float | Floats:
    """Return the only entry of an array along its first axis, an array of several as it is."""
    first: float | Floats = values[0] if len(values) == 1 else values
    return float(first) if np.ndim(first) == 0 else first
