"""Layers: additional content over the scene of a state, such as other models or a diagnostic's overlay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from vizml.evaluate.bayes import bayes, bayes_of
from vizml.evaluate.diagnostic import Overlay
from vizml.field import Raster
from vizml.field.arrays import Bounds, Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.learn import CurveView, LineView, PlaneView, State, View
from vizml.run import contours
from vizml.run.curves import CURVE, line_outline
from vizml.run.shade import Ranking
from vizml.scene import Ink, Look, Mark, Ordinate, Path, Region, Scene
from vizml.scene.figure import FOLD
from vizml.scene.palette import FoldInk
from vizml.scene.shading import ClassShading

if TYPE_CHECKING:
    from vizml.run.request import RenderRequest

OTHER_FITS, OTHER_MODEL, OTHER_MODELS = "Other fits", "Other model", "Other models"
"""Names of the layers' marks in the View menu."""
BAYES = "Bayes boundary"
GENERATED = ("x", "y")
"""Names of the inputs of generated points."""
FIRST_INK, INKS = 1, 7
"""Class colours of other models' curves: the first is too close to the accent of the model's own one."""
DARKENED, PALED = 0.6, 0.6
"""Shares by which differing pixels approach the text colour, and equal ones the ground."""
ROWS = 64
"""Rows that are compared between two checks for cancellation."""
STRIDE = 3
"""Pixels of the view, in width and height, for each pixel in which faint lines are found."""
BAYES_STRIDE = 2
"""The same of the Bayes boundary."""
FARTHEST = 1e8
"""Views that reach farther, in standard deviations of the noise, would show rounding errors as boundaries."""
MOST_LINES = 40
"""More fits than this would cover the plane."""
GROUPED, SINGLE = 0.6, 0.3
"""Opacity of the line of a group, and of one among many fits."""


@dataclass
class LineCache:
    """Lines of other fits, kept from frame to frame while the view stays the same."""

    key: tuple[object, ...] = ()
    lines: dict[State, tuple[Floats, ...]] = field(default_factory=dict)


class Layer(ABC):
    """Content that is added to a scene."""

    quick = False
    """Whether it is drawn on coarse previews as well."""
    about_data = False
    """Whether it depends on the data only, and is the same at all steps."""

    @property
    def states(self) -> Sequence[State]:
        """Other states that it shows."""
        return ()

    @abstractmethod
    def added(self, scene: Scene, view: View[Any], request: RenderRequest, cache: LineCache) -> Scene:
        """Return the scene of a view with the layer."""


@dataclass(frozen=True)
class OverlayLayer(Layer):
    """Overlay of a diagnostic: the boundaries or curves of other fits, groups of points, marks."""

    overlay: Overlay
    quick = True

    @property
    def states(self) -> Sequence[State]:
        return self.overlay.states

    def added(self, scene: Scene, view: View[Any], request: RenderRequest, cache: LineCache) -> Scene:
        overlay = self.overlay
        marks = self._fits(view, request, cache, scene.ordinate) if request.look.shows(OTHER_FITS) else ()
        scene = replace(scene, marks=(*marks, *scene.marks, *overlay.marks))
        if overlay.groups is None:
            return scene
        return replace(scene, tags=overlay.groups, tagged=FOLD)

    def _fits(
        self, view: View[Any], request: RenderRequest, cache: LineCache, ordinate: Ordinate | None
    ) -> tuple[Mark, ...]:
        states, threshold = self.overlay.states[-MOST_LINES:], request.look.threshold
        raster = request.viewport.raster
        coarse = Raster(_thinned(raster.x), _thinned(raster.y))
        ends = *coarse.x[[0, -1]].tolist(), *coarse.y[[0, -1]].tolist()
        key = (*ends, coarse.shape, threshold, ordinate, *view.section.key)
        known = cache.lines if key == cache.key else {}
        cache.key, cache.lines = key, {}
        for state in states:
            check_cancelled()
            if state not in known:
                known[state] = outline(state.on(view.section), coarse, threshold, ordinate)
            cache.lines[state] = known[state]
        grouped = self.overlay.groups is not None
        return tuple(
            _fit_line(lines, FoldInk(k) if grouped else "text", GROUPED if grouped else SINGLE, first=k == 0)
            for k, lines in enumerate(cache.lines.values())
        )


@dataclass(frozen=True)
class DifferenceLayer(Layer):
    """Another model for comparison: pixels where its prediction differs stand out, the others fade."""

    other: State

    @property
    def states(self) -> Sequence[State]:
        return (self.other,)

    def added(self, scene: Scene, view: View[Any], request: RenderRequest, cache: LineCache) -> Scene:
        raster, look = request.viewport.raster, request.look
        other = self.other.on(view.section)
        if not isinstance(view, PlaneView) and not isinstance(other, PlaneView):
            curves = outline(other, raster, ordinate=scene.ordinate)
            return replace(scene, marks=(*scene.marks, _other_line(curves, "other model")))
        if scene.region is None or _labelled(view) is None or _labelled(other) is None:
            return scene
        differ, lines = _differences(view, other, raster, look.threshold)
        text = f"differs on {100 * differ.mean():.1f} %"
        region = Region(_contrasted(scene.region.image, differ, look), scene.region.bounds)
        return replace(scene, region=region, marks=(*scene.marks, _other_line(tuple(lines), text)))


@dataclass(frozen=True)
class CurvesLayer(Layer):
    """Curves of other regressions next to the model's own, with their names in the legend."""

    own: str
    others: tuple[tuple[str, State], ...]

    def added(self, scene: Scene, view: View[Any], request: RenderRequest, cache: LineCache) -> Scene:
        if not isinstance(view, CurveView):
            return scene
        raster = request.viewport.raster
        lines = [
            Path(
                layer=OTHER_MODELS, lines=outline(curve, raster), ink=FIRST_INK + k % INKS, width=2.0,
                legend=name,
            )
            for k, (name, state) in enumerate(self.others)
            if state.space.names == view.state.space.names
            and isinstance(curve := state.on(view.section), CurveView)
        ]  # fmt: skip
        return replace(scene, marks=(*(self._renamed(mark) for mark in scene.marks), *lines))

    def _renamed(self, mark: Mark) -> Mark:
        """Name the model's own curve; the legend has no room for its other marks."""
        return replace(mark, legend=self.own if mark.layer == CURVE else "")


@dataclass(frozen=True)
class BayesLayer(Layer):
    """Boundary of the Bayes classifier of the generator that the points come from."""

    generator: str
    quick = True
    about_data = True

    def added(self, scene: Scene, view: View[Any], request: RenderRequest, cache: LineCache) -> Scene:
        viewport = request.viewport
        whole = view.section.whole and view.state.space.names == GENERATED
        if not whole or _labelled(view) is None:
            return scene
        lines: tuple[Floats, ...] = ()
        legend = ""
        if request.look.shows(BAYES, off_by_default=True):
            size = (max(pixels // BAYES_STRIDE, 2) for pixels in (viewport.width, viewport.height))
            lines = bayes_boundary(self.generator, viewport.bounds, *size)
            legend = f"Bayes boundary, error {100 * bayes(self.generator).error:.2g} %"
        mark = Path(layer=BAYES, lines=lines, width=2.0, stroke="dash", legend=legend, off_by_default=True)
        return replace(scene, marks=(*scene.marks, mark))


@lru_cache(maxsize=8)
def bayes_boundary(generator: str, bounds: Bounds, width: int, height: int) -> tuple[Floats, ...]:
    """Return the boundaries of the Bayes classifier of a generator in a rectangle."""
    found = bayes(generator)
    frame = found.densities.frame
    if max(map(abs, bounds)) > FARTHEST * np.abs(frame).max():
        return ()
    shares, raster = found.shares(bounds, width, height)
    return tuple(line @ frame for line in contours.boundaries(Ranking(shares), raster))


def generator_layers(generator: str) -> tuple[Layer, ...]:
    """Return the layers that are known of the generator of the points; none for other points."""
    return () if bayes_of(generator) is None else (BayesLayer(generator),)


def with_layers(scene: Scene, state: State, request: RenderRequest, cache: LineCache | None = None) -> Scene:
    """Return the scene of a state with the layers of a request, but for those of other inputs.

    After a change of the inputs, a layer of the former ones stays until the other stages are trained anew.
    """
    view, cache = state.on(request.section), cache or LineCache()
    for layer in request.layers:
        if all(other.space.names == state.space.names for other in layer.states):
            scene = layer.added(scene, view, request, cache)
    return scene


def outline(
    view: View[Any], raster: Raster, threshold: float = 0.0, ordinate: Ordinate | None = None
) -> tuple[Floats, ...]:
    """Return the curves of a curve or line view, or the boundaries between labelled classes."""
    if isinstance(view, CurveView):
        return (np.column_stack([raster.x, view.curve(raster.x)]),)
    if isinstance(view, LineView) and ordinate is not None:
        return line_outline(view, raster.x, ordinate)
    shading = _labelled(view)
    if shading is None or len(shading.inks) < 2:
        return ()
    return tuple(contours.boundaries(Ranking(view.field(raster), threshold), raster))


def agreement(state: State, other: State, X: Floats) -> float | None:
    """Return the share of complete inputs for which two classifiers predict the same class."""
    X = X[~np.isnan(X).any(axis=1)]
    kinds = state.shading, other.shading
    if not len(X) or not all(isinstance(kind, ClassShading) and kind.labelled for kind in kinds):
        return None
    if any(len(each.space.names) != X.shape[1] for each in (state, other)):  # of other data: one is to follow
        return None
    return float(np.mean(state.coded(X) == other.coded(X)))


def _labelled(view: View[Any]) -> ClassShading | None:
    shading = view.state.shading if isinstance(view, PlaneView) else None
    return shading if isinstance(shading, ClassShading) and shading.labelled else None


def _thinned(axis: Floats) -> Floats:
    """Return one value for each STRIDE of an axis, spread as its own ones are."""
    pixels = np.arange(len(axis), dtype=np.float64)
    return np.interp(np.linspace(0.0, pixels[-1], max(len(axis) // STRIDE, 2)), pixels, axis)


def _fit_line(lines: tuple[Floats, ...], ink: Ink, opacity: float, *, first: bool) -> Path:
    legend = "other fits" if first else ""
    return Path(layer=OTHER_FITS, lines=lines, ink=ink, width=1.0, opacity=opacity, legend=legend)


def _other_line(lines: tuple[Floats, ...], text: str) -> Path:
    return Path(layer=OTHER_MODEL, lines=lines, width=1.5, stroke="dash", opacity=0.7, legend=text)


def _differences(
    view: View[Any], other: View[Any], raster: Raster, threshold: float
) -> tuple[Mask, list[Floats]]:
    """Return the pixels with different predictions, and the boundaries of the other model."""
    differ, lines = np.zeros(raster.shape, dtype=np.bool_), []
    for rows, _ in raster.bands(ROWS):
        overlapping = slice(max(rows.start - 1, 0), rows.stop)  # one row of the band before joins the lines
        band = raster.rows(overlapping.start, overlapping.stop)
        theirs, ours = Ranking(other.field(band)), Ranking(view.field(band), threshold)
        differ[overlapping] = _winners(view, ours) != _winners(other, theirs)
        lines.extend(contours.boundaries(theirs, band) if len(theirs.field) > 1 else [])
    return differ, lines


def _winners(view: View[Any], ranking: Ranking) -> Ints:
    """Return the class at each pixel."""
    classes = np.array(view.state.shading.inks, dtype=np.int64)
    if len(classes) == 2:
        return np.asarray(classes[(ranking.difference > 0).astype(np.int64)])
    return np.asarray(classes[ranking.winner])


def _contrasted(image: Any, differ: Mask, look: Look) -> Any:
    share = np.where(differ, DARKENED, PALED)[..., None]
    towards = np.where(differ[..., None], np.array(look.theme.text), np.array(look.theme.ground))
    out = image.copy()
    out[..., :3] = np.round(image[..., :3] * (1.0 - share) + towards * share).astype(np.uint8)
    return out
