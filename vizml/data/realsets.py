"""Measured data sets that come with the program: any two features of iris and wine."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.random import Generator

from vizml.data.dataset import Dataset, Floats, Ints
from vizml.data.params import Choice, Value
from vizml.data.resources import resource
from vizml.data.source import Source, count, noise, renamed, seed, spread


@dataclass(frozen=True, kw_only=True)
class Feature(Choice):
    """One column of a table, by its name, by its title with the unit, or by its number from 1."""

    labels: dict[str, str] = field(default_factory=dict)

    def allows(self) -> str:
        return f"one of {', '.join(self.options)}, or its number from 1 to {len(self.options)}"

    def accept(self, value: object) -> Value:
        if isinstance(value, bool):
            raise TypeError
        word = str(value).strip().lower()
        for number, option in enumerate(self.options, start=1):
            if word in (str(number), option, option.replace("_", " "), self.labels[option]):
                return option
        raise ValueError


@cache
def table(name: str) -> tuple[Floats, Ints, tuple[str, ...]]:
    """All features (n, d), the class of each row and the names of the classes."""
    text = resource("data", f"{name}.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines()))[1:]
    names = tuple(dict.fromkeys(row[-1] for row in rows))
    features = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return features, np.array([names.index(row[-1]) for row in rows]), names


def _source(
    name: str,
    title: str,
    help: str,
    features: tuple[str, ...],
    *,
    shown: tuple[str, str],
    rows: int,
    unit: str = "",
) -> Source:
    labels = {feature: feature.replace("_", " ") + unit for feature in features}

    def make(rng: Generator, n: int, noise: float, a: str, b: str) -> Dataset:
        values, label, classes = table(name)
        which = _sample(rng, label, n)
        chosen = values[which][:, [features.index(a), features.index(b)]]
        points = chosen + spread(rng, len(which), noise)
        return Dataset(points, label[which], classes, axes=(labels[a], labels[b]))

    def feature(which: str, axis: str, default: str) -> Feature:
        text = f"the feature on the {axis} axis"
        return Feature(name=which, default=default, options=features, labels=labels, help=text)

    options = (
        count(rows, hi=rows, help="how many rows; fewer than all are drawn evenly from the classes"),
        renamed(noise(0.0), "standard deviation of a jitter that parts equal points, in data units"),
        feature("a", "x", shown[0]),
        feature("b", "y", shown[1]),
        seed(),
    )
    return Source(name, title, help, "classify", options, make)


def _sample(rng: Generator, label: Ints, n: int) -> Ints:
    """The rows of a sample in their order, each class with its share."""
    if n == len(label):
        return np.arange(n)
    rank = np.empty(len(label))
    for k in np.unique(label):
        members = rng.permutation(np.flatnonzero(label == k))
        rank[members] = (np.arange(len(members)) + 0.5) / len(members)
    return np.sort(np.argsort(rank, kind="stable")[:n])


_IRIS = ("sepal_length", "sepal_width", "petal_length", "petal_width")
_WINE = (
    "alcohol",
    "malic_acid",
    "ash",
    "alcalinity_of_ash",
    "magnesium",
    "total_phenols",
    "flavanoids",
    "nonflavanoid_phenols",
    "proanthocyanins",
    "color_intensity",
    "hue",
    "od280/od315_of_diluted_wines",
    "proline",
)

SOURCES = (
    _source(
        "iris",
        "Iris",
        "sepals and petals of 150 irises of three species (R. A. Fisher, 1936)",
        _IRIS,
        shown=("petal_length", "petal_width"),
        rows=150,
        unit=" (cm)",
    ),
    _source(
        "wine",
        "Wine",
        "chemical analyses of 178 wines of three cultivars (M. Forina; UCI Machine Learning Repository)",
        _WINE,
        shown=("flavanoids", "color_intensity"),
        rows=178,
    ),
)
