"""Collinearity of inputs: correlations, and variance inflation factors 1 / (1 - R^2)."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.scaling import OneHotCoding, Standardisation
from vizml.learn.training_data import TrainingData

DEPENDENT = 1e-12
"""A share of unexplained variance below it is rounding: the input depends linearly on the others."""


def numeric_inputs(data: TrainingData) -> tuple[tuple[str, ...], Floats]:
    """Return the names and values (n, m) of numeric inputs and indicators of categories but the first."""
    if len(data) < 2:
        raise ValueError("correlations need at least two points")
    if not any(data.categories):
        return data.columns, data.X
    coding = OneHotCoding(data.categories, reference=True)
    return coding.columns(data.columns), coding.transform(data.X)


def correlations(columns: Floats) -> Floats:
    """Return Pearson's correlations (m, m) of columns (n, m); NaN for a column of equal values."""
    z = Standardisation.of(columns).transform(columns)
    z[:, np.ptp(columns, axis=0) == 0] = np.nan
    return np.clip(z.T @ z / max(len(z), 1), -1.0, 1.0)


def variance_inflation(columns: Floats) -> Floats:
    """Return 1 / (1 - R²) of each column (n, m) regressed on the others; infinite where they determine it.

    NaN for a column of equal values.
    """
    z = Standardisation.of(columns).transform(columns)
    found = np.full(z.shape[1], np.nan)
    for j in np.flatnonzero(np.ptp(columns, axis=0) > 0):
        others = np.delete(z, j, axis=1)
        left = z[:, j] - others @ np.linalg.lstsq(others, z[:, j], rcond=None)[0]
        unexplained = float(left @ left) / float(z[:, j] @ z[:, j])
        found[j] = 1 / unexplained if unexplained > DEPENDENT else np.inf
    return found
