"""Scenes (region image and marks of a state) and figures (points over a scene, axes, legend, scores)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.field.arrays import Bounds, Floats, Ints, Mask
from vizml.scene.marks import Dots, Mark
from vizml.scene.palette import CLASSES, FOLDS, LIGHT, Theme
from vizml.scene.shading import Lens
from vizml.scene.viewport import LINEAR, LogAxes

Shading: TypeAlias = Literal["soft", "hard"]

REGIONS, BOUNDARIES, CONTOURS = "Regions", "Boundaries", "Probability contours"
LEVELS = "Contour lines"
POINTS, HELD, TESTED = "Points", "Held-out points", "Test points"
LEGEND, SCORES, GRID = "Legend", "Scores", "Grid"
STANDARD = (REGIONS, BOUNDARIES, CONTOURS, POINTS, HELD, TESTED, SCORES, GRID)
"""The layers of every picture."""
FOLD = "fold"
"""Name of groups that are the folds of a cross-validation and have colours of their own."""


@dataclass(frozen=True)
class Look:
    """Appearance of a stage: all settings of a picture that belong neither to the data nor to the model."""

    theme: Theme = LIGHT
    shading: Shading = "soft"
    hidden: frozenset[str] = field(default_factory=lambda: frozenset({CONTOURS, GRID}))
    shown: frozenset[str] = frozenset()
    """Layers off by default that are switched on."""
    lens: str = ""
    """Name of the lens that replaces the regions, where the state has it."""
    threshold: float = 0.0
    """Decision threshold: the second of two classes is predicted where it leads by this much."""
    transparent: bool = False
    """Whether regions are translucent instead of mixed with the ground of the theme."""

    def shows(self, layer: str, *, off_by_default: bool = False) -> bool:
        """Whether a layer is switched on."""
        return layer in self.shown if off_by_default else layer not in self.hidden

    def draws(self, mark: Mark) -> bool:
        """Whether the layer of a mark is switched on."""
        return self.shows(mark.layer, off_by_default=mark.off_by_default)

    def switched(self, layer: str, on: bool) -> Look:
        """Return the appearance with a layer switched on or off."""
        if on:
            return replace(self, hidden=self.hidden - {layer}, shown=self.shown | {layer})
        return replace(self, hidden=self.hidden | {layer}, shown=self.shown - {layer})


@dataclass(frozen=True, eq=False)
class Region:
    """An RGBA image (H, W, 4) uint8 over a rectangle of the plane; row 0 lies at the bottom edge."""

    image: NDArray[np.uint8]
    bounds: Bounds


@dataclass(frozen=True)
class Ordinate:
    """Vertical axis of a line view: its title, and the values at the heights 0 and 1 of the canvas."""

    title: str
    low: float = 0.0
    high: float = 1.0

    def height(self, values: ArrayLike) -> Floats:
        """Return the heights of values."""
        return np.asarray((np.asarray(values) - self.low) / (self.high - self.low))


@dataclass(frozen=True, eq=False)
class Scene:
    """Content of a stage that depends on the model; the points of the data set are painted over it."""

    region: Region | None = None
    marks: tuple[Mark, ...] = ()
    lens: Lens | None = None
    """The lens that its region shows instead of classes, explained by a colour bar."""
    exact: bool = True
    """False for a coarse preview."""
    tags: tuple[Ints, Ints] | None = None
    """Ids of points with the group of each, which colours them instead of their class."""
    tagged: str = "cluster"
    """Name of such a group in the legend."""
    ordinate: Ordinate | None = None
    """Vertical axis of a line view; None where the axis is a column of the data."""
    mapped: bool = False
    """Whether the lens shows predictions, and colours the points by their targets."""
    scaled: str = ""
    """Legend text about the scores at full colour, where the shading is scaled to their range."""

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of its marks, in drawing order, once each."""
        return tuple(dict.fromkeys(mark.layer for mark in self.marks))

    def off_by_default(self, layer: str) -> bool:
        """Whether a layer has marks, all of them off by default."""
        return {mark.off_by_default for mark in self.marks if mark.layer == layer} == {True}


def moving_dots(old: Scene | None, new: Scene) -> dict[Mark, Floats]:
    """Return the former positions of the dots that are elsewhere in the new scene.

    Dots correspond where both scenes have as many of them in the same layer.
    """
    before = {mark.layer: mark.points for mark in old.marks if isinstance(mark, Dots)} if old else {}
    found: dict[Mark, Floats] = {}
    for mark in new.marks:
        points = before.get(mark.layer)
        if points is None or not isinstance(mark, Dots) or points.shape != mark.points.shape:
            continue
        if (points != mark.points).any():
            found[mark] = points
    return found


def interpolated(old: Scene | None, new: Scene, share: float) -> Scene:
    """Return the new scene with dots part of the way from their positions in the old scene, eased."""
    if old is None or share >= 1.0:
        return new
    former = moving_dots(old, new)
    eased = share * share * (3 - 2 * share)

    def moved(mark: Mark) -> Mark:
        if mark not in former or not isinstance(mark, Dots):
            return mark
        return replace(mark, points=former[mark] + eased * (mark.points - former[mark]))

    return replace(new, marks=tuple(map(moved, new.marks)))


PLAIN, FIRST_FOLD = -2, len(CLASSES)
"""Kind of points that show nothing but their place, and that of points of the first fold."""
FIRST_SHADE, SHADES = FIRST_FOLD + len(FOLDS), 32
"""Kind of points with the lowest target, and the number of shades up to the highest one."""


PIXELS_PER_INCH = 96.0
"""Logical pixels."""


class Fill(IntEnum):
    """Part of the data that a point belongs to, shown by the inside of its symbol."""

    FILLED = 0
    """Training."""
    HOLLOW = 1
    """Held out."""
    DOTTED = 2
    """Kept for the final test."""


FILL_LAYERS = {Fill.FILLED: POINTS, Fill.HOLLOW: HELD, Fill.DOTTED: TESTED}


@dataclass(frozen=True, eq=False)
class Points:
    """Points with the symbol of each."""

    positions: Floats
    kinds: Ints
    """Symbol of each point: a class (from 0), -1 for no class, PLAIN, a fold (from FIRST_FOLD), or a shade of
    its target (from FIRST_SHADE).
    """
    fills: Ints
    selected: Mask | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    """Legend text of the kinds that have one."""
    fill_names: Mapping[Fill, str] = field(default_factory=dict)
    """Legend text of the fills that have one."""
    opacity: Floats | None = None
    """From 0 to 1 for each point; None where all are opaque."""

    @classmethod
    def none(cls) -> Points:
        """Return no points."""
        return cls(np.empty((0, 2)), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))

    @cached_property
    def present(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The kinds and the fills that occur, rising."""
        kinds = np.flatnonzero(np.bincount(self.kinds - PLAIN)) + PLAIN
        return tuple(kinds.tolist()), tuple(np.flatnonzero(np.bincount(self.fills)).tolist())

    @cached_property
    def key(self) -> tuple[bytes, ...]:
        """A value that is equal for points that look alike, wherever they are."""
        shares = None if self.opacity is None else 100 * self.opacity
        each = (self.kinds, self.fills, self.selected, shares)
        return tuple(b"" if part is None else part.astype(np.int8).tobytes() for part in each)


@dataclass(frozen=True)
class Emphasis:
    """What is to stand out from the rest of a figure: layers of marks, points of a kind or of a part."""

    layers: frozenset[str] = frozenset()
    kind: int | None = None
    fill: Fill = Fill.FILLED

    def of(self, figure: Figure) -> Figure:
        """Return a figure with these marks and points only."""
        points = figure.points
        chosen = points.kinds == self.kind if self.fill is Fill.FILLED else points.fills == self.fill
        chosen = chosen if self.kind is not None else np.zeros(len(points.positions), dtype=bool)
        kept = Points(
            points.positions[chosen], points.kinds[chosen], points.fills[chosen], None, points.names,
            points.fill_names, None if points.opacity is None else points.opacity[chosen],
        )  # fmt: skip
        marks = tuple(mark for mark in figure.marks if mark.layer in self.layers)
        return replace(figure, points=kept, scene=Scene(marks=marks))


@dataclass(frozen=True, eq=False)
class Figure:
    """One plot: points over the scene of a model, and its appearance."""

    points: Points
    scene: Scene | None = None
    look: Look = Look()
    axes: tuple[str, str] = ("x", "y")
    scores: tuple[str, ...] = ()
    title: str = ""
    description: str = ""
    """A sentence for readers who cannot see the figure; SVG carries it."""

    @cached_property
    def marks(self) -> list[Mark]:
        """The marks of visible layers."""
        return [] if self.scene is None else [mark for mark in self.scene.marks if self.look.draws(mark)]

    @cached_property
    def lens(self) -> Lens | None:
        """The lens whose colours are visible and need a colour bar."""
        scene = self.scene
        visible = scene is not None and scene.region is not None and self.look.shows(REGIONS)
        return scene.lens if scene is not None and visible else None

    @cached_property
    def drawn(self) -> Mask | slice:
        """The points on visible layers; a slice of all of them costs no copy."""
        hidden = [fill for fill, layer in FILL_LAYERS.items() if not self.look.shows(layer)]
        return ~np.isin(self.points.fills, hidden) if hidden else slice(None)


@dataclass(frozen=True)
class RenderOptions:
    """Appearance of an exported figure; sizes are in logical pixels, 96 to the inch."""

    width: int = 1000
    height: int = 800
    scale: float = 1.0
    """Device pixels of an image for each logical pixel."""
    look: Look = Look()
    view: Bounds | None = None
    """Rectangle to show; None for all points."""
    transparent: bool = False
    title: str = ""
    xlabel: str | None = None
    ylabel: str | None = None
    type_scale: float = 1.0
    equal: bool = False
    """Whether a data unit is as long along both axes."""
    log: LogAxes = LINEAR
    """Whether x and y are logarithmic."""
    asked: tuple[str, ...] = ()
    """Layers, and perhaps the lens, that were asked for by name: names that the picture lacks are errors."""
    dpi: float | None = None
    """Resolution of the regions in SVG and PDF; None for `VECTOR_DPI`."""
    held: Mapping[str, float] = field(default_factory=dict)
    """Values of inputs that are not shown, by name; their medians where there is none."""
