"""Marks that are drawn over a field, in data units or scaled: lines, rings, dots, bands, labels.

A row of NaN is a gap that splits a polyline (m, 2); lines that share end points can be joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Mask
from vizml.scene.palette import Ink, Shape

Stroke: TypeAlias = Literal["solid", "dash", "dot"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Mark:
    """Content drawn over a field. Its layer is listed under this name for switching on and off."""

    layer: str
    ink: Ink = "text"
    opacity: float = 1.0
    legend: str = ""
    """Text in the legend; a mark without text, or with nothing to draw, has no entry."""
    off_by_default: bool = False
    """Whether its layer is hidden until it is switched on."""
    over: bool = False
    """Whether it is drawn over the points, lines with a rim, because many points would hide it."""

    parts: ClassVar[str] = ""
    """Name of the field whose items are drawn, where it may be empty."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return bool(self.parts) and not any(len(part) for part in getattr(self, self.parts))


@dataclass(frozen=True, eq=False, kw_only=True)
class Path(Mark):
    """Polylines, each (m, 2); a row of NaN is a gap."""

    lines: tuple[Floats, ...]
    width: float = 1.5
    stroke: Stroke = "solid"
    closed: bool = False
    fill: float = 0.0
    """Opacity of the inside of closed lines."""
    parts = "lines"


@dataclass(frozen=True, eq=False, kw_only=True)
class Segments(Mark):
    """Line segments (n, 2, 2): n pairs of ends; infinite coordinates mean the edge of the view."""

    ends: Floats
    width: float = 1.0
    stroke: Stroke = "solid"
    parts = "ends"


@dataclass(frozen=True, eq=False, kw_only=True)
class PointMark(Mark):
    """Something drawn at each of some points (n, 2)."""

    points: Floats
    parts = "points"


@dataclass(frozen=True, eq=False, kw_only=True)
class Rings(PointMark):
    """Circles around points, with radii in pixels of the screen."""

    radii: Floats
    width: float = 1.5
    stroke: Stroke = "solid"


@dataclass(frozen=True, eq=False, kw_only=True)
class Dots(PointMark):
    """Symbols of a model (centroids, modes): filled, outlined, larger than data points; sizes in pixels.

    `inks` gives each dot its own class colour. Dots of the same layer slide from frame to frame.
    """

    size: float = 14.0
    shape: Shape = "cross"
    inks: tuple[Ink, ...] = ()
    over: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Band(Mark):
    """Area between two curves over x."""

    x: Floats
    low: Floats
    high: Floats
    opacity: float = 0.2


@dataclass(frozen=True, eq=False, kw_only=True)
class TextLabels(PointMark):
    """Short texts at points, placed off the data by the painter."""

    texts: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class ViewDependent(Mark):
    """A mark that is computed over the view when its layer is visible; composed into lines or an area."""

    width: float = 1.0
    stroke: Stroke = "solid"

    def path(self, lines: Iterable[Floats]) -> Path:
        """Return the lines that have been computed for it."""
        return Path(
            layer=self.layer, ink=self.ink, opacity=self.opacity, legend=self.legend,
            off_by_default=self.off_by_default, lines=tuple(lines), width=self.width, stroke=self.stroke,
        )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class Levels(ViewDependent):
    """Contour lines of a plane of the state's own field; composed into a Path."""

    plane: int
    values: tuple[float, ...]
    width: float = 1.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Borders(ViewDependent):
    """Boundaries of another field, such as that of a member of an ensemble; composed into a Path."""

    field: Callable[[Raster], Field]


@dataclass(frozen=True, eq=False, kw_only=True)
class Curves(ViewDependent):
    """Functions of x next to a regression curve, with values (s, n) at n abscissae; composed into a Path."""

    values: Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False, kw_only=True)
class LazyLines(ViewDependent):
    """Lines that take long to compute, which is done where their layer is visible; composed into a Path."""

    lines: Callable[[], Iterable[Floats]]


@dataclass(frozen=True, eq=False, kw_only=True)
class FunctionBand(ViewDependent):
    """Area between two functions of x, the lower one first; composed into a Band, and a Path of its edges."""

    edges: Callable[[Floats], tuple[Floats, Floats]]
    opacity: float = 0.2
    width: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Profile(Mark):
    """A density along an axis, drawn at the bottom edge over x or at the left edge over y.

    All profiles of a layer and axis share a scale, on which `peak` reaches a sixth of the canvas.
    """

    axis: Literal["x", "y"]
    at: Floats
    heights: Floats
    peak: float
    stroke: Stroke = "solid"
    width: float = 1.5
    fill: float = 0.2


End: TypeAlias = tuple[int, int]
"""The index of a piece, and 0 for its first point or -1 for its last one."""
PARTS_OF_A_PIXEL = 1000.0
"""Ends are equal when they are equal to this part of a pixel: bands compute them with different rounding."""


def true_runs(mask: Mask) -> list[slice]:
    """Return the runs of consecutive true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]])))
    return [slice(start, stop) for start, stop in edges.reshape(-1, 2).tolist()]


def upright_ends(x: Floats) -> Floats:
    """Return the ends (n, 2, 2) of vertical lines over the whole height of the view."""
    ends = np.tile([-np.inf, np.inf], (len(x), 1))
    return np.stack([np.repeat(x, 2).reshape(-1, 2), ends], axis=2)


def split_at_gaps(line: Floats) -> list[Floats]:
    """Split a polyline at its gaps into pieces of two points or more."""
    known: Mask = np.asarray(~np.isnan(line).any(axis=1))
    parts = [line] if known.all() else [line[part] for part in true_runs(known)]
    return [part for part in parts if len(part) > 1]


def join_lines(lines: Iterable[Floats], raster: Raster) -> list[Floats]:
    """Join the pieces of contour lines that were found in bands, so that a dash pattern runs on across bands.

    Ends at which exactly two pieces meet are joined; where more meet, all of them end.
    """
    pieces = [piece for line in lines for piece in split_at_gaps(line)]
    partner = _partners(pieces, raster)
    left = dict.fromkeys(range(len(pieces)))
    free = [(number, end) for end in (0, -1) for number in left if (number, end) not in partner]
    found = [_followed(start, pieces, partner, left) for start in free if start[0] in left]
    while left:  # closed lines have no free end
        found.append(_followed((next(iter(left)), 0), pieces, partner, left))
    return found


def _partners(pieces: list[Floats], raster: Raster) -> dict[End, End]:
    """Map each end to the only other end at the same position."""
    if not pieces:
        return {}
    ends = np.array([piece[[0, -1]] for piece in pieces]).reshape(-1, 2)
    axes = zip(ends.T, (raster.x, raster.y))
    pixels = np.column_stack([np.interp(at, axis, np.arange(len(axis))) for at, axis in axes])
    positions = np.round(pixels * PARTS_OF_A_PIXEL).astype(np.int64)
    met: dict[tuple[int, int], list[End]] = {}
    for index, (x, y) in enumerate(positions.tolist()):
        met.setdefault((x, y), []).append((index // 2, -(index % 2)))
    pairs = [pair for pair in met.values() if len(pair) == 2]
    return {one: other for first, second in pairs for one, other in ((first, second), (second, first))}


def _followed(start: End, pieces: list[Floats], partner: dict[End, End], left: dict[int, None]) -> Floats:
    """Concatenate the pieces that are connected to an end, and remove them from those that are left."""
    chain: list[Floats] = []
    at: End | None = start
    while at is not None and at[0] in left:
        number, end = at
        del left[number]
        piece = pieces[number] if end == 0 else pieces[number][::-1]
        chain.append(piece if not chain else piece[1:])
        at = partner.get((number, -1 - end))
    return np.concatenate(chain)


@dataclass(frozen=True, eq=False)
class Rescaling:
    """Conversion between scaled coordinates and data units by offset and scale (2,) of the axes."""

    offset: Floats
    scale: Floats

    def inside(self, points: Floats) -> Floats:
        """Return points (..., 2) in data units as scaled ones."""
        return (points - self.offset) / self.scale

    def outside(self, points: Floats) -> Floats:
        """Return scaled points (..., 2) in data units."""
        return points * self.scale + self.offset

    def raster(self, raster: Raster) -> Raster:
        """Return a raster in data units as a scaled one."""
        x, y = ((axis - self.offset[i]) / self.scale[i] for i, axis in enumerate((raster.x, raster.y)))
        whole = self.raster(raster.parent) if raster.parent is not None else None
        return Raster(x, y, whole, raster.first)

    def mark(self, mark: Mark) -> Mark:
        """Return a scaled mark in data units."""
        changes: dict[str, object] = {}
        match mark:
            case Path():
                changes = {"lines": tuple(self.outside(line) for line in mark.lines)}
            case Segments():
                changes = {"ends": self.outside(mark.ends)}
            case Rings() | Dots() | TextLabels():
                changes = {"points": self.outside(mark.points)}
            case Band():
                x = mark.x * self.scale[0] + self.offset[0]
                changes = {"x": x, "low": self._heights(mark.low), "high": self._heights(mark.high)}
            case Profile():
                axis = 0 if mark.axis == "x" else 1
                changes = {"at": mark.at * self.scale[axis] + self.offset[axis]}
            case Borders():
                changes = {"field": lambda raster: mark.field(self.raster(raster))}
            case Curves():
                changes = {"values": partial(self._values, mark.values)}
            case LazyLines():
                changes = {"lines": lambda: (self.outside(line) for line in mark.lines())}
            case FunctionBand():
                changes = {"edges": partial(self._edges, mark.edges)}
        return replace(mark, **changes)  # type: ignore[arg-type]

    def _values(self, values: Callable[[Floats], Floats], x: Floats) -> Floats:
        return self._heights(values((x - self.offset[0]) / self.scale[0]))

    def _edges(self, edges: Callable[[Floats], tuple[Floats, Floats]], x: Floats) -> tuple[Floats, Floats]:
        low, high = edges((x - self.offset[0]) / self.scale[0])
        return self._heights(low), self._heights(high)

    def _heights(self, values: Floats) -> Floats:
        return np.asarray(values * self.scale[1] + self.offset[1])
