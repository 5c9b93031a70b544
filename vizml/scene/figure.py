"""Figures: a plot with points over a scene, its axes, legend and scores, as plain data for a painter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np

from vizml.field.arrays import Bounds, Floats, Ints, Mask
from vizml.scene.lens import Lens
from vizml.scene.marks import Mark
from vizml.scene.palette import CLASSES
from vizml.scene.scene import HELD, POINTS, REGIONS, TESTED, Look, Scene
from vizml.scene.viewport import LINEAR, LogAxes

PLAIN, FIRST_FOLD = -2, len(CLASSES)
"""Kind of points that show nothing but their place, and that of points of the first fold."""


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
    """Symbol of each point: a class (from 0), -1 for no class, PLAIN, or a fold (from FIRST_FOLD)."""
    fills: Ints
    selected: Mask | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    """Legend text of the kinds that have one."""
    fill_names: Mapping[Fill, str] = field(default_factory=dict)
    """Legend text of the fills that have one."""

    @classmethod
    def none(cls) -> Points:
        """Return no points."""
        return cls(np.empty((0, 2)), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def present(self) -> tuple[int, ...]:
        """The kinds that occur, rising."""
        return tuple((np.flatnonzero(np.bincount(self.kinds - PLAIN)) + PLAIN).tolist())

    @cached_property
    def present_fills(self) -> tuple[Fill, ...]:
        """The fills that occur, rising."""
        return tuple(map(Fill, np.flatnonzero(np.bincount(self.fills)).tolist()))

    @cached_property
    def key(self) -> tuple[bytes, ...]:
        """A value that is equal for points that look alike, wherever they are."""
        each = [self.kinds, self.fills] + ([] if self.selected is None else [self.selected])
        return tuple(part.astype(np.int8).tobytes() for part in each)


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

    @property
    def drawn_fills(self) -> tuple[Fill, ...]:
        """The fills of points on visible layers."""
        return tuple(fill for fill in self.points.present_fills if self.look.shows(FILL_LAYERS[fill]))

    @cached_property
    def drawn(self) -> Mask | slice:
        """The points on visible layers; a slice of all of them costs no copy."""
        if self.drawn_fills == self.points.present_fills:
            return slice(None)
        return np.isin(self.points.fills, self.drawn_fills)


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
    dpi: float | None = None
    """Resolution of the regions in SVG and PDF; None for `VECTOR_DPI`."""
