"""The work: everything that an undo can restore, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Flag, auto

from vizml.data import Dataset, Split
from vizml.learn import Model, Task, create


class Change(Flag):
    """Differences between two works, by which views decide what to refresh."""

    NOTHING = 0
    DATA = auto()
    SPLIT = auto()
    MODEL = auto()
    SEED = auto()
    ALL = DATA | SPLIT | MODEL | SEED


@dataclass(frozen=True)
class Experiment:
    """A model with its parameters, the seed of its run, and whether its inputs are standardised."""

    model: Model
    seed: int = 0
    standardise: bool = False
    """Train on inputs of mean 0 and standard deviation 1."""


@dataclass(frozen=True)
class Work:
    """Data, split, and an experiment for each stage."""

    dataset: Dataset
    experiments: tuple[Experiment, ...]
    split: Split = Split()
    generator: str = ""
    """Text that generates the points, such as `moons:n=300,seed=1`; empty once they were edited."""

    @classmethod
    def fresh(cls) -> Work:
        """Return a work without points and with a support vector machine."""
        return cls(Dataset.empty(), (Experiment(create("svm")),))

    def with_experiment(self, index: int, experiment: Experiment) -> Work:
        """Return the work with one experiment replaced."""
        before, after = self.experiments[:index], self.experiments[index + 1 :]
        return replace(self, experiments=(*before, experiment, *after))

    def change_from(self, other: Work) -> Change:
        """Return the differences from another work."""
        change = Change.NOTHING
        if self.dataset is not other.dataset:
            change |= Change.DATA
        if self.split != other.split:
            change |= Change.SPLIT
        if [(e.model, e.standardise) for e in self.experiments] != [
            (e.model, e.standardise) for e in other.experiments
        ]:
            change |= Change.MODEL
        if [e.seed for e in self.experiments] != [e.seed for e in other.experiments]:
            change |= Change.SEED
        return change

    @property
    def task(self) -> Task:
        """The task of the first experiment."""
        return self.experiments[0].model.task
