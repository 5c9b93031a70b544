"""States that are sums over trees, f(x) = sum_t v_t(leaf of x in tree t): the first t trees are a moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.boxes import summed_field
from vizml.field.octagons import octagons_field
from vizml.learn.ensembles.stand import Stand, prefix
from vizml.learn.state import Floats, State

if TYPE_CHECKING:
    from vizml.learn.state import Ints


@dataclass(frozen=True, eq=False, kw_only=True)
class SumOfTrees(State):
    """The first `trees` of some stands; later states share the stands."""

    stands: tuple[Stand, ...]
    trees: int
    start: Floats
    """The sum (V,) without any tree."""

    def sums(self, X: Floats) -> Floats:
        """The sum over trees (n, V) at points (n, features)."""
        wide = derived(X) if self.is_derived else X
        out = np.tile(self.start, (len(X), 1))
        for each, count in prefix(self.stands, self.trees):
            out += each.sums(wide, 0, count)
        return out

    def planes(self, raster: Raster) -> Field:
        """The sum over trees at each pixel (V, H, W)."""
        return painted(self.stands, 0, self.trees, raster, self.start)

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
    boxes = [np.tile([-np.inf, np.inf], (1, features))]
    values = [start[None, :]]
    for each, count in prefix(stands, stop):
        some = each.boxes(min(max(first, 0), count), count)
        boxes.append(some[0])
        values.append(some[1])
        first -= len(each)
    return _paint(np.concatenate(boxes), np.concatenate(values), raster)


def _paint(boxes: Floats, values: Floats, raster: Raster) -> Field:
    paint = octagons_field if boxes.shape[1] == 8 else summed_field
    return paint(boxes, values, raster)


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
