"""The document of a window: the current work, its history, and events for each change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vizml.data import Dataset, Split
from vizml.data.wording import plural
from vizml.scene.viewport import LINEAR
from vizml.workspace.observer import Event
from vizml.workspace.work import Change, Experiment, History, Saved, Work

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike

    from vizml.data.columns import Mask
    from vizml.learn import Model


class TestSetViews:
    """The experiments that were evaluated on the test set of the current split."""

    def __init__(self) -> None:
        self._split: Split | None = None
        self._evaluated: list[tuple[Experiment, Dataset]] = []

    def record(self, work: Work, index: int) -> None:
        """Record that an experiment is evaluated on the test set; repeated evaluations count once."""
        if work.split != self._split:
            self._split, self._evaluated = work.split, []
        if not self.includes(work, index):
            self._evaluated.append((work.experiments[index], work.dataset))

    def includes(self, work: Work, index: int) -> bool:
        """Whether this very experiment was evaluated on the test set."""
        return work.split == self._split and (work.experiments[index], work.dataset) in self._evaluated

    def count(self, work: Work) -> int:
        """Number of experiments that were evaluated on the test set."""
        return len(self._evaluated) if work.split == self._split else 0


class Document(History):
    """The current work with events; each editing method makes an undo entry, or merges into one."""

    def __init__(self, work: Work | None = None) -> None:
        super().__init__(work or Work.fresh())
        self.changed: Event[[Change]] = Event()
        """The work differs from the one before by the Change."""
        self.history_changed: Event[[]] = Event()
        """Undo, redo or the saved state differ."""
        self.file_changed: Event[[]] = Event()
        """The work belongs to another file."""
        self.reopened: Event[[]] = Event()
        """Undo or redo has opened the work of another file."""
        self.test_set_viewed: Event[[]] = Event()
        """An experiment was evaluated on the test set."""
        self.test_set_views = TestSetViews()
        self._placed: Dataset | None = None
        self._placed_for: tuple[object, ...] = ()

    @property
    def dataset(self) -> Dataset:
        return self.work.dataset

    @property
    def placed(self) -> Dataset:
        """The rows with their coordinates on the canvas."""
        key = dataset, task = self.work.dataset, self.work.task
        if self._placed is None or any(old is not new for old, new in zip(self._placed_for, key)):
            self._placed_for, self._placed = key, task.placed(dataset)
        return self._placed

    @property
    def split(self) -> Split:
        return self.work.used_split

    def experiment(self, index: int = 0) -> Experiment:
        """The experiment of a stage; the last one for a stage that is about to be removed."""
        return self.work.experiments[min(index, len(self.work.experiments) - 1)]

    def view_test_set(self, index: int) -> None:
        """Evaluate an experiment on the test set: that is counted, and cannot be undone."""
        self.test_set_views.record(self.work, index)
        self.test_set_viewed.emit()

    # -- history --

    @property
    def modified(self) -> bool:
        """Whether the work differs from the saved file."""
        return self.work is not self.saved.work

    @property
    def edited(self) -> bool:
        """Whether the points or their classes differ from the saved file."""
        return self.work.dataset is not self.saved.work.dataset

    def set_path(self, path: Path | None) -> None:
        """Associate the work with a file."""
        self.saved = replace(self.saved, path=path)
        self.file_changed.emit()

    def mark_saved(self) -> None:
        """Note that the file holds the current work."""
        self.saved = replace(self.saved, work=self.work)
        self.seal()
        self.history_changed.emit()

    def open(self, work: Work, path: Path | None = None, *, saved: bool = True) -> None:
        """Replace the work, with an empty history; changes that were not edits of points can be restored."""
        before, file = self.work, Saved(work if saved else self.work, path)
        if saved and self.modified and not self.edited:
            self.push(f"open {path.name}" if path else "start anew", work, saved=file)
        else:
            self.reset(work)
            self.saved = file
        self.changed.emit(work.change_from(before))
        self.history_changed.emit()
        self.file_changed.emit()

    def do(self, label: str, work: Work, merge: str = "") -> None:
        """Replace the work as an undo entry with a label."""
        change = work.change_from(self.work)
        if change is Change.NOTHING:
            return
        self.push(label, work, merge)
        self.changed.emit(change)
        self.history_changed.emit()

    def undo(self) -> bool:
        return self._announced(super().undo)

    def redo(self) -> bool:
        return self._announced(super().redo)

    def _announced(self, step: Callable[[], bool]) -> bool:
        before, file = self.work, self.saved
        if not step():
            return False
        self.changed.emit(self.work.change_from(before))
        self.history_changed.emit()
        if self.saved is not file:
            self.file_changed.emit()
            self.reopened.emit()
        return True

    # -- data --

    def add(
        self, points: ArrayLike, label: int, *, verb: str = "add", merge: str = "", total: int = 0
    ) -> None:
        """Add points of a class; a stroke passes its merge key and its total number of points."""
        more = np.atleast_2d(np.asarray(points, float))
        count = total or len(more)
        work = self.work
        grown = work.task.added(work.dataset, work.model.landing(more), label)
        self.set_dataset(f"{verb} {plural(count, 'point')}", grown, merge)

    def erase(self, mask: Mask, *, merge: str = "", total: int = 0) -> None:
        """Remove the points of a mask."""
        if mask.any():
            count = total or int(mask.sum())
            self.set_dataset(f"erase {plural(count, 'point')}", self.dataset.take(~mask), merge)

    def move(self, mask: Mask, points: ArrayLike, merge: str = "") -> None:
        """Move the points of a mask."""
        if mask.any():
            moved = self.work.task.moved(
                self.dataset, mask, self.work.model.landing(np.asarray(points, float))
            )
            self.set_dataset(f"move {plural(int(mask.sum()), 'point')}", moved, merge)

    def relabel(self, mask: Mask, label: int) -> None:
        """Assign the points of a mask to a class."""
        if mask.any():
            name = f"relabel {plural(int(mask.sum()), 'point')}"
            self.set_dataset(name, self.dataset.relabelled(mask, label))

    def rename_class(self, label: int, name: str) -> None:
        """Rename a class; ValueError where another class has the name."""
        dataset = self.dataset.renamed(label, name)
        if dataset.name(label) != self.dataset.name(label):
            name = f"rename class {label + 1} to {dataset.name(label)}"
            self.do(name, replace(self.work, dataset=dataset))  # the generator still gives these points

    def set_dataset(self, label: str, dataset: Dataset, merge: str = "") -> None:
        """Replace the data; they no longer come from the generator."""
        self.do(label, replace(self.work, dataset=dataset, generator=""), merge)

    def set_split(self, split: Split, merge: str = "") -> None:
        """Replace the split."""
        kept = f", test {split.test:.0%}" if split.test else ""
        self.do(f"hold out {split.share:.0%}{kept}", replace(self.work, split=split), merge)

    def set_equal(self, on: bool) -> None:
        """Make a data unit as long along both axes, or let each axis have a scale of its own."""
        log = LINEAR if on else self.work.log
        self.do(f"{'equal' if on else 'independent'} scales", replace(self.work, equal=on, log=log))

    def set_log(self, axis: int, on: bool) -> None:
        """Make x (0) or y (1) logarithmic or linear."""
        x, y = self.work.log
        work = replace(self.work, log=(x, on) if axis else (on, y))
        self.do(f"{'logarithmic' if on else 'linear'} {self.placed.axes[axis]} axis", work)

    def set_held(self, name: str, value: float | None, merge: str = "") -> None:
        """Hold an input that is not shown at a value; None holds it at its median."""
        held = {key: at for key, at in self.work.held.items() if key != name}
        if value is not None:
            held[name] = value
        label = f"hold {name} at {'its median' if value is None else f'{value:.6g}'}"
        self.do(label, replace(self.work, held=held), merge)

    def hold(self, values: Mapping[str, float]) -> None:
        """Hold inputs that are not shown at these values, and the others at their medians."""
        self.do("hold other values", replace(self.work, held=dict(values)))

    # -- experiments --

    def set_model(self, model: Model, index: int = 0, label: str = "", merge: str = "") -> None:
        """Replace the model of a stage."""
        experiment = replace(self.experiment(index), model=model)
        self.do(label or f"choose {model.title}", self.work.with_experiment(index, experiment), merge)

    def set_param(self, name: str, value: object, index: int = 0, merge: str = "") -> None:
        """Set a parameter; ValueError where the value is not allowed, without a change."""
        model = self.experiment(index).model.with_(**{name: value})
        label = next(param.label for param in model.parameters() if param.name == name)
        self.set_model(model, index, f"set {label}", merge)

    def set_standardise(self, on: bool, index: int = 0) -> None:
        """Train a stage's model on standardised inputs, or on the inputs as they are."""
        experiment = replace(self.experiment(index), standardise=on)
        label = f"{'standardise' if on else 'do not standardise'} inputs"
        self.do(label, self.work.with_experiment(index, experiment))

    def add_experiment(self, experiment: Experiment) -> None:
        """Add an experiment."""
        work = replace(self.work, experiments=(*self.work.experiments, experiment))
        self.do(f"compare with {experiment.model.title}", work)

    def remove_experiment(self, index: int) -> None:
        """Remove an experiment; the last one stays."""
        experiments = self.work.experiments
        if len(experiments) > 1:
            rest = (*experiments[:index], *experiments[index + 1 :])
            title = experiments[index].model.title
            self.do(f"no longer compare with {title}", replace(self.work, experiments=rest))

    def set_seed(self, seed: int, index: int = 0) -> None:
        """Set the seed of a stage's run."""
        experiment = replace(self.experiment(index), seed=seed)
        self.do(f"set seed {seed}", self.work.with_experiment(index, experiment))
