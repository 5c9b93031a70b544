"""Charts without saying how they are drawn: series over axes, heat maps, what a click on them would set."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.scene.palette import Ink

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Kind: TypeAlias = Literal["line", "step", "dots", "bars", "stems"]
Value: TypeAlias = float | int | str | bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Series:
    """Values y over x; NaN breaks a line. `low` and `high` are a band around a line, whiskers on dots."""

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
    """Of a way through a heat: the step of training at each point, rising; a disc runs along it."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """What an axis measures; `ticks` names positions where numbers would not do.

    Beside a heat, `low` and `high` are what the middles of its first and last cells stand for, upwards.
    """

    title: str
    log: bool = False
    low: float | None = None
    high: float | None = None
    ticks: Mapping[float, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A straight line through a chart: at an x, at a y, or the diagonal."""

    name: str = ""
    x: float | None = None
    y: float | None = None
    diagonal: bool = False
    ink: Ink = "muted"


@dataclass(frozen=True, eq=False, kw_only=True)
class Heat:
    """A matrix of values (rows, columns) as cells with `texts`; higher ones differ more from the ground."""

    values: Floats
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...] = ()
    marked: tuple[int, int] | None = None
    """A cell that stands out: the best one."""
    members: tuple[tuple[Ints, ...], ...] = ()
    """The ids of the points that each cell counts: a click on it lights them up."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle:
    """A point of a series that can be dragged along it, which sets something to the value there."""

    series: int
    values: Floats
    """For each point of the series."""
    at: int
    sets: str


@dataclass(frozen=True, kw_only=True)
class Offer:
    """Values that a chart proposes to set: what a button says, explains and does."""

    words: str
    tip: str
    values: Mapping[str, Value]


@dataclass(frozen=True, eq=False, kw_only=True)
class Chart:
    """One diagnostic. `sets` names the parameter that a click on the x-axis (or a cell) would set."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    rules: tuple[Rule, ...] = ()
    heat: Heat | None = None
    note: str = ""
    cursor: Literal["", "step", "ways"] = ""
    """'step' links the x-axis with the timeline: it counts recorded steps from 1; 'ways', all `steps`."""
    sets: tuple[str, ...] = ()
    choices: tuple[tuple[Value, ...], ...] = ()
    """The values of each in `sets` along its axis: x of the series, or columns then rows of the heat."""
    also: tuple[tuple[str, Value], ...] = ()
    """What a click sets besides, whichever value it is on."""
    handle: Handle | None = None
    offers: tuple[Offer, ...] = ()
    square: bool = False
    """Whether a unit is as long along both axes, so that circles are round."""


def table(chart: Chart) -> tuple[tuple[str, ...], list[tuple[Value, ...]]]:
    """A chart's numbers as a header and rows, long form: what its CSV holds."""
    if chart.heat is not None:
        heat = chart.heat
        cells: list[tuple[Value, ...]] = [
            (row, column, float(heat.values[i, j]))
            for i, row in enumerate(heat.rows)
            for j, column in enumerate(heat.columns)
        ]
        return (chart.y.title or "row", chart.x.title or "column", "value"), cells
    lines: list[tuple[Value, ...]] = []
    for series in chart.series:
        low = series.low if series.low is not None else np.full(len(series.x), np.nan)
        high = series.high if series.high is not None else np.full(len(series.x), np.nan)
        columns = (series.x, series.y, low, high)
        lines.extend((series.name, *map(float, row)) for row in zip(*columns, strict=True))
    return ("series", chart.x.title or "x", chart.y.title or "y", "low", "high"), lines


def csv_text(header: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    """Write a header and rows as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
