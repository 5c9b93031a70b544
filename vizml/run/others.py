"""Other fits over a scene: the boundary or curve of each, faintly; points in the colours of their groups."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Raster
from vizml.field.cancellation import check_cancelled
from vizml.learn import Classifier, Regressor, State
from vizml.run import contours
from vizml.run.ranking import Ranking, moved
from vizml.scene import Path, Scene

if TYPE_CHECKING:
    from vizml.evaluate.diagnostic import Overlay
    from vizml.scene import Ink, Look, Mark

Lines: TypeAlias = tuple[NDArray[np.float64], ...]
OTHERS = "Other fits"
STRIDE = 3
"""So many pixels across and down make one of the fields that faint lines are found in."""
MOST = 40
"""More lines than this are a smear."""
FAINT, FAINTER = 0.6, 0.3
"""Opacity of a line that stands for a group, and of one among many."""


class Others:
    """Keeps the lines from frame to frame, while the same rectangle is looked at in the same way."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._lines: dict[State, Lines] = {}

    def over(self, scene: Scene, overlay: Overlay, raster: Raster, look: Look) -> Scene:
        """A scene with the lines of an overlay over it."""
        if not overlay.states and not overlay.marks and overlay.groups is None:
            return scene
        marks = self._marks(overlay, raster, look) if look.shows(OTHERS) else ()
        scene = replace(scene, marks=(*marks, *scene.marks, *overlay.marks))
        return scene if overlay.groups is None else replace(scene, tags=overlay.groups, tagged=overlay.called)

    def _marks(self, overlay: Overlay, raster: Raster, look: Look) -> tuple[Mark, ...]:
        states = overlay.states[-MOST:]
        coarse = _coarse(raster)
        seen = (*map(float, (*coarse.x[[0, -1]], *coarse.y[[0, -1]])), coarse.shape, look.threshold)
        kept = self._lines if seen == self._seen else {}
        self._seen, self._lines = seen, {}
        for state in states:
            check_cancelled()
            self._lines[state] = kept[state] if state in kept else _lines(state, coarse, look.threshold)
        grouped = overlay.groups is not None
        return tuple(
            _mark(lines, i if grouped else "text", FAINT if grouped else FAINTER, first=i == 0)
            for i, lines in enumerate(self._lines.values())
        )


def _coarse(raster: Raster) -> Raster:
    """The same rectangle in larger pixels, from the first centre to the last."""
    height, width = (max(count // STRIDE, 2) for count in raster.shape)
    return Raster(
        np.linspace(raster.x[0], raster.x[-1], width), np.linspace(raster.y[0], raster.y[-1], height)
    )


def _lines(state: State, raster: Raster, threshold: float) -> Lines:
    if isinstance(state, Regressor):
        return (np.column_stack([raster.x, state.predict(raster.x)]),)
    if not isinstance(state, Classifier) or len(state.classes) < 2:
        return ()
    ranking = Ranking(moved(state.field(raster), threshold))
    return tuple(contours.boundaries(ranking, raster))


def _mark(lines: Lines, ink: Ink, opacity: float, *, first: bool) -> Path:
    legend = "other fits" if first else ""
    return Path(layer=OTHERS, lines=lines, ink=ink, width=1.0, opacity=opacity, legend=legend)
