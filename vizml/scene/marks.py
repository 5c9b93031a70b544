"""Marks that are drawn over a field, in data units: lines, rings, dots, bands, labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
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

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return False


@dataclass(frozen=True, eq=False, kw_only=True)
class Path(Mark):
    """Polylines, each (m, 2); a row of NaN is a gap."""

    lines: tuple[Floats, ...]
    width: float = 1.5
    stroke: Stroke = "solid"
    closed: bool = False
    fill: float = 0.0
    """Opacity of the inside of closed lines."""

    @property
    def empty(self) -> bool:
        return not any(len(line) for line in self.lines)


@dataclass(frozen=True, eq=False, kw_only=True)
class Segments(Mark):
    """Line segments (n, 2, 2): n pairs of ends; infinite coordinates mean the edge of the view."""

    ends: Floats
    width: float = 1.0
    stroke: Stroke = "solid"

    @property
    def empty(self) -> bool:
        return not len(self.ends)


@dataclass(frozen=True, eq=False, kw_only=True)
class Rings(Mark):
    """Circles around points, with radii in pixels of the screen."""

    points: Floats
    radii: Floats
    width: float = 1.5
    stroke: Stroke = "solid"

    @property
    def empty(self) -> bool:
        return not len(self.points)


@dataclass(frozen=True, eq=False, kw_only=True)
class Dots(Mark):
    """Symbols of a model (centroids, modes): filled, outlined, larger than data points; sizes in pixels.

    `inks` gives each dot its own class colour. Dots of the same layer slide from frame to frame.
    """

    points: Floats
    size: float = 14.0
    shape: Shape = "cross"
    inks: tuple[Ink, ...] = ()
    over: bool = True

    @property
    def empty(self) -> bool:
        return not len(self.points)


@dataclass(frozen=True, eq=False, kw_only=True)
class Band(Mark):
    """Area between two curves over x."""

    x: Floats
    low: Floats
    high: Floats
    opacity: float = 0.2


@dataclass(frozen=True, eq=False, kw_only=True)
class TextLabels(Mark):
    """Short texts at points, placed off the data by the painter."""

    points: Floats
    texts: tuple[str, ...]

    @property
    def empty(self) -> bool:
        return not len(self.points)


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
