"""Requests and answers, all frozen: a run, a picture of a state, jobs of the worker and its frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from vizml.data import Dataset, Split
from vizml.data.wording import plural
from vizml.evaluate import score
from vizml.field.arrays import Floats, Ints
from vizml.field.raster import Section
from vizml.learn import CannotLearn, Model, State
from vizml.learn.model import run, standardised
from vizml.run.layers import Layer
from vizml.run.recording import Recording
from vizml.scene import Look, Scene
from vizml.scene.viewport import Viewport

EVERYTHING = Split()


@dataclass(frozen=True)
class ShownState:
    """A state of a run that is shown, with its scores (accuracy from 0 to 1, or R2)."""

    index: int
    state: State
    train: float | None = None
    held: float | None = None


@dataclass(frozen=True)
class RunRequest:
    """A model to train on the points of a data set that are not held out."""

    dataset: Dataset
    model: Model
    seed: int = 0
    split: Split = EVERYTHING
    standardise: bool = False
    """Train on inputs of mean 0 and standard deviation 1."""

    @property
    def trained_model(self) -> Model:
        """The model, on standardised inputs where that is requested."""
        return standardised(self.model, on=self.standardise)

    def states(self) -> Iterator[State]:
        """Train, and yield each state."""
        train = self.split.parts(self.dataset)[0]
        return run(self.model, train, self.seed, standardise=self.standardise)

    def state(self, step: int | None = None) -> tuple[State, int]:
        """Return the state after a step, counted from 1, or the last one; and the number of its step."""
        if step is not None and step < 1:
            raise ValueError(f"steps count from 1: there is no step {step}")
        count, last = 0, None
        for state in islice(self.states(), step):
            count, last = count + 1, state
        if last is None:
            raise CannotLearn(f"{self.model.id} ended without a result")
        if step is not None and count < step:
            raise ValueError(f"there is no step {step}: this run has {plural(count, 'step')}")
        return last, count

    def recording(self) -> Recording:
        """Train, and return the recorded run."""
        recording = Recording()
        for state in self.states():
            recording.append(state)
        if not recording.states:
            raise CannotLearn(f"{self.model.id} ended without a result")
        return recording

    def scored(self, state: State, threshold: float = 0.0, index: int = 0) -> ShownState:
        """Return a state with its scores on the training and the held-out points."""
        train, held = self.split.parts(self.dataset)
        return ShownState(index, state, score(state, train, threshold), score(state, held, threshold))


@dataclass(frozen=True)
class RenderRequest:
    """A picture of a state. Two requests are equal where they give the same picture."""

    viewport: Viewport
    look: Look = Look()
    step: int | None = None
    """Index of the recorded state; None for the newest."""
    section: Section | None = None
    """Part of the input space to show; None for the one along the axes of the data set."""
    held: Mapping[str, float] = field(default_factory=dict)
    """Values of inputs that such a section does not show, by name; their medians where there is none."""
    node: str = ""
    """Node of the state's diagram to highlight."""
    layers: tuple[Layer, ...] = ()
    """Additional content, drawn in this order. Layers are compared by identity."""

    def on(self, dataset: Dataset, state: State) -> RenderRequest:
        """Return the request with the section that it asks for of a state trained on a data set."""
        axes, space = state.task.canvas_axes(dataset), state.space
        if self.section is not None or (axes.shown == space.names and axes.plane is None):
            return self
        held: Mapping[int | str, float] = {key: at for key, at in self.held.items() if key in space.names}
        return replace(self, section=axes.plane or space.section(axes.shown, held))

    def over(self, viewport: Viewport) -> RenderRequest:
        """Return the same picture of another rectangle or size."""
        return replace(self, viewport=viewport)


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
