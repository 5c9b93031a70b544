"""Diagnostics: parameters, and charts of a model's quality that are refined while they are computed.

Each module of `vizml.evaluate.diagnostics` registers one; they are discovered.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, NamedTuple, TypeVar, dataclass_transform

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.resampling import Sampler
from vizml.field.arrays import Ints
from vizml.learn import Classifier, Model, State, Task, TrainingData
from vizml.learn.coded import CodedState
from vizml.learn.params import Declared, choice
from vizml.scene import Chart, Mark

D = TypeVar("D", bound="Diagnostic")
AUTO = "auto"
"""Value of a parameter of a diagnostic that names a parameter of the model, where it picks one itself."""


@dataclass(frozen=True, eq=False)
class DiagnosticSubject:
    """The model that is evaluated, with its data, its state and the history of its run."""

    model: Model
    seed: int
    train: Dataset
    held: Dataset
    state: State | None = None
    threshold: float = 0.0
    """Lead from which the second of two classes is predicted."""
    sampler: Sampler | None = None
    """Fresh samples of the generator of the data; None for data without a generator."""
    noiseless_sampler: Sampler | None = None
    """The same samples without noise, where the generator has such a parameter."""
    generator: str = ""
    """Text that generates the data; empty for other data."""
    history: tuple[State, ...] = ()
    """The recorded states of the run."""
    steps: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Step numbers of the recorded states, counted from 1."""
    test: Dataset | None = None
    """The test set, once it has been unlocked."""
    locked: int = 0
    """Number of rows in the test set while it is locked."""
    test_evaluations: int = 0
    """Number of evaluations on the test set, including this one."""
    running: bool = False
    """Whether training continues, so that the diagnostic will soon be requested again."""
    compared: tuple[tuple[str, State], ...] = ()
    """Names and states of all models shown side by side, including this one; empty for a single model."""

    @property
    def inner(self) -> State | None:
        """The state, in place of one whose inputs are coded or standardised that of its inner model."""
        return self.state.inner if isinstance(self.state, CodedState) else self.state

    def classifier(self) -> Classifier:
        """Return the state, where it is a classifier of at least two classes; ValueError otherwise."""
        if not isinstance(self.state, Classifier) or len(self.state.classes) < 2:
            raise ValueError("there is nothing to evaluate yet: train on at least two classes")
        return self.state

    def parts(self) -> dict[str, TrainingData]:
        """Return the training and the held-out rows with a known target by name, without empty parts."""
        named = {"train": self.train, "held out": self.held}
        known = {name: self.model.training_data(part) for name, part in named.items()}
        return {name: part for name, part in known.items() if len(part)}

    def part(self, name: str) -> tuple[str, TrainingData]:
        """Return the part of a name, or the training part where there is none, with its name."""
        parts = self.parts()
        name = name if name in parts else "train"
        if name not in parts:
            raise ValueError("there is nothing to evaluate yet: add labelled points")
        return name, parts[name]

    def learned_part(self, name: str) -> tuple[str, TrainingData]:
        """Return the rows of a part whose classes the model has learned, with the name of the part."""
        name, data = self.part(name)
        data = data.take(np.isin(data.labels, self.classifier().classes))
        if not len(data):
            raise ValueError("no point of this part belongs to a class that the model has learned")
        return name, data


@dataclass(frozen=True, eq=False)
class Overlay:
    """Content that a diagnostic shows on the stage: other fits, folds of points, marks over them."""

    states: tuple[State, ...] = ()
    groups: tuple[Ints, Ints] | None = None
    """Ids of points, and the number of the fold of each."""
    marks: tuple[Mark, ...] = ()


NO_OVERLAY = Overlay()
"""The only empty overlay: a stage is redrawn when its overlay is another object."""


class ChartResult(NamedTuple):
    """A chart of a diagnostic with its overlay on the stage."""

    chart: Chart
    overlay: Overlay = NO_OVERLAY


@dataclass(frozen=True)
class Diagnostic(Declared, ABC):
    """An evaluation of a model. Its parameters are declared as those of models are."""

    title: ClassVar[str]
    about: ClassVar[str]
    """Description in one sentence: the docstring."""
    synonyms: ClassVar[tuple[str, ...]] = ()
    """Other names and topics that users may search for."""
    tasks: ClassVar[tuple[Task, ...]]
    live: ClassVar[bool] = False
    """Whether it is fast enough to follow each step of the training; others run when training has ended."""
    whole_run: ClassVar[bool] = False
    """Whether a live diagnostic is about the whole run, independent of the step that is shown."""
    compares: ClassVar[bool] = False
    """Whether it shows all models side by side."""

    def varies(self, model: Model) -> tuple[str, ...]:
        """Return the model's parameters that the diagnostic varies, so that their values do not affect it."""
        return ()

    @abstractmethod
    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        """Yield increasingly complete results; ValueError explains why there is nothing to show."""


@dataclass(frozen=True)
class PartDiagnostic(Diagnostic):
    """A live diagnostic of the training or the held-out points."""

    live = True
    part: str = choice("held out", ("held out", "train"), help="Part of the data that is evaluated.")


_DIAGNOSTICS: dict[str, type[Diagnostic]] = {}


@dataclass_transform(frozen_default=True)
def diagnostic(
    id: str, *, title: str, tasks: tuple[Task, ...], synonyms: tuple[str, ...] = ()
) -> Callable[[type[D]], type[D]]:
    """Register a diagnostic and make its class a frozen dataclass; users read its docstring."""

    def register(kind: type[D]) -> type[D]:
        kind.id, kind.title, kind.tasks, kind.synonyms = id, title, tasks, synonyms
        kind.about = " ".join((kind.__doc__ or "").split())
        _DIAGNOSTICS[id] = dataclass(frozen=True)(kind)
        return kind

    return register


def diagnostics(task: Task | None = None) -> tuple[type[Diagnostic], ...]:
    """Return all diagnostics, or those for a task: live ones first, then by title."""
    _discover()
    fit = (kind for kind in _DIAGNOSTICS.values() if task is None or task in kind.tasks)
    return tuple(sorted(fit, key=lambda kind: (not kind.live, kind.title)))


@cache
def _discover() -> None:
    package = importlib.import_module("vizml.evaluate.diagnostics")
    for found in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{found.name}")
