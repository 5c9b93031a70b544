"""Squared Euclidean distances between two sets of points in any number of dimensions."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats

CHUNK = 1 << 15
"""Differences at a time: 256 KB, which stay in the cache."""
FEW = 4
"""Up to so many inputs, differences along one after another are fast."""
CLOSE = 1e-3
"""Products leave too few digits of distances below this share of the largest, which differences replace."""
MANY = 0.05
"""Share of such pairs from which on differences of all pairs are faster."""


def squared_distances(A: Floats, B: Floats) -> Floats:
    """Return |a - b|^2 of each row of A (m, d) and each row of B (n, d), as (m, n).

    >>> squared_distances(np.eye(6)[:2], np.eye(6)[:3])
    array([[0., 2., 2.],
           [2., 0., 2.]])
    """
    out, step = np.zeros((len(A), len(B))), max(CHUNK // max(len(B), 1), 1)
    apart = np.empty((min(step, len(A)), len(B)))
    for start in range(0, len(A), step):
        rows = out[start : start + step]
        for number, (a, b) in enumerate(zip(A[start : start + step].T, B.T)):
            difference = np.subtract.outer(a, b, out=apart[: len(rows)] if number else rows)
            difference *= difference
            if number:
                rows += difference
    return out


def expanded_distances(A: Floats, B: Floats) -> Floats:
    """Return the same, with many inputs by one product, of (-2 a, |a|^2, 1) and (b, 1, |b|^2).

    Close pairs are computed by differences: relative errors stay below 1e-11, and equal points have the
    distance 0. Distances that are equal may differ by rounding.
    """
    if A.shape[1] <= FEW or not A.size or not B.size:
        return squared_distances(A, B)
    centre = B.mean(axis=0)
    a, b = A - centre, B - centre
    a_squares, b_squares = np.einsum("ij,ij->i", a, a), np.einsum("ij,ij->i", b, b)
    left = np.vstack([-2.0 * a.T, a_squares, np.ones(len(A))])
    out = left.T @ np.vstack([b.T, np.ones(len(B)), b_squares])
    near = np.flatnonzero(out < CLOSE * (a_squares.max() + b_squares.max()))
    if len(near) > MANY * out.size + len(A):
        return squared_distances(A, B)
    i, j = np.divmod(near, len(B))
    apart = A[i] - B[j]
    out.ravel()[near] = np.einsum("ij,ij->i", apart, apart)
    return np.asarray(out)
