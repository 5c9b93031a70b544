"""Figures beside a score: the majority-class baseline, or MSE, RMSE, r and TSS of a regression."""

from __future__ import annotations

import math

import numpy as np

from vizml.data import Dataset
from vizml.learn import State, TrainingData


def part_figures(state: State, held: Dataset | None = None) -> dict[str, float]:
    """Return the figures of the training rows, and of held-out rows with known targets.

    The baseline is the accuracy of predicting the most frequent class of the training rows everywhere.
    """
    parts = {"train": state.trained_on}
    if held is not None and len(held):
        parts["held out"] = state.training_data(held)
    return {
        f"{figure}, {name}": value
        for name, data in parts.items()
        for figure, value in target_figures(state, data).items()
        if math.isfinite(value)
    }


def target_figures(state: State, data: TrainingData) -> dict[str, float]:
    """Return the figures of rows: the baseline of classes; of numbers mean squared errors, r and TSS."""
    if not len(data):
        return {}
    if len(data.labels):
        majority = np.bincount(state.trained_on.labels).argmax()
        return {"baseline": float(np.mean(data.labels == majority))}
    if not len(data.y):
        return {}
    predicted, y = np.asarray(state.coded(data.X), dtype=np.float64), data.y
    mse = float(np.mean((y - predicted) ** 2))
    varies = np.ptp(y) > 0 and np.ptp(predicted) > 0
    r = float(np.corrcoef(y, predicted)[0, 1]) if varies else math.nan
    return {"MSE": mse, "RMSE": math.sqrt(mse), "r": r, "TSS": float(((y - y.mean()) ** 2).sum())}
