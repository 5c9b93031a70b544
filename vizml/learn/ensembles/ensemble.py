"""Models whose members join one after the other: a step for each, or fewer where nobody watches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.learn.model import Model
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData


@dataclass(frozen=True)
class Ensemble(Model):
    """Members that can join several at once."""

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return self.joining(data, rng, every=True)

    def strides(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return self.joining(data, rng, every=False)

    @abstractmethod
    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        """A state for every member, or for the last of those that join at once."""
