"""Texts of marks, charts and diagrams, patterns that they must not contain, and data sets to train on."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import numpy as np

from vizml import data
from vizml.data import UNLABELLED, Column, Dataset
from vizml.paint.charts.overlay import Hover, describe
from vizml.scene import Chart

NAMES = {"id", "start", "end", "sets", "cursor", "kind", "stroke", "shape", "ink", "axis", "values", "also"}
"""Fields of marks and charts that are not shown."""
FORBIDDEN = {
    "a hyphen as minus sign": r"(?<![\w)\]])-\.?\d",
    "a negative zero": r"[-−]0(\.0+)?(?![\d.×])",
    "a rounding error": r"−\d[\d.]*×10⁻(¹[³⁴⁵⁶⁷⁸⁹]|[²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹])",
    "a power of ten in ASCII": r"\de[+-]?\d",
    "no number": r"(?i:\b(nan|inf|null)\b)|\b(None|True|False)\b",
    "several spaces": r"\s\s|^\s|\s$",
    "a plural of 1": r"(?<![\w.,/−-])1 (?!has|is|gives)((core|support|training|inducing) )?[a-z]+(?<!s)s\b",
    "an identifier": r"[a-z]_[a-z]|<\w|object at|float64|array\(|\[\]",
    "too many digits": r"\.0*[1-9]\d{8,}",
}


EXAMPLES = ("drawn", "exact", "two points", "one point")


def example(name: str, *, regress: bool) -> Dataset:
    """An ordinary data set, one that a threshold divides without error, two points, one, an input of one
    category, and tenths about 0.

    Sums of these tenths are 0 but for rounding errors: of the inputs in each class, and of the targets.
    """
    if name == "drawn":
        return data.generate("sine" if regress else "moons", n=30, seed=1)
    if name == "symmetric":
        x, y = np.array([-0.7, -0.3, -0.1, 0.1, 0.3, 0.7]), np.array([-0.6, -0.8, 0.1, -0.1, 0.8, 0.6])
        if regress:
            return Dataset(np.column_stack([x, y]), np.full(6, UNLABELLED))
        points = np.array([(a, b) for a in x for b in x])
        return Dataset(points, (points.prod(axis=1) > 0).astype(int))
    if name == "one category":
        columns = [Column("colour", np.zeros(6), ("red",)), Column("age", np.arange(6.0))]
        labels = np.full(6, UNLABELLED) if regress else np.array([0, 0, 1, 1, 1, 0])
        return Dataset.of(columns, ("colour", "age"), labels=labels, chosen_inputs=("colour",))
    n = {"exact": 12, "two points": 2, "one point": 1}[name]
    x = np.linspace(0.0, 1.0, n)
    labels = np.full(n, UNLABELLED) if regress else (x > 0.5).astype(int)
    y = np.where(x > 0.5, 1.1, 0.3) if name == "exact" else 3 * x + 0.1
    return Dataset(np.column_stack([x, y]), labels)


def texts_in(thing: object) -> Iterator[str]:
    """All texts of a mark, a diagram or a chart, also those of its points at the pointer."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from texts_in(part)
    elif isinstance(thing, Mapping):
        yield from texts_in(list(thing.values()))
    elif is_dataclass(thing):
        if isinstance(thing, Chart):
            yield from (line for hover in hovers(thing) for line in describe(thing, hover))
        for each in fields(thing):
            if each.name not in NAMES:
                yield from texts_in(getattr(thing, each.name))


def hovers(chart: Chart) -> Iterator[Hover]:
    """Each point and cell of a chart that the pointer can be near."""
    if chart.heat is not None:
        yield from (Hover(cell=cell) for cell in np.ndindex(chart.heat.values.shape))
        return
    for number, series in enumerate(chart.series):
        for point in np.flatnonzero(np.isfinite(series.x + series.y)).tolist():
            yield Hover(number, point)


def flaws(text: str) -> list[str]:
    return [name for name, pattern in FORBIDDEN.items() if re.search(pattern, text)]
