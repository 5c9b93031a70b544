"""Initial centroids of k-means and EM: distinct points at random, or k-means++ (P(x) ~ min_k |x - c_k|^2)."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats

DISTINCT_SAMPLE = 8
"""Random points inspected per centroid before all points are searched for distinct ones."""


def initial_centroids(X: Floats, k: int, init: str, rng: Generator) -> Floats:
    """Choose at most k distinct points (k, d), by the method `init` ("random" or "kmeans++")."""
    return random_centroids(X, k, rng) if init == "random" else kmeans_plus_plus(X, k, rng)


def random_centroids(X: Floats, k: int, rng: Generator) -> Floats:
    """Choose k distinct points at random, fewer if there are fewer."""
    shuffled = X[rng.permutation(len(X))]
    first = np.empty(0, dtype=np.int64)
    for size in (DISTINCT_SAMPLE * k, len(X)):
        if len(first) < k:
            first = np.unique(shuffled[:size], axis=0, return_index=True)[1]
    return np.asarray(shuffled[np.sort(first)[:k]])


def kmeans_plus_plus(X: Floats, k: int, rng: Generator) -> Floats:
    """Choose at most k distinct points, each with probability proportional to its squared distance D^2.

    As in scikit-learn, the best of 2 + log k candidates is kept each time (greedy k-means++).
    """
    centroids = X[rng.integers(len(X), size=1)]
    squared = squared_distances(X, centroids)
    trials = 2 + int(np.log(k))
    while len(centroids) < k and squared.any():
        cumulative = np.cumsum(squared)
        drawn = cumulative.searchsorted(rng.random(trials) * cumulative[-1], side="right")
        candidates = X[np.minimum(drawn, len(X) - 1)]
        reduced = np.minimum(squared, squared_distances(X, candidates))
        best = int(reduced.sum(axis=1).argmin())
        centroids, squared = np.vstack([centroids, candidates[best]]), reduced[best : best + 1]
    return np.asarray(centroids)


def squared_distances(X: Floats, points: Floats) -> Floats:
    """|x - p|^2 of each point and each row of X (len(points), n)."""
    return np.asarray(sum((x - p[:, None]) ** 2 for x, p in zip(X.T, points.T)))
