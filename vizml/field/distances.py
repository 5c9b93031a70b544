"""Distances between two sets of points: metrics, and squared Euclidean distances of many inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats
from vizml.field.raster import Section

CHUNK = 1 << 15
"""Differences at a time: 256 KB, which stay in the cache."""
FEW = 4
"""Up to so many inputs, differences along one after another are fast."""
CLOSE = 1e-3
"""Products leave too few digits of distances below this share of the largest, which differences replace."""
MANY = 0.05
"""Share of such pairs from which on differences of all pairs are faster."""


@dataclass(frozen=True)
class Metric:
    """A distance and its rank: a monotone function of the distance that is cheaper to compute."""

    part: np.ufunc
    """Contribution of the differences along one axis."""
    join: np.ufunc
    """Combines the contributions of two axes into a rank."""
    length: Callable[[Floats], Floats]
    """Converts ranks to distances."""

    def ranks(self, X: Floats, points: Floats) -> Floats:
        """The ranks (m, n) of the distances from X (m, d) to points (n, d).

        >>> METRICS["l2"].ranks(np.eye(6)[:2], np.eye(6)[:3])
        array([[0., 2., 2.],
               [2., 0., 2.]])
        """
        out, step = np.zeros((len(X), len(points))), max(CHUNK // max(len(points), 1), 1)
        apart = np.empty((min(step, len(X)), len(points)))
        for start in range(0, len(X), step):
            rows = out[start : start + step]
            for number, (x, p) in enumerate(zip(X[start : start + step].T, points.T)):
                difference = np.subtract.outer(x, p, out=apart[: len(rows)] if number else rows)
                self.part(difference, out=difference)
                if number:
                    self.join(rows, difference, out=rows)
        return out


METRICS = {
    "l1": Metric(part=np.abs, join=np.add, length=np.asarray),
    "l2": Metric(part=np.square, join=np.add, length=np.sqrt),
    "linf": Metric(part=np.abs, join=np.maximum, length=np.asarray),
}


squared_distances = METRICS["l2"].ranks
"""|a - b|^2 of each row of A (m, d) and each row of B (n, d), as (m, n)."""


def section_offsets(section: Section, X: Floats, metric: str) -> tuple[Floats, Floats | None] | None:
    """Return the points (n, 2) on a section, and the ranks of their distances from it, that give distances.

    The Euclidean distance has them for every section, the others for sections along two inputs; None where
    there are none.
    """
    if section.whole:
        return X, None
    if metric == "l2":
        return section.project(X)
    hidden = ~section.basis.any(axis=0)
    if np.count_nonzero(section.basis) > 2 or not hidden.any():
        return None
    ranks = METRICS[metric].ranks(section.origin[None, hidden], X[:, hidden])
    return (X - section.origin) @ section.basis.T, ranks[0]


def expanded_distances(A: Floats, B: Floats) -> Floats:
    """Return squared distances, of many inputs by one product of (-2 a, |a|^2, 1) and (b, 1, |b|^2).

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
