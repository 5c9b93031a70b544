"""What goes to the worker and what comes back: a job, a view, a frame; all frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data import Bounds, Dataset
from vizml.evaluate.diagnostic import NOTHING, Overlay
from vizml.field import Raster
from vizml.learn import Model, State
from vizml.run.company import Company
from vizml.scene import Look, Scene

Losses: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Job:
    """A run: what to train on what. Its token rises from job to job; a stale one is never drawn."""

    token: int
    model: Model
    seed: int
    train: Dataset
    held: Dataset


@dataclass(frozen=True)
class View:
    """What part of the plane is looked at, on how many device pixels, how, and at which moment."""

    bounds: Bounds
    width: int
    height: int
    look: Look = field(default_factory=Look)
    moment: int | None = None
    """A step of the recording; None follows the newest."""
    node: str = ""
    """A node of the state's diagram that is pointed at, to see its focus."""
    overlay: Overlay = NOTHING
    """What a diagnostic shows on the stage."""
    rival: State | None = None
    """Another state that it is to be compared with."""
    company: Company | None = None
    """Other models whose curves are to be seen beside its own."""

    def same(self, other: View | None) -> bool:
        """Whether another one asks for the same: what is beside the picture is to be the very same."""
        if other is None:
            return False
        mine, theirs = ((v.bounds, v.width, v.height, v.look, v.moment, v.node) for v in (self, other))
        beside = ((v.overlay, v.rival, v.company) for v in (self, other))
        return mine == theirs and all(one is another for one, another in zip(*beside, strict=True))

    @property
    def raster(self) -> Raster:
        """The centres of its pixels."""
        return Raster.over(self.bounds, self.width, self.height)


@dataclass(frozen=True)
class Moment:
    """Which state is shown, and how good it is on the training and the held-out points (0 to 1, or R2)."""

    index: int
    state: State
    train: float | None = None
    held: float | None = None


@dataclass(frozen=True)
class Failure:
    """A run that ended early: one sentence for the window, and the details to hand."""

    sentence: str
    details: str = ""


@dataclass(frozen=True, eq=False)
class Frame:
    """All that a stage shows of a run; `scene` is None until there is one, or after a failure."""

    token: int
    view: View
    scene: Scene | None = None
    moment: Moment | None = None
    count: int = 0
    """How many states the recording holds so far; moments are 0 ... count - 1."""
    losses: Losses = field(default_factory=lambda: np.empty(0))
    """The loss of each recorded state, NaN where it has none."""
    steps: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """The number of the step of each recorded state (a thinned recording has gaps), counted from 1."""
    states: tuple[State, ...] = ()
    """Each recorded state: they are shared, not copied."""
    running: bool = False
    progress: float | None = None
    seconds: float = 0.0
    """Time spent in training so far."""
    failure: Failure | None = None
    held: Dataset | None = None
    """The points that were held out of the run."""
