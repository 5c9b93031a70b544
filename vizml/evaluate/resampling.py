"""Resampling: folds, bootstrap samples, fresh samples of a generator; bias and variance over refits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from vizml.data import Dataset, describe, parse_spec
from vizml.data.params import Value
from vizml.field.arrays import Floats, Ints
from vizml.learn import CannotLearn, Model, State, dataset_of, fit_data, task_of
from vizml.scene.typesetting import without_rounding

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from vizml.data import Split

Sampler: TypeAlias = Callable[[int], Dataset]
"""Gives the i-th fresh sample of the same source."""
STORED_SAMPLES = 1000
"""Bootstrap samples after which `bootstrap_sampler` repeats itself: more than any diagnostic draws."""


# -- samples --


def kfold(y: ArrayLike, k: int, seed: int = 0, stratified: bool = True) -> tuple[tuple[Ints, Ints], ...]:
    """Return K pairs of training and test indices; each row is tested once. K = n is leave-one-out."""
    number = fold_numbers(y, k, seed, stratified)
    everything = np.arange(len(number))
    return tuple((everything[number != i], everything[number == i]) for i in range(k))


def fold_numbers(y: ArrayLike, k: int, seed: int = 0, stratified: bool = True) -> Ints:
    """Return the fold, 0 to K - 1, of each row; sizes of folds, and of their classes, differ by at most 1."""
    labels = np.asarray(y)
    n = len(labels)
    if n < 2:
        raise ValueError(f"cross-validation needs at least 2 points with a target, not {n}")
    if not 2 <= k <= n:
        raise ValueError(f"the number of folds must be from 2 to the number of points, {n}, not {k}")
    shuffled = np.random.default_rng(seed).permutation(n)
    if stratified:
        shuffled = shuffled[np.argsort(labels[shuffled], kind="stable")]
    number = np.empty(n, dtype=np.int64)
    number[shuffled] = np.arange(n) % k
    return number


def bootstraps(n: int, draws: int, seed: int = 0, block: int = 1) -> Iterator[Ints]:
    """Yield samples of n indices with replacement; each contains about 63.2 % of the rows.

    Blocks of consecutive rows (moving blocks, Künsch, 1989) keep the dependence of rows in the order of time.
    """
    if n == 0:
        raise ValueError("the bootstrap needs at least one point")
    rng, block = np.random.default_rng(seed), min(block, n)
    for _ in range(draws):
        starts = rng.integers(0, n - block + 1, -(-n // block))
        yield (starts[:, None] + np.arange(block)).ravel()[:n]


def with_repeats(data: Dataset, rows: Ints) -> Dataset:
    """Return the rows of an index array; a repeated row becomes several rows with ids of their own."""
    others = tuple(column.take(rows) for column in data.others)
    return replace(
        data, points=data.points[rows], labels=data.labels[rows], ids=np.arange(len(rows)), others=others
    )


def bootstrap_sampler(data: Dataset, seed: int = 0) -> Sampler:
    """Return bootstrap samples of a data set, as a substitute for fresh samples."""
    samples = list(bootstraps(len(data), STORED_SAMPLES, seed))
    return lambda i: with_repeats(data, samples[i % len(samples)])


def generator_samplers(spec: str, split: Split) -> tuple[Sampler | None, Sampler | None]:
    """Return the samplers of a generator, with and without its noise; None where there is none.

    A sample has as many rows as the training part of the data, and other points of the same distribution.
    The noise of classes moves the inputs, so that only curves have a sampler without it.
    """
    try:
        name, options = parse_spec(spec)
        described = describe(name)
    except ValueError:
        return None, None
    values = described.values(**options)
    if described.fixed:  # measured data cannot be drawn again
        return None, None

    def draw(i: int, **other: Value) -> Dataset:
        return split.parts(described(i, **{**values, **other}))[0]

    return draw, (lambda i: draw(i, noise=0.0)) if described.task == "regress" else None


def fits(model: Model, samples: Iterator[Dataset], seed: int) -> Iterator[State]:
    """Yield the fit to each sample that can be learned from."""
    for sample in samples:
        try:
            yield fit_data(model, sample, seed)
        except CannotLearn:
            continue


# -- the bootstrap --


class Bootstrap(NamedTuple):
    """A statistic over bootstrap samples (draws, ...), and the share of the rows in a sample."""

    values: Floats
    share: float

    @property
    def error(self) -> Floats:
        """The standard error (n - 1)."""
        return np.asarray(self.values.std(axis=0, ddof=1))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Return the percentile interval."""
        tail = 50.0 * (1.0 - level)
        low, high = np.percentile(self.values, [tail, 100.0 - tail], axis=0)
        return low, high


def bootstrap(
    model: Model,
    X: ArrayLike,
    y: ArrayLike | None,
    statistic: Callable[[State], Sequence[float] | Floats],
    draws: int = 200,
    seed: int = 0,
    *,
    block: int = 1,
    unlabelled: object = None,
) -> Bootstrap:
    """Compute a statistic of the fitted states over bootstrap samples, of blocks for dependent rows."""
    data = dataset_of(task_of(model), X, y, unlabelled)
    samples = list(bootstraps(len(data), draws, seed, block))
    states = fits(model, (with_repeats(data, sample) for sample in samples), seed)
    share = float(np.mean([len(np.unique(sample)) / len(data) for sample in samples]))
    return Bootstrap(np.asarray([statistic(state) for state in states], dtype=np.float64), share)


# -- bias and variance --


@dataclass(frozen=True, eq=False)
class BiasVariance:
    """Of squared loss: bias^2 + variance + noise = mean squared error, over fresh test points.

    Of 0-1 loss (Domingos, 2000): bias is the loss of the main prediction, variance the share of fits that
    differ from it. A fit that differs from a wrong main prediction may be right: bias + net variance = error.
    """

    bias: float
    variance: float
    noise: float
    error: float
    standard_error: float
    """The standard error of the error over the test points."""
    states: tuple[State, ...]

    @property
    def net_variance(self) -> float:
        """The share of the error that is due to variance; negative where it corrects more than it spoils."""
        parts = np.array([self.error, -self.bias, -self.noise])
        return float(without_rounding(parts.sum(), parts))


def bias_variance(
    model: Model,
    draw: Sampler,
    draws: int = 50,
    truth: Callable[[Floats], Floats] | None = None,
    seed: int = 0,
) -> BiasVariance:
    """Estimate bias and variance over fits to fresh samples, evaluated on one more sample.

    For regression `truth` is the noiseless function, and each test point counts with its noise and with the
    opposite noise (antithetic variates), so that the terms add up. Without it the bias includes the noise.
    """
    states = tuple(fits(model, (draw(i) for i in range(draws)), seed))
    test = model.training_data(draw(draws))
    if not len(test):
        unknown = float("nan")
        return BiasVariance(unknown, unknown, unknown, unknown, unknown, states)
    predictions = np.array([state.coded(test.X) for state in states])
    if len(test.y):
        inputs = test.X[:, 0] if test.X.shape[1] == 1 else test.X
        return _squared_loss(
            states, predictions, test.y, test.y if truth is None else np.asarray(truth(inputs))
        )
    return _zero_one_loss(states, predictions, test.labels)


def _squared_loss(states: tuple[State, ...], predictions: Floats, y: Floats, truth: Floats) -> BiasVariance:
    mean, targets = predictions.mean(axis=0), np.stack([y, 2 * truth - y])
    losses = ((predictions[:, None] - targets) ** 2).mean(axis=(0, 1))
    return BiasVariance(
        bias=float(np.mean((mean - truth) ** 2)),
        variance=float(np.mean((predictions - mean) ** 2)),
        noise=float(np.mean((y - truth) ** 2)),
        error=float(losses.mean()),
        standard_error=_standard_error(losses),
        states=states,
    )


def _zero_one_loss(states: tuple[State, ...], predictions: Ints, labels: Ints) -> BiasVariance:
    classes = np.unique(predictions)
    counts = np.array([(predictions == label).sum(axis=0) for label in classes])
    main = classes[counts.argmax(axis=0)]
    losses = (predictions != labels).mean(axis=0)
    return BiasVariance(
        bias=float(np.mean(main != labels)),
        variance=float(np.mean(predictions != main)),
        noise=0.0,
        error=float(losses.mean()),
        standard_error=_standard_error(losses),
        states=states,
    )


def _standard_error(losses: Floats) -> float:
    return float(losses.std() / np.sqrt(max(len(losses) - 1, 1)))
