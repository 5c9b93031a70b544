"""A state becomes a scene: its field in bands of rows, the colours, the contour lines, the marks."""

from __future__ import annotations

import math
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field, Raster
from vizml.learn import Classifier, Clusterer, Density, Regressor, State
from vizml.learn.state import Focus
from vizml.run import contours
from vizml.run.curves import curve_scene
from vizml.run.errors import guarded
from vizml.run.pace import COARSE, Pace
from vizml.run.ranking import Ranking, moved
from vizml.run.seams import sewn
from vizml.run.shade import BLENDED, Image, blend, density_lens, glow, shade, through
from vizml.scene import Asked, Borders, Levels, Look, Path, Region, Scene
from vizml.scene.scene import BOUNDARIES, CONTOURS, REGIONS

if TYPE_CHECKING:
    from vizml.data import Dataset
    from vizml.scene import Ink, Lens, Mark

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
SAMPLE = 2000
"""Points that tell the peak of a density."""
NOTHING = Focus()


def compose(
    data: Dataset,
    state: State,
    raster: Raster,
    look: Look,
    *,
    pace: Pace | None = None,
    node: str = "",
) -> Scene:
    """The scene of a state trained on data, exact at each pixel; Cancelled soon after it is unwanted.

    With a node of the state's diagram it shows what that node is.
    """
    pace, focus, started = pace or Pace(), focus_of(state, node), perf_counter()
    if isinstance(state, Regressor):
        scene = curve_scene(data, state, raster, look, focus.marks)
    else:
        sheet = Sheet(data, state, raster, look, focus)
        for rows, _ in raster.bands(pace.rows(raster, len(sheet.inks))):
            sheet.put(rows)
        scene = sheet.scene()
    height, width = raster.shape
    pace.seconds_per_pixel = (perf_counter() - started) / max(height * width, 1)
    return scene


def focus_of(state: State, node: str) -> Focus:
    """The focus of a diagram's node; nothing for a node that the state does not have (any more)."""

    def find() -> Focus:
        try:
            return state.focus(node)
        except (LookupError, ValueError):  # how a state says that it has no such node
            return NOTHING

    return guarded(state, "focus", find, NOTHING) if node else NOTHING


def coarse(
    data: Dataset, state: State, raster: Raster, look: Look, pace: Pace, stride: int = COARSE, node: str = ""
) -> Scene:
    """A scene of the same rectangle in pixels of stride by stride: quick to have, not yet exact."""
    started = perf_counter()
    height, width = (max(count // stride, 2) for count in raster.shape)
    scene = compose(data, state, Raster.over(edges(raster), width, height), look, node=node)
    pace.coarse[stride] = perf_counter() - started
    return replace(scene, exact=False)


class Sheet:
    """The picture while its bands arrive: pixels, and pieces of contour lines by what asked for them."""

    def __init__(self, data: Dataset, state: State, raster: Raster, look: Look, focus: Focus) -> None:
        self._data, self._state, self._raster, self._look = data, state, raster, look
        self._marks = (*guarded(state, "marks", state.marks, ()), *focus.marks)
        self._peak = _peak(data, state)
        self._image: Image = np.empty((*raster.shape, 4), dtype=np.uint8)
        self._lines: dict[Mark | str, list[Floats]] = {}
        self._bands = 0
        self._lens = focus.lens or _lens(state, look.lens)
        self.inks = inks_of(state)

    def put(self, rows: slice) -> None:
        """Paint a band: its pixels, and its lines with one row of the band before it, so that they meet."""
        self._bands += 1
        start = max(rows.start - 1, 0)
        band = self._raster.rows(start, rows.stop)
        field = _with_noise(self._state, self._state.field(band))
        ranking = Ranking(moved(field, self._look.threshold))
        if self._look.shows(REGIONS):
            self._image[rows] = self._shaded(ranking, band)[rows.start - start :]
        if len(self.inks) > 1 and self._look.shows(BOUNDARIES):
            self._add(BOUNDARIES, contours.boundaries(ranking, band))
        if self._look.shows(CONTOURS):
            self._add(CONTOURS, contours.confidences(self._state, ranking, band, self._peak))
        for mark in self._marks:
            if isinstance(mark, Levels) and self._look.draws(mark):
                self._add(mark, contours.levels(field[mark.plane], band, mark.values))
            elif isinstance(mark, Borders) and self._look.draws(mark):
                self._add(mark, contours.boundaries(Ranking(mark.field(band)), band))

    def scene(self) -> Scene:
        """All that was put, with the marks over it."""
        marks: list[Mark] = []
        if CONTOURS in self._lines:
            faint = Path(layer=CONTOURS, lines=self._of(CONTOURS), width=1.0, ink="muted", opacity=0.8)
            marks.append(faint)
        if BOUNDARIES in self._lines:
            marks.append(Path(layer=BOUNDARIES, lines=self._of(BOUNDARIES)))
        if self._lens is not None and self._lens.levels:
            marks.append(Path(layer=self._lens.name, lines=self._of(self._lens.name), width=1.0, opacity=0.6))
        marks.extend(self._drawn(mark) for mark in self._marks)
        painted = self._look.shows(REGIONS) and self._image.size > 0
        region = Region(self._image, edges(self._raster)) if painted else None
        lens = density_lens(self._peak) if isinstance(self._state, Density) else None
        return Scene(region=region, marks=tuple(marks), lens=self._lens or lens, tags=self._tags())

    def _shaded(self, ranking: Ranking, band: Raster) -> Image:
        if self._lens is not None:
            plane = self._lens.plane(band)
            span = np.broadcast_to(np.float32(self._lens.high - self._lens.low), plane.shape)
            self._add(self._lens.name, contours.levels(plane, band, self._lens.levels, span))
            return through(self._lens, plane, self._look.theme)
        if isinstance(self._state, Classifier | Clusterer):
            soft = self._look.shading == "soft" and self._state.scale in BLENDED
            if soft and isinstance(self._state, Clusterer):
                return blend(ranking, self.inks, self._state.scale, self._look)
            reach = self._state.reach if isinstance(self._state, Classifier) else None
            return shade(ranking, self.inks, self._state.scale, self._look, reach)
        return glow(ranking.field[0], self._peak, self._look)

    def _add(self, key: Mark | str, pieces: list[Floats]) -> None:
        self._lines.setdefault(key, []).extend(pieces)

    def _of(self, key: Mark | str) -> tuple[Floats, ...]:
        lines = self._lines.get(key, [])
        return tuple(sewn(lines, self._raster) if self._bands > 1 else lines)

    def _drawn(self, mark: Mark) -> Mark:
        """The mark itself, or the lines that it asked for."""
        return mark.path(self._of(mark)) if isinstance(mark, Asked) else mark

    def _tags(self) -> tuple[Ints, Ints] | None:
        if isinstance(self._state, Clusterer) and self._state.groups and self._data.ids is not None:
            return self._data.ids, self._state.assigned
        return None


def _lens(state: State, name: str) -> Lens | None:
    lenses = guarded(state, "lenses", state.lenses, ()) if name else ()
    return next((lens for lens in lenses if lens.name == name), None)


def inks_of(state: State) -> tuple[Ink, ...]:
    """The ink of each plane of a state's field."""
    if isinstance(state, Classifier):
        return tuple(int(label) for label in state.classes)
    if not isinstance(state, Clusterer):
        return ("accent",)
    ground: Ink = "ground"
    inks = tuple(k if state.groups else ground for k in range(state.clusters))
    return (*inks, ground) if math.isfinite(state.floor) else inks


def _with_noise(state: State, field: Field) -> Field:
    """A field with one more plane, the floor, that wins where no cluster is above it."""
    if not isinstance(state, Clusterer) or not math.isfinite(state.floor):
        return field
    floor = np.full((1, *field.shape[1:]), state.floor, dtype=np.float32)
    return np.concatenate([field, floor])


def edges(raster: Raster) -> tuple[float, float, float, float]:
    """The rectangle whose pixels have these centres."""
    (left, right), (bottom, top) = _ends(raster.x), _ends(raster.y)
    return left, right, bottom, top


def _ends(axis: Floats) -> tuple[float, float]:
    half = (axis[-1] - axis[0]) / (2 * (len(axis) - 1)) if len(axis) > 1 else 0.5
    return float(axis[0] - half), float(axis[-1] + half)


def _peak(data: Dataset, state: State) -> float:
    """The highest log density that colours refer to: that at the data, or at some of them."""
    if not isinstance(state, Density) or not len(data):
        return 0.0
    return float(np.max(state.log_density(data.points[:: len(data) // SAMPLE + 1])))
