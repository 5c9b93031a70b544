"""Data sets by name: drawn at once with their defaults, and changed afterwards by their options."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from vizml.data import Dataset, describe, format_spec, names
from vizml.data.params import Value
from vizml.data.spec import generator
from vizml.learn import Task, create, models
from vizml.learn import names as model_names
from vizml.ui.compare.stages import Stages
from vizml.ui.window.parts import beside
from vizml.workspace import Document, Experiment, Work

FAVOURITES = {Task.CLASSIFY: "svm", Task.REGRESS: "linear", Task.CLUSTER: "kmeans", Task.DENSITY: "kde"}
"""What a task begins with where data ask for it."""
_sessions = count(1)


class Generators(QObject):
    """Draws data sets into the document; remembers which was the last, and with which options."""

    drawn = Signal(str)
    """The name of the data set."""

    def __init__(self, document: Document, stages: Stages, window: QWidget) -> None:
        super().__init__(window)
        self._document, self._stages, self._window = document, stages, window
        self.last = "moons"
        self.values: dict[str, Value] = describe(self.last).values()

    def draw(self, name: str) -> None:
        """Draw a data set with its defaults, as an undo entry of its own."""
        self.redraw(name, describe(name).values(), merge="")
        self._stages.fit_all()

    def redraw(self, name: str, values: dict[str, Value], merge: str) -> None:
        """Draw a data set with these options; those with the same merge key are one entry."""
        source = describe(name)
        dataset = self._named(name, source(**values))
        asked = format_spec(name, **values)
        work = replace(suited(self._document.work, source.task), dataset=dataset, generator=asked)
        self.last, self.values = name, dict(values)
        label = f"draw {source.title.lower()} ({len(dataset):,} points)"
        self._document.do(label, work, merge)
        self.drawn.emit(name)

    def _named(self, name: str, dataset: Dataset) -> Dataset:
        """With other options, the classes keep the names that they were given."""
        work = self._document.work
        same = generator(work.generator) == name and not dataset.classes
        return replace(dataset, classes=work.dataset.classes) if same else dataset

    def ask(self) -> None:
        """Show the options of the last data set; the canvas follows each change."""
        from vizml.ui.window.generator_dialog import GeneratorDialog

        dialog = GeneratorDialog(self, f"data options {next(_sessions)}", self._window)
        dialog.changed.connect(self._stages.fit_all)
        dialog.finished.connect(self._document.seal)
        beside(dialog, self._window)


def suited(work: Work, kind: str) -> Work:
    """The same work, with models that can learn from the data: curves are for regression, classes are not."""
    to_curve = kind == Task.REGRESS.value
    if all((experiment.model.task is Task.REGRESS) == to_curve for experiment in work.experiments):
        return work
    task = Task.REGRESS if to_curve else Task.CLASSIFY
    experiments = (
        experiment
        if (experiment.model.task is Task.REGRESS) == to_curve
        else _favourite(task, experiment.seed)
        for experiment in work.experiments
    )
    return replace(work, experiments=tuple(experiments))


def for_task(task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the data sets that suit a task, and those that suit another."""
    mine = names(task.value)
    return mine, tuple(name for name in names() if name not in mine)


def _favourite(task: Task, seed: int) -> Experiment:
    wanted = FAVOURITES[task]
    known = model_names(task)
    return Experiment(create(wanted if wanted in known else models(task)[0].id, task), seed)
