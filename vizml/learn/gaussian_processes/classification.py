"""Training of Gaussian process classifiers: Newton's method for each class, optimisation of its kernel."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from statistics import mean
from typing import NamedTuple

import numpy as np
from numpy.random import Generator as Random

from vizml.field.arrays import Floats
from vizml.learn.gaussian_processes.covariance import Covariance
from vizml.learn.gaussian_processes.laplace import ExactMode, Mode, SpannedMode, newton
from vizml.learn.gaussian_processes.optimise import BoxBfgs, maximise
from vizml.learn.gaussian_processes.posterior import EXACT, MOST_INDUCING, Span
from vizml.learn.training_data import TrainingData

MOST = 1000
"""Training points where inducing points do not pay: the cost grows with their cube."""
SLOW_TRIAL, SLOW_STEP = 300, 600
"""With more points each Newton step of a trial is shown, and each class steps by itself."""
SLACK = 1e-7
"""Share of any variance that inducing points may leave unexplained."""
LENGTHS, VARIANCES = (1e-3, 1e3), (1e-3, 1e5)
"""Ranges of the optimisation; lengths are multiples of the spread of the points."""


class TrainingStage(NamedTuple):
    """Modes of all processes after a training step; there are none while inducing points are selected."""

    modes: tuple[Mode, ...]
    note: str
    progress: float | None = None

    @property
    def evidence(self) -> float:
        """The mean log marginal likelihood of the processes."""
        return mean(mode.evidence for mode in self.modes)

    @property
    def figure(self) -> str:
        """The evidence in words."""
        return f"{'mean ' * (len(self.modes) > 1)}log marginal likelihood {self.evidence:.5g}"


def spread(X: Floats) -> float:
    """Return the standard deviation of all coordinates about their means, 1 if there is none."""
    deviation = float(np.sqrt(((X - X.mean(axis=0)) ** 2).mean()))
    return deviation if deviation > 1e-12 * float(np.abs(X).max()) else 1.0


def stratified_sample(data: TrainingData, rng: Random) -> TrainingData:
    """Return the data, or at most `MOST` random points in which each class keeps its share."""
    if len(data) <= MOST:
        return data
    chosen = []
    for label in data.present:
        members = np.flatnonzero(data.labels == label)
        chosen.append(rng.permutation(members)[: max(MOST * len(members) // len(data), 1)])
    return data.take(np.sort(np.concatenate(chosen)))


def train(
    data: TrainingData, covariance: Covariance, rng: Random, *, optimise: bool
) -> Iterator[TrainingStage]:
    """Yield the stages of a one-against-rest classifier; of two classes only the second has a process."""
    n, span, preface = len(data), None, ""
    if n > EXACT and not optimise:
        span = yield from _selected(covariance, data.X, min(MOST_INDUCING, n // 2))
    if span is None and n > MOST:
        data = stratified_sample(data, rng)
        preface = f"{len(data):,} of {n:,} points (the cost grows with their cube); "
    elif span is not None:
        preface = f"{len(span.inducing)} inducing points for {n:,} points; "
    X, rows = data.X, data.present[1:] if len(data.present) == 2 else data.present
    K = np.empty((0, 0)) if span else covariance(X, X)
    modes: list[Mode] = []
    for label in rows:
        y = (data.labels == label).astype(np.float64)
        modes.append(SpannedMode.start(span, y) if span else ExactMode.start(covariance, X, K, y))
    for stage in _converged(modes, one_by_one=len(modes) > 1 and len(X) > SLOW_STEP):
        yield stage._replace(note=preface + stage.note)
    if optimise:
        for k, label in enumerate(rows):
            name = f"{data.name(int(label))} against the rest: " if len(rows) > 1 else ""
            for climbed in _optimised(stage, k, name):
                yield climbed._replace(note=preface + climbed.note)
            stage = climbed
        kernels = ", ".join(_kernel(mode.posterior().covariance) for mode in stage.modes)
        yield stage._replace(note=f"{preface}optimised: {kernels}; {stage.figure}", progress=1.0)


def _selected(covariance: Covariance, X: Floats, most: int) -> Generator[TrainingStage, None, Span | None]:
    """Select inducing points, with reports where there are many points."""
    search = Span.search(covariance, X, SLACK * covariance.variance, most)
    while True:
        try:
            count = next(search)
        except StopIteration as end:
            found: Span | None = end.value
            return found
        if len(X) > MOST:
            yield TrainingStage((), f"selecting inducing points for {len(X):,} points: {count} so far")


def _converged(modes: Sequence[Mode], *, one_by_one: bool) -> Iterator[TrainingStage]:
    """Take Newton's steps of all processes in parallel; show each of them where steps take long."""
    paths = [newton(mode) for mode in modes]
    stage = TrainingStage(tuple(next(path) for path in paths), "")
    yield stage._replace(note=f"f = 0 everywhere: {stage.figure}")
    step, before, active = 0, stage.evidence, set(range(len(paths)))
    while active:
        for k in sorted(active):
            moved = next(paths[k], None)
            if moved is None:
                active.remove(k)
                continue
            stage = TrainingStage((*stage.modes[:k], moved, *stage.modes[k + 1 :]), "")
            if one_by_one:
                which = f"Newton step {step + 1} of process {k + 1} of {len(paths)}"
                yield stage._replace(note=f"{which}: {_rise(before, stage.evidence)}")
        if active:
            step += 1
            if not one_by_one:
                yield stage._replace(note=f"Newton step {step}: {_rise(before, stage.evidence)}")
        before = stage.evidence
    yield stage._replace(note=f"converged after {step} Newton steps: {stage.figure}", progress=1.0)


def _optimised(stage: TrainingStage, k: int, name: str) -> Iterator[TrainingStage]:
    """Maximise the evidence of one process over ln length and ln variance."""
    reached, posterior = stage.modes[k], stage.modes[k].posterior()
    X, y = posterior.points, reached.y
    low, high = np.log([[spread(X) * a, v] for a, v in zip(LENGTHS, VARIANCES)])
    search = BoxBfgs(posterior.covariance.logs, low, high)

    def with_one(mode: Mode, note: str) -> TrainingStage:
        return TrainingStage((*stage.modes[:k], mode, *stage.modes[k + 1 :]), name + note)

    def evaluate(logs: Floats) -> Generator[TrainingStage, None, ExactMode]:
        nonlocal reached
        trial = posterior.covariance.with_logs(logs)
        start = mode = ExactMode.start(trial, X, trial(X, X), y, reached.c)
        for step, mode in enumerate(newton(start)):
            if len(X) > SLOW_TRIAL:
                yield with_one(mode, f"trial with {_kernel(trial)}, Newton step {step}")
        reached = mode
        return mode

    def improved(before: ExactMode, after: ExactMode) -> TrainingStage:
        return with_one(after, f"{_kernel(after.covariance)}: {_rise(before.evidence, after.evidence)}")

    best = yield from maximise(search, evaluate, improved)
    yield with_one(best, f"maximum after {search.evaluations} evaluations")


def _kernel(covariance: Covariance) -> str:
    return f"length {covariance.length:.3g}, variance {covariance.variance:.3g}"


def _rise(before: float, after: float) -> str:
    return f"log marginal likelihood {before:.5g} → {after:.5g}"
