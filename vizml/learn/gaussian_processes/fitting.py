"""How a Gaussian process classifier is fitted: to its mode by Newton's steps, to its kernel by a climb."""

from __future__ import annotations

from collections.abc import Generator as Steps
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.random import Generator

from vizml.learn.gaussian_processes.climb import Climb, uphill
from vizml.learn.gaussian_processes.covariance import Covariance, squared_distances
from vizml.learn.gaussian_processes.laplace import Mode, newton, nowhere
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData

MOST = 1000
"""Points that are learned from where a few cannot tell the rest: the cost grows with their cube."""
MANY = 300
"""With more points a trial of the climb takes so long that its Newton steps are shown too."""
SEVERAL = 600
"""With more points a step takes so long that the processes are seen to step one after another."""
LENGTHS, VARIANCES = (1e-3, 1e3), (1e-3, 1e5)
"""What a climb may try: lengths as shares of the spread of the points."""


class Evident(Protocol):
    """A mode, or a step on the way to one."""

    @property
    def evidence(self) -> float:
        """The log marginal likelihood, as approximated around it."""


Peak = TypeVar("Peak", bound=Evident)


@dataclass(frozen=True, eq=False)
class Moment:
    """Where each process stands, and what has just happened."""

    covariances: tuple[Covariance, ...]
    modes: tuple[Mode, ...]
    note: str
    progress: float | None = None

    def with_one(self, k: int, covariance: Covariance, mode: Mode, note: str) -> Moment:
        """The same, one process elsewhere."""
        covariances, modes = list(self.covariances), list(self.modes)
        covariances[k], modes[k] = covariance, mode
        return Moment(tuple(covariances), tuple(modes), note)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The mode under one covariance."""

    covariance: Covariance
    mode: Mode
    squares: Floats

    @property
    def evidence(self) -> float:
        """The log marginal likelihood, as approximated around the mode."""
        return self.mode.evidence

    def slopes(self) -> Floats:
        """The evidence's by ln length and ln variance."""
        return self.mode.slopes(self.covariance, self.squares)


def few(data: TrainingData, rng: Generator) -> TrainingData:
    """The data, or so many of their points by chance as can be learned from; each class keeps its share."""
    if len(data) <= MOST:
        return data
    chosen = []
    for label in data.present:
        members = np.flatnonzero(data.labels == label)
        count = max(int(MOST * len(members) / len(data)), 1)
        chosen.append(rng.permutation(members)[:count])
    return data.take(np.sort(np.concatenate(chosen)))


def spread(points: Floats) -> float:
    """The standard deviation of the coordinates about their middle, and 1 without any."""
    deviation = float(np.sqrt(((points - points.mean(axis=0)) ** 2).mean()))
    return deviation if deviation > 1e-12 * float(np.abs(points).max()) else 1.0


def against(data: TrainingData) -> Ints:
    """The classes with a process: each against the rest, of two only the second."""
    return data.present[1:] if len(data.present) == 2 else data.present


def targets(data: TrainingData) -> list[Floats]:
    """1 for the points of each of those, 0 for the others."""
    return [(data.labels == label).astype(np.float64) for label in against(data)]


def fitted(data: TrainingData, covariance: Covariance, *, optimise: bool) -> Iterator[Moment]:
    """From f = 0 to the modes, and where that is wanted on to the kernels of the highest evidence."""
    squares = squared_distances(data.points, data.points)
    rows = against(data)
    K, moment = covariance.of(squares), Moment((), (), "")
    start = nowhere(K, targets(data)[0])
    paths = [newton(K, target, start) for target in targets(data)]
    for modes, note, progress in ascent(paths, apart=len(paths) > 1 and len(data) > SEVERAL):
        moment = Moment((covariance,) * len(modes), modes, note, progress)
        yield moment
    if not optimise:
        return
    scale = spread(data.points)
    for k, label in enumerate(rows):
        words = f"{data.name(int(label))} against the rest: " if len(rows) > 1 else ""
        for climbed in _uphill(moment, k, squares, scale, words):
            yield climbed
        moment = climbed
    yield replace(moment, note=_summary(moment), progress=1.0)


def ascent(
    paths: Sequence[Iterator[Peak]], *, apart: bool = False
) -> Iterator[tuple[tuple[Peak, ...], str, float | None]]:
    """All paths to their modes at once, a step of each at a time: where they are, a note, the progress.

    Where a step takes long, each of them is seen apart.
    """
    modes = [next(path) for path in paths]
    yield tuple(modes), f"start: f = 0 everywhere, {_evidence(modes)}", None
    step, before, going = 0, _total(modes), set(range(len(paths)))
    while going:
        for k in sorted(going):
            moved = next(paths[k], None)
            if moved is None:
                going.remove(k)
                continue
            modes[k] = moved
            if apart:
                words = f"Newton step {step + 1} of process {k + 1} of {len(paths)}"
                yield tuple(modes), f"{words}: {_rise(before, _total(modes))}", None
        now = _total(modes)
        if going:
            step += 1
            if not apart:
                yield tuple(modes), f"Newton step {step}: {_rise(before, now)}", None
        before = now
    yield tuple(modes), f"at the mode after {step} steps: {_evidence(modes)}", 1.0


def _uphill(moment: Moment, k: int, squares: Floats, scale: float, words: str) -> Iterator[Moment]:
    """The climb of one process over ln length and ln variance."""
    covariance, mode = moment.covariances[k], moment.modes[k]
    low, high = np.log([[scale * length, variance] for length, variance in zip(LENGTHS, VARIANCES)])
    start = np.log([covariance.length, covariance.variance])
    climb = Climb(start, np.minimum(low, start), np.maximum(high, start))
    reached = mode

    def visit(place: Floats) -> Steps[Moment, None, Fitted]:
        nonlocal reached
        length, variance = (float(value) for value in np.exp(place))
        trial = replace(covariance, length=length, variance=variance)
        reached = yield from _settled(moment, k, trial, squares, reached, words)
        return Fitted(trial, reached, squares)

    def risen(before: Fitted, now: Fitted) -> Moment:
        note = f"{words}{_words(before.covariance, now.covariance)}: {_rise(before.evidence, now.evidence)}"
        return moment.with_one(k, now.covariance, now.mode, note)

    best = yield from uphill(climb, visit, risen)
    end = f"{words}at the top after {climb.evaluations} trials"
    yield moment.with_one(k, best.covariance, best.mode, end)


def _settled(
    moment: Moment, k: int, trial: Covariance, squares: Floats, start: Mode, words: str
) -> Steps[Moment, None, Mode]:
    """The mode under another covariance, from the one before."""
    mode = start
    for step, mode in enumerate(newton(trial.of(squares), start.y, start)):
        if len(squares) > MANY:
            note = (
                f"{words}trying length {trial.length:.3g}, variance {trial.variance:.3g}, Newton step {step}"
            )
            yield moment.with_one(k, trial, mode, note)
    return mode


def _total(modes: Sequence[Evident]) -> float:
    return float(np.mean([mode.evidence for mode in modes]))


def _evidence(modes: Sequence[Evident]) -> str:
    mean = "mean " if len(modes) > 1 else ""
    return f"{mean}log marginal likelihood {_total(modes):.5g}"


def _rise(before: float, now: float) -> str:
    return f"log marginal likelihood {before:.5g} → {now:.5g}"


def _words(before: Covariance, now: Covariance) -> str:
    length = f"length {before.length:.3g} → {now.length:.3g}"
    return f"{length}, variance {before.variance:.3g} → {now.variance:.3g}"


def _summary(moment: Moment) -> str:
    kernels = ", ".join(f"length {c.length:.3g} and variance {c.variance:.3g}" for c in moment.covariances)
    return f"done: {kernels}; {_evidence(moment.modes)}"
