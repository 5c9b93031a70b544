"""Messages between the window and the training worker: a job, and the frames that it produces; all frozen."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vizml.data import Dataset
from vizml.field.arrays import Floats, Ints
from vizml.learn import Model, State
from vizml.run.request import RenderRequest, ShownState
from vizml.scene import Scene


@dataclass(frozen=True)
class Job:
    """A model to train on data. Tokens rise from job to job; results of a stale one are never drawn."""

    token: int
    model: Model
    seed: int
    train: Dataset
    held: Dataset
    standardise: bool = False


@dataclass(frozen=True)
class Failure:
    """A run that ended with an error: one sentence for the window, and the traceback on demand."""

    sentence: str
    details: str = ""


@dataclass(frozen=True, eq=False)
class Frame:
    """Everything that a stage shows of a run; `scene` is None until there is one, and after a failure."""

    token: int
    request: RenderRequest
    scene: Scene | None = None
    shown: ShownState | None = None
    count: int = 0
    """Number of recorded states."""
    losses: Floats = field(default_factory=lambda: np.empty(0))
    """The loss of each recorded state, NaN where it has none."""
    steps: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Step number of each recorded state: those of a thinned recording have gaps; by default from 1."""
    states: tuple[State, ...] = ()
    """The recorded states; they are shared, not copied."""
    running: bool = False
    progress: float | None = None
    seconds: float = 0.0
    """Training time so far."""
    failure: Failure | None = None
    held: Dataset | None = None
    """The held-out points of the run."""
    state: State | None = field(init=False)
    """The state that is shown."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", self.shown.state if self.shown is not None else None)
        if len(self.steps) < self.count:
            object.__setattr__(self, "steps", np.arange(1, self.count + 1))
