"""min 1/2 b'Gb - c'b + sum_j l_j |b_j| + 1/2 sum_j q_j b_j^2: by coordinates, and exactly by active sets.

Coordinate descent crawls where terms are alike, as powers of x are. With the signs of b known, what is left
is a linear system; the signs are found one at a time, each move lowering the objective.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.learn.state import Floats

RIDGE = 1e-13
"""Added to the diagonal, where G has ones: terms that repeat others leave no direction without a bottom."""
SLACK = 1e-11
"""By how much a condition may be missed; the correlation of a term with y is at most 1."""
MOST_MOVES = 400


class Sweep(NamedTuple):
    """All coordinates once."""

    slopes: Floats
    change: float
    """The largest change of a slope."""


def sweeps(gram: Floats, pull: Floats, linear: Floats, square: Floats) -> Iterator[Sweep]:
    """Coordinate descent from zero: b_j <- soft(c_j - sum_(k != j) G_jk b_k, l_j) / (G_jj + q_j)."""
    system = (gram + np.diag(square)).tolist()
    bend, price, slope = [row[j] for j, row in enumerate(system)], linear.tolist(), pull.tolist()
    slopes = [0.0] * len(slope)
    while True:
        change = 0.0
        for j, (curve, cost) in enumerate(zip(bend, price)):
            if not curve > 0:
                continue
            toward = slope[j] + curve * slopes[j]
            after = math.copysign(max(abs(toward) - cost, 0.0) / curve, toward)
            move = after - slopes[j]
            if move:
                # a few dozen numbers: lists of them are faster than arrays
                slope = [here - move * row for here, row in zip(slope, system[j])]
                slopes[j] = after
                change = max(change, abs(move))
        yield Sweep(np.array(slopes), change)


def least(gram: Floats, pull: Floats, linear: Floats, square: Floats, start: Floats | None = None) -> Floats:
    """The minimum, from a start that is better the nearer it is."""
    system = gram + np.diag(square + RIDGE)
    slopes = np.zeros(len(pull)) if start is None else start.copy()
    signs = np.sign(slopes)
    settled = not signs.any()
    for _ in range(MOST_MOVES):
        if settled:
            slope = pull - system @ slopes
            over = np.where(signs == 0, np.abs(slope) - linear, 0.0)
            j = int(over.argmax())
            if over[j] <= SLACK:
                break
            signs[j] = np.sign(slope[j])
        slopes, settled = _move(system, pull, linear, slopes, signs)
        signs = np.sign(slopes)
    return slopes


def _move(system: Floats, pull: Floats, linear: Floats, slopes: Floats, signs: Floats) -> tuple[Floats, bool]:
    """To the bottom for these signs, or to where on the way there it is lowest; whether it got there."""
    (active,) = signs.nonzero()
    goal = np.linalg.solve(system[active][:, active], (pull - linear * signs)[active])
    if (goal * signs[active] > 0).all():
        out = np.zeros_like(slopes)
        out[active] = goal
        return out, True
    here = slopes[active]
    way = goal - here
    crossing = np.where(goal * here < 0, here / np.where(way == 0, 1.0, -way), 2.0)
    stops = np.append(np.unique(crossing[(crossing > 0) & (crossing < 1)]), 1.0)
    places = np.zeros((len(stops), len(slopes)))
    places[:, active] = here + stops[:, None] * way
    places[:, active] *= np.abs(stops[:, None] - crossing) > 0
    value = (0.5 * (places @ system) * places - places * pull + np.abs(places) * linear).sum(axis=1)
    return places[int(value.argmin())], False
