"""What another sample would have given: bias, variance and noise, bootstrap errors and intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.evaluate.folds import bootstraps
from vizml.learn import REGRESS, CannotLearn, Classifier, Model, Regressor, State, dataset_of, fit_data

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]
Draw: TypeAlias = Callable[[int], Dataset]
"""Gives the i-th fresh sample of the same source."""


@dataclass(frozen=True, eq=False)
class BiasVariance:
    """Of squared loss: bias^2 + variance + noise = mean squared error, over fresh test points.

    Of 0-1 loss (Domingos): bias is the loss of the main prediction, variance the share of fits that part
    from it; the error is not their sum, because a fit that parts from a wrong main prediction may be right.
    """

    bias: float
    variance: float
    noise: float
    error: float
    states: tuple[State, ...]


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """A statistic over bootstrap samples (draws, ...), and the share of the points in a sample."""

    values: Floats
    share: float

    @property
    def error(self) -> Floats:
        """The standard error (n - 1)."""
        return np.asarray(self.values.std(axis=0, ddof=1))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """The percentile interval."""
        tail = 50.0 * (1.0 - level)
        low, high = np.percentile(self.values, [tail, 100.0 - tail], axis=0)
        return low, high


def bias_variance(
    model: Model, draw: Draw, draws: int = 50, truth: Callable[[Floats], Floats] | None = None, seed: int = 0
) -> BiasVariance:
    """Bias and variance over fits to fresh samples, judged on one more sample.

    For regression `truth` is the noiseless curve; without it noise counts as part of the bias.
    """
    states = tuple(_fits(model, (draw(i) for i in range(draws)), seed))
    test = draw(draws)
    if model.task is REGRESS:
        return _squared(states, test, truth)
    return _zero_one(states, test)


def resampled(data: Dataset, seed: int = 0) -> Draw:
    """Bootstrap samples of drawn points, to stand in for fresh ones."""
    samples = list(bootstraps(len(data), 1000, seed))

    def draw(i: int) -> Dataset:
        return _drawn(data, samples[i % len(samples)])

    return draw


def bootstrap(
    model: Model,
    X: ArrayLike,
    y: ArrayLike | None,
    statistic: Callable[[State], Sequence[float] | Floats],
    draws: int = 200,
    seed: int = 0,
) -> Bootstrap:
    """A statistic of what is learned, over bootstrap samples of the points."""
    data = dataset_of(model.task, X, y)
    samples = list(bootstraps(len(data), draws, seed))
    values = [statistic(state) for state in _fits(model, (_drawn(data, sample) for sample in samples), seed)]
    share = float(np.mean([len(np.unique(sample)) / len(data) for sample in samples]))
    return Bootstrap(np.asarray(values, dtype=np.float64), share)


def _drawn(data: Dataset, sample: NDArray[np.int64]) -> Dataset:
    """Points drawn more than once are several points, each with an id of its own."""
    return Dataset(data.points[sample], data.labels[sample], data.classes, data.axes)


def _fits(model: Model, samples: Iterator[Dataset], seed: int) -> Iterator[State]:
    for sample in samples:
        try:
            yield fit_data(model, sample, seed)
        except CannotLearn:
            continue


def _squared(
    states: tuple[State, ...], test: Dataset, truth: Callable[[Floats], Floats] | None
) -> BiasVariance:
    curves = np.array([state.predict(test.x) for state in states if isinstance(state, Regressor)])
    mean = curves.mean(axis=0)
    clean = test.y if truth is None else np.asarray(truth(test.x))
    return BiasVariance(
        bias=float(np.mean((mean - clean) ** 2)),
        variance=float(np.mean((curves - mean) ** 2)),
        noise=float(np.mean((test.y - clean) ** 2)),
        error=float(np.mean((curves - test.y) ** 2)),
        states=states,
    )


def _zero_one(states: tuple[State, ...], test: Dataset) -> BiasVariance:
    votes = np.array([state.predict(test.points) for state in states if isinstance(state, Classifier)])
    labels = np.unique(votes)
    counts = np.array([(votes == label).sum(axis=0) for label in labels])
    main = labels[counts.argmax(axis=0)]
    return BiasVariance(
        bias=float(np.mean(main != test.labels)),
        variance=float(np.mean(votes != main)),
        noise=0.0,
        error=float(np.mean(votes != test.labels)),
        states=states,
    )
