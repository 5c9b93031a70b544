"""Arrays that a model learns from: inputs, targets and their names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from vizml.data.dataset import class_name
from vizml.data.labels import ClassValue
from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.input_space import InputSpace


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Inputs X (n, d) with the targets of a task: class codes `labels` (n,) or numbers `y` (n,).

    Targets that a task does not have are empty arrays. All arrays are read-only copies.
    """

    X: Floats
    y: Floats = field(default_factory=lambda: np.empty(0))
    labels: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    columns: tuple[str, ...] = ("x", "y")
    """Names of the inputs."""
    target: str = "y"
    """Name of the target of a regression."""
    classes: tuple[str, ...] = ()
    """Names of the classes by code; codes without a name are called by a letter."""
    ids: Ints | None = None
    """Row ids of the data set."""
    categories: tuple[tuple[str, ...], ...] = ()
    """Names of the categories of each input, whose values are their codes; none of a number."""
    class_values: tuple[ClassValue, ...] = ()
    """Values of the classes by code, as they were given; empty where these are the codes."""
    unlabelled: int = 0
    """Number of rows that were left out because their class is missing."""

    def __post_init__(self) -> None:
        for name, kind in (("X", np.float64), ("y", np.float64), ("labels", np.int64)):
            array = np.asarray(getattr(self, name), dtype=kind)
            if array.flags.writeable:  # read-only arrays are shared: states recognise their own points
                array = array.copy()
                array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.X)

    @cached_property
    def present(self) -> Ints:
        """Codes of the classes that occur, rising."""
        return np.unique(self.labels[self.labels >= 0])

    @cached_property
    def space(self) -> InputSpace:
        """The inputs by name, with their values."""
        return InputSpace(self.columns, self.X)

    def name(self, code: int) -> str:
        """Return the name of a class."""
        return class_name(self.classes, code)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes that occur, in the order of `present`."""
        return tuple(class_name(self.classes, code) for code in self.present.tolist())

    @property
    def class_indices(self) -> Ints:
        """Position of the class of each row in `present`."""
        return np.searchsorted(self.present, self.labels)

    def take(self, rows: Mask | Ints | slice) -> TrainingData:
        """Return the rows of a mask or an index array."""
        parts = {name: part[rows] for name in ("X", "y", "labels") if len(part := getattr(self, name))}
        return replace(self, **parts, ids=None if self.ids is None else self.ids[rows])
