"""One-vs-one voting: scores of classes from the decision functions of all pairs of classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=np.floating)


def one_vs_one_scores(decisions: NDArray[F], pairs: Sequence[tuple[int, int]], classes: int) -> NDArray[F]:
    """The scores (K, ...) from decisions (P, ...) that are positive for the first class of a pair.

    The score of a class is its smallest margin, min_j f_kj: a class that wins against every other leads the
    next by at least 2 f. If there is none, votes decide as in LIBSVM (the first of equals), and the elected
    class gets the highest score. Pairs without a decision yet count as ties.

    >>> one_vs_one_scores(np.array([[2.0], [0.5], [1.0]]), [(0, 1), (0, 2), (1, 2)], 3)[:, 0]
    array([ 0.5, -2. , -1. ])
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
    """Give the highest score to the class with most votes, where no class wins against every other."""
    undecided = np.flatnonzero(scores.max(axis=0) <= 0)
    votes = np.zeros((len(scores), len(undecided)), dtype=np.int16)
    for decision, (first, second) in zip(decisions, pairs):
        wins = decision[undecided] > 0
        votes[first] += wins
        votes[second] += ~wins
    elected, best = votes.argmax(axis=0), scores[:, undecided].argmax(axis=0)
    scores[elected, undecided], scores[best, undecided] = scores[best, undecided], scores[elected, undecided]
