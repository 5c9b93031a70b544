"""Contour lines of a field in data units: boundaries, levels of confidence, levels that marks ask for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from contourpy import FillType, LineType, SerialContourGenerator, ZInterp
from numpy.typing import NDArray

from vizml.field import Raster
from vizml.learn.state import softmax
from vizml.run.ranking import Ranking
from vizml.run.ties import told
from vizml.scene.shading import REACH, ClassShading, DensityShading, Scale

Floats: TypeAlias = NDArray[np.float64]
Lines: TypeAlias = list[Floats]
Plane: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]
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
TALL = 64
"""Bands of the heights up to a multiple of this share their arrays of columns and rows."""
SHARES = (0.6, 0.7, 0.8, 0.9)
LEADS = (0.5, 1.0, 1.5)
"""Of margins; in other units as much of what is wide there."""
MASSES = (0.9, 0.5, 0.2, 0.05)
"""The densities, as shares of the peak, at which contours of a density are drawn."""


def levels(plane: Plane, raster: Raster, values: Iterable[float], beside: Plane | None = None) -> Lines:
    """The lines on which a plane has these values; a piece is (m, 2), and a row of NaN breaks it.

    With the values that the plane is a difference of, lines of mere rounding are left out.
    """
    return [_in_data_units(piece, raster) for piece in _traced(plane, values, beside)]


def _traced(plane: Plane, values: Iterable[float], beside: Plane | None) -> Lines:
    """The same in columns and rows, with fractions."""
    if min(plane.shape) < 2:
        return []
    low, high = float(plane.min()), float(plane.max())
    within = [value for value in values if low <= value <= high]
    if not within:
        return []
    generator = SerialContourGenerator(*_grid(plane.shape), plane.astype(np.float64), UNMASKED, **OPTIONS)
    found = [(generator.lines(value)[0][0], value) for value in within]
    pieces = [(piece, value) for piece, value in found if piece is not None]
    if beside is not None:
        pieces = [(told(piece, plane, value, beside), value) for piece, value in pieces]
    return [piece for piece, _ in pieces if not np.isnan(piece).all()]


def _grid(shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Column and row of each pixel: rows of arrays that serve bands of any height."""
    height, width = shape
    columns, rows = _sheet(-(-height // TALL) * TALL, width)
    return columns[:height], rows[:height]


@lru_cache(maxsize=2)
def _sheet(height: int, width: int) -> tuple[Floats, Floats]:
    """Kept, because to make them costs more than to follow a line."""
    rows, columns = np.indices((height, width), dtype=np.float64)
    return columns, rows


def _in_data_units(piece: Floats, raster: Raster) -> Floats:
    """Columns and rows as points of the plane; NaN stays."""
    x = np.interp(piece[:, 0], np.arange(len(raster.x)), raster.x)
    y = np.interp(piece[:, 1], np.arange(len(raster.y)), raster.y)
    return np.column_stack([x, y])


def boundaries(ranking: Ranking, raster: Raster) -> Lines:
    """Where the winning class changes, each way once."""
    if len(ranking.field) == 2:
        return levels(ranking.difference, raster, (0.0,), ranking.field[0])
    found: Lines = []
    for k, (rows, columns), lead in ranking.leads():
        if k == ranking.last:  # all around it there are others
            break
        first, last = (
            each[rows.start : rows.stop - 1, columns.start : columns.stop - 1] for each in ranking.cells
        )
        new = (first >= k) | (last > k)  # else the line around a class before this one went here
        place = Raster(raster.x[columns], raster.y[rows])
        pieces = _traced(lead, (0.0,), ranking.best[rows, columns])
        found += [_in_data_units(_only(piece, new), place) for piece in pieces]
    return [line for line in found if len(line)]


def _only(piece: Floats, cells: Mask) -> Floats:
    """The steps of a line (in columns and rows) through some of the squares between pixels."""
    middle = (piece[:-1] + piece[1:]) / 2
    kept = ~np.isnan(middle[:, 0])
    column, row = middle[kept].astype(np.int64).T
    height, width = cells.shape
    kept[kept] = cells[np.minimum(row, height - 1), np.minimum(column, width - 1)]
    begins, ends = np.append(kept, False), np.append(False, kept)
    used = np.flatnonzero(begins | ends)
    breaks = ~begins[used]
    out = piece[np.repeat(used, 1 + breaks)]
    out[np.flatnonzero(breaks) + np.cumsum(breaks)[breaks]] = np.nan
    return out[:-1]


def _leads(ranking: Ranking, raster: Raster, values: tuple[float, ...]) -> Lines:
    """Where the winner leads by these values."""
    if len(ranking.field) == 2:
        return levels(ranking.difference, raster, _both(values, 0.0), ranking.field[0])
    found: Lines = []
    for _, (rows, columns), lead in ranking.leads():
        part = Raster(raster.x[columns], raster.y[rows])
        found += levels(lead, part, values, ranking.best[rows, columns])
    return found


def confidences(
    shading: ClassShading | DensityShading, ranking: Ranking, raster: Raster, peak: float
) -> Lines:
    """Return lines of equal probability, margin, or density."""
    fields = ranking.field
    if isinstance(shading, DensityShading):
        return levels(fields[0], raster, [peak + math.log(share) for share in MASSES])
    if not shading.labelled or shading.scale is Scale.RANK or len(fields) == 1:
        return []
    if shading.scale in (Scale.MARGIN, Scale.LEAD):
        unit = shading.reach / REACH[Scale.MARGIN]
        return _leads(ranking, raster, tuple(unit * lead for lead in LEADS))
    logits = shading.scale is Scale.LOGIT
    shares = np.moveaxis(softmax(np.moveaxis(fields, 0, -1)), -1, 0) if logits else fields
    if len(fields) == 2:
        return levels(shares[1], raster, _both(SHARES, 0.5))
    return [line for share in shares for line in levels(share, raster, SHARES)]


def _both(values: tuple[float, ...], centre: float) -> list[float]:
    """The values and their mirror images about a centre, rising."""
    return sorted({*values, *(2 * centre - value for value in values)})
