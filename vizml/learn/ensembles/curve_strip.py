"""Small pictures of curves side by side: members of an ensemble, or what rounds come to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vizml.learn.ensembles.shown import HIGH, WIDE, strip
from vizml.learn.state import Floats, Ints
from vizml.scene import CLASSES, Diagram

MARGIN = 0.08
LINE, DOT = 255, 90
"""How opaque the curve is, and a point."""
GREY = (128, 128, 128)


def columns(x: Floats) -> Floats:
    """An x for each column of a picture."""
    return np.linspace(float(x.min()), float(x.max()), WIDE)


def curve_strip(
    title: str, texts: Sequence[tuple[str, ...]], numbers: Sequence[int], curves: Sequence[Floats],
    x: Floats, y: Floats,
) -> Diagram:  # fmt: skip
    """Curves by their heights at `columns`, each over the points; a node's id is the number of its curve."""
    return strip(title, texts, numbers, [curve_picture(curve, x, y) for curve in curves])


def curve_picture(heights: Floats, x: Floats, y: Floats) -> NDArray[np.uint8]:
    """The image (H, W, 4), row 0 lowest, of a curve and the points, between the extremes of these."""
    image = np.zeros((HIGH, WIDE, 4), dtype=np.uint8)
    left, right = float(x.min()), float(x.max())
    column = np.rint((x - left) / ((right - left) or 1.0) * (WIDE - 1)).astype(np.int64)
    image[_rows(y, y), column] = (*GREY, DOT)
    rows = _rows(heights, y)
    before = np.concatenate([rows[:1], rows[:-1]])
    low, high = np.minimum(rows, before), np.maximum(rows, before)
    at = np.arange(HIGH)[:, None]
    image[(low <= at) & (at <= high)] = (*CLASSES[0].colour, LINE)
    return image


def _rows(heights: Floats, y: Floats) -> Ints:
    """The row of each height, from the bottom, in a picture of points with these y; at most its edge."""
    low, high = float(y.min()), float(y.max())
    margin = MARGIN * ((high - low) or 1.0)
    share = (heights - low + margin) / (high - low + 2 * margin)
    return np.clip(np.rint(share * (HIGH - 1)), 0, HIGH - 1).astype(np.int64)
