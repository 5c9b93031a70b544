"""Bundled data sets: any two features of iris and wine."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.random import Generator

from vizml.data.dataset import Dataset, Floats
from vizml.data.generator import SEED, DatasetGenerator, gaussian_noise, noise_option, size_option
from vizml.data.labels import Ints
from vizml.data.params import Choice, Value
from vizml.resource_files import resource_text


@dataclass(frozen=True, kw_only=True)
class Feature(Choice):
    """A column of a table, by its name, by its title with the unit, or by its number from 1."""

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
def read_bundled(name: str) -> tuple[Floats, Ints, tuple[str, ...]]:
    """Read all features (n, d), the class of each row and the names of the classes."""
    text = resource_text("data", f"{name}.csv")
    rows = list(csv.reader(text.splitlines()))[1:]
    names = tuple(dict.fromkeys(row[-1] for row in rows))
    features = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return features, np.array([names.index(row[-1]) for row in rows]), names


def _generator(
    name: str, title: str, help: str, features: tuple[str, ...], shown: tuple[str, str], rows: int, unit: str
) -> DatasetGenerator:
    labels = {feature: feature.replace("_", " ") + unit for feature in features}

    def sample(rng: Generator, n: int, noise: float, a: str, b: str) -> Dataset:
        values, label, classes = read_bundled(name)
        chosen = _stratified_sample(rng, label, n)
        points = values[chosen][:, [features.index(a), features.index(b)]]
        points = points + gaussian_noise(rng, len(chosen), noise)
        return Dataset(points, label[chosen], classes, axes=(labels[a], labels[b]))

    axes = (
        Feature(
            name=option, default=column, options=features, labels=labels, help=f"Feature on the {axis} axis."
        )
        for option, axis, column in zip("ab", "xy", shown)
    )
    options = (
        size_option(rows, hi=rows, help="Number of rows. Fewer than all are a stratified sample."),
        noise_option(0.0, "Standard deviation of jitter that separates equal points, in data units."),
        *axes,
        SEED,
    )
    return DatasetGenerator(name, title, help, "classify", options, sample, fixed=True)


def _stratified_sample(rng: Generator, label: Ints, n: int) -> Ints:
    """Return rows in their order, each class in proportion."""
    if n == len(label):
        return np.arange(n)
    rank = np.empty(len(label))
    for k in np.unique(label):
        members = rng.permutation(np.flatnonzero(label == k))
        rank[members] = (np.arange(len(members)) + 0.5) / len(members)
    return np.sort(np.argsort(rank, kind="stable")[:n])


_IRIS = ("sepal_length", "sepal_width", "petal_length", "petal_width")
_WINE = (
    *("alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols", "flavanoids"),
    *("nonflavanoid_phenols", "proanthocyanins", "color_intensity", "hue", "od280/od315_of_diluted_wines"),
    "proline",
)

_IRISES = "Sepal and petal measurements of 150 irises of three species (R. A. Fisher, 1936)."
_WINES = "Chemical analyses of 178 wines of three cultivars (M. Forina, UCI Machine Learning Repository)."
BUNDLED = (
    _generator("iris", "Iris", _IRISES, _IRIS, ("petal_length", "petal_width"), 150, " (cm)"),
    _generator("wine", "Wine", _WINES, _WINE, ("flavanoids", "color_intensity"), 178, ""),
)
