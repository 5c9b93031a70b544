"""Bundled data sets, with two of their columns on the axes."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.random import Generator

from vizml.data.cells import CellColumn
from vizml.data.columns import Column, Floats, Ints, classes_of
from vizml.data.dataset import Dataset
from vizml.data.generator import NOISE, SEED, SIZE, DatasetGenerator, gaussian_noise
from vizml.data.params import Choice, Flag, Value
from vizml.data.wording import listed
from vizml.resource_files import resource_text


@dataclass(frozen=True, kw_only=True)
class Feature(Choice):
    """A column of a table, by its name, by its title with the unit, or by its number from 1."""

    labels: dict[str, str] = field(default_factory=dict)

    def allows(self) -> str:
        return f"one of {listed(self.options)}, or its number from 1 to {len(self.options)}"

    def accept(self, value: object) -> Value:
        if isinstance(value, bool):
            raise TypeError
        word = str(value).strip().lower()
        for number, option in enumerate(self.options, start=1):
            if word in (str(number), option, option.replace("_", " "), self.labels[option]):
                return option
        raise ValueError


@cache
def bundled_columns(name: str) -> tuple[Column, ...]:
    """Read the columns of a file: numbers, or categories in the order of their first occurrence."""
    header, *rows = csv.reader(resource_text("data", f"{name}.csv").splitlines())
    cells = (CellColumn(title, values) for title, values in zip(header, zip(*rows)))
    return tuple(column.column for column in cells)


@cache
def read_bundled(name: str) -> tuple[Floats, Ints, tuple[str, ...]]:
    """Read all features (n, d), the class of each row and the names of the classes."""
    *features, label = bundled_columns(name)
    codes = np.asarray(label.values, dtype=np.int64)
    return np.column_stack([column.numbers for column in features]), codes, label.categories


def _generator(
    name: str, title: str, help: str, features: tuple[str, ...], shown: tuple[str, str], rows: int, unit: str
) -> DatasetGenerator:
    labels = {feature: feature.replace("_", " ") + unit for feature in features}

    def sample(rng: Generator, n: int, noise: float, a: str, b: str) -> Dataset:
        values, label, classes = read_bundled(name)
        chosen = _stratified_sample(rng, label, n)
        points = values[chosen][:, [features.index(a), features.index(b)]]
        points = points + gaussian_noise(rng, len(chosen), noise)
        others = tuple(
            Column(labels[feature], values[chosen, k])
            for k, feature in enumerate(features) if feature not in (a, b)
        )  # fmt: skip
        return Dataset(points, label[chosen], classes, (labels[a], labels[b]), others=others)

    options = (
        replace(SIZE, default=rows, hi=rows, help="Number of rows. Fewer than all are a stratified sample."),
        _JITTER,
        *_features(features, labels, {"a": ("x", shown[0]), "b": ("y", shown[1])}),
        SEED,
    )
    return DatasetGenerator(name, title, help, "classify", options, sample, fixed=True)


def _features(
    features: tuple[str, ...], labels: dict[str, str], options: dict[str, tuple[str, str]]
) -> tuple[Feature, ...]:
    """Return the options that choose the feature on an axis."""
    return tuple(
        Feature(
            name=name, default=column, options=features, labels=labels, help=f"Feature on the {axis} axis."
        )
        for name, (axis, column) in options.items()
    )


def diabetes(rng: Generator, n: int, a: str, scaled: bool) -> Dataset:
    """Return one feature and the target on the axes; features are scaled as scikit-learn scales them."""
    *features, target = bundled_columns("diabetes")
    if scaled:  # mean 0 and sum of squares 1 over all rows
        centred = ((column.name, column.values - column.values.mean()) for column in features)
        features = [Column(name, values / np.sqrt((values**2).sum())) for name, values in centred]
    chosen = np.sort(rng.permutation(len(target.values))[:n])
    return Dataset.of([*features, target], (a, target.name)).take(chosen)


def weather(rng: Generator, n: int, version: str) -> Dataset:
    """Return the table with two categories on the axes and all four as inputs."""
    *features, play = bundled_columns("weather")
    if version == "golf":
        outlook = features[0]
        swapped = {"sunny": "rainy", "rainy": "sunny"}
        features[0] = replace(outlook, categories=tuple(swapped.get(c, c) for c in outlook.categories))
    if version == "unknown":
        codes = features[0].values.copy()
        codes[UNKNOWN] = -1
        features[0] = replace(features[0], values=codes)
    labels, classes, values = classes_of(play)
    found = Dataset.of(
        features, ("outlook", "humidity"), labels=labels, classes=classes, class_values=values, label="play",
        chosen_inputs=tuple(column.name for column in features),
    )  # fmt: skip
    return found.take(_stratified_sample(rng, labels, n))


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

_CANCER = tuple(
    f"{statistic}_{quantity}" if statistic != "error" else f"{quantity}_error"
    for statistic in ("mean", "error", "worst")
    for quantity in (
        *("radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity"),
        *("concave_points", "symmetry", "fractal_dimension"),
    )
)
_DIABETES = ("age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")

_JITTER = replace(NOISE, help="Standard deviation of jitter that separates equal points, in data units.")
_IRISES = "Sepal and petal measurements of 150 irises of three species (R. A. Fisher, 1936)."
_WINES = "Chemical analyses of 178 wines of three cultivars (M. Forina, UCI Machine Learning Repository)."
_CELLS = "Measurements of cell nuclei in 569 breast masses (W. H. Wolberg et al., Wisconsin, 1995)."
_PATIENTS = "Disease progression of 442 diabetes patients one year after ten measurements (B. Efron, 2004)."
_DAYS = "Four categories of 14 days, and whether a game was played (J. R. Quinlan, 1986)."
_VERSIONS = {
    "quinlan": "Quinlan's names", "golf": "Sunny and rainy exchanged", "unknown": "One outlook unknown",
}  # fmt: skip
UNKNOWN = 11
"""Row whose outlook is missing in Quinlan's example of C4.5 with unknown values."""
BUNDLED = (
    _generator("iris", "Iris", _IRISES, _IRIS, ("petal_length", "petal_width"), 150, " (cm)"),
    _generator("wine", "Wine", _WINES, _WINE, ("flavanoids", "color_intensity"), 178, ""),
    _generator("cancer", "Breast cancer", _CELLS, _CANCER, ("mean_radius", "mean_texture"), 569, ""),
    DatasetGenerator(
        "weather", "Weather", _DAYS, "classify",
        (
            replace(SIZE, default=14, hi=14, help="Number of rows. Fewer than all are a stratified sample."),
            Choice(
                name="version", default="quinlan", options=tuple(_VERSIONS), labels=_VERSIONS,
                help="Names of the outlooks: Quinlan's, or those of the Play Golf table; or one is missing.",
            ),
            SEED,
        ),
        weather, fixed=True, synonyms=("play golf", "play tennis"),
    ),
    DatasetGenerator(
        "diabetes", "Diabetes", _PATIENTS, "regress",
        (
            replace(SIZE, default=442, hi=442, help="Number of rows. Fewer than all are a random sample."),
            *_features(_DIABETES, {name: name for name in _DIABETES}, {"a": ("x", "bmi")}),
            Flag(name="scaled", default=True, help="Centre the features and scale them to a norm of 1."),
            SEED,
        ),
        diabetes, fixed=True,
    ),
)  # fmt: skip
