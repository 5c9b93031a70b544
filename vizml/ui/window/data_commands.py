"""Commands on the data: generated data sets, held values of inputs that are not shown, menu of a point."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from vizml.data import Dataset, describe, format_spec
from vizml.data.catalogue import generator_name
from vizml.data.columns import UNLABELLED
from vizml.data.params import Value
from vizml.data.wording import plural
from vizml.field.arrays import Mask
from vizml.learn import create
from vizml.learn.task import task_named
from vizml.scene.viewport import LINEAR
from vizml.ui.compare.stages import Stages
from vizml.ui.widget_helpers import add_choice, add_entry
from vizml.ui.window.actions import menu_text
from vizml.workspace import Document, Work

if TYPE_CHECKING:
    from vizml.ui.window.window import Window


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


def hold_at_point(window: Window) -> None:
    """Hold inputs that are not shown at the values of the point under the pointer, or of the selected one."""
    canvas, document = window.canvas, window.document
    under = canvas.pointer.under()
    chosen = np.flatnonzero(under if under.any() else canvas.selection.mask)
    names = document.work.task.canvas_axes(document.dataset).held
    if not names:
        window.messages.info("All inputs are shown: there is no other input to hold at a value.")
    elif len(chosen) != 1:
        window.messages.info("To hold inputs at the values of a point, point at it or select it.")
    else:
        hold_at_row(window, int(chosen[0]))


def hold_at_row(window: Window, row: int) -> None:
    """Hold inputs that are not shown at the values of a row, where it has any."""
    document = window.document
    names = document.work.task.canvas_axes(document.dataset).held
    values = zip(names, document.dataset.matrix(names)[row].tolist())
    document.hold({name: value for name, value in values if not np.isnan(value)})


def open_point_menu(window: Window, id: int, at: QPoint) -> None:
    """Open the menu of the point with an id at a place on the screen; it is deleted after use."""
    menu, document = QMenu(window), window.document
    menu.setObjectName("point_menu")
    menu.setAccessibleName("Point")
    menu.aboutToHide.connect(menu.deleteLater)
    row = document.dataset.ids == id
    if document.work.task.canvas_axes(document.dataset).held:
        add_entry(menu, "Use its values for the section", lambda: hold_at_row(window, int(np.argmax(row))))
    _fill_classes(menu.addMenu("Class"), window, row)
    add_entry(menu, "Show in table", partial(_show_row, window, row))
    menu.addSeparator()
    add_entry(menu, "Delete", partial(document.erase, row))
    menu.popup(at)


def _fill_classes(menu: QMenu, window: Window, row: Mask) -> None:
    """Add the classes of the data and no class, with that of the point checked."""
    dataset, relabel = window.document.dataset, window.document.relabel
    labels, current = (*dataset.present.tolist(), UNLABELLED), int(dataset.labels[row][0])
    names = [menu_text(dataset.name(label)) for label in labels[:-1]] + ["No class"]
    add_choice(
        menu,
        ((name, label == current, partial(relabel, row, label)) for name, label in zip(names, labels)),
    )
    menu.setEnabled(len(dataset.present) > 0)


def _show_row(window: Window, row: Mask) -> None:
    """Select a point, and show its row in the table."""
    window.docks.show(window.docks.table, shown=True)
    window.canvas.selection.set(row)
