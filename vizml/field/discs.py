"""Fields of discs of one radius r around centres: sums of compact kernels, and depths inside the discs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.field.cancellation import check_cancelled
from vizml.field.leaves import rising, spans
from vizml.field.raster import Field, Raster

LEAST_DEPTH = -1.0
"""Smallest depth that is distinguished."""
SPANS = 1 << 20
"""Spans of discs in columns of pixels that are processed at a time: some tens of megabytes."""
PAIRS = 1 << 20
"""Distances computed at a time."""


def caps_field(
    raster: Raster,
    centres: Floats,
    sizes: Sequence[int],
    radius: float,
    power: int,
    beside: Floats | None = None,
) -> Field:
    """sum_i max(0, 1 - |c_i - x|^2 / r^2)^power, power 0 or 1, for K groups of centres in order (K, H, W).

    Each column of pixels cuts a disc in one span, in which the cap is a quadratic function of y: its
    coefficients are added where a span begins and subtracted where it ends, row by row. `beside` (n,) are
    squared distances of centres (n, 2) from the plane, where they are not on it.
    """
    groups = np.repeat(np.arange(len(sizes)), sizes)
    places = _with_heights(centres, radius, beside)
    return rising(raster, len(sizes), lambda part, out: _sum_caps(part, places, groups, out, radius, power))


def _with_heights(centres: Floats, radius: float, beside: Floats | None) -> Floats:
    """Centres (n, 3) with the depth at the nearest point of the plane, 1 for centres on it."""
    heights = np.ones(len(centres)) if beside is None else 1.0 - beside / (radius * radius)
    return np.column_stack([centres, heights])


def _sum_caps(raster: Raster, centres: Floats, groups: Ints, out: Field, radius: float, power: int) -> None:
    out[:] = 0.0
    first = np.searchsorted(raster.x, centres[:, 0] - radius, side="left")
    end = np.searchsorted(raster.x, centres[:, 0] + radius, side="right")
    left, right = int(first.min(initial=len(raster.x))), int(end.max(initial=0))
    wide = max(-(-max(right - left, 1) * SPANS // max(int((end - first).sum()), 1)), 1)
    for start in range(left, right, wide):
        stop = min(start + wide, right)
        inside = (first < stop) & (end > start)
        strip = Raster(raster.x[start:stop], raster.y)
        _accumulate(strip, centres[inside], groups[inside], out[:, :, start:stop], radius, power)


def _accumulate(raster: Raster, centres: Floats, groups: Ints, out: Field, radius: float, power: int) -> None:
    """Sum the caps in a strip of columns, row by row."""
    planes, height, width = out.shape
    row, cell, terms = _changes(raster, centres, groups, radius)
    starts = np.searchsorted(row, np.arange(height + 1))
    totals, sums = np.zeros((1 + 2 * power, planes * width)), np.empty(planes * width)
    count = totals[0]
    for i, v in enumerate(_scaled(raster, raster.y, radius).tolist()):
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
    """Rows (m,), rising, where spans begin and end, their cells (plane, column), and the changes (3, m).

    Changes are those of the number of discs and of the constant and linear coefficients.
    """
    first = np.searchsorted(raster.x, centres[:, 0] - radius, side="left")
    counts = np.searchsorted(raster.x, centres[:, 0] + radius, side="right") - first
    own = np.repeat(np.arange(len(centres)), counts)
    column = np.arange(len(own)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    depth = centres[own, 2] - ((raster.x[column] - centres[own, 0]) / radius) ** 2
    own, column, depth = (each[depth >= 0.0] for each in (own, column, depth))
    half = radius * np.sqrt(np.maximum(depth, 0.0))
    middle = centres[own, 1]
    begins = np.searchsorted(raster.y, middle - half, side="left")
    ends = np.searchsorted(raster.y, middle + half, side="right")
    v = _scaled(raster, middle, radius)
    terms = np.stack([np.ones(len(own)), depth - v * v, 2.0 * v])
    row, cell = np.concatenate([begins, ends]), np.tile(groups[own] * len(raster.x) + column, 2)
    order = np.argsort(row, kind="stable")
    return row[order], cell[order], np.concatenate([terms, -terms], axis=1)[:, order]


def _scaled(raster: Raster, y: Floats, radius: float) -> Floats:
    """Coordinates in radii from the middle of the raster, in which the quadratics are well conditioned."""
    middle = raster.y[len(raster.y) // 2] if len(raster.y) else 0.0
    return np.asarray((y - middle) / radius)


def disc_field(
    raster: Raster, centres: Floats, codes: Ints, radius: float, planes: int, beside: Floats | None = None,
    skew: float = 0.0,
) -> Field:  # fmt: skip
    """Depth max_i 1 - |c_i - x|^2 / r^2, at least -1, in the discs of each code (K, H, W).

    `beside` is as in `caps_field`, or with a skew as in `Section.project`: then discs are ellipses.
    """
    if skew and beside is not None:
        feet = (centres - centres[:, ::-1] * (skew / 2.0)) / (1.0 - (skew / 2.0) ** 2)
        beside = ((feet - centres) ** 2).sum(axis=1) + beside + skew * feet.prod(axis=1)
        centres = feet
    places = _with_heights(centres, radius, beside)
    return rising(raster, planes, lambda part, out: _paint_depths(part, places, codes, radius, out, skew))


def disc_depths(X: Floats, centres: Floats, codes: Ints, radius: float, planes: int) -> Floats:
    """The same at points (m, d), as (m, K); centres (n, d) are sorted by their codes."""
    out = np.full((len(X), planes), LEAST_DEPTH)
    if not len(centres):
        return out
    present, starts = np.unique(codes, return_index=True)
    step = max(PAIRS // len(centres), 1)
    for first in range(0, len(X), step):
        check_cancelled()
        depth = np.ones((len(X[first : first + step]), len(centres)))
        for x, c in zip(X[first : first + step].T, centres.T):
            depth -= (np.subtract.outer(x, c) / radius) ** 2
        out[first : first + step, present] = np.maximum.reduceat(depth, starts, axis=1)
    return np.asarray(np.maximum(out, LEAST_DEPTH))


def _paint_depths(
    raster: Raster, centres: Floats, codes: Ints, radius: float, out: Field, skew: float
) -> None:
    out[:] = LEAST_DEPTH
    reach = radius * np.sqrt((1.0 - LEAST_DEPTH) / (1.0 - (skew / 2.0) ** 2))
    boxes = np.column_stack(
        [centres[:, 0] - reach, centres[:, 0] + reach, centres[:, 1] - reach, centres[:, 1] + reach]
    )
    where = spans(boxes, raster)
    seen = (where[:, 0] < where[:, 1]) & (where[:, 2] < where[:, 3])
    each = zip(centres[seen], codes[seen].tolist(), where[seen].tolist())
    for (x, y, height), code, (left, right, bottom, top) in each:
        across, down = (raster.x[left:right] - x) / radius, (raster.y[bottom:top] - y) / radius
        depth = (height - down**2).astype(np.float32)[:, None] - (across**2).astype(np.float32)
        if skew:
            depth -= np.outer(skew * down, across).astype(np.float32)
        part = out[code, bottom:top, left:right]
        np.maximum(part, depth, out=part)
