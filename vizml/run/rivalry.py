"""Two models on one plane: where their answers differ stands out, where they agree fades away."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Raster
from vizml.learn import Classifier, Regressor, State
from vizml.run import contours
from vizml.run.ranking import Ranking, moved
from vizml.scene import Look, Path, Region, Scene

Mask: TypeAlias = NDArray[np.bool_]
RIVAL = "Other model"
DARK, PALE = 0.6, 0.6
"""How far what differs goes to the colour of text, and what agrees to the ground."""
ROWS = 64
"""Rows that are compared between two looks at whether anybody still waits."""


def compared(scene: Scene, state: State, rival: State, raster: Raster, look: Look) -> Scene:
    """A scene of a state that shows where another one differs; as it is where they cannot be compared."""
    if isinstance(state, Regressor) and isinstance(rival, Regressor):
        curve = np.column_stack([raster.x, rival.predict(raster.x)])
        return replace(scene, marks=(*scene.marks, _line((curve,), "other model")))
    if not isinstance(state, Classifier) or not isinstance(rival, Classifier) or scene.region is None:
        return scene
    differ, lines = np.zeros(raster.shape, dtype=np.bool_), []
    for rows, _ in raster.bands(ROWS):
        overlapping = slice(max(rows.start - 1, 0), rows.stop)  # a row of the band before, so that lines meet
        band = raster.rows(overlapping.start, overlapping.stop)
        theirs = Ranking(rival.field(band))
        ours = Ranking(moved(state.field(band), look.threshold))
        differ[overlapping] = _answers(state, ours) != _answers(rival, theirs)
        lines.extend(contours.boundaries(theirs, band) if len(rival.classes) > 1 else [])
    words = f"differs on {100 * differ.mean():.1f} %"
    region = Region(_painted(scene.region.image, differ, look), scene.region.bounds)
    return replace(scene, region=region, marks=(*scene.marks, _line(tuple(lines), words)))


def agreement(state: State, rival: State, points: NDArray[np.float64]) -> float | None:
    """The share of points on which two classifiers agree."""
    if not isinstance(state, Classifier) or not isinstance(rival, Classifier) or not len(points):
        return None
    return float(np.mean(state.predict(points) == rival.predict(points)))


def _answers(state: Classifier, ranking: Ranking) -> NDArray[np.int64]:
    """The class at each pixel."""
    if len(state.classes) == 2:
        return np.asarray(state.classes[(ranking.difference > 0).astype(np.int64)])
    return np.asarray(state.classes[ranking.winner])


def _painted(image: NDArray[np.uint8], differ: Mask, look: Look) -> NDArray[np.uint8]:
    share = np.where(differ, DARK, PALE)[..., None]
    towards = np.where(differ[..., None], np.array(look.theme.text), np.array(look.theme.ground))
    out = image.copy()
    out[..., :3] = np.round(image[..., :3] * (1.0 - share) + towards * share).astype(np.uint8)
    return out


def _line(lines: tuple[NDArray[np.float64], ...], words: str) -> Path:
    return Path(layer=RIVAL, lines=lines, ink="text", width=1.5, stroke="dash", opacity=0.7, legend=words)
