"""All that an undo can bring back, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Flag, auto

from vizml.data import Dataset, Split
from vizml.learn import Model, Task, create


class Change(Flag):
    """What differs between two works; views refresh what they show of it."""

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
    """The points, which of them are held out, and the experiments on them (one for each stage)."""

    dataset: Dataset
    experiments: tuple[Experiment, ...]
    split: Split = Split()
    generator: str = ""
    """The text that asks for these very points (`moons:n=300,seed=1`); empty once they were edited."""

    @classmethod
    def fresh(cls) -> Work:
        """An empty plane and a support vector machine."""
        return cls(Dataset.empty(), (Experiment(create("svm")),))

    def with_experiment(self, index: int, experiment: Experiment) -> Work:
        """The same with one experiment exchanged."""
        before, after = self.experiments[:index], self.experiments[index + 1 :]
        return replace(self, experiments=(*before, experiment, *after))

    def change_from(self, other: Work) -> Change:
        """What differs from another work."""
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
