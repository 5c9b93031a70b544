"""Sums of caps around centres, sum_i max(0, 1 - |c_i - x|^2 / r^2)^p, on a raster; p = 0 counts discs.

Each column of pixels cuts a disc in one span, in which the cap is a quadratic of y: its coefficients are
added where a span begins and taken away where it ends, and a running sum down the rows has them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.boxes import rising
from vizml.field.raster import Field, Floats, Raster

Ints: TypeAlias = NDArray[np.intp]
SPANS = 1 << 20
"""At a time: some tens of megabytes."""


def caps_field(raster: Raster, centres: Floats, sizes: Sequence[int], radius: float, power: int) -> Field:
    """The sums (K, H, W) over groups of centres (n, 2), one after another; 0 beyond all discs."""
    groups = np.repeat(np.arange(len(sizes)), sizes)
    return rising(raster, lambda r: _summed(r, centres, groups, len(sizes), radius, power))


def caps(X: Floats, centres: Floats, radius: float, power: int) -> Floats:
    """max(0, 1 - |c_i - x|^2 / r^2)^p of each pair, (m, n)."""
    away = ((X[:, :1] - centres[:, 0]) / radius) ** 2 + ((X[:, 1:] - centres[:, 1]) / radius) ** 2
    return np.asarray(np.where(away <= 1.0, (1.0 - away) ** power, 0.0))


def _summed(raster: Raster, centres: Floats, groups: Ints, planes: int, radius: float, power: int) -> Field:
    out = np.zeros((planes, *raster.shape), dtype=np.float32)
    first = np.searchsorted(raster.x, centres[:, 0] - radius, side="left")
    end = np.searchsorted(raster.x, centres[:, 0] + radius, side="right")
    left, right = int(first.min(initial=len(raster.x))), int(end.max(initial=0))
    spans = int((end - first).sum())
    wide = max(-(-max(right - left, 1) * SPANS // max(spans, 1)), 1)
    for start in range(left, right, wide):
        stop = min(start + wide, right)
        inside = (first < stop) & (end > start)
        strip = Raster(raster.x[start:stop], raster.y)
        _run_down(strip, centres[inside], groups[inside], out[:, :, start:stop], radius, power)
    return out


def _run_down(raster: Raster, centres: Floats, groups: Ints, out: Field, radius: float, power: int) -> None:
    """The sums in a strip of columns, row by row."""
    planes, height, width = out.shape
    row, cell, terms = _changes(raster, centres, groups, radius)
    starts = np.searchsorted(row, np.arange(height + 1))
    totals, sums = np.zeros((1 + 2 * power, planes * width)), np.empty(planes * width)
    count = totals[0]
    for i, v in enumerate(_inside(raster, raster.y, radius).tolist()):
        now = slice(starts[i], starts[i + 1])
        for total, term in zip(totals, terms[:, now]):
            np.add.at(total, cell[now], term)
        if power:
            np.multiply(count, -v, out=sums)
            sums += totals[2]
            sums *= v
            sums += totals[1]
            np.maximum(sums, 0.0, out=sums)
            sums *= count > 0.0
        out[:, i] = (sums if power else count).reshape(planes, width)


def _changes(raster: Raster, centres: Floats, groups: Ints, radius: float) -> tuple[Ints, Ints, Floats]:
    """Where spans begin and end: the rows (m,), rising, the cells (plane, column) there, and what is added
    to the count, the constant and the slope (3, m).
    """
    first = np.searchsorted(raster.x, centres[:, 0] - radius, side="left")
    counts = np.searchsorted(raster.x, centres[:, 0] + radius, side="right") - first
    own = np.repeat(np.arange(len(centres)), counts)
    column = np.arange(len(own)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    depth = 1.0 - ((raster.x[column] - centres[own, 0]) / radius) ** 2
    half = radius * np.sqrt(np.maximum(depth, 0.0))
    middle = centres[own, 1]
    begins = np.searchsorted(raster.y, middle - half, side="left")
    ends = np.searchsorted(raster.y, middle + half, side="right")
    v = _inside(raster, middle, radius)
    terms = np.stack([np.ones(len(own)), depth - v * v, 2.0 * v])
    row, cell = np.concatenate([begins, ends]), np.tile(groups[own] * len(raster.x) + column, 2)
    order = np.argsort(row, kind="stable")
    return row[order], cell[order], np.concatenate([terms, -terms], axis=1)[:, order]


def _inside(raster: Raster, y: Floats, radius: float) -> Floats:
    """Coordinates in radii from the middle of the raster, in which the quadratics are well conditioned."""
    middle = raster.y[len(raster.y) // 2] if len(raster.y) else 0.0
    return np.asarray((y - middle) / radius)
