"""Data for tests of boosting in the form of the reference libraries, and rasters with exact sums."""

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml.field import Raster


def single(points):
    """As the references see them: in single precision."""
    return np.asarray(points).astype(np.float32).astype(np.float64)


FEW = np.flatnonzero((moons(300)[1] == 0) | (np.arange(300) % 9 == 0))
DATA = {
    "moons": (single(moons(300)[0]), moons(300)[1]),
    "three blobs": (single(blobs(240)[0]), blobs(240)[1]),
    "imbalanced": (single(moons(300)[0])[FEW], moons(300)[1][FEW]),
    "tiny": (
        np.array([[0.0, 0.1], [1.0, 0.5], [0.2, 1.0], [2.0, 1.1], [3.1, 0.3]]),
        np.array([0, 1, 0, 1, 1]),
    ),
}
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def rasters(tree, X):
    """On the thresholds of a tree, and around the middle of the points at many zooms."""
    yield Raster(*(np.sort(tree.threshold[tree.feature == axis]) for axis in (0, 1)))
    for zoom in (1.0, 1e-2, 1e-5):
        (left, bottom), (right, top) = X.mean(axis=0) - 2 * zoom, X.mean(axis=0) + 2 * zoom
        yield Raster.over((left, right, bottom, top), 41, 33)
