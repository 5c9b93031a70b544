"""Scenes of line views: posteriors, decision values, memberships or a density as curves of one input."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vizml.evaluate.metrics import lead_at, threshold_at
from vizml.learn import Classifier, Density
from vizml.learn.state import softmax
from vizml.run.curves import CURVE, MOST_BELOW, drawn
from vizml.scene import Band, CurveLens, Curves, Ordinate, Path, Scene, Segments
from vizml.scene.figure import BOUNDARIES
from vizml.scene.shading import ClassShading, Scale

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vizml.data import Dataset
    from vizml.field import Raster
    from vizml.field.arrays import Floats
    from vizml.learn import LineView
    from vizml.scene import Look, Mark

FAINT = 0.4
"""Share of the tint of regions that remains behind curves."""
THRESHOLD, LEAST_SQUARES = "Threshold", "Least-squares line"
LEAST, MOST = 1e-3, 1 - 1e-3
"""Range of a threshold of probabilities that is set by dragging."""


def line_scene(
    base: Scene, data: Dataset, view: LineView[Any], raster: Raster, look: Look, lens: CurveLens | None
) -> Scene:
    """Return a scene of regions and boundaries in two rows with the curves of the view and its marks."""
    state, peak = view.state, base.lens.high if base.lens is not None else 1.0
    ordinate = ordinate_of(state, data, peak) if lens is None else Ordinate(lens.name, lens.low, lens.high)
    marks = [_upright(mark) for mark in base.marks]
    if lens is None and isinstance(state, Classifier):
        marks += _threshold(state, ordinate, look)
        marks += [each for mark in _least_squares(data, state) for each in drawn(mark, raster.x, look)]
    marks += curve_marks(view, raster.x, ordinate, lens, over=len(data) > MOST_BELOW)
    region = None if isinstance(state, Density) else base.region
    return replace(base, region=region, lens=None, marks=tuple(marks), ordinate=ordinate)


def ordinate_of(state: Any, data: Dataset, peak: float = 1.0) -> Ordinate:
    """Return the vertical axis of the curves of a state; `peak` is the highest density."""
    shading = state.shading
    if not isinstance(shading, ClassShading):
        return Ordinate("density", 0.0, peak)
    whose, two = "cluster" if not shading.labelled else "class", shading.labelled and len(shading.inks) == 2
    if shading.scale in (Scale.SHARE, Scale.LOGIT):
        return Ordinate(f"probability of {data.name(int(state.classes[1])) if two else f'each {whose}'}")
    if shading.scale is Scale.RANK:
        return Ordinate(f"membership in each {whose}" if not shading.labelled else "predicted class")
    reach = state.reach / 2 if two else state.reach
    return Ordinate("decision value f(x)" if two else "lead over the other classes", -reach, reach)


def curve_marks(
    view: LineView[Any], x: Floats, ordinate: Ordinate, lens: CurveLens | None = None, *, over: bool = False
) -> Iterator[Mark]:
    """Yield a curve for each column of the values, that of the first of two classes thin."""
    shading = view.state.shading
    classes = isinstance(shading, ClassShading)
    if lens is not None:
        values, inks = lens.curves(x), lens.inks
        heights = (values - ordinate.low) / (ordinate.high - ordinate.low)
    else:
        heights = heights_of(view, x, ordinate)
        inks = shading.inks if isinstance(shading, ClassShading) else ("accent",)
    if not classes:
        yield Band(layer=CURVE, ink="accent", x=x, low=np.zeros(len(x)), high=heights[:, 0])
    paired = lens is None and classes and shading.labelled and len(inks) == 2
    signed = paired and shading.scale in (Scale.MARGIN, Scale.LEAD)  # the first curve mirrors the second
    for k, ink in enumerate(inks):
        if signed and k == 0:
            continue
        line, thin = (np.column_stack([x, heights[:, k]]),), paired and k == 0
        yield Path(layer=CURVE, ink=ink, lines=line, width=1.5 if thin else 2.5, over=over)


def heights_of(view: LineView[Any], x: Floats, ordinate: Ordinate) -> Floats:
    """Return the heights (m, K) of the curves on the canvas, 0 to 1 within the range of the ordinate."""
    values, shading = view.curves(x), view.state.shading
    if not isinstance(shading, ClassShading):
        return np.asarray(np.exp(values) / ordinate.high)
    match shading.scale:
        case Scale.SHARE:
            return values
        case Scale.LOGIT:
            return softmax(values)
        case Scale.RANK:
            first = np.arange(values.shape[1]) == values.argmax(axis=1)[:, None]
            return np.asarray(first & (values > shading.floor), dtype=np.float64)
        case _:
            return np.asarray((1.0 + leads(values) / shading.reach) / 2)


def leads(values: Floats) -> Floats:
    """Return the lead (m, K) of each column over the best of the others."""
    if values.shape[1] < 2:
        return np.zeros_like(values)
    ranked = np.sort(values, axis=1)
    best, second = ranked[:, -1:], ranked[:, -2:-1]
    return values - np.where(values == best, second, best)


def lead_at_height(state: Classifier, ordinate: Ordinate, height: float) -> float:
    """Return the threshold, as a lead of the second class, of a height on the canvas."""
    if state.has_proba:
        height = min(max(height, LEAST), MOST)
    return lead_at(state, ordinate.low + height * (ordinate.high - ordinate.low))


def _threshold(state: Classifier, ordinate: Ordinate, look: Look) -> Iterator[Mark]:
    """Yield the decision threshold of two classes as a horizontal line."""
    if len(state.classes) == 2 and state.scale is not Scale.RANK:
        height = (threshold_at(state, look.threshold) - ordinate.low) / (ordinate.high - ordinate.low)
        ends = np.array([[[-np.inf, height], [np.inf, height]]])
        yield Segments(layer=THRESHOLD, ends=ends, width=1.5, stroke="dash", legend="threshold")


def _least_squares(data: Dataset, state: Classifier) -> Iterator[Curves]:
    """Yield the regression of the codes 0 and 1 of two classes on the input."""
    labelled = data.labels >= 0
    x = data.features[labelled]
    if len(state.classes) == 2 and x.shape[1] == 1 and np.ptp(x) > 0:
        codes = (data.labels[labelled] == state.classes[1]).astype(np.float64)
        centre = x.mean()
        slope = float((x[:, 0] - centre) @ codes / ((x - centre) ** 2).sum())
        yield Curves(
            layer=LEAST_SQUARES, values=lambda at: (codes.mean() + slope * (at - centre))[None], stroke="dot",
            width=2.0, legend="least squares on 0 and 1", off_by_default=True,
        )  # fmt: skip


def _upright(mark: Mark) -> Mark:
    """Return a boundary between two rows as a line over the whole height of the canvas."""
    if not isinstance(mark, Path) or mark.layer != BOUNDARIES:
        return mark
    points = np.concatenate([*mark.lines, np.empty((0, 2))])
    at = np.unique(points[np.isfinite(points[:, 0]), 0])
    ends = np.array([[[x, -np.inf], [x, np.inf]] for x in at.tolist()]).reshape(-1, 2, 2)
    return Segments(layer=mark.layer, ends=ends, width=mark.width, ink=mark.ink, legend=mark.legend)
