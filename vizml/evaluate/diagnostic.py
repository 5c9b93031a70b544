"""The contract of a diagnostic: parameters, and charts that grow as it finds out; a file each."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.learn import Model, State, Task
from vizml.learn.params import Declared
from vizml.scene import Chart, Mark

D = TypeVar("D", bound="Diagnostic")
Ints: TypeAlias = NDArray[np.int64]
Source: TypeAlias = Callable[[int], Dataset]


@dataclass(frozen=True, eq=False)
class Subject:
    """What is judged: a model, the points it was shown and those it was not, what it has learned."""

    model: Model
    seed: int
    train: Dataset
    held: Dataset
    state: State | None = None
    threshold: float = 0.0
    """What the second of two classes must lead by to win."""
    source: Source | None = None
    """The i-th fresh sample of the same generator; None where the points were drawn by hand."""
    clean: Source | None = None
    """The same samples without their noise, where the generator can leave it out."""
    history: tuple[State, ...] = ()
    """The recorded states of the run, and in `steps` their numbers, counted from 1."""
    steps: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    test: Dataset | None = None
    """The points kept for a last test, once somebody asked to see how it does on them."""
    locked: int = 0
    """How many such points there are, while nobody has."""
    looks: int = 0
    """How often they were looked at, this time included."""
    running: bool = False
    """Whether the run goes on: what is found out will soon be asked again."""
    company: tuple[tuple[str, State], ...] = ()
    """The names and states of all models side by side, this one among them; empty where it is alone."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """What a diagnostic has to show on the stage: other fits of the model, and how the points are parted."""

    states: tuple[State, ...] = ()
    groups: tuple[Ints, Ints] | None = None
    """Ids of points, and the number of the group of each."""
    called: str = "fold"
    """What a group is."""
    marks: tuple[Mark, ...] = ()
    """What is drawn over the fits."""


NOTHING = Overlay()
"""One for all: a stage draws itself anew for another overlay."""


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A chart with what belongs to it on the stage."""

    chart: Chart
    overlay: Overlay


@dataclass(frozen=True)
class Diagnostic(Declared, ABC):
    """Frozen parameters; `charts` yields ever better versions, the last one is the result."""

    title: ClassVar[str]
    tasks: ClassVar[tuple[Task, ...]]
    live: ClassVar[bool] = False
    """Cheap enough to follow each step of the training; others run when the training has ended."""
    whole: ClassVar[bool] = False
    """Whether a live one is about the run as a whole, whichever of its moments is shown."""
    several: ClassVar[bool] = False
    """Whether it shows all models that stand side by side."""

    def varies(self, model: Model) -> tuple[str, ...]:
        """The parameters of a model that it sets itself, so that their values do not matter to it."""
        del model
        return ()

    @abstractmethod
    def charts(self, subject: Subject) -> Iterator[Chart]:
        """Charts of the same thing, each with more in it; ValueError says why there is nothing to see."""

    def exhibits(self, subject: Subject) -> Iterator[Exhibit]:
        """The charts, each with what it has to show on the stage: nothing, unless a diagnostic says more."""
        for chart in self.charts(subject):
            yield Exhibit(chart, NOTHING)


_DIAGNOSTICS: dict[str, type[Diagnostic]] = {}


def diagnostic(
    id: str,
    *,
    title: str,
    tasks: tuple[Task, ...],
    live: bool = False,
    whole: bool = False,
    several: bool = False,
) -> Callable[[type[D]], type[D]]:
    """Put a diagnostic into the lab."""

    def put(kind: type[D]) -> type[D]:
        kind.id, kind.title, kind.tasks = id, title, tasks
        kind.live, kind.whole, kind.several = live, whole, several
        _DIAGNOSTICS[id] = kind
        return kind

    return put


def diagnostics(task: Task | None = None) -> tuple[type[Diagnostic], ...]:
    """All of them, or those for a task: live ones first, then by title."""
    _discover()
    fit = (kind for kind in _DIAGNOSTICS.values() if task is None or task in kind.tasks)
    return tuple(sorted(fit, key=lambda kind: (not kind.live, kind.title)))


@cache
def _discover() -> None:
    package = importlib.import_module("vizml.evaluate.diagnostics")
    for found in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{found.name}")
