"""The work, everything that an undo can restore as one frozen value, and its history of labelled entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Flag, auto
from functools import cached_property
from pathlib import Path

from vizml.data import Dataset, Split
from vizml.data.dataset import Bounds
from vizml.learn import CannotLearn, Model, Task, create
from vizml.learn.training_data import InputSpace
from vizml.scene.viewport import LINEAR, LogAxes, Scales

BUDGET = 64 << 20
"""Most bytes of data sets that entries hold."""
ENTRIES = 1000
"""Most entries."""


class Change(Flag):
    """Differences between two works, by which views decide what to refresh."""

    NOTHING = 0
    DATA = auto()
    CLASSES = auto()
    """The names of the classes."""
    SPLIT = auto()
    MODEL = auto()
    SEED = auto()
    SCALES = auto()
    """The chosen scales of the axes."""
    SECTION = auto()
    """The values of inputs that are not shown."""
    TABLE = auto()
    """Data other than points on two axes of one scale, before or after: their columns may matter."""
    ALGORITHM = auto()
    """Models of other classes, another number of them, or inputs that are standardised or no longer are."""
    ALL = DATA | CLASSES | SPLIT | MODEL | SEED | SCALES | SECTION | TABLE | ALGORITHM


@dataclass(frozen=True)
class Experiment:
    """A model with its parameters, the seed of its run, and whether its inputs are standardised."""

    model: Model
    seed: int = 0
    standardise: bool = False
    """Train on inputs of mean 0 and standard deviation 1."""


ASPECTS: dict[Change, Callable[[Experiment], object]] = {
    Change.MODEL: lambda experiment: (experiment.model, experiment.standardise),
    Change.ALGORITHM: lambda experiment: (type(experiment.model), experiment.standardise),
    Change.SEED: lambda experiment: experiment.seed,
}
"""Parts of an experiment by the change that they make."""


@dataclass(frozen=True)
class Work:
    """Data, split, and an experiment for each stage."""

    dataset: Dataset
    experiments: tuple[Experiment, ...]
    split: Split = Split()
    generator: str = ""
    """Text that generates the points, such as `moons:n=300,seed=1`; empty once they were edited."""
    equal: bool | None = None
    """Whether a data unit is as long along both axes; None where both have the same unit."""
    log: LogAxes = LINEAR
    """Whether x and y are to be logarithmic, where all values are above 0."""
    held: Mapping[str, float] = field(default_factory=dict)
    """Values of inputs that are not shown, by name; their medians where there is none."""
    model: Model = field(init=False, compare=False)
    """The model of the first experiment."""
    task: Task = field(init=False, compare=False)
    """The task of the first experiment."""
    used_split: Split = field(init=False, compare=False)
    """The split; none for models that do not learn from the points."""

    def __post_init__(self) -> None:
        model = self.experiments[0].model
        split = self.split if model.task.learns else Split()
        for name, value in (("model", model), ("task", model.task), ("used_split", split)):
            object.__setattr__(self, name, value)

    @classmethod
    def fresh(cls) -> Work:
        """Return a work without points and with a support vector machine."""
        return cls(Dataset.empty(), (Experiment(create("svm")),))

    def with_experiment(self, index: int, experiment: Experiment) -> Work:
        """Return the work with one experiment replaced; IndexError where there is none."""
        experiments = list(self.experiments)
        experiments[index] = experiment
        return replace(self, experiments=tuple(experiments))

    def change_from(self, other: Work) -> Change:
        """Return the differences from another work."""
        change = Change.NOTHING
        if self.dataset is not other.dataset:
            change |= Change.DATA if self.is_plain and other.is_plain else Change.DATA | Change.TABLE
        if self.dataset.classes != other.dataset.classes:
            change |= Change.CLASSES
        if self.split != other.split:
            change |= Change.SPLIT
        for kind, aspect in ASPECTS.items():
            if [*map(aspect, self.experiments)] != [*map(aspect, other.experiments)]:
                change |= kind
        if (self.equal, self.log) != (other.equal, other.log):
            change |= Change.SCALES
        if self.held != other.held:
            change |= Change.SECTION
        return change

    @cached_property
    def scales(self) -> Scales:
        """The scales of the axes that suit the data."""
        log = (self.log[0] and self.is_positive(0), self.log[1] and self.is_positive(1))
        task = self.task
        equal = task.same_unit(self.dataset) if self.equal is None else self.equal
        return Scales(equal and not any(log) and bool(task.canvas_axes(self.dataset).names[1]), log)

    @property
    def is_plain(self) -> bool:
        """Whether the data are points on two axes of one scale, without further columns or missing values."""
        data = self.dataset
        return not (data.others or data.chosen_inputs or data.incomplete) and self.scales.equal

    @cached_property
    def space(self) -> InputSpace | None:
        """The inputs of the training data; None where these cannot be learned from."""
        train, _ = self.used_split.parts(self.dataset)
        try:
            return self.model.training_data(train).space
        except CannotLearn:
            return None

    def is_positive(self, axis: int) -> bool:
        """Whether all values of x (0) or y (1) are above 0."""
        bounds = self.bounds
        return bounds is None or bounds[2 * axis] > 0

    @cached_property
    def bounds(self) -> Bounds | None:
        """The rectangle of the canvas that holds all points; None without points."""
        return self.task.bounds(self.dataset)


@dataclass(frozen=True, eq=False)
class Saved:
    """A work as its file holds it; without a path it has never been saved."""

    work: Work
    path: Path | None = None


@dataclass(frozen=True)
class Entry:
    """The work before an edit, and the label of the edit."""

    label: str
    work: Work
    merge: str = ""
    saved: Saved | None = None
    """The file of this work, where the edit has opened another one."""


class History:
    """The current work, and those before and after it: successive entries with one merge key become one."""

    def __init__(self, work: Work) -> None:
        self.reset(work)

    def reset(self, work: Work) -> None:
        """Begin with a work that nothing precedes."""
        self.work, self.saved = work, Saved(work)
        self._before: list[Entry] = []
        self._after: list[Entry] = []
        self._uses: Counter[int] = Counter()
        """Number of entries with an array, by its identity."""
        self._bytes = 0
        """Size of the arrays of all entries; one that several entries share counts once."""

    @property
    def undo_label(self) -> str | None:
        """Label of the entry that is undone next."""
        return self._before[-1].label if self._before else None

    @property
    def redo_label(self) -> str | None:
        """Label of the entry that is redone next."""
        return self._after[-1].label if self._after else None

    def push(self, label: str, work: Work, merge: str = "", saved: Saved | None = None) -> None:
        """Replace the work, and its file if given; successive entries with the same merge key become one."""
        top = self._before[-1] if self._before else None
        if merge and top is not None and top.merge == merge and not self._after:
            self._before[-1] = replace(top, label=label)
        else:
            self._keep(self._before, Entry(label, self.work, merge, saved and self.saved))
        self._set_work(work, saved)
        while self._after:
            self._release(self._after.pop())
        while len(self._before) > ENTRIES or (self._bytes > BUDGET and len(self._before) > 1):
            self._release(self._before.pop(0))

    def seal(self) -> None:
        """Start a new entry with the next push, whatever its merge key."""
        if self._before:
            self._before[-1] = replace(self._before[-1], merge="")

    def undo(self) -> bool:
        """Go back one entry; False where there is none."""
        return self._step(self._before, self._after)

    def redo(self) -> bool:
        """Go forward one entry; False where there is none."""
        return self._step(self._after, self._before)

    def _step(self, source: list[Entry], target: list[Entry]) -> bool:
        if not source:
            return False
        entry = source.pop()
        self._release(entry)
        self._keep(target, Entry(entry.label, self.work, saved=entry.saved and self.saved))
        self._set_work(entry.work, entry.saved)
        return True

    def _set_work(self, work: Work, saved: Saved | None) -> None:
        """Replace the work and its file; entries do not keep what can be computed again."""
        if work.dataset is not self.work.dataset:
            forget_derived(self.work.dataset)
        forget_derived(self.work)
        self.work, self.saved = work, saved or self.saved

    def _keep(self, entries: list[Entry], entry: Entry) -> None:
        entries.append(entry)
        for array in entry.work.dataset.arrays:
            self._bytes += 0 if id(array) in self._uses else array.nbytes
            self._uses[id(array)] += 1

    def _release(self, entry: Entry) -> None:
        for array in entry.work.dataset.arrays:
            self._uses[id(array)] -= 1
            if not self._uses[id(array)]:
                del self._uses[id(array)]
                self._bytes -= array.nbytes


def forget_derived(owner: object) -> None:
    """Delete the values of cached properties: they can be larger than the object, and are computed again."""
    for name, value in vars(type(owner)).items():
        if isinstance(value, cached_property):
            vars(owner).pop(name, None)
