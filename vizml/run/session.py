"""Sessions: one job from its first step to its last frame, trained in slices, recorded and composed."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import TypeAlias

from vizml.evaluate import score
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import CannotLearn, State
from vizml.learn.model import run
from vizml.run.compose import coarse, compose, view_of
from vizml.run.errors import guarded, report
from vizml.run.frame import Failure, Frame, Job, ShownState
from vizml.run.layers import LayerContext, LineCache, with_layers
from vizml.run.pacing import COARSE, FIRST, LONG_WAIT, ROUGH, SHORT_WAIT, RenderPacing
from vizml.run.recording import Recording
from vizml.run.request import RenderRequest
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
        self._source: Iterator[State] | None = None
        self._taken = 0
        self._drawn: State | None = None
        """The state of the last exact picture, which moves along with the view until the next one."""
        self._scored: tuple[State, float, Scores] | None = None
        self._scoring = 0.0 if len(job.train) + len(job.held) <= QUICK_POINTS else math.inf

    def advance(self, seconds: float) -> bool:
        """Train for some time, at least one step; return whether there is anything new."""
        before, started = self._taken, perf_counter()
        while self.running and perf_counter() < started + seconds:
            self._step()
        self.seconds += perf_counter() - started
        return self._taken != before or not self.running

    def cancel(self) -> None:
        """Stop training; the recording stays."""
        self.running = False
        self._source = None

    def frames(self, request: RenderRequest, wanted: Wanted) -> Iterator[Frame]:
        """Yield the frames of a request: coarse previews first where the exact picture takes long.

        Exact pictures and scores are abandoned when they are no longer wanted.
        """
        if not len(self.recording):
            yield self._frame(request)
            return
        last = len(self.recording) - 1
        index = last if request.step is None else min(request.step, last)
        state = self.recording[index]
        try:
            for scene in self._scenes(state, request, wanted):
                scores = self._scores(state, request, wanted)
                yield self._frame(request, scene, ShownState(index, state, *scores))
            if scores == UNSCORED and not self.running:
                scores = self._scored_now(state, request, wanted)
                yield self._frame(request, scene, ShownState(index, state, *scores))
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 (an error of a model ends its run, not the program)
            self._fail(error)
            yield self._frame(request)

    def _step(self) -> None:
        try:
            if self._source is None:
                self._source = run(
                    self.job.model, self.job.train, self.job.seed, standardise=self.job.standardise
                )
            state = next(self._source, None)
        except Exception as error:  # noqa: BLE001 (an error of a model ends its run, not the program)
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
        report(self.job.model, "run", error)
        sentence = f"{self.job.model.title} stopped: {str(error) or type(error).__name__}"
        self.failure = Failure(sentence, "".join(traceback.format_exception(error)))

    def _scenes(self, state: State, request: RenderRequest, wanted: Wanted) -> Iterator[Scene]:
        quick = replace(request, layers=tuple(layer for layer in request.layers if layer.quick))
        for scene in self._previews(state, request, LONG_WAIT if state is self._drawn else SHORT_WAIT):
            yield self._layered(scene, state, quick)
        with cancellable(lambda: not wanted()):
            scene = compose(self.job.train, state, request, pacing=self._pacing)
            self._drawn = state
            scene = self._layered(scene, state, request)
        yield scene

    def _layered(self, scene: Scene, state: State, request: RenderRequest) -> Scene:
        context = LayerContext(view_of(state, request), request.viewport.raster, request.look, self._cache)
        return with_layers(scene, request.layers, context)

    def _previews(self, state: State, request: RenderRequest, wait: float) -> Iterator[Scene]:
        """Yield coarse scenes where the exact one takes long, or may take long."""

        def made(stride: int) -> Scene:
            return coarse(self.job.train, state, request, pacing, stride)

        pacing, pixels = self._pacing, request.viewport.pixels
        if pacing.unknown:
            scene = made(ROUGH)
            if pacing.preview_seconds(COARSE, pixels) <= FIRST:
                scene = made(COARSE)
            if pacing.slow(pixels, wait):
                yield scene
        elif pacing.slow(pixels, wait):
            yield from map(made, pacing.strides(pixels))

    def _scores(self, state: State, request: RenderRequest, wanted: Wanted) -> Scores:
        """Return the scores of a state where they are known or quick to compute."""
        known = self._scored
        if known is not None and known[0] is state and known[1] == request.look.threshold:
            return known[2]
        return UNSCORED if self._scoring > QUICK_SCORING else self._scored_now(state, request, wanted)

    def _scored_now(self, state: State, request: RenderRequest, wanted: Wanted) -> Scores:
        """Compute the scores on the training and the held-out points."""
        started, threshold = perf_counter(), request.look.threshold
        with cancellable(lambda: not wanted()):
            train, held = (score(state, part, threshold) for part in (self.job.train, self.job.held))
        self._scoring = perf_counter() - started
        self._scored = state, threshold, (train, held)
        return train, held

    def _frame(
        self, request: RenderRequest, scene: Scene | None = None, shown: ShownState | None = None
    ) -> Frame:
        return Frame(
            token=self.job.token,
            request=request,
            scene=scene,
            shown=shown,
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
