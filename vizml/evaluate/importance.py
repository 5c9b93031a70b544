"""Importance of inputs: by permutation of their values, and by the impurity that splits of trees remove."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from vizml.evaluate.metrics import known_score
from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn import State, TrainingData
from vizml.learn.coded import CodedState
from vizml.learn.ensembles.tree_sum import TreeSumState
from vizml.learn.trees.tree_state import TreeState


def permutation_importances(state: State, data: TrainingData, rng: Generator) -> Iterator[Floats]:
    """Yield the decrease of the score (d,) when the values of each input are permuted, again and again.

    Nothing is yielded where the score is not defined, as R² is for equal targets.
    """
    whole = known_score(state, data)
    while whole is not None:
        found = np.empty(data.X.shape[1])
        for j in range(len(found)):
            check_cancelled()
            X = data.X.copy()
            X[:, j] = rng.permutation(X[:, j])
            found[j] = whole - (known_score(state, replace(data, X=X)) or 0.0)
        yield found


def impurity_importances(state: State) -> Floats | None:
    """Return the share (d,) of each input in the impurity that splits remove; None for other models.

    That of a category is the sum of its indicators'.
    """
    if isinstance(state, CodedState):
        inner = impurity_importances(state.inner)
        return None if inner is None else np.add.reduceat(inner, state.coding.starts)
    return state.importances if isinstance(state, TreeState | TreeSumState) else None
