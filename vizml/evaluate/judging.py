"""How good predictions are, in one figure: the share that is right, the variance that is explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.evaluate.confusion import same_length
from vizml.field.cancellation import check_cancelled
from vizml.learn import Classifier, Regressor

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from vizml.data import Dataset
    from vizml.learn import State

Floats: TypeAlias = NDArray[np.float64]
Answers: TypeAlias = NDArray[Any]
PART = 16_384
"""So many points are judged at once."""


def accuracy(y: ArrayLike, predicted: ArrayLike) -> float:
    """The share of predictions that are right."""
    truth, guess = same_length(y, predicted)
    return float(np.mean(truth == guess))


def r2(y: ArrayLike, predicted: ArrayLike) -> float:
    """1 - RSS / TSS: the share of the variance that is explained; not a number for a constant y."""
    truth, guess = same_length(y, predicted)
    values, fitted = truth.astype(np.float64), guess.astype(np.float64)
    residual = float(np.sum((values - fitted) ** 2))
    total = float(np.sum((values - values.mean()) ** 2))
    if total == 0.0:
        return 1.0 if residual == 0.0 else float("nan")
    return 1.0 - residual / total


def score(state: State, data: Dataset, threshold: float = 0.0) -> float | None:
    """Accuracy of a classifier, R2 of a regression, on data of known truth; None for other states."""
    if isinstance(state, Classifier):
        known = data if (data.labels >= 0).all() else data.take(data.labels >= 0)
        if not len(known):
            return None
        guesses = _in_parts(lambda points: decided(state, points, threshold), known.points)
        return accuracy(known.labels, guesses)
    if isinstance(state, Regressor) and len(data):
        value = r2(data.y, _in_parts(state.predict, data.x))
        return value if np.isfinite(value) else None
    return None


def _in_parts(ask: Callable[[Floats], Answers], places: Floats) -> Answers:
    """The answers at many places, in parts of such as lie together: those ask the same few neighbours."""
    if len(places) <= PART:  # as the array that it is: a state may know its answers for what it learned from
        return ask(places)
    order = places.reshape(len(places), -1)[:, 0].argsort(kind="stable")
    parts = []
    for start in range(0, len(places), PART):
        check_cancelled()
        parts.append(ask(places[order[start : start + PART]]))
    found = np.concatenate(parts)
    found[order] = found.copy()
    return found


def decided(state: Classifier, points: ArrayLike, threshold: float = 0.0) -> NDArray[np.int64]:
    """The predictions, where the second of two classes must lead the first by a threshold to win."""
    if threshold == 0.0 or len(state.classes) != 2:
        return state.predict(points)
    scores = state.scores(points)
    second = scores[:, 1] - scores[:, 0] >= threshold
    labels: NDArray[np.int64] = state.classes[second.astype(np.int64)]
    return labels


def against_rest(state: Classifier, points: Floats) -> Iterator[tuple[int, Floats]]:
    """The class that counts as positive and the score for it: of two the second, of more each by turns.

    The score is what the class leads the best of the others by.
    """
    scores = state.scores(points)
    if len(state.classes) == 2:
        yield int(state.classes[1]), scores[:, 1] - scores[:, 0]
        return
    for k, label in enumerate(state.classes):
        others = np.delete(scores, k, axis=1).max(axis=1)
        yield int(label), scores[:, k] - others
