"""Composition: a view becomes a scene with its field in bands of rows, colours, contour lines and marks.

The height of bands, and coarse previews before an exact picture, follow measured times (`RenderPacing`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from vizml.data import Dataset
from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.polynomial import LARGEST
from vizml.learn import CannotLearn, CurveView, Focus, LineView, PlaneView, State, View
from vizml.run import contours
from vizml.run.curves import FAINT, curve_scene, line_scene
from vizml.run.errors import guarded
from vizml.run.request import RenderRequest
from vizml.run.shade import (
    Image,
    Ranking,
    blend_classes,
    density_lens,
    gain_for,
    gain_text,
    height_lens,
    map_lens,
    shade_classes,
    shade_density,
    shade_lens,
)
from vizml.scene import (
    Borders,
    CurveLens,
    Curves,
    Ink,
    LazyLines,
    Lens,
    Levels,
    Look,
    Mark,
    Path,
    Region,
    Scene,
    ViewDependent,
)
from vizml.scene.figure import BOUNDARIES, CONTOURS, LEVELS, REGIONS
from vizml.scene.marks import join_lines
from vizml.scene.shading import ClassShading, DensityShading, HeightShading, MapShading, Scale
from vizml.scene.viewport import Viewport

ROUGH, COARSE = 32, 8
"""Pixels in width and height for each pixel of a rough and of a coarse preview."""
FIRST = 0.1
"""Seconds that the first preview may take: a rough one precedes a coarse one that takes longer."""
WORTH = 4
"""A coarse preview follows a rough one where the exact picture takes this many times as long."""
BAND_SECONDS = 0.015
"""Seconds that one band may take, so that a stale run is dropped soon."""
SHORT_WAIT = 0.06
"""Seconds to wait for an exact picture without a preview."""
LONG_WAIT = 0.25
"""The same where the previous picture of the same state is shown, moved along with the view."""
BAND_FLOATS = 4 << 20
"""Values in one band: 16 MB, and a few intermediate arrays of the same size."""


@dataclass
class RenderPacing:
    """Durations of the latest pictures of one kind of model."""

    seconds_per_pixel: float | None = None
    """Of exact pictures."""
    coarse: dict[int, float] = field(default_factory=dict)
    """Seconds of previews by stride; with very many points they take nearly as long as an exact picture."""

    def exact_seconds(self, pixels: int) -> float:
        """Estimate the duration of an exact picture; 0 where nothing is known."""
        if self.seconds_per_pixel is not None:
            return self.seconds_per_pixel * pixels
        return min((seconds * stride**2 for stride, seconds in self.coarse.items()), default=0.0)

    def preview_seconds(self, stride: int, pixels: int) -> float:
        """Estimate the duration of a preview of a raster of so many pixels."""
        return self.coarse.get(stride, self.exact_seconds(pixels) / stride**2)

    def strides(self, pixels: int) -> tuple[int, ...]:
        """Return the strides of the previews of a slow picture."""
        coarse = self.preview_seconds(COARSE, pixels)
        if coarse <= FIRST:
            return (COARSE,)
        known = self.seconds_per_pixel is not None  # a rough preview overestimates the exact picture
        return (ROUGH, COARSE) if known and WORTH * coarse <= self.exact_seconds(pixels) else (ROUGH,)

    def rows(self, raster: Raster, planes: int) -> int:
        """Return the height of a band that takes BAND_SECONDS and holds BAND_FLOATS at most."""
        height, width = raster.shape
        fit = BAND_FLOATS // max(planes * width, 1)
        seconds = self.exact_seconds(height * width)
        if seconds:
            fit = min(fit, int(BAND_SECONDS / seconds * height))
        return int(np.clip(fit, 16, max(height, 16)))


SAMPLE, SCORE_SAMPLE = 2000, 200
"""Points at which the peak of a density, and the highest certainty of a classifier, are looked for."""
SCALED = (Scale.LOGIT, Scale.MARGIN)
"""Scales of decision values, which regularisation shrinks: where all are close to a tie they get a gain."""
NO_FOCUS = Focus()


def compose(
    data: Dataset, state: State, request: RenderRequest, *, pacing: RenderPacing | None = None
) -> Scene:
    """Return the scene of a state trained on data, exact at each pixel, without the layers of the request.

    Raises Cancelled soon after it is no longer wanted.
    """
    started, pacing = perf_counter(), pacing or RenderPacing()
    view, raster = state.on(request.section), request.viewport.raster
    focus = focus_of(view, request.node) if request.node else NO_FOCUS
    if isinstance(view, CurveView):
        scene = curve_scene(_complete(data, state), view, raster, request.look, focus.marks)
    elif isinstance(view, LineView):
        theme = request.look.theme
        faint = replace(request.look, theme=replace(theme, tint=FAINT * theme.tint))
        builder = SceneBuilder(view, replace(request.viewport, height=2), faint, focus)
        builder.add(slice(0, 2))
        lens = _lens(view, request.look.lens) if request.look.lens else None
        curves = lens if isinstance(lens, CurveLens) else None
        data, layers = _complete(data, state), builder.contour_layers
        scene = line_scene(builder.scene(), layers, data, view, raster.x, request.look, curves)
    else:
        builder = SceneBuilder(view, request.viewport, request.look, focus)
        for rows, _ in raster.bands(pacing.rows(raster, len(builder.inks))):
            builder.add(rows)
        scene = builder.scene()
    pacing.seconds_per_pixel = (perf_counter() - started) / max(request.viewport.pixels, 1)
    return scene


def _complete(data: Dataset, state: State) -> Dataset:
    with suppress(CannotLearn):  # missing values are refused since the state was trained
        return state.task.complete(data)
    return data


def coarse(
    data: Dataset, state: State, request: RenderRequest, pacing: RenderPacing, stride: int = COARSE
) -> Scene:
    """Return a preview of the scene in pixels of stride by stride."""
    started = perf_counter()
    scene = compose(data, state, replace(request, viewport=request.viewport.coarsened(stride)))
    pacing.coarse[stride] = perf_counter() - started
    return replace(scene, exact=False)


def focus_of(view: View[Any], node: str) -> Focus:
    """Return what a view shows for a node of the diagram; nothing for a node that the state lacks."""

    def find() -> Focus:
        try:
            return view.focus(node)
        except (LookupError, ValueError):  # the state does not have the node any more
            return NO_FOCUS

    return guarded(view.state, "focus", find, NO_FOCUS)


class SceneBuilder:
    """A plane view as a scene, built band by band: pixels, and pieces of contour lines by their origin."""

    def __init__(self, view: View[Any], viewport: Viewport, look: Look, focus: Focus) -> None:
        self._view, self._look, self._data = view, look, view.state.trained_on
        self._bounds, self._raster = viewport.bounds, viewport.raster
        self._shading = view.state.shading if isinstance(view, PlaneView | LineView) else None
        marks = guarded(view.state, "marks", view.marks, ())
        self._marks: tuple[Mark, ...] = (*marks, *focus.marks)
        coloured = isinstance(self._shading, ClassShading | MapShading | HeightShading)
        self._peak = 0.0 if coloured else self._density_peak()
        self._image: Image = np.empty((*self._raster.shape, 4), dtype=np.uint8)
        self._lines: defaultdict[Mark | str, list[Floats]] = defaultdict(list)
        self._bands = 0
        self._lens = focus.lens or (
            _lens(view, look.lens) if look.lens and isinstance(view, PlaneView) else None
        )
        self._map: Lens | None = None
        if isinstance(self._shading, MapShading | HeightShading) and self._lens is None:
            self._map = (
                height_lens(self._shading) if isinstance(self._shading, HeightShading)
                else map_lens(self._data.target, self._data.y)
            )  # fmt: skip
            lines = Levels(layer=LEVELS, plane=0, values=self._map.levels, width=1.0, opacity=0.6)
            self._marks = (lines, *self._marks)
        self.inks: tuple[Ink, ...] = ("accent",)
        if isinstance(self._shading, ClassShading):
            ground: tuple[Ink, ...] = ("ground",) if math.isfinite(self._shading.floor) else ()
            self.inks = self._shading.inks + ground
        self._gain = self._score_gain()

    def add(self, rows: slice) -> None:
        """Shade a band, and find its lines from the last row of the band before, so that they meet."""
        self._bands += 1
        start = max(rows.start - 1, 0)
        band = self._raster.rows(start, rows.stop)
        field = self._view.field(band)
        if isinstance(self._shading, ClassShading) and len(self.inks) > len(field):
            field = self._with_floor(field, self._shading.floor)
        ranking = Ranking(field, self._look.threshold)
        if self._look.shows(REGIONS):
            self._image[rows] = self._shaded(ranking, band)[rows.start - start :]
        if len(self.inks) > 1 and self._look.shows(BOUNDARIES):
            lines = contours.boundaries(ranking, band)
            edges = self._view.edges() if isinstance(self._view, PlaneView) else None
            self._lines[BOUNDARIES] += lines if edges is None else contours.snapped(lines, band, edges)
        if isinstance(self._shading, ClassShading | DensityShading) and self._look.shows(CONTOURS):
            self._lines[CONTOURS] += contours.confidences(self._shading, ranking, band, self._peak)
        for mark in self._marks:
            if isinstance(mark, Levels) and self._look.draws(mark):
                self._lines[mark] += contours.levels(field[mark.plane], band, mark.values)
            elif isinstance(mark, Borders) and self._look.draws(mark):
                self._lines[mark] += contours.boundaries(Ranking(mark.field(band)), band)

    @property
    def contour_layers(self) -> set[str]:
        """Layers of lines on which a quantity has some value."""
        return {BOUNDARIES, *(mark.layer for mark in self._marks if isinstance(mark, Levels))}

    def scene(self) -> Scene:
        """Return the scene of all bands, with the marks over it."""
        marks: list[Mark] = []
        if CONTOURS in self._lines:
            faint = Path(layer=CONTOURS, lines=self._joined(CONTOURS), width=1.0, ink="muted", opacity=0.8)
            marks.append(faint)
        if BOUNDARIES in self._lines:
            marks.append(Path(layer=BOUNDARIES, lines=self._joined(BOUNDARIES)))
        if self._lens is not None and self._lens.levels:
            marks.append(
                Path(layer=self._lens.name, lines=self._joined(self._lens.name), width=1.0, opacity=0.6)
            )
        for mark in self._marks:
            if isinstance(mark, ViewDependent) and not isinstance(mark, Curves):  # left to `line_scene`
                marks.append(mark.path(self._joined(mark)))
            else:
                marks.append(mark)
        painted = self._look.shows(REGIONS) and self._image.size > 0
        region = Region(self._image, self._bounds) if painted else None
        lens = self._map or (None if isinstance(self._shading, ClassShading) else density_lens(self._peak))
        groups = self._view.state.point_groups
        tags = None if groups is None else (self._data.row_ids, groups)
        shading = self._shading
        scaled = ""
        if isinstance(shading, ClassShading) and self._gain > 1.0:
            scaled = gain_text(self._gain, shading)
        return Scene(
            region=region, marks=tuple(marks), lens=self._lens or lens, tags=tags, scaled=scaled,
            mapped=painted and self._map is not None and isinstance(shading, MapShading),
        )  # fmt: skip

    def _shaded(self, ranking: Ranking, band: Raster) -> Image:
        if self._lens is not None:
            plane = self._lens.plane(band)
            span = np.broadcast_to(np.float32(self._lens.high - self._lens.low), plane.shape)
            self._lines[self._lens.name] += contours.levels(plane, band, self._lens.levels, span)
            return shade_lens(self._lens, plane, self._look.theme)
        shading = self._shading
        if self._map is not None:
            return shade_lens(self._map, ranking.field[0], self._look.theme)
        if not isinstance(shading, ClassShading):
            return shade_density(ranking.field[0], self._peak, self._look)
        if shading.blended and self._look.shading == "soft":
            return blend_classes(ranking, self.inks, shading.scale, self._look)
        return shade_classes(ranking, self.inks, shading.scale, self._look, shading.reach, self._gain)

    @staticmethod
    def _with_floor(field: Field, floor: float) -> Field:
        """Append the floor as a plane that wins where no class is above it."""
        return np.concatenate([field, np.full((1, *field.shape[1:]), floor, dtype=np.float32)])

    def _density_peak(self) -> float:
        """Return the highest log density at the data, or at a sample of them."""
        return float(self._values_at_data(SAMPLE).max()) if len(self._data) else 0.0

    def _score_gain(self) -> float:
        """Return the gain that keeps regions visible where all scores at the data are close to a tie."""
        shading, plain = self._shading, self._look.shading == "hard" or self._lens is not None
        if plain or not isinstance(shading, ClassShading) or not shading.labelled or not len(self._data):
            return 1.0
        if shading.scale not in SCALED or len(shading.inks) < 2:
            return 1.0
        scores = np.clip(self._values_at_data(SCORE_SAMPLE), -LARGEST, LARGEST)
        return gain_for(scores.T[:, None].astype(np.float32), shading.scale, shading.reach)

    def _values_at_data(self, most: int) -> Floats:
        """Return the values of the state at the training data, or at a sample of about so many points."""
        X = self._data.X
        values: Floats = self._view.state.plane_values(X[:: len(X) // most + 1])
        return values

    def _joined(self, key: Mark | str) -> tuple[Floats, ...]:
        if isinstance(key, LazyLines):
            return tuple(key.lines()) if self._look.draws(key) else ()
        lines = self._lines[key]
        return tuple(join_lines(lines, self._raster) if self._bands > 1 else lines)


def _lens(view: View[Any], name: str) -> Lens | None:
    """Return the lens of a name, None where the state does not have it."""
    lenses = guarded(view.state, "lenses", view.lenses, ())
    return next((lens for lens in lenses if lens.name == name), None)
