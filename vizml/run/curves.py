"""Scenes of curve views and line views: curves at each pixel column, bands, boundaries, the threshold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vizml.evaluate.metrics import lead_at, threshold_at
from vizml.learn import ClassLineView
from vizml.run.errors import guarded
from vizml.scene import Band, CurveLens, Curves, FunctionBand, Ordinate, Path, Scene, Segments
from vizml.scene.marks import upright_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vizml.data import Dataset
    from vizml.field import Raster
    from vizml.field.arrays import Floats
    from vizml.learn import CurveView, LineView
    from vizml.scene import Look, Mark


CURVE, EXTRAPOLATION = "Curve", "Extrapolation"
THRESHOLD, LEAST_SQUARES = "Threshold", "Least-squares line"
MOST_BELOW = 300
"""With more points than this the curve is drawn above them."""
FAINT = 0.4
"""Share of the tint of regions that remains behind curves."""
LEAST, MOST = 1e-3, 1 - 1e-3
"""Range of a threshold of probabilities that is set by dragging."""


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


def line_scene(
    base: Scene, contours: set[str], data: Dataset, view: LineView[Any], x: Floats, look: Look,
    lens: CurveLens | None = None,
) -> Scene:  # fmt: skip
    """Return a scene of regions and contours in two rows with the curves of the view at each x."""
    ordinate = view.ordinate(data) if lens is None else Ordinate(lens.name, lens.low, lens.high)
    marks = [each for mark in base.marks for each in drawn(_upright(mark, contours), x, look)]
    if lens is None and isinstance(view, ClassLineView):
        marks += _threshold(view, ordinate, look)
        marks += [each for mark in _least_squares(data, view) for each in drawn(mark, x, look)]
    marks += view.bars(ordinate) if lens is None else ()
    marks += curve_marks(view, x, ordinate, lens, over=len(data) > MOST_BELOW)
    region = None if view.filled else base.region
    return replace(base, region=region, lens=None, marks=tuple(marks), ordinate=ordinate)


def curve_marks(
    view: LineView[Any], x: Floats, ordinate: Ordinate, lens: CurveLens | None = None, *, over: bool = False
) -> Iterator[Mark]:
    """Yield a curve for each column of the values; the second of two classes stands out."""
    heights = view.heights(x, ordinate) if lens is None else ordinate.height(lens.curves(x))
    if view.filled and view.inks and lens is None:
        yield Band(layer=CURVE, ink="accent", x=x, low=np.zeros(len(x)), high=heights[:, 0])
    paired = lens is None and isinstance(view, ClassLineView) and view.paired
    for k, ink in enumerate(view.inks if lens is None else lens.inks):
        line, thin = (np.column_stack([x, heights[:, k]]),), paired and k < heights.shape[1] - 1
        if not thin or view.state.has_proba:  # the other decision value is but its negative
            yield Path(layer=CURVE, ink=ink, lines=line, width=1.5 if thin else 2.5, over=over)


def line_outline(view: LineView[Any], x: Floats, ordinate: Ordinate) -> tuple[Floats, ...]:
    """Return the curves of a view, of two classes that of the second alone."""
    heights = view.heights(x, ordinate).T
    paired = isinstance(view, ClassLineView) and view.paired
    return tuple(np.column_stack([x, each]) for each in (heights[-1:] if paired else heights))


def lead_at_height(view: ClassLineView[Any], ordinate: Ordinate, height: float) -> float:
    """Return the threshold, as a lead of the second class, of a height on the canvas."""
    if view.state.has_proba:
        height = min(max(height, LEAST), MOST)
    return lead_at(view.state, ordinate.low + height * (ordinate.high - ordinate.low) - view.tie)


def _threshold(view: ClassLineView[Any], ordinate: Ordinate, look: Look) -> Iterator[Mark]:
    """Yield the decision threshold of two classes as a horizontal line."""
    if view.has_threshold:
        height = float(ordinate.height(threshold_at(view.state, look.threshold) + view.tie))
        ends = np.array([[[-np.inf, height], [np.inf, height]]])
        yield Segments(layer=THRESHOLD, ends=ends, width=1.5, stroke="dash", legend="threshold")


def _least_squares(data: Dataset, view: ClassLineView[Any]) -> Iterator[Curves]:
    """Yield the regression of the codes 0 and 1 of two classes on the input."""
    labelled = data.labels >= 0
    x = data.features[labelled]
    if view.paired and x.shape[1] == 1 and np.ptp(x) > 0:
        codes = (data.labels[labelled] == view.state.classes[1]).astype(np.float64)
        slope, intercept = np.polynomial.Polynomial.fit(x[:, 0], codes, 1).convert().coef[::-1]
        yield Curves(
            layer=LEAST_SQUARES, values=lambda at: (intercept + slope * at)[None], stroke="dot", width=2.0,
            legend="least squares on 0 and 1", off_by_default=True,
        )  # fmt: skip


def _upright(mark: Mark, contours: set[str]) -> Mark:
    """Return a contour between two rows as a line over the whole height of the canvas."""
    if not isinstance(mark, Path) or mark.layer not in contours:
        return mark
    points = np.concatenate([*mark.lines, np.empty((0, 2))])
    at = np.unique(points[np.isfinite(points[:, 0]), 0])
    return Segments(
        layer=mark.layer, ends=upright_ends(at), width=mark.width, ink=mark.ink, legend=mark.legend,
        stroke=mark.stroke,
    )  # fmt: skip
