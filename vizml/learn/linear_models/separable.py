"""Whether a line through the origin of some space parts two groups, and by what margin, exactly."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats

ROUNDS = 500
CLOSE = 1e-10
"""The relative gap of squared lengths at which the nearest point is found."""
NOTHING, TINY = 1e-9, 1e-300
"""A margin below this share of the largest length is none."""


def widest_margin(V: Floats) -> float:
    """max_u min_i u.v_i over unit vectors u, for rows v_i = y_i x_i: 0 where no u makes all positive.

    It is how far the convex hull of the rows lies from the origin, found by Wolfe's method: the nearest
    point of a simplex of rows, a row that lies nearer taken in, rows that are not needed dropped.
    """
    lengths = np.einsum("ij,ij->i", V, V)
    reach = float(np.sqrt(lengths.max()))
    held, shares = [int(lengths.argmin())], np.ones(1)
    best = 0.0
    for _ in range(ROUNDS):
        x = shares @ V[held]
        square, along = float(x @ x), V @ x
        nearest = int(along.argmin())
        best = max(best, float(along[nearest]) / np.sqrt(square or 1.0))
        if square <= (NOTHING * reach) ** 2 or square - along[nearest] <= CLOSE * square or nearest in held:
            break
        held, shares = _nearest_of(V, [*held, nearest], np.append(shares, 0.0))
    return best if best > NOTHING * reach else 0.0


def _nearest_of(V: Floats, held: list[int], shares: Floats) -> tuple[list[int], Floats]:
    """The smallest simplex of these rows that has the nearest point to the origin, and its shares there."""
    while True:
        wanted = _affine(V[held])
        low = wanted <= 0
        if not low.any():
            return held, wanted
        steps = np.full(len(held), np.inf)
        steps[low] = shares[low] / np.maximum(shares[low] - wanted[low], TINY)
        leaves = int(steps.argmin())
        shares = np.delete(shares + steps[leaves] * (wanted - shares), leaves)
        del held[leaves]


def _affine(rows: Floats) -> Floats:
    """The weights, summing to 1, of the point nearest to the origin in the plane through some rows."""
    count = len(rows)
    system = np.ones((count + 1, count + 1))
    system[0, 0] = 0.0
    products = rows @ rows.T
    system[1:, 1:] = products / (products.max() or 1.0)  # or the ones drown in it, or it in them
    target = np.zeros(count + 1)
    target[0] = 1.0
    return np.asarray(np.linalg.lstsq(system, target, rcond=None)[0][1:])
