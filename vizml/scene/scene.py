"""Scenes: region image and marks of a state over a viewport, with the appearance chosen by the user."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Bounds, Floats, Ints
from vizml.scene.lens import Lens
from vizml.scene.marks import Dots, Mark
from vizml.scene.palette import LIGHT, Theme

Shading: TypeAlias = Literal["soft", "hard"]

REGIONS, BOUNDARIES, CONTOURS = "Regions", "Boundaries", "Probability contours"
POINTS, HELD, TESTED = "Points", "Held-out points", "Test points"
LEGEND, SCORES, GRID = "Legend", "Scores", "Grid"
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
