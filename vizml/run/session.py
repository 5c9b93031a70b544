"""Sessions: one job from its first step to its last frame, trained in slices, recorded and composed."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TypeAlias

import numpy as np

from vizml.evaluate.metrics import known_score, score
from vizml.field.arrays import Floats, Ints
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import CannotLearn, State
from vizml.learn.model import run
from vizml.run.compose import COARSE, FIRST, LONG_WAIT, ROUGH, SHORT_WAIT, RenderPacing, coarse, compose
from vizml.run.errors import guarded, report
from vizml.run.layers import LineCache, with_layers
from vizml.run.recording import Recording
from vizml.run.request import Failure, Frame, Job, RenderRequest, ShownState
from vizml.scene import Scene

QUICK_SCORING = 0.005
"""Seconds; scores that take longer follow the picture, and are not computed while training."""
QUICK_POINTS = 2000
"""So few points are scored with the first picture."""
Scores: TypeAlias = tuple[float | None, float | None]
Wanted: TypeAlias = Callable[[], bool]
UNSCORED: Scores = (None, None)


class Session:
    """The training of one job. No Qt and no threads: the caller alternates `advance` and `frames`."""

    def __init__(self, job: Job, pacing: RenderPacing | None = None) -> None:
        self.job = job
        self.recording = Recording()
        self.failure: Failure | None = None
        self.running = True
        self.seconds = 0.0
        self._pacing = pacing or RenderPacing()
        self._cache = LineCache()
        self._source = run(job.model, job.train, job.seed, standardise=job.standardise)
        self._drawn: State | None = None
        """The state of the last exact picture, which moves along with the view until the next one."""
        self._history: tuple[int, Floats, Ints, tuple[State, ...]] = -1, np.empty(0), np.empty(0, int), ()
        """Losses, step numbers and states of the recording after so many steps."""
        self._scored: tuple[State, float, Scores] | None = None
        self._scoring = 0.0 if len(job.train) + len(job.held) <= QUICK_POINTS else math.inf

    def advance(self, seconds: float) -> bool:
        """Train for some time, at least one step; return whether there is anything new."""
        before, started = self.recording.taken, perf_counter()
        try:
            while self.running and perf_counter() < started + seconds:
                state = next(self._source, None)
                if state is None:
                    self.running = False
                else:
                    self.recording.append(state)
        except Cancelled:
            self.running = False
        except Exception as error:  # noqa: BLE001 (an error of a model ends its run, not the program)
            self._fail(error)
        self.seconds += perf_counter() - started
        return self.recording.taken != before or not self.running

    def cancel(self) -> None:
        """Stop training; the recording stays."""
        self.running = False

    def frames(self, request: RenderRequest, wanted: Wanted) -> Iterator[Frame]:
        """Yield the frames of a request: coarse previews first where the exact picture takes long.

        Exact pictures and scores are abandoned when they are no longer wanted.
        """
        states, threshold = self.recording.states, request.look.threshold
        if not states:
            yield self._frame(request)
            return
        index = len(states) - 1 if request.step is None else min(request.step, len(states) - 1)
        state = states[index]
        request = request.on(self.job.train, state)
        try:
            for scene in self._scenes(state, request, wanted):
                scores = self._scores(state, threshold, wanted, quick=True)
                yield self._frame(request, scene, ShownState(index, state, *scores))
            if scores is UNSCORED and not self.running:
                scores = self._scores(state, threshold, wanted)
                yield self._frame(request, scene, ShownState(index, state, *scores))
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 (an error of a model ends its run, not the program)
            self._fail(error)
            yield self._frame(request)

    def _fail(self, error: Exception) -> None:
        self.running = False
        if isinstance(error, CannotLearn):
            self.failure = Failure(str(error))
            return
        report(self.job.model, "run", error)
        sentence = f"{self.job.model.title} stopped: {str(error) or type(error).__name__}"
        self.failure = Failure(sentence, "".join(traceback.format_exception(error)))

    def _scenes(self, state: State, request: RenderRequest, wanted: Wanted) -> Iterator[Scene]:
        quick = replace(request, layers=tuple(layer for layer in request.layers if layer.quick))
        for scene in self._previews(state, request, LONG_WAIT if state is self._drawn else SHORT_WAIT):
            yield with_layers(scene, state, quick, self._cache) if quick.layers else scene
        with cancellable(lambda: not wanted()):
            scene = compose(self.job.train, state, request, pacing=self._pacing)
            self._drawn = state
            if request.layers:
                scene = with_layers(scene, state, request, self._cache)
        yield scene

    def _previews(self, state: State, request: RenderRequest, wait: float) -> Iterator[Scene]:
        """Yield coarse scenes where the exact one takes long, or may take long."""
        pacing, pixels = self._pacing, request.viewport.pixels
        made = partial(coarse, self.job.train, state, request, pacing)
        if pacing.seconds_per_pixel is None and not pacing.coarse:
            scene = made(ROUGH)
            if pacing.preview_seconds(COARSE, pixels) <= FIRST:
                scene = made(COARSE)
            if pacing.exact_seconds(pixels) > wait:
                yield scene
        elif pacing.exact_seconds(pixels) > wait:
            yield from map(made, pacing.strides(pixels))

    def _scores(self, state: State, threshold: float, wanted: Wanted, *, quick: bool = False) -> Scores:
        """Return the scores on the training and the held-out points, UNSCORED where these are not quick."""
        known = self._scored
        if known is not None and known[0] is state and known[1] == threshold:
            return known[2]
        if quick and self._scoring > QUICK_SCORING:
            return UNSCORED
        started = perf_counter()
        with cancellable(lambda: not wanted()):
            train = known_score(state, state.trained_on, threshold)
            held = score(state, self.job.held, threshold)
        self._scoring = perf_counter() - started
        self._scored = state, threshold, (train, held)
        return train, held

    def _frame(
        self, request: RenderRequest, scene: Scene | None = None, shown: ShownState | None = None
    ) -> Frame:
        recording, progress = self.recording, None if self.running else 1.0
        if self.running and recording.states:
            state = recording.states[-1]
            progress = guarded(state, "progress", lambda: state.progress, None)
        if self._history[0] != recording.taken:  # 10,000 steps take a millisecond
            losses, steps = np.array(recording.losses), np.array(recording.steps, dtype=np.int64)
            self._history = recording.taken, losses, steps, tuple(recording.states)
        _, losses, steps, states = self._history
        return Frame(
            self.job.token,
            request,
            scene,
            shown,
            count=len(recording.states),
            losses=losses,
            steps=steps,
            states=states,
            running=self.running,
            progress=progress,
            seconds=self.seconds,
            failure=self.failure,
            held=self.job.held,
        )
