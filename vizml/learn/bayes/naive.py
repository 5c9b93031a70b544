"""Naive Bayes: score_k = ln pi_k + sum_j ln p_k(x_j), told from the first class's; an axis at a time."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn.priors import prior_shares
from vizml.learn.state import Classifier, Floats, Scale
from vizml.learn.training_data import TrainingData


@dataclass(frozen=True, eq=False, kw_only=True)
class NaiveClasses(Classifier):
    """Classes whose densities are products over the axes; the loss is -sum_i ln p(y_i | x_i)."""

    scale: ClassVar[Scale] = Scale.LOGIT
    priors: Floats
    axes: int
    """How many axes have been looked at: 0, 1 or 2."""

    @abstractmethod
    def log_likelihoods(self, axis: int, values: Floats) -> Floats:
        """ln p_k of values along an axis (K, n), but for what all classes share."""

    def scores(self, X: ArrayLike) -> Floats:
        points = np.asarray(X, dtype=np.float64)
        told = self._told(0, points[:, 0]) + self._told(1, points[:, 1]) + self._prior_odds
        return np.ascontiguousarray(told.T)

    def field(self, raster: Raster) -> Field:
        # pages of zeros cost nothing until they are written to
        out = np.zeros((len(self.classes), *raster.shape), dtype=np.float32)
        across = (self._told(0, raster.x) + self._prior_odds).astype(np.float32)
        down = self._told(1, raster.y).astype(np.float32)
        for plane, row, column in zip(out[1:], across[1:], down[1:]):
            np.add(column[:, None], row, out=plane)
        return out

    def _told(self, axis: int, values: Floats) -> Floats:
        if axis >= self.axes:
            return np.zeros((len(self.classes), len(values)))
        logs = self.log_likelihoods(axis, values)
        return np.asarray(logs - logs[0])

    @property
    def _prior_odds(self) -> Floats:
        return np.asarray(np.log(self.priors / self.priors[0])[:, None])


def log_loss(state: NaiveClasses, data: TrainingData) -> float:
    """-sum_i ln p(y_i | x_i)."""
    scores = state.scores(data.points)
    own = scores[np.arange(len(data)), np.searchsorted(state.classes, data.labels)]
    top = scores.max(axis=1)
    total = np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top
    return float((total - own).sum())


def class_shares(data: TrainingData, kind: str = "data") -> Floats:
    """How common each class is, in the data or all alike."""
    counts = np.array([np.count_nonzero(data.labels == label) for label in data.present], dtype=np.float64)
    return prior_shares(counts, kind)


def listed(data: TrainingData, figures: Floats) -> str:
    """One figure for each class in words."""
    return ", ".join(f"{data.name(int(label))} {figure:.3g}" for label, figure in zip(data.present, figures))
