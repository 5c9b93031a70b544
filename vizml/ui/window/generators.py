"""Generated data sets: drawn with their defaults, and changed afterwards by a dialog with their options."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from vizml.data import Dataset, describe, format_spec, names
from vizml.data.catalogue import generator_name
from vizml.data.params import Value
from vizml.learn import Task, create
from vizml.learn.task import task_named
from vizml.ui.compare.stages import Stages
from vizml.ui.widget_helpers import beside, button
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.parameter_rows import ParameterRow
from vizml.workspace import Document, Work

_sessions = count(1)


class Generators(QObject):
    """Draw data sets into the document, and remember the last one with its options."""

    drawn = Signal(str)
    """The name of the data set."""

    def __init__(self, document: Document, stages: Stages, window: QWidget) -> None:
        super().__init__(window)
        self._document, self._stages, self._window = document, stages, window
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
        work = replace(suited(self._document.work, source.task), dataset=dataset, generator=asked)
        self.last, self.values = name, dict(values)
        label = f"draw {source.title.lower()} ({len(dataset):,} points)"
        self._document.do(label, work, merge)
        self.drawn.emit(name)

    def _with_names(self, name: str, dataset: Dataset) -> Dataset:
        """The data set with the class names of the current one, where only the options are others."""
        work = self._document.work
        same = generator_name(work.generator) == name and not dataset.classes
        return replace(dataset, classes=work.dataset.classes) if same else dataset

    def ask(self) -> None:
        """Show the options of the last data set; each change is drawn at once."""
        dialog = GeneratorDialog(self, f"data options {next(_sessions)}", self._window)
        dialog.changed.connect(self._stages.fit_all)
        dialog.finished.connect(self._document.seal)
        beside(dialog, self._window)


def suited(work: Work, kind: str) -> Work:
    """The same work, with favourite models of a task in place of those that cannot learn from such data."""
    if all(experiment.model.task.datasets == kind for experiment in work.experiments):
        return work
    task = task_named(kind)
    experiments = (
        experiment
        if experiment.model.task.datasets == kind
        else replace(experiment, model=create(task.favourite, task))
        for experiment in work.experiments
    )
    return replace(work, experiments=tuple(experiments))


def for_task(task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the data sets that suit a task, and the others."""
    suitable = names(task.datasets)
    return suitable, tuple(name for name in names() if name not in suitable)


WIDTH = 320


class GeneratorDialog(QDialog):
    """The options as rows, with buttons for another seed and for the defaults."""

    changed = Signal()

    def __init__(self, generators: Generators, merge: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._generators, self._merge = generators, merge
        self._source = describe(generators.last)
        self._values = dict(generators.values)
        self.setWindowTitle(self._source.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.rows = {
            param.name: ParameterRow(param, partial(self._put, param.name), _nothing)
            for param in self._source.options
        }
        self._lay_out()
        self._show_values()

    def set_option(self, name: str, value: object) -> None:
        """Draw with another value of an option; ValueError where it is not allowed."""
        self._draw({**self._values, name: self._source.option(name).coerce(value)})

    def _put(self, name: str, value: object, _merge: str) -> None:
        param = self._source.option(name)
        self.set_option(name, param.parse(value) if isinstance(value, str) else value)

    def _draw(self, values: dict[str, Value]) -> None:
        self._generators.redraw(self._source.name, values, self._merge)
        self._values = values
        self._show_values()
        self.changed.emit()

    def _reset(self) -> None:
        self._draw(self._source.values())

    def _new_seed(self) -> None:
        self.set_option("seed", int(self._values["seed"]) + 1)

    def _show_values(self) -> None:
        for name, row in self.rows.items():
            row.show_value(self._values[name])

    def _lay_out(self) -> None:
        heading = QLabel(self._source.title)
        role(heading, "heading")
        about = QLabel(self._source.help)
        about.setWordWrap(True)
        role(about, "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for widget in (heading, about, *self.rows.values()):
            column.addWidget(widget)
        column.addStretch()
        column.addSpacing(8)
        column.addLayout(self._foot())
        self.setMinimumWidth(WIDTH)

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(button("New seed", "Draw with another random seed", self._new_seed))
        foot.addWidget(button("Reset", "Restore the defaults", self._reset))
        foot.addStretch()
        tip = "Close. One undo reverts all changes."
        foot.addWidget(button("Done", tip, self.accept, default=True))
        return foot


def _nothing() -> None:
    """Ignore the end of a gesture: all changes of the dialog are one undo entry."""
