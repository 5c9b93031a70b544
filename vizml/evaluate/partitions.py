"""Metrics of partitions: silhouette, within-cluster sum of squares, and agreement (ARI, NMI)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.field.distances import squared_distances
from vizml.learn.gaussians import entropy

PAIRS = 1 << 20
"""Distances computed at a time: 8 MB."""


def silhouette(X: ArrayLike, c: ArrayLike) -> float:
    """Return the mean silhouette: near 1 for separated clusters, below 0 for mixed ones."""
    return float(silhouettes(X, c).mean())


def silhouettes(X: ArrayLike, c: ArrayLike) -> Floats:
    """Return (b - a) / max(a, b) per row; a, b: mean distance to its own and the nearest other cluster."""
    points, codes = np.asarray(X, dtype=np.float64), _codes(c)
    k, n = int(codes.max(initial=-1)) + 1, len(points)
    if len(codes) != n:
        raise ValueError(f"there are {n} points and {len(codes)} cluster labels: each point needs one")
    if not 2 <= k < n:
        found = f"{plural(k, 'cluster')} of {plural(n, 'point')}"
        raise ValueError(f"silhouettes need at least 2 clusters and fewer than points, not {found}")
    sizes = np.bincount(codes)
    member = np.eye(k)[codes]
    out = np.empty(n)
    step = max(PAIRS // n, 1)
    for start in range(0, n, step):
        part = slice(start, start + step)
        own = codes[part]
        sums = np.sqrt(squared_distances(points[part], points)) @ member
        rows = np.arange(len(own))
        inner = sums[rows, own] / np.maximum(sizes[own] - 1, 1)
        means = sums / sizes
        means[rows, own] = np.inf
        outer = means.min(axis=1)
        wider = np.maximum(inner, outer)
        out[part] = np.where(
            (sizes[own] > 1) & (wider > 0), (outer - inner) / np.where(wider > 0, wider, 1.0), 0.0
        )
    return out


def ari(a: ArrayLike, b: ArrayLike) -> float:
    """Return the adjusted Rand index: agreement on pairs of rows, 0 by chance, 1 for equal partitions."""
    counts = contingency(a, b)
    both, n = _pairs(counts), int(counts.sum())
    rows, columns = _pairs(counts.sum(axis=1)), _pairs(counts.sum(axis=0))
    expected = rows * columns / max(n * (n - 1) / 2, 1)
    highest = (rows + columns) / 2
    return 1.0 if highest == expected else float((both - expected) / (highest - expected))


def nmi(a: ArrayLike, b: ArrayLike) -> float:
    """Return the mutual information of two partitions divided by the mean of their entropies: 0 to 1."""
    joint = contingency(a, b)
    n = int(joint.sum())
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    if len(rows) == len(columns) == 1 or not n:
        return 1.0
    i, j = np.nonzero(joint)
    share = joint[i, j] / n
    mutual = float((share * (np.log(joint[i, j]) + np.log(n) - np.log(rows[i]) - np.log(columns[j]))).sum())
    if mutual <= np.finfo(float).eps:
        return 0.0
    return min(mutual / ((entropy(rows / n) + entropy(columns / n)) / 2), 1.0)


def contingency(a: ArrayLike, b: ArrayLike) -> Ints:
    """Return the number of rows in each class of one partition and each class of another."""
    one, other = _codes(a), _codes(b)
    if len(one) != len(other):
        raise ValueError(f"two partitions of the same rows are needed, not of {len(one)} and {len(other)}")
    wide = int(other.max(initial=-1)) + 1
    high = int(one.max(initial=-1)) + 1
    return np.bincount(one * wide + other, minlength=high * wide).reshape(high, wide)


def within_cluster_squares(X: ArrayLike, c: ArrayLike) -> float:
    """Return the sum of squared distances to the mean of the own cluster."""
    points, codes = np.asarray(X, dtype=np.float64), _codes(c)
    centred = points - points.mean(axis=0)
    sizes = np.bincount(codes)
    means = np.column_stack([np.bincount(codes, column) / sizes for column in centred.T])
    return float(((centred - means[codes]) ** 2).sum())


def _codes(labels: ArrayLike) -> Ints:
    flat = np.asarray(labels).ravel()
    codes: Ints = np.unique(flat, return_inverse=True)[1].astype(np.int64)
    return codes


def _pairs(counts: Ints) -> float:
    return float((counts * (counts - 1) / 2).sum())
