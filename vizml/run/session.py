"""One job from its first step to its last frame: trains in slices of time, records, scores and composes."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from vizml.evaluate import score
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import CannotLearn
from vizml.learn.model import run
from vizml.run.compose import coarse, compose
from vizml.run.errors import guarded
from vizml.run.frame import Failure, Frame, Moment
from vizml.run.others import Others
from vizml.run.pace import BEARABLE, COARSE, FIRST, PATIENCE, ROUGH, Pace
from vizml.run.recording import Recording
from vizml.run.staged import staged

if TYPE_CHECKING:
    from vizml.learn import State
    from vizml.run.frame import Job, View
    from vizml.scene import Scene

UNNOTICED = 0.005
"""Scores that take longer than this come after the picture, and not while training."""
FEW = 2000
"""So many points are quick to score for the first time."""
Scores: TypeAlias = tuple[float | None, float | None]
UNSCORED: Scores = (None, None)


class Session:
    """The run of one job. No Qt, no threads: whoever drives it calls `advance` and `frames` in turn."""

    def __init__(self, job: Job, pace: Pace | None = None) -> None:
        self.job = job
        self.recording = Recording()
        self.failure: Failure | None = None
        self.running = True
        self.seconds = 0.0
        self._pace = pace or Pace()
        self._others = Others()
        self._source: Iterator[State] = iter(())
        self._begun = False
        self._taken = 0
        self._drawn: State | None = None
        """What has been shown as it is: where the view moves on, that picture moves along until the next."""
        self._scored: tuple[State, float, Scores] | None = None
        self._scoring = 0.0 if len(job.train) + len(job.held) <= FEW else math.inf

    def advance(self, seconds: float) -> bool:
        """Train for so long, or for one step if that takes longer; whether anything new was learned."""
        before, started = self._taken, perf_counter()
        while self.running and perf_counter() < started + seconds:
            self._step()
        self.seconds += perf_counter() - started
        return self._taken != before or not self.running

    def cancel(self) -> None:
        """Stop here; what has been recorded stays."""
        self.running = False
        self._source = iter(())

    def frames(self, view: View, wanted: Callable[[], bool]) -> Iterator[Frame]:
        """The frames that show the moment of a view: the quick ones first where the full one takes long.

        The full one and figures are given up where they are not wanted; quick ones move along with the view.
        """
        if not len(self.recording):
            yield self._frame(view)
            return
        last = len(self.recording) - 1
        index = last if view.moment is None else min(view.moment, last)
        state = self.recording[index]
        try:
            for scene in self._scenes(state, view, wanted):
                yield self._frame(view, scene, Moment(index, state, *self._scores(state, view, wanted)))
            if self._scores(state, view, wanted) == UNSCORED and not self.running:
                yield self._frame(view, scene, Moment(index, state, *self._scored_now(state, view, wanted)))
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 (whatever a model's code raises ends its run, not the program)
            self._fail(error)
            yield self._frame(view)

    def _step(self) -> None:
        try:
            if not self._begun:
                self._begun = True
                self._source = run(self.job.model, self.job.train, self.job.seed)
            state = next(self._source, None)
        except Exception as error:  # noqa: BLE001 (whatever a model's code raises ends its run, not the program)
            self._fail(error)
            return
        if state is None:
            self.running = False
        else:
            self.recording.append(state)
            self._taken += 1

    def _fail(self, error: Exception) -> None:
        self.running = False
        if isinstance(error, CannotLearn):
            self.failure = Failure(str(error))
            return
        sentence = f"{self.job.model.title} stopped: {str(error) or type(error).__name__}"
        self.failure = Failure(sentence, "".join(traceback.format_exception(error)))

    def _scenes(self, state: State, view: View, wanted: Callable[[], bool]) -> Iterator[Scene]:
        raster, look, train = view.raster, view.look, self.job.train
        for quick in self._quick(state, view, BEARABLE if state is self._drawn else PATIENCE):
            yield self._others.over(quick, view.overlay, raster, look)
        beside = view.overlay, view.rival, self._others
        with cancellable(lambda: not wanted()):
            scene = compose(train, state, raster, look, pace=self._pace, node=view.node)
            self._drawn = state
            scene = staged(scene, state, raster, look, *beside, company=view.company)
        yield scene

    def _quick(self, state: State, view: View, patience: float) -> Iterator[Scene]:
        """What is shown before an exact picture that takes long, or may take long."""

        def made(stride: int) -> Scene:
            return coarse(self.job.train, state, view.raster, view.look, pace, stride, view.node)

        pace, pixels = self._pace, view.width * view.height
        if pace.unknown:
            scene = made(ROUGH)
            if pace.takes(COARSE, pixels) <= FIRST:
                scene = made(COARSE)
            if pace.slow(pixels, patience):
                yield scene
        elif pace.slow(pixels, patience):
            yield from map(made, pace.strides(pixels))

    def _scores(self, state: State, view: View, wanted: Callable[[], bool]) -> Scores:
        """The figures of a state, where they are known or quick to have."""
        known = self._scored
        if known is not None and known[0] is state and known[1] == view.look.threshold:
            return known[2]
        return UNSCORED if self._scoring > UNNOTICED else self._scored_now(state, view, wanted)

    def _scored_now(self, state: State, view: View, wanted: Callable[[], bool]) -> Scores:
        """The state's figures on the points that it has seen and on those that it has not."""
        started = perf_counter()
        threshold = view.look.threshold
        with cancellable(lambda: not wanted()):
            seen, unseen = (score(state, part, threshold) for part in (self.job.train, self.job.held))
        scores = seen, unseen
        self._scoring = perf_counter() - started
        self._scored = state, threshold, scores
        return scores

    def _frame(self, view: View, scene: Scene | None = None, moment: Moment | None = None) -> Frame:
        return Frame(
            token=self.job.token,
            view=view,
            scene=scene,
            moment=moment,
            count=len(self.recording),
            losses=self.recording.losses,
            steps=self.recording.steps,
            states=self.recording.states,
            running=self.running,
            progress=self._progress(),
            seconds=self.seconds,
            failure=self.failure,
            held=self.job.held,
        )

    def _progress(self) -> float | None:
        if not self.running:
            return 1.0
        if not len(self.recording):
            return None
        state = self.recording[-1]
        return guarded(state, "progress", lambda: state.progress, None)
