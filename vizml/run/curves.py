"""Scenes of curve views: the curve at each pixel column, its band, and its continuation beyond the data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vizml.run.errors import guarded
from vizml.scene import Band, Curves, FunctionBand, Path, Scene

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vizml.data import Dataset
    from vizml.field import Raster
    from vizml.learn import CurveView
    from vizml.scene import Look, Mark

CURVE, EXTRAPOLATION = "Curve", "Extrapolation"
MOST_BELOW = 300
"""With more points than this the curve is drawn above them."""


def curve_scene(
    data: Dataset, view: CurveView[Any], raster: Raster, look: Look, more: tuple[Mark, ...] = ()
) -> Scene:
    """Return the curve, dotted beyond the range of the data, its band, and all marks."""
    x, inside = _abscissae(data, view, raster)
    y = view.curve(x)
    marks: list[Mark] = []
    band = guarded(view.state, "band", lambda: view.band(x), None)
    if band is not None:
        _, low, high = band
        name = view.state.band_name
        marks.append(Band(layer=name, ink="accent", x=x, low=low, high=high, legend=name.lower()))
    for mark in (*guarded(view.state, "marks", view.marks, ()), *more):
        marks.extend(drawn(mark, x, look))
    beyond = _line(x, y, _widened(~inside))
    if len(beyond):
        marks.append(Path(layer=EXTRAPOLATION, ink="accent", lines=(beyond,), width=2.0, stroke="dot"))
    line = (_line(x, y, inside),)
    marks.append(Path(layer=CURVE, ink="accent", lines=line, width=2.5, over=len(data) > MOST_BELOW))
    return Scene(marks=tuple(marks))


def drawn(mark: Mark, x: NDArray[np.float64], look: Look) -> Iterator[Mark]:
    """Evaluate a view-dependent mark at the pixel columns, at none where its layer is hidden."""
    at = x if look.draws(mark) else x[:0]
    match mark:
        case Curves():
            values = mark.values(at) if len(at) else ()
            yield mark.path(np.column_stack([at, each]) for each in values)
        case FunctionBand():
            low, high = mark.edges(at) if len(at) else (at, at)
            shared = {
                name: getattr(mark, name) for name in ("layer", "ink", "opacity", "legend", "off_by_default")
            }
            yield Band(x=at, low=low, high=high, **shared)
            if mark.width:
                edges = mark.path(np.column_stack([at, edge]) for edge in (low, high))
                yield replace(edges, opacity=1.0, legend="")
        case _:
            yield mark


def _abscissae(
    data: Dataset, view: CurveView[Any], raster: Raster
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the pixel columns and the ends of the data, rising, and the mask of those within the data."""
    column = data.column(view.state.task.canvas_axes(data).shown[0])
    inputs = column.numbers
    if not len(inputs) or column.categories:
        return raster.x, np.ones(len(raster.x), dtype=bool)
    low, high = float(inputs.min()), float(inputs.max())
    x = np.unique(np.concatenate([raster.x, np.clip([low, high], raster.x[0], raster.x[-1])]))
    return x, (x >= low) & (x <= high)


def _widened(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask extended by one on each side, so that two parts of a line meet."""
    wide = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:-1] |= mask[1:]
    return wide


def _line(x: NDArray[np.float64], y: NDArray[np.float64], which: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the points of a mask as a polyline with gaps where it is false."""
    if not which.any():
        return np.empty((0, 2))
    points = np.column_stack([x, np.where(which, y, np.nan)])
    points[~which] = np.nan
    shown = np.flatnonzero(which)
    return points[shown[0] : shown[-1] + 1]
