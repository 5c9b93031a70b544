"""One moment of a stage, ready to be painted: the region image, its lines and the marks over it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.scene.lens import Lens
from vizml.scene.marks import Mark
from vizml.scene.palette import LIGHT, Theme

Bounds: TypeAlias = tuple[float, float, float, float]
Ints: TypeAlias = NDArray[np.int64]
Shading: TypeAlias = Literal["soft", "hard"]

REGIONS, BOUNDARIES, CONTOURS = "Regions", "Boundaries", "Probability contours"
POINTS, HELD, TESTED = "Points", "Held-out points", "Test points"
LEGEND, SCORES, GRID = "Legend", "Scores", "Grid"


@dataclass(frozen=True)
class Look:
    """How a stage is to look: everything about a picture that is not data and not model."""

    theme: Theme = LIGHT
    shading: Shading = "soft"
    hidden: frozenset[str] = field(default_factory=lambda: frozenset({CONTOURS, GRID}))
    shown: frozenset[str] = frozenset()
    """Layers off by default that are switched on."""
    lens: str = ""
    """The name of a lens that is looked through in place of the regions, where the state has it."""
    threshold: float = 0.0
    """What the second of two classes must lead the first by to win."""
    transparent: bool = False
    """Regions tint what lies behind the picture, instead of the theme's ground."""

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
    """What a model gives to look at. Points are the document's and are painted by the canvas over it."""

    region: Region | None = None
    marks: tuple[Mark, ...] = ()
    lens: Lens | None = None
    """What its region shows in place of classes: a picture of it has a colour bar."""
    exact: bool = True
    """False while only a coarse version of the region is there."""
    tags: tuple[Ints, Ints] | None = None
    """Ids of points, and the group that each is in: what colours them in place of their labels."""
    tagged: str = "cluster"
    """What such a group is called."""

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of its marks, in drawing order, once each."""
        return tuple(dict.fromkeys(mark.layer for mark in self.marks))

    def off_by_default(self, layer: str) -> bool:
        """Whether a layer has marks, all of them off by default."""
        return {mark.off_by_default for mark in self.marks if mark.layer == layer} == {True}
