"""Scenes of line views: the curves over faint regions of their classes, with boundaries and the threshold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vizml.evaluate.metrics import lead_at, threshold_at
from vizml.learn import ClassLineView
from vizml.run.curves import CURVE, MOST_BELOW, drawn
from vizml.scene import Band, CurveLens, Curves, Ordinate, Path, Scene, Segments
from vizml.scene.marks import upright_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vizml.data import Dataset
    from vizml.field.arrays import Floats
    from vizml.learn import LineView
    from vizml.scene import Look, Mark

FAINT = 0.4
"""Share of the tint of regions that remains behind curves."""
THRESHOLD, LEAST_SQUARES = "Threshold", "Least-squares line"
LEAST, MOST = 1e-3, 1 - 1e-3
"""Range of a threshold of probabilities that is set by dragging."""


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
