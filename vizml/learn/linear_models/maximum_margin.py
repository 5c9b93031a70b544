"""The maximum margin of signed samples by Wolfe's nearest-point method: exact test of linear separability."""

from __future__ import annotations

import math

import numpy as np

from vizml.field.arrays import Floats

ROUNDS = 500
"""Most samples that enter the simplex."""
CLOSE = 1e-10
"""Relative gap of squared lengths at which the nearest point is found."""
NOTHING, TINY = 1e-9, 1e-300
"""A margin below this share of the largest length is zero; TINY avoids division by zero."""


def maximum_margin(Z: Floats) -> float:
    """Return max_u min_i u.z_i over unit vectors u, for rows z_i = y_i x_i: 0 where no u makes all positive.

    It is the distance of the convex hull of the rows from the origin: find the nearest point of a simplex
    of rows, add a row that is nearer, drop rows that are not needed.

    >>> maximum_margin(np.array([[3.0, 4.0]])), maximum_margin(np.array([[1.0, 0.0], [-1.0, 0.0]]))
    (5.0, 0.0)
    """
    lengths = np.einsum("ij,ij->i", Z, Z)
    radius = float(np.sqrt(lengths.max()))
    simplex, shares = [int(lengths.argmin())], np.ones(1)
    best = 0.0
    for _ in range(ROUNDS):
        x = shares @ Z[simplex]
        square, along = float(x @ x), Z @ x
        nearest = int(along.argmin())
        best = max(best, float(along[nearest]) / math.sqrt(square or 1.0))
        found = square <= (NOTHING * radius) ** 2 or square - along[nearest] <= CLOSE * square
        if found or nearest in simplex:
            break
        simplex, shares = _nearest_point(Z, [*simplex, nearest], np.append(shares, 0.0))
    return best if best > NOTHING * radius else 0.0


def _nearest_point(Z: Floats, simplex: list[int], shares: Floats) -> tuple[list[int], Floats]:
    """Return the smallest simplex with the nearest point to the origin, and its shares there."""
    while True:
        wanted = _affine_nearest(Z[simplex])
        low = wanted <= 0
        if not low.any():
            return simplex, wanted
        steps = np.full(len(simplex), np.inf)
        steps[low] = shares[low] / np.maximum(shares[low] - wanted[low], TINY)
        leaves = int(steps.argmin())
        shares = np.delete(shares + steps[leaves] * (wanted - shares), leaves)
        del simplex[leaves]


def _affine_nearest(rows: Floats) -> Floats:
    """Return the shares, summing to 1, of the point nearest to the origin in the affine hull of some rows."""
    count = len(rows)
    system = np.ones((count + 1, count + 1))
    system[0, 0] = 0.0
    products = rows @ rows.T
    system[1:, 1:] = products / (products.max() or 1.0)  # on the scale of the ones, or either is lost
    target = np.zeros(count + 1)
    target[0] = 1.0
    return np.asarray(np.linalg.lstsq(system, target, rcond=None)[0][1:])
