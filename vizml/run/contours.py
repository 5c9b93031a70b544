"""Contour lines of a field in data units: decision boundaries, lines of equal confidence, levels of marks.

Where planes are equal but for rounding, a contour would follow the errors of the last digits: such lines are
left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from contourpy import FillType, LineType, SerialContourGenerator, ZInterp

from vizml.field import Raster
from vizml.field.arrays import Floats, Mask, Plane
from vizml.learn.state import softmax
from vizml.run.shade import Ranking
from vizml.scene.shading import REACH, ClassShading, DensityShading, Scale

Lines: TypeAlias = list[Floats]
OPTIONS: Mapping[str, Any] = {
    "corner_mask": False,
    "line_type": LineType.ChunkCombinedNan,
    "fill_type": FillType.OuterOffset,
    "quad_as_tri": False,
    "z_interp": ZInterp.Linear,
    "x_chunk_size": 0,
    "y_chunk_size": 0,
}
UNMASKED: Any = None
GRID_ROWS = 64
"""Bands whose heights round up to the same multiple share their arrays of columns and rows."""
PROBABILITIES = (0.6, 0.7, 0.8, 0.9)
MARGINS = (0.5, 1.0, 1.5)
"""Leads in units of a margin; in other scales in proportion to the lead that counts as certain."""
DENSITIES = (0.9, 0.5, 0.2, 0.05)
"""Shares of the peak at which contours of a density are drawn."""
ROUNDING, JUMP = 2.0**-19, 2.0**-10
"""Leads below ROUNDING, as a share of the compared values, are noise: 16 roundings of a 32-bit number, or the
error of a surface that is interpolated between nodes. Leads above JUMP are no noise, even next to a tie."""
NEAR = 3
"""Pixels around a point within which a contour has values on both of its sides, unless it follows noise."""


def levels(plane: Plane, raster: Raster, values: Iterable[float], magnitude: Plane | None = None) -> Lines:
    """Return the lines on which a plane has one of the values; a row of NaN is a gap.

    `magnitude` is the size of the values that the plane is a difference of; with it noise is left out.
    """
    return [_in_data_units(piece, raster) for piece in _traced(plane, values, magnitude)]


def _traced(plane: Plane, values: Iterable[float], magnitude: Plane | None) -> Lines:
    """Return the lines in columns and rows, with fractions."""
    if min(plane.shape) < 2:
        return []
    low, high = float(plane.min()), float(plane.max())
    within = [value for value in values if low <= value <= high]
    if not within:
        return []
    height, width = plane.shape
    columns, rows = (part[:height] for part in _index_arrays(-(-height // GRID_ROWS) * GRID_ROWS, width))
    generator = SerialContourGenerator(columns, rows, plane.astype(np.float64), UNMASKED, **OPTIONS)
    found = [(generator.lines(value)[0][0], value) for value in within]
    pieces = [(piece, value) for piece, value in found if piece is not None]
    if magnitude is not None:
        pieces = [(without_noise(piece, plane, value, magnitude), value) for piece, value in pieces]
    return [piece for piece, _ in pieces if not np.isnan(piece).all()]


@lru_cache(maxsize=2)
def _index_arrays(height: int, width: int) -> tuple[Floats, Floats]:
    """Return columns and rows. They are cached: creating them takes longer than following a line."""
    rows, columns = np.indices((height, width), dtype=np.float64)
    return columns, rows


def _in_data_units(piece: Floats, raster: Raster) -> Floats:
    """Convert columns and rows to data units; NaN stays."""
    x = np.interp(piece[:, 0], np.arange(len(raster.x)), raster.x)
    y = np.interp(piece[:, 1], np.arange(len(raster.y)), raster.y)
    return np.column_stack([x, y])


# -- decision boundaries and confidence --


def boundaries(ranking: Ranking, raster: Raster) -> Lines:
    """Return the lines on which the winning class changes, each of them once."""
    if len(ranking.field) == 2:
        return levels(ranking.difference, raster, (0.0,), ranking.field[0])
    found: Lines = []
    for k, (rows, columns), lead in ranking.leads():
        if k == ranking.last:  # all lines around it belong to others
            break
        first, last = (
            each[rows.start : rows.stop - 1, columns.start : columns.stop - 1] for each in ranking.cells
        )
        new = (first >= k) | (last > k)  # elsewhere the line around an earlier class runs
        part = Raster(raster.x[columns], raster.y[rows])
        pieces = _traced(lead, (0.0,), ranking.best[rows, columns])
        found += [_in_data_units(_within_cells(piece, new), part) for piece in pieces]
    return [line for line in found if len(line)]


def snapped(lines: Lines, raster: Raster, edges: tuple[Floats, Floats]) -> Lines:
    """Return lines of a field that jumps at edges on these edges, exactly; they were between two pixels."""
    x, y = (np.concatenate([[-np.inf], part[np.isfinite(part)], [np.inf]]) for part in edges)
    return [
        np.column_stack([_onto(line[:, 0], raster.x, x), _onto(line[:, 1], raster.y, y)]) for line in lines
    ]


def _onto(values: Floats, centres: Floats, edges: Floats) -> Floats:
    """Move values to the nearest edge between the pixel centres on both sides; NaN stays."""
    last = len(centres) - 1
    index = np.searchsorted(centres, values)
    on_centre = centres[np.minimum(index, last)] == values
    low, high = centres[np.maximum(index - 1, 0)], centres[np.minimum(index + on_centre, last)]
    aim = np.where(on_centre, values, (low + high) / 2)
    above = np.searchsorted(edges, aim)
    near = np.where(aim - edges[above - 1] <= edges[above] - aim, edges[above - 1], edges[above])
    return np.where((low <= near) & (near <= high) & np.isfinite(values), near, values)


def _within_cells(piece: Floats, cells: Mask) -> Floats:
    """Keep the steps of a line (in columns and rows) through the true squares between pixels."""
    middle = (piece[:-1] + piece[1:]) / 2
    kept = ~np.isnan(middle[:, 0])
    column, row = middle[kept].astype(np.int64).T
    height, width = cells.shape
    kept[kept] = cells[np.minimum(row, height - 1), np.minimum(column, width - 1)]
    begins, ends = np.append(kept, False), np.append(False, kept)
    used = np.flatnonzero(begins | ends)
    gaps = ~begins[used]
    out = piece[np.repeat(used, 1 + gaps)]
    out[np.flatnonzero(gaps) + np.cumsum(gaps)[gaps]] = np.nan
    return out[:-1]


def confidences(
    shading: ClassShading | DensityShading, ranking: Ranking, raster: Raster, peak: float
) -> Lines:
    """Return lines of equal probability, margin, or density."""
    fields = ranking.field
    if isinstance(shading, DensityShading):
        return levels(fields[0], raster, [peak + math.log(share) for share in DENSITIES])
    if not shading.labelled or shading.scale is Scale.RANK or len(fields) == 1:
        return []
    if shading.scale in (Scale.MARGIN, Scale.LEAD):
        unit = shading.reach / REACH[Scale.MARGIN]
        return _lead_lines(ranking, raster, tuple(unit * lead for lead in MARGINS))
    logits = shading.scale is Scale.LOGIT
    proba = np.moveaxis(softmax(np.moveaxis(fields, 0, -1)), -1, 0) if logits else fields
    if len(fields) == 2:
        return levels(proba[1], raster, _mirrored(PROBABILITIES, 0.5))
    return [line for plane in proba for line in levels(plane, raster, PROBABILITIES)]


def _lead_lines(ranking: Ranking, raster: Raster, values: tuple[float, ...]) -> Lines:
    """Return the lines on which the winner leads by one of the values."""
    if len(ranking.field) == 2:
        return levels(ranking.difference, raster, _mirrored(values, 0.0), ranking.field[0])
    found: Lines = []
    for _, (rows, columns), lead in ranking.leads():
        part = Raster(raster.x[columns], raster.y[rows])
        found += levels(lead, part, values, ranking.best[rows, columns])
    return found


def _mirrored(values: tuple[float, ...], centre: float) -> list[float]:
    """Return the values and their mirror images about a centre, rising."""
    return sorted({*values, *(2 * centre - value for value in values)})


# -- rounding noise --


def without_noise(line: Floats, plane: Plane, value: float, magnitude: Plane) -> Floats:
    """Replace the points of a contour line (columns, rows) that follow rounding errors by NaN."""
    known = ~np.isnan(line[:, 0])
    places = zip(np.nan_to_num(line).T, plane.shape[::-1])
    columns, rows = (np.clip(part, 0, size - 1) for part, size in places)
    ends = [(whole(rows).astype(np.int64), whole(columns).astype(np.int64)) for whole in (np.floor, np.ceil)]
    off = np.abs([plane[end] - np.float32(value) for end in ends])
    size = np.abs(magnitude[ends[0]])
    clear = (off.min(axis=0) > size * np.float32(ROUNDING)) | (off.max(axis=0) > size * np.float32(JUMP))
    if clear[known].all():
        return line
    clear |= _clear_nearby(plane - np.float32(value), np.abs(magnitude))[ends[0]]
    return np.where((clear & known)[:, None], line, np.nan)


def _clear_nearby(off: Plane, size: Plane) -> Mask:
    """Return the pixels with clear values of both signs, or a jump, nearby."""
    fine = size * np.float32(ROUNDING)
    found: Mask = _dilated(off > fine) & _dilated(off < -fine) | _dilated(
        np.abs(off) > size * np.float32(JUMP)
    )
    return found


def _dilated(mask: Mask) -> Mask:
    """Return a mask grown by NEAR pixels on each side."""
    wide = mask.copy()
    for shift in range(1, NEAR + 1):
        wide[:, shift:] |= mask[:, :-shift]
        wide[:, :-shift] |= mask[:, shift:]
    out = wide.copy()
    for shift in range(1, NEAR + 1):
        out[shift:] |= wide[:-shift]
        out[:-shift] |= wide[shift:]
    return out
