"""Gaussian process classifiers by Laplace's approximation (Rasmussen and Williams 2006, ch. 3.4 and 5.5).

Newton's method climbs ln p(y | f) - f'K^-1 f / 2, with p(y = 1 | f) = 1 / (1 + e^-f). The coefficients c are
a = K^-1 f for the exact posterior, and w with f = F w in a span of inducing points. Each class has a process,
whose evidence may be maximised over its kernel.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import mean
from typing import NamedTuple, Self, TypeVar

import numpy as np
from numpy.random import Generator as Random

from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn.gaussian_processes.covariance import BoxBfgs, Covariance, maximise
from vizml.learn.gaussian_processes.posterior import (
    EXACT,
    MOST_INDUCING,
    ExactPosterior,
    Posterior,
    Span,
    cholesky_solve,
    factor,
    triangular_inverse,
)
from vizml.learn.training_data import TrainingData

MOST_STEPS, HALVINGS = 100, 20
CONVERGED = 1e-11
"""A relative rise of the objective below this ends Newton's method."""
MOST = 1000
"""Training points where inducing points do not pay: the cost grows with their cube."""
SLOW_TRIAL, SLOW_STEP = 300, 600
"""With more points each Newton step of a trial is shown, and each class steps by itself."""
SLACK = 1e-7
"""Share of any variance that inducing points may leave unexplained."""
LENGTHS, VARIANCES = (1e-3, 1e3), (1e-3, 1e5)
"""Ranges of the optimisation; lengths are multiples of the spread of the points."""


@dataclass(frozen=True, eq=False)
class Mode(ABC):
    """An iterate of Newton's method for targets y (0 or 1): the coefficients c, and f at the points."""

    y: Floats
    c: Floats
    f: Floats

    @cached_property
    def probabilities(self) -> Floats:
        """1 / (1 + e^-f)."""
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * self.f))

    @cached_property
    def roots(self) -> Floats:
        """Square roots of the curvatures W = p (1 - p) of -ln p(y | f)."""
        return np.asarray(0.5 / np.cosh(0.5 * np.clip(self.f, -700.0, 700.0)))

    @cached_property
    def objective(self) -> float:
        """ln p(y | f) - f'K^-1 f / 2."""
        likelihood = -np.logaddexp(0.0, np.where(self.y > 0, -self.f, self.f)).sum()
        return float(likelihood) - 0.5 * self.penalty

    @property
    def evidence(self) -> float:
        """The approximate log marginal likelihood around f."""
        return self.objective - 0.5 * self.log_determinant

    @property
    @abstractmethod
    def penalty(self) -> float:
        """f'K^-1 f."""

    @property
    @abstractmethod
    def log_determinant(self) -> float:
        """ln |I + K W|."""

    @abstractmethod
    def maximum(self) -> Self:
        """Return the maximum of the quadratic approximation of the objective."""

    @abstractmethod
    def posterior(self) -> Posterior:
        """Return the Gaussian approximation of the posterior."""

    def step(self) -> Self:
        """Take Newton's step, halved until the objective does not fall."""
        full = self.maximum()
        for halving in range(HALVINGS):
            share = 0.5**halving
            there = replace(self, c=self.c + share * (full.c - self.c), f=self.f + share * (full.f - self.f))
            if there.objective >= self.objective:
                return there
        return self


@dataclass(frozen=True, eq=False)
class ExactMode(Mode):
    """An iterate for all points X with their covariance matrix K."""

    covariance: Covariance
    X: Floats
    K: Floats

    @classmethod
    def start(cls, covariance: Covariance, X: Floats, K: Floats, y: Floats, a: Floats | None = None) -> Self:
        """Start at f = 0, or with the coefficients of a similar problem."""
        a = np.zeros(len(y)) if a is None else a
        return cls(y, a, K @ a, covariance, X, K)

    @cached_property
    def factor(self) -> Floats:
        """L where L L' = I + W^1/2 K W^1/2."""
        return factor(self.K, self.roots)

    @property
    def penalty(self) -> float:
        return float(self.c @ self.f)

    @property
    def log_determinant(self) -> float:
        return 2.0 * float(np.log(self.factor.diagonal()).sum())

    def maximum(self) -> Self:
        b = self.roots**2 * self.f + self.y - self.probabilities
        a = b - self.roots * cholesky_solve(self.factor, self.roots * (self.K @ b))
        return replace(self, c=a, f=self.K @ a)

    def posterior(self) -> ExactPosterior:
        return ExactPosterior(self.covariance, self.X, self.c, self.roots)

    def gradient(self) -> Floats:
        """Return the derivatives of the evidence by the logs of the covariance; the mode moves with them."""
        inner = triangular_inverse(self.factor) * self.roots
        R = inner.T @ inner
        C = inner @ self.K
        skew = self.roots**2 * (1.0 - 2.0 * self.probabilities)
        by_f = -0.5 * (self.K.diagonal() - (C * C).sum(axis=0)) * skew
        found = []
        for change in self.covariance.gradients(self.X, self.X):
            direct = 0.5 * self.c @ change @ self.c - 0.5 * float((R * change).sum())
            b = change @ (self.y - self.probabilities)
            found.append(float(direct + by_f @ (b - self.K @ (R @ b))))
        return np.array(found)


@dataclass(frozen=True, eq=False)
class SpannedMode(Mode):
    """An iterate in a span of inducing points: a logistic regression on its features."""

    span: Span

    @classmethod
    def start(cls, span: Span, y: Floats) -> Self:
        """Start at f = 0."""
        return cls(y, np.zeros(span.features.shape[1]), np.zeros(len(y)), span)

    @cached_property
    def precision(self) -> Floats:
        """P = I + F' W F."""
        return self.span.precision(self.probabilities * (1.0 - self.probabilities))

    @property
    def penalty(self) -> float:
        return float(self.c @ self.c)

    @property
    def log_determinant(self) -> float:
        return float(np.linalg.slogdet(self.precision)[1])

    def maximum(self) -> Self:
        F, p = self.span.features, self.probabilities
        pull = F.T @ (p * (1.0 - p) * self.f + self.y - p)
        w = np.asarray(np.linalg.solve(self.precision, pull), dtype=np.float64)
        return replace(self, c=w, f=F @ w)

    def posterior(self) -> Posterior:
        return self.span.posterior(self.c, self.precision)


M = TypeVar("M", bound=Mode)


def newton(mode: M) -> Iterator[M]:
    """Yield the iterates from a start to the mode.

    >>> X, y = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    >>> covariance = Covariance(("rbf",), 1.0, 1.0)
    >>> *_, last = newton(ExactMode.start(covariance, X, covariance(X, X), y))
    >>> last.f.round(4), round(last.evidence, 4)
    (array([-0.1792,  0.1792]), -1.511)
    """
    yield mode
    for _ in range(MOST_STEPS):
        check_cancelled()
        before, mode = mode, mode.step()
        if mode is not before:
            yield mode
        if mode.objective - before.objective <= CONVERGED * (1.0 + abs(mode.objective)):
            return


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
