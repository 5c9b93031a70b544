"""Models: frozen hyperparameters whose `steps` yields the states of a training run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import ClassVar, Self, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data import Dataset
from vizml.data.params import Param, Value
from vizml.data.split import missing_rows
from vizml.data.wording import described, quoted
from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn.coded import coded_data, with_coding
from vizml.learn.params import Declared
from vizml.learn.scaling import InputCoding, OneHotCoding, Standardisation
from vizml.learn.state import Classifier, State
from vizml.learn.task import Task
from vizml.learn.training_data import CannotLearn, TrainingData
from vizml.scene import Offer

SMALLEST = 1e-75
"""Inputs closer to zero count as zero: the fourth powers of smaller numbers underflow."""
SEEDS = 2**64
"""Number of different seeds."""


Steps: TypeAlias = Callable[[TrainingData, Generator], Iterator[State]]


class Model(Declared, ABC):
    """Hyperparameters with checked ranges; subclasses declare them as fields by `real`, `choice`..."""

    task: ClassVar[Task]
    family: ClassVar[str]
    title: ClassVar[str]
    short: ClassVar[str]
    """Title where parameters follow it, as in 'SVM, linear'."""
    about: ClassVar[str]
    """Description of the algorithm in one sentence."""
    formula: ClassVar[tuple[str, ...]] = ()
    """Lines of TeX for the formula card."""
    back: ClassVar[tuple[str, ...]] = ()
    """Lines of TeX for the back of the card, which `State.back_values` completes by current values."""
    back_title: ClassVar[str] = ""
    presets: ClassVar[tuple[Offer, ...]] = ()
    """Combinations of parameters that a textbook names, each set with one click."""
    symbols: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    """Letters of the formula, each with its meaning and the layers of the picture that show it."""
    remarks: ClassVar[tuple[str, ...]] = ()
    """Sentences below the formula: conventions of the notes and of libraries, and slips of the notes."""
    synonyms: ClassVar[tuple[str, ...]] = ()
    """Other names and topics that users may search for."""
    uses_distances: ClassVar[bool] = False
    """Whether predictions depend on distances, which the input with the largest unit dominates."""

    depends_on_scale: ClassVar[bool] = True
    """Whether predictions depend on the units of the inputs; those of trees do not, and keep these units."""
    takes_categories: ClassVar[bool] = False
    """Whether inputs may be codes of categories; other models are trained on their one-hot coding."""
    takes_reference: ClassVar[bool] = False
    """Whether one-hot coding leaves out the first category, with which coefficients compare the others."""
    takes_missing: ClassVar[bool] = False
    """Whether inputs may have missing values (NaN), where the data set neither drops nor fills these."""

    def training_data(self, dataset: Dataset) -> TrainingData:
        """Return what the model learns from in a data set."""
        return self.task.training_data(dataset, incomplete=self.takes_missing)

    @property
    def standardises(self) -> bool:
        """Whether standardised inputs make a difference."""
        return self.task.standardises and self.depends_on_scale

    @property
    def training_loss(self) -> str:
        """Loss over the margin or the residual that training minimises, beside penalties; empty for none.

        Models name it as a class variable or a parameter `loss`.
        """
        return str(getattr(self, "loss", ""))

    def landing(self, places: Floats) -> Floats:
        """Return the places (n, 2) of rows that are added or moved to places on the canvas."""
        return places

    @abstractmethod
    def steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        """Yield the state after each training step; the last one is the result.

        The data hold what the task needs and no more: classify, rows of at least two classes, all
        labelled; regress, at least one row with its target; cluster and density, at least one row.
        Between two yields lies at most about 20 ms of work. CannotLearn ends a run with its message.
        """

    def coarse_steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        """Yield states on the way to the same result when only the result matters.

        The last state predicts as that of `steps` does; its note may differ.
        """
        return self.steps(data, rng)


class WatchedModel(Model):
    """A model with one method for the states that are watched, and for few where only the result matters."""

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return self.states(data, rng, every=True)

    def coarse_steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return self.states(data, rng, every=False)

    @abstractmethod
    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        """Yield every state, or fewer on the way to the same result."""


@dataclass(frozen=True)
class StandardisedModel(Model):
    """A model on standardised inputs, with the parameters and the description of the model itself."""

    inner: Model

    def __post_init__(self) -> None:
        for name in ("id", "task", "family", "title", "short", "about", "formula", "takes_categories"):
            object.__setattr__(self, name, getattr(self.inner, name))

    def parameters(self) -> tuple[Param, ...]:  # type: ignore[override]
        """The parameters of the model."""
        return self.inner.parameters()

    @property
    def values(self) -> dict[str, Value]:
        """The values of the parameters of the model."""
        return self.inner.values

    @property
    def training_loss(self) -> str:
        """The loss of the model."""
        return self.inner.training_loss

    def with_(self, **values: object) -> StandardisedModel:
        """The same with other values of the model's parameters."""
        return StandardisedModel(self.inner.with_(**values))

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return _coded(self.inner.steps, Standardisation.of(data.X, data.categories), data, rng)

    def coarse_steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        return _coded(self.inner.coarse_steps, Standardisation.of(data.X, data.categories), data, rng)


def standardised(model: Model, *, on: bool = True) -> Model:
    """Return a model on standardised inputs, or itself where these are not wanted or of no use."""
    return StandardisedModel(model) if on and model.standardises else model


def _coded(steps: Steps, coding: InputCoding, data: TrainingData, rng: Generator) -> Iterator[State]:
    """Train on coded inputs, and yield states that take the inputs as they were."""
    coded = coded_data(data, coding)
    for state in steps(coded, rng):
        vars(state).update(space=coded.space, trained_on=coded)
        yield with_coding(state, coding)


def prepared(task: Task, data: Dataset | TrainingData, *, incomplete: bool = False) -> TrainingData:
    """Return training data that a model can learn from; CannotLearn where there are none."""
    shown = data if isinstance(data, TrainingData) else task.training_data(data, incomplete=incomplete)
    if not len(shown):
        if isinstance(data, Dataset):
            _check_inputs(task, data)
        raise CannotLearn(f"there is nothing to learn from: add at least one {task.missing}")
    shown.checked()
    sizes = np.abs(shown.X), np.abs(shown.y)
    if not any(((size < SMALLEST) & (size > 0)).any() for size in sizes):
        return shown
    X, y = (np.where(size < SMALLEST, 0.0, part) for size, part in zip(sizes, (shown.X, shown.y)))
    return replace(shown, X=X, y=y)


def _check_inputs(task: Task, data: Dataset) -> None:
    """Raise CannotLearn where there are rows, and none has a value of each input."""
    names = task.inputs(data)
    if not missing_rows(data, names).all() or not len(data):
        return
    for name in names:
        if not data.column(name).has_values:
            raise CannotLearn(f"column {quoted(name)} has no values: choose other inputs")
    raise CannotLearn("each row has an empty cell: fill these with the median, or choose other inputs")


def task_of(model: Model) -> Task:
    """Return the task of a model; ValueError for anything else, such as the id of a model."""
    if not isinstance(model, Model):
        problem = f"model must be a model, such as learn.create('svm'), not {described(model)}"
        raise ValueError(problem)  # noqa: TRY004 (bad input is a ValueError throughout)
    return model.task


def generator(seed: object) -> Generator:
    """Return the random generator of a seed."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < SEEDS:
        raise ValueError(f"seed must be a whole number from 0 to 2^64 - 1, not {described(seed)}")
    return np.random.default_rng(int(seed))


def run(
    model: Model,
    data: Dataset | TrainingData,
    seed: int = 0,
    *,
    watched: bool = True,
    standardise: bool = False,
) -> Iterator[State]:
    """Yield the states of a model on any data; a single class needs no model.

    Without `watched` only the last state matters. With `standardise` the model is trained on inputs of mean 0
    and standard deviation 1; its states still take inputs in data units.
    """
    task, trained = task_of(model), standardised(model, on=standardise)
    shown = prepared(task, data, incomplete=trained.takes_missing)
    steps: Steps = trained.steps if watched else trained.coarse_steps
    if any(shown.categories) and not trained.takes_categories:
        steps = partial(_coded, steps, OneHotCoding(shown.categories, reference=model.takes_reference))
    single = len(shown.labels) > 0 and len(shown.present) == 1
    states = iter([SingleClassState.of(shown)]) if single else steps(shown, generator(seed))
    space = replace(shown.space, takes_missing=True) if trained.takes_missing else shown.space
    facts: dict[str, object] = {"space": space, "trained_on": shown}
    if len(shown.labels):
        facts |= {"class_values": shown.class_values, "unlabelled": shown.unlabelled}
    with np.errstate(all="ignore"):
        for state in states:
            check_cancelled()
            vars(state).update(facts)
            yield state


class SingleClassState(Classifier):
    """Probability 1 of the only class."""

    @classmethod
    def of(cls, data: TrainingData) -> Self:
        """Return the state for data with one class; its note asks for points of another."""
        note = f"only class {data.class_names[0]} so far: add points of a second class to train a model"
        return cls(classes=data.present, note=note, progress=1.0)

    def scores(self, X: ArrayLike) -> Floats:
        return np.ones((len(np.asarray(X)), 1))
