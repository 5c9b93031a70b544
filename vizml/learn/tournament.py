"""From the decisions of pairs of classes to a score for each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=np.floating)


def tournament(decisions: NDArray[F], pairs: Sequence[tuple[int, int]], classes: int) -> NDArray[F]:
    """The scores (K, ...) from decisions (P, ...), positive where the first of a pair wins; later pairs tie.

    The score of a class is its narrowest result, min_j f_kj: the class that beats every other leads the next
    by 2 f at least. Where none beats every other, votes decide as in LIBSVM, the first of equals winning,
    and that class takes the highest score.
    """
    scores = np.full((classes, *decisions.shape[1:]), np.inf, dtype=decisions.dtype)
    for pair in pairs[len(decisions) :]:
        scores[list(pair)] = 0.0
    for decision, (first, second) in zip(decisions, pairs):
        np.minimum(scores[first], decision, out=scores[first])
        np.minimum(scores[second], -decision, out=scores[second])
    if len(decisions) == len(pairs):
        _vote(decisions.reshape(len(pairs), -1), pairs, scores.reshape(classes, -1))
    return scores


def _vote(decisions: NDArray[F], pairs: Sequence[tuple[int, int]], scores: NDArray[F]) -> None:
    """Swap the highest score to the class with most votes, where no class beats every other."""
    undecided = np.flatnonzero(scores.max(axis=0) <= 0)
    votes = np.zeros((len(scores), len(undecided)), dtype=np.int16)
    for decision, (first, second) in zip(decisions, pairs):
        wins = decision[undecided] > 0
        votes[first] += wins
        votes[second] += ~wins
    elected, best = votes.argmax(axis=0), scores[:, undecided].argmax(axis=0)
    scores[elected, undecided], scores[best, undecided] = scores[best, undecided], scores[elected, undecided]
