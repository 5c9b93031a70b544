"""Principal components of the inputs as the axes of the canvas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vizml.data.columns import Floats
from vizml.data.dataset import Dataset

LEAST = 3
"""Fewest inputs whose principal components are offered: two are shown as they are."""


def has_components(dataset: Dataset, inputs: Sequence[str]) -> bool:
    """Whether inputs have principal components to show: at least two of several are numbers."""
    numbers = sum(not dataset.column(name).categories for name in inputs)
    return len(inputs) >= LEAST and numbers >= 2 and len(dataset) > 0


def with_components(dataset: Dataset, inputs: Sequence[str]) -> Dataset:
    """Return the data set with the plane along the first two principal components of inputs as its axes.

    The plane goes through the mean, and stays where it is while rows are edited. The components are those of
    the covariance in data units: inputs are not standardised. Of categories the most frequent one is held.
    """
    plane = np.zeros((3, len(inputs)))
    categorical = np.array([len(dataset.column(name).categories) > 0 for name in inputs])
    plane[0, categorical] = [dataset.median(name) for name, held in zip(inputs, categorical) if held]
    X = dataset.matrix(inputs)[:, ~categorical]
    X = X[~np.isnan(X).any(axis=1)]
    plane[0, ~categorical], plane[1:, ~categorical] = X.mean(axis=0), principal_directions(X)
    plane.flags.writeable = False
    return replace(dataset, plane=plane)


def principal_directions(X: Floats) -> Floats:
    """Return the two directions (2, d) of largest variance, the largest entry of each positive."""
    directions: Floats = np.linalg.eigh(np.cov(X.T, bias=True))[1].T[:-3:-1]
    largest = np.abs(directions).argmax(axis=1)
    return directions * np.sign(directions[[0, 1], largest])[:, None]
