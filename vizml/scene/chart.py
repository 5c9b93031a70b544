"""Charts and diagrams as plain data: series over axes, heat maps, nodes and links, and what a click sets."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints
from vizml.scene.palette import Ink

Kind: TypeAlias = Literal["line", "step", "dots", "bars", "stems"]
NodeShape: TypeAlias = Literal["box", "circle", "dot", "picture"]
Value: TypeAlias = float | int | str | bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Series:
    """Values y over x; NaN breaks a line. `low` and `high` are a band around a line, or whiskers of dots."""

    name: str
    x: Floats
    y: Floats
    ink: Ink = "accent"
    kind: Kind = "line"
    stroke: Literal["solid", "dash", "dot"] = "solid"
    width: float = 2.0
    opacity: float = 1.0
    low: Floats | None = None
    high: Floats | None = None
    steps: Ints | None = None
    """Of a path over a heat map: the training step at each point, increasing; a disc moves along the path."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """Title and scale of an axis; `ticks` names values that numbers do not describe.

    Of a heat map, `low` and `high` are the values at the middles of its first and last cells, upwards.
    """

    title: str = ""
    log: bool = False
    low: float | None = None
    high: float | None = None
    ticks: Mapping[float, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A reference line: vertical at an x, horizontal at a y, or the diagonal."""

    name: str = ""
    x: float | None = None
    y: float | None = None
    diagonal: bool = False
    ink: Ink = "muted"


@dataclass(frozen=True, eq=False, kw_only=True)
class HeatMap:
    """A matrix of values (rows, columns) as cells with `texts`; higher values differ more from the ground."""

    values: Floats
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...] = ()
    shades: Floats | None = None
    """Shares (rows, columns) from 0 to 1 of the range of colours, in place of those of the values."""
    colours: NDArray[np.uint8] | None = None
    """Red, green and blue (rows, columns, 3) of the cells themselves, as of a picture."""
    marked: tuple[int, int] | None = None
    """Row and column of the best cell."""
    members: tuple[tuple[Ints, ...], ...] = ()
    """The ids of the points that each cell counts: a click on the cell selects them."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle:
    """A point that can be dragged along a series, which sets a parameter to the value there."""

    series: int
    values: Floats
    """Value of the parameter at each point of the series."""
    at: int
    sets: str


@dataclass(frozen=True, kw_only=True)
class Offer:
    """Parameters that a chart suggests: text and tooltip of a button, and the values that it sets."""

    text: str
    tip: str
    values: Mapping[str, Value]


@dataclass(frozen=True, eq=False, kw_only=True)
class Chart:
    """A chart. `sets` names the parameters that a click on the x-axis, or on a cell, sets."""

    title: str
    x: Axis = Axis()
    y: Axis = Axis()
    series: tuple[Series, ...] = ()
    rules: tuple[Rule, ...] = ()
    heat: HeatMap | None = None
    note: str = ""
    cursor: Literal["", "step", "paths"] = ""
    """'step' links the x-axis with the timeline (recorded steps from 1), 'paths' the series' `steps`."""
    sets: tuple[str, ...] = ()
    choices: tuple[tuple[Value, ...], ...] = ()
    """Values of each parameter in `sets` along its axis: x of the series, or columns, then rows of cells."""
    also: tuple[tuple[str, Value], ...] = ()
    """Parameters that every click sets besides."""
    handle: Handle | None = None
    offers: tuple[Offer, ...] = ()
    names_at_ends: bool = False
    """Whether lines have their names at their ends instead of in a legend."""
    square: bool = False
    """Whether a unit has the same length on both axes, so that circles are round."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Node:
    """A node at x and y from 0 to 1, y upwards; the pointer over it shows the view's `focus`."""

    id: str
    x: float
    y: float
    texts: tuple[str, ...] = ()
    shape: NodeShape = "box"
    ink: Ink = "text"
    fill: float = 0.15
    """Opacity of its inside."""
    picture: NDArray[np.uint8] | None = None
    """A thumbnail (H, W, 4), row 0 at the bottom, for the shape 'picture'."""


@dataclass(frozen=True, kw_only=True)
class Link:
    """A line between two nodes; `bent` makes it a right-angled one, as dendrograms have."""

    start: str
    end: str
    width: float = 1.0
    ink: Ink = "muted"
    opacity: float = 1.0
    text: str = ""
    bent: bool = False


@dataclass(frozen=True, kw_only=True)
class CutLine:
    """A horizontal line across a diagram; dragging it sets a parameter to the value at its height."""

    sets: str
    y: float
    low: float
    high: float
    """Values of the parameter at y = 0 and y = 1."""
    symbol: str = ""
    also: tuple[tuple[str, Value], ...] = ()
    """Other parameters that dragging it sets, without which the cut would have no effect."""

    def value_at(self, y: float) -> float:
        """Return the value of the parameter at a height, clipped to its range."""
        return self.low + min(max(y, 0.0), 1.0) * (self.high - self.low)


@dataclass(frozen=True, eq=False, kw_only=True)
class Diagram:
    """Structure of a model: a tree, a network or a dendrogram."""

    title: str
    nodes: tuple[Node, ...]
    links: tuple[Link, ...] = ()
    cut: CutLine | None = None
    note: str = ""


def table(chart: Chart) -> tuple[tuple[str, ...], list[tuple[Value, ...]]]:
    """Return a chart's numbers as a header and rows in long form; named values of an axis are their names."""
    if chart.heat is not None:
        heat = chart.heat
        cells: list[tuple[Value, ...]] = [
            (row, column, float(heat.values[i, j]))
            for i, row in enumerate(heat.rows)
            for j, column in enumerate(heat.columns)
        ]
        return (chart.y.title or "row", chart.x.title or "column", "value"), cells
    lines: list[tuple[Value, ...]] = []
    x_names, y_names = chart.x.ticks, chart.y.ticks
    for series in chart.series:
        low = series.low if series.low is not None else np.full(len(series.x), np.nan)
        high = series.high if series.high is not None else np.full(len(series.x), np.nan)
        columns = (np.asarray(part, dtype=np.float64).tolist() for part in (series.x, series.y, low, high))
        lines.extend(
            (series.name, x_names.get(x, x), y_names.get(y, y), *ends)
            for x, y, *ends in zip(*columns, strict=True)
        )
    return ("series", chart.x.title or "x", chart.y.title or "y", "low", "high"), lines


def csv_text(header: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    """Write a header and rows as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
