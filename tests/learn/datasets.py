"""Data sets that every model must handle, small and awkward."""

import numpy as np
from sklearn.datasets import make_blobs, make_moons

from vizml.data import Dataset
from vizml.field import Raster
from vizml.learn import TrainingData


def moons(n=80, noise=0.25, seed=0):
    return make_moons(n, noise=noise, random_state=seed)


def blobs(n=90, centers=3, seed=1):
    return make_blobs(n, centers=centers, cluster_std=2.0, random_state=seed)[:2]


def unlabelled(X):
    """Training data without targets, for any number of inputs."""
    return TrainingData(X, columns=tuple(f"x{j}" for j in range(X.shape[1])))


def _scaled(factor):
    points, labels = moons(40)
    return Dataset(points * factor, labels)


def _line():
    along = np.linspace(-1, 1, 12)
    return Dataset(np.column_stack([along, 2 * along + 1]), np.arange(12) % 2)


def _upright():
    return Dataset(np.column_stack([np.full(10, 3.0), np.arange(10.0)]), (np.arange(10) > 4).astype(int))


def _far():
    points, labels = moons(40)
    return Dataset(points + 1e6, labels)


AWKWARD = {
    "one point": Dataset([[1.0, 2.0]], [0]),
    "one point of each class": Dataset([[0.0, 0.0], [1.0, 1.0]], [0, 1]),
    "one class": Dataset([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]], [0, 0, 0]),
    "duplicates": Dataset(
        np.repeat([[0.0, 1.0], [2.0, 3.0], [4.0, 1.0]], 5, axis=0), np.repeat([0, 1, 0], 5)
    ),
    "all in one place": Dataset(np.ones((8, 2)), np.arange(8) % 2),
    "both classes on each point": Dataset(np.repeat([[0.0, 0.0], [1.0, 0.5]], 4, axis=0), np.arange(8) % 2),
    "collinear": _line(),
    "upright": _upright(),
    "far from the origin": _far(),
    "1e12-sized": _scaled(1e12),
    "1e-12-sized": _scaled(1e-12),
    "separable": Dataset([[0, 0], [0, 1], [1, 0], [4, 4], [4, 5], [5, 4]], [0, 0, 0, 1, 1, 1]),
    "one point against many": Dataset(np.vstack([moons(30)[0], [[3.0, 3.0]]]), [0] * 30 + [1]),
    "classes 2, 5 and 7": Dataset(blobs(45)[0], np.array([2, 5, 7])[blobs(45)[1]]),
    "some unlabelled": Dataset(moons(40)[0], np.where(np.arange(40) % 5, moons(40)[1], -1)),
    "eight classes": Dataset(*blobs(64, centers=8)),
}
ORDINARY = {"two classes": Dataset(*moons()), "three classes": Dataset(*blobs())}
EVERY = AWKWARD | ORDINARY
FEW_POINTS = {
    "imbalanced": (moons(150)[0], (np.arange(150) % 9 == 0).astype(int)),
    "tiny": (
        np.array([[0.0, 0.1], [1.0, 0.5], [0.2, 1.0], [2.0, 1.1], [3.1, 0.3]]),
        np.array([0, 1, 0, 1, 1]),
    ),
}
"""Points and labels of few points or of few in a class."""


def around(X, width=40, height=30, margin=1.0):
    """A raster around points."""
    (left, bottom), (right, top) = X.min(axis=0) - margin, X.max(axis=0) + margin
    return Raster.over((left, right, bottom, top), width, height)
