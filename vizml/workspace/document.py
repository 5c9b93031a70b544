"""The one document of a window: edits go in by name, changes come out as a signal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from vizml.data import Dataset, Split
from vizml.workspace.history import History
from vizml.workspace.looks import Looks
from vizml.workspace.work import Change, Experiment, Work

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from vizml.data.dataset import Mask
    from vizml.learn import Model


class Document(QObject):
    """Holds the current work and its history; each editing method makes an undo entry, or merges into one."""

    changed = Signal(object)
    """Carries the Change; the work is read from the document."""
    history_changed = Signal()
    looked = Signal()
    """Somebody looked at the test part."""

    def __init__(self, work: Work | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = History(work or Work.fresh())
        self._saved = self._history.work
        self.looks = Looks()

    @property
    def work(self) -> Work:
        return self._history.work

    @property
    def dataset(self) -> Dataset:
        return self.work.dataset

    @property
    def split(self) -> Split:
        return self.work.split

    def experiment(self, index: int = 0) -> Experiment:
        """The experiment of a stage."""
        return self.work.experiments[index]

    def look_at_test(self, index: int) -> None:
        """Let an experiment be judged by the test part: that is remembered, and cannot be undone."""
        self.looks.look(self.work, index)
        self.looked.emit()

    # -- history --

    @property
    def undo_label(self) -> str | None:
        return self._history.undo_label

    @property
    def redo_label(self) -> str | None:
        return self._history.redo_label

    @property
    def modified(self) -> bool:
        """Whether there is anything that is not in the saved file."""
        return self.work is not self._saved

    def mark_saved(self) -> None:
        """What is here now is what the file holds."""
        self._saved = self.work
        self._history.seal()
        self.history_changed.emit()

    def open(self, work: Work, *, saved: bool = True) -> None:
        """Start over with another work and an empty history."""
        before = self.work
        self._history = History(work)
        self._saved = work if saved else before
        self.changed.emit(work.change_from(before))
        self.history_changed.emit()

    def do(self, label: str, work: Work, merge: str = "") -> None:
        """Go on to another work, under the name that the undo menu shows."""
        change = work.change_from(self.work)
        if change is Change.NOTHING:
            return
        self._history.push(label, work, merge)
        self.changed.emit(change)
        self.history_changed.emit()

    def seal(self) -> None:
        """End a stroke or a slider's drag."""
        self._history.seal()

    def undo(self) -> None:
        """Take back the last entry."""
        self._travel(forward=False)

    def redo(self) -> None:
        """Do again what was taken back."""
        self._travel(forward=True)

    def _travel(self, *, forward: bool) -> None:
        before = self.work
        moved = self._history.redo() if forward else self._history.undo()
        if moved:
            self.changed.emit(self.work.change_from(before))
            self.history_changed.emit()

    # -- data --

    def add(
        self, points: ArrayLike, label: int, *, verb: str = "add", merge: str = "", total: int = 0
    ) -> None:
        """Add points of a class; a stroke passes its merge key and how many points it has by now."""
        more = np.atleast_2d(np.asarray(points, float))
        count = total or len(more)
        self.set_dataset(f"{verb} {_points(count)}", self.dataset.adding(more, label), merge)

    def erase(self, mask: Mask, *, merge: str = "", total: int = 0) -> None:
        """Remove the points of a mask."""
        if mask.any():
            count = total or int(mask.sum())
            self.set_dataset(f"erase {_points(count)}", self.dataset.without(mask), merge)

    def move(self, mask: Mask, points: ArrayLike, merge: str = "") -> None:
        """Put the points of a mask elsewhere."""
        if mask.any():
            self.set_dataset(f"move {_points(int(mask.sum()))}", self.dataset.moved(mask, points), merge)

    def relabel(self, mask: Mask, label: int) -> None:
        """Give the points of a mask another class."""
        if mask.any():
            name = f"relabel {_points(int(mask.sum()))}"
            self.set_dataset(name, self.dataset.relabelled(mask, label))

    def rename_class(self, label: int, name: str) -> None:
        """Call a class by another name; ValueError where another class has it."""
        dataset = self.dataset.renamed(label, name)
        if dataset.name(label) != self.dataset.name(label):
            name = f"rename class {label + 1} to {dataset.name(label)}"
            self.do(name, replace(self.work, dataset=dataset))  # the generator's points are still there

    def set_dataset(self, label: str, dataset: Dataset, merge: str = "") -> None:
        """Exchange the data; no generator gives them any more."""
        self.do(label, replace(self.work, dataset=dataset, generator=""), merge)

    def set_split(self, split: Split, merge: str = "") -> None:
        """Exchange the hold-out split."""
        kept = f", test {split.test:.0%}" if split.test else ""
        self.do(f"hold out {split.share:.0%}{kept}", replace(self.work, split=split), merge)

    # -- experiments --

    def set_model(self, model: Model, index: int = 0, label: str = "", merge: str = "") -> None:
        """Exchange a stage's model, or its parameters."""
        experiment = replace(self.experiment(index), model=model)
        self.do(label or f"choose {model.title}", self.work.with_experiment(index, experiment), merge)

    def set_param(self, name: str, value: object, index: int = 0, merge: str = "") -> None:
        """Set one parameter; ValueError where it is not allowed, and nothing is changed."""
        model = self.experiment(index).model.with_(**{name: value})
        label = next(param.label for param in model.parameters() if param.name == name)
        self.set_model(model, index, f"set {label}", merge)

    def set_standardise(self, on: bool, index: int = 0) -> None:
        """Train a stage's model on standardised inputs, or on the inputs as they are."""
        experiment = replace(self.experiment(index), standardise=on)
        label = f"{'standardise' if on else 'do not standardise'} inputs"
        self.do(label, self.work.with_experiment(index, experiment))

    def add_experiment(self, experiment: Experiment) -> None:
        """Compare with one more experiment."""
        work = replace(self.work, experiments=(*self.work.experiments, experiment))
        self.do(f"compare with {experiment.model.title}", work)

    def remove_experiment(self, index: int) -> None:
        """Compare with one fewer; the last one stays."""
        experiments = self.work.experiments
        if len(experiments) > 1:
            rest = (*experiments[:index], *experiments[index + 1 :])
            title = experiments[index].model.title
            self.do(f"no longer compare with {title}", replace(self.work, experiments=rest))

    def set_seed(self, seed: int, index: int = 0) -> None:
        """Exchange the seed of a stage's run."""
        experiment = replace(self.experiment(index), seed=seed)
        self.do(f"set seed {seed}", self.work.with_experiment(index, experiment))


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"
