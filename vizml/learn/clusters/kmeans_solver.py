"""k-means by Lloyd's algorithm, of which no step increases J = sum_i min_k |x_i - c_k|^2: assignment (each
point to its nearest centroid), and update (each centroid to the mean of its points). With the L1 distance, J
is the sum of distances, and medians of coordinates replace the mean (k-medians).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.field.metrics import METRICS

MAX_ITERATIONS = 300
"""Guard only: Lloyd's algorithm terminates by itself, in practice after a few dozen iterations."""


class LloydStep(NamedTuple):
    """Result of a half-step; `changed` counts relocated clusters (update) or reassigned points (assign)."""

    phase: str
    iteration: int
    centroids: Floats
    labels: Ints
    changed: int
    converged: bool = False


def lloyd(X: Floats, centroids: Floats, metric: str = "l2") -> Iterator[LloydStep]:
    """Run Lloyd's algorithm from initial centroids (k, d) until no point changes its cluster.

    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0], [10.0, 0.0]])
    >>> *_, last = lloyd(X, centroids=X[:2])
    >>> last.centroids[:, 0].tolist(), last.labels.tolist()
    ([0.5, 9.5], [0, 0, 1, 1])
    """
    labels = assign(X, centroids, metric)
    yield LloydStep("start", 0, centroids, labels, 0)
    for t in range(1, MAX_ITERATIONS + 1):
        centroids, labels, relocated = update(X, centroids, labels, metric)
        yield LloydStep("update", t, centroids, labels, relocated)
        previous, labels = labels, assign(X, centroids, metric)
        changed = int(np.count_nonzero(labels != previous))
        yield LloydStep("assign", t, centroids, labels, changed, not changed or t == MAX_ITERATIONS)
        if not changed:
            return


def closeness(X: Floats, centroids: Floats, metric: str = "l2") -> Floats:
    """Scores (n, k), highest for the nearest centroid: by L2, 2 c.x - |c|^2 = |x|^2 - |x - c|^2."""
    if metric != "l2":
        return -METRICS[metric].ranks(X, centroids)
    scores = (2.0 * centroids) @ X.T
    scores -= np.vecdot(centroids, centroids)[:, None]
    return np.asarray(scores.T)


def assign(X: Floats, centroids: Floats, metric: str = "l2") -> Ints:
    """Index of the nearest centroid of each point, the first of equals."""
    scores = closeness(X, centroids, metric).T  # argmax over an axis takes nearly twice as long
    labels, highest = np.zeros(len(X), dtype=np.int64), scores[0]
    for k in range(1, len(centroids)):
        labels += (k - labels) * (scores[k] > highest)
        highest = np.maximum(highest, scores[k])
    return labels


def update(X: Floats, centroids: Floats, labels: Ints, metric: str = "l2") -> tuple[Floats, Ints, int]:
    """Move centroids to the means or medians of their points; return them, labels, and number of relocations.

    An empty cluster is relocated to the point farthest from its centroid, if there is one.
    """
    k, relocated, means = len(centroids), 0, centroids.copy()
    counts = np.bincount(labels, minlength=k)
    if 0 in counts.tolist():
        empty = np.flatnonzero(counts == 0)
        distances = METRICS[metric].part(X - centroids[labels]).sum(axis=1)
        farthest = distances.argsort(kind="stable")[::-1][: len(empty)]
        farthest = farthest[distances[farthest] > 0]
        relocated, labels = len(farthest), labels.copy()
        labels[farthest] = empty[:relocated]
        counts = np.bincount(labels, minlength=k)
    if metric == "l1":
        for cluster in np.flatnonzero(counts):
            means[cluster] = np.median(X[labels == cluster], axis=0)
        return means, labels, relocated
    if k < X.shape[1]:  # one product is faster than a pass for each input
        sums = (labels == np.arange(k)[:, None]).astype(np.float64) @ X
    else:
        sums = np.array([np.bincount(labels, column, minlength=k) for column in X.T]).T
    np.divide(sums, counts[:, None], out=means, where=counts[:, None] > 0)
    return means, labels, relocated


def inertia(X: Floats, centroids: Floats, labels: Ints, metric: str = "l2") -> float:
    """J: sum of squared distances of points to their centroids, or of L1 distances."""
    part, columns = METRICS[metric].part, zip(X.T, centroids.T)  # takes a quarter of the time of rows
    return float(sum(part(x - means[labels]).sum() for x, means in columns))
