"""States that are sums over trees, f(x) = sum_t v_t(leaf of x in tree t): the first t trees are a moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.boxes import summed_field
from vizml.field.octagons import octagons_field, octagons_sums
from vizml.learn.ensembles.running import Running
from vizml.learn.ensembles.stand import Stand, prefix
from vizml.learn.state import Floats, State

if TYPE_CHECKING:
    from vizml.learn.state import Ints

MOST = 1 << 23
"""So many sums at the points are kept, so that those of another moment are at hand: 64 MB."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SumOfTrees(State):
    """The first `trees` of some stands; later states share the stands."""

    stands: tuple[Stand, ...]
    trees: int
    start: Floats
    """The sum (V,) without any tree."""
    points: Floats
    """The points (n, 2) that they were grown on."""
    running: Running | None = None
    """What states of a run share where trees take long to paint."""

    def sums(self, X: Floats) -> Floats:
        """The sum over trees (n, V) at points (n, features)."""
        out = np.tile(self.start, (len(X), 1))
        known = X is self.points and self.trees * out.size <= MOST
        wide = derived(X) if self.is_derived else X
        for each, count in prefix(self.stands, self.trees):
            out += each.on_points[count - 1] if known else each.sums(wide, 0, count)
        return out

    def planes(self, raster: Raster) -> Field:
        """The sum over trees at each pixel (V, H, W)."""
        if self.running is None:
            return painted(self.stands, 0, self.trees, raster, self.start)
        sums = self.running.field(raster, self.trees, partial(tree_sums, self.stands))
        sums += self.start.astype(np.float32)[:, None, None]
        return sums

    @property
    def is_derived(self) -> bool:
        """Whether sums and differences of the axes were split as well."""
        return bool(self.stands) and is_derived(self.stands[0])

    def member(self, number: int) -> tuple[Stand, int]:
        """The stand of a tree and its place there."""
        for each in self.stands:
            if number < len(each):
                return each, number
            number -= len(each)
        raise IndexError(number)


def is_derived(stand: Stand) -> bool:
    """Whether its trees split four features: x, y, x + y, x - y."""
    return stand.features == 4


def derived(X: ArrayLike) -> Floats:
    """x, y, x + y and x - y of points (n, 2)."""
    x, y = np.asarray(X, dtype=np.float64).T
    return np.column_stack([x, y, x + y, x - y])


def painted(stands: Sequence[Stand], first: int, stop: int, raster: Raster, start: Floats) -> Field:
    """The sum of `start` (V,) and some trees in a row at each pixel (V, H, W)."""
    features = stands[0].features if stands else 2
    boxes, values = _cells(stands, first, stop)
    everywhere = np.tile([-np.inf, np.inf], (1, features))
    paint = octagons_field if features == 4 else summed_field
    return paint(np.concatenate([everywhere, *boxes]), np.concatenate([start[None, :], *values]), raster)


def tree_sums(stands: Sequence[Stand], first: int, stop: int, raster: Raster) -> Floats:
    """The sum of some trees with four features in a row at each pixel (V, H, W), in double precision."""
    boxes, values = _cells(stands, first, stop)
    return octagons_sums(np.concatenate(boxes), np.concatenate(values), raster)


def _cells(stands: Sequence[Stand], first: int, stop: int) -> tuple[list[Floats], list[Floats]]:
    """The boxes and values of the leaves of some trees in a row, stand by stand."""
    found = []
    for each, count in prefix(stands, stop):
        found.append(each.boxes(min(max(first, 0), count), count))
        first -= len(each)
    return [boxes for boxes, _ in found], [values for _, values in found]


def along(stands: Sequence[Stand], trees: int, x: Floats) -> Floats:
    """The sum over the first trees of one feature at each x (n,): their steps, summed in rising order."""
    order = np.argsort(x, kind="stable")
    rising = x[order]
    change = np.zeros(len(x) + 1)
    for each, count in prefix(stands, trees):
        boxes, values = each.boxes(0, count)
        at: Ints = np.searchsorted(rising, boxes[:, :2], side="right")
        change += np.bincount(at[:, 0], values[:, 0], minlength=len(change))
        change -= np.bincount(at[:, 1], values[:, 0], minlength=len(change))
    out = np.empty(len(x))
    out[order] = np.cumsum(change[:-1])
    return out
