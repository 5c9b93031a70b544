"""Generated data sets: drawn with their defaults, and changed afterwards by a dialog with their options."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from vizml.data import Dataset, describe, format_spec
from vizml.data.catalogue import generator_name
from vizml.data.params import Value
from vizml.data.wording import plural
from vizml.learn import create
from vizml.learn.task import task_named
from vizml.scene.viewport import LINEAR
from vizml.ui.compare.stages import Stages
from vizml.workspace import Document, Work


class Generators(QObject):
    """Draw data sets into the document, and remember the last one with its options."""

    drawn = Signal(str)
    """The name of the data set."""

    def __init__(self, document: Document, stages: Stages, window: QWidget) -> None:
        super().__init__(window)
        self._document, self._stages = document, stages
        self.last = "moons"
        self.values: dict[str, Value] = describe(self.last).values()

    def draw(self, name: str) -> None:
        """Draw a data set with its defaults, as a separate undo entry."""
        self.redraw(name, describe(name).values(), merge="")
        self._stages.fit_all()

    def redraw(self, name: str, values: dict[str, Value], merge: str) -> None:
        """Draw a data set with these options; calls with the same merge key are one undo entry."""
        source = describe(name)
        dataset = self._with_names(name, source(**values))
        asked = format_spec(name, **values)
        work = suited(self._document.work, source.task, source.model)
        if generator_name(work.generator) != name:
            work = replace(work, equal=None, log=LINEAR)
        work = replace(work, dataset=dataset, generator=asked)
        self.last, self.values = name, dict(values)
        label = f"draw {source.title.lower()} ({plural(len(dataset), 'point')})"
        self._document.do(label, work, merge)
        self.drawn.emit(name)

    def _with_names(self, name: str, dataset: Dataset) -> Dataset:
        """The data set with the class names of the current one, where only the options are others."""
        work = self._document.work
        same = generator_name(work.generator) == name and not dataset.classes
        return replace(dataset, classes=work.dataset.classes) if same else dataset


def suited(work: Work, kind: str, model: str = "") -> Work:
    """The same work, with a model or the favourite of a task in place of those for other kinds of data."""
    if all(experiment.model.task.datasets == kind for experiment in work.experiments):
        return work
    task = task_named(kind)
    experiments = (
        experiment
        if experiment.model.task.datasets == kind
        else replace(experiment, model=create(model or task.favourite, task))
        for experiment in work.experiments
    )
    return replace(work, experiments=tuple(experiments))
