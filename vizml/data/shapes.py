"""Labelled shapes on the plane, each hard for some kind of model, in about [-3, 3] x [-3, 3]."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.data.dataset import Dataset, Floats
from vizml.data.params import Choice, Param
from vizml.data.source import (
    Make,
    Source,
    balanced,
    classes,
    count,
    integer,
    noise,
    real,
    renamed,
    seed,
    spread,
)

TAU = 2 * np.pi


def moons(rng: Generator, n: int, noise: float) -> Dataset:
    label = balanced(n, 2)
    t, radius = np.pi * rng.random(n), 1.6
    arc = radius * np.column_stack([np.cos(t) - 0.5, np.sin(t) - 0.25])
    return Dataset(np.where(label[:, None] == 0, arc, -arc) + spread(rng, n, noise), label)


def circles(rng: Generator, n: int, noise: float, classes: int) -> Dataset:
    label = balanced(n, classes)
    radius = 2.4 * (label + 1) / classes
    return Dataset(_polar(radius, TAU * rng.random(n)) + spread(rng, n, noise), label)


def blobs(rng: Generator, n: int, noise: float, classes: int) -> Dataset:
    label = balanced(n, classes)
    angle = TAU * (np.arange(classes) + 0.3 * rng.random(classes)) / classes + TAU * rng.random()
    centres = _polar(rng.uniform(1.5, 2.3, classes), angle)
    return Dataset(centres[label] + spread(rng, n, noise), label)


def xor(rng: Generator, n: int, noise: float) -> Dataset:
    label = balanced(n, 2)
    corner = rng.uniform(0.1, 2.5, (n, 2))
    side = rng.choice([-1.0, 1.0], n)
    signs = np.column_stack([side, np.where(label == 0, side, -side)])
    return Dataset(signs * corner + spread(rng, n, noise), label)


def spirals(rng: Generator, n: int, noise: float, classes: int, turns: float) -> Dataset:
    label = balanced(n, classes)
    t = np.sqrt(rng.uniform(0.01, 1.0, n))  # the root spreads the points evenly along the arm
    angle = TAU * (turns * t + label / classes)
    return Dataset(_polar(2.6 * t, angle) + spread(rng, n, noise), label)


def checkerboard(rng: Generator, n: int, noise: float, classes: int, cells: int) -> Dataset:
    label = balanced(n, classes)
    row, column = np.divmod(np.arange(cells * cells), cells)
    step = 1 if classes < 2 * cells else cells  # diagonals alone would not reach every class
    colour = (column + step * row) % classes
    cell = np.empty(n, dtype=np.int64)
    for k in range(classes):
        mine = label == k
        cell[mine] = rng.choice(np.flatnonzero(colour == k), int(mine.sum()))
    place = np.column_stack([column[cell], row[cell]]) + rng.random((n, 2))
    return Dataset(5.2 * (place / cells - 0.5) + spread(rng, n, noise), label)


def linear(rng: Generator, n: int, noise: float, gap: float) -> Dataset:
    label = balanced(n, 2)
    side = np.where(label == 0, 1.0, -1.0)
    across = side * (gap / 2 + rng.uniform(0.0, 1.8, n))
    along = rng.uniform(-2.4, 2.4, n)
    return Dataset(_turned(np.column_stack([along, across]), 0.5) + spread(rng, n, noise), label)


def anisotropic(rng: Generator, n: int, noise: float, classes: int, stretch: float) -> Dataset:
    label = balanced(n, classes)
    apart = min(1.5, 5.0 / max(classes - 1, 1))
    centre = apart * (label - (classes - 1) / 2)
    long, short = spread(rng, n, noise).T
    return Dataset(_turned(np.column_stack([stretch * long, centre + short]), 0.6), label)


def outliers(rng: Generator, n: int, noise: float, share: float, kind: str) -> Dataset:
    label = balanced(n, 2)
    centre = np.column_stack([np.where(label == 0, -1.3, 1.3), np.zeros(n)])
    may = np.flatnonzero(label == 1) if kind == "far" else np.arange(n)
    out = rng.permutation(may)[: int(np.floor(share * n + 0.5))]
    # far out all lie on one side, where they pull the hardest at a least squares fit
    centre[out] = (6.5, -2.0) if kind == "far" else -centre[out]
    return Dataset(_turned(centre + spread(rng, n, noise), 0.4), label)


def _polar(radius: Floats, angle: Floats) -> Floats:
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def _turned(points: Floats, angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    x, y = points.T
    return np.column_stack([c * x - s * y, s * x + c * y])


def _source(make: Make, title: str, help: str, *options: Param) -> Source:
    return Source(make.__name__, title, help, "classify", (count(), *options, seed()), make)


_SHARE = real("share", 0.06, 0.0, 0.5, help="the share of the points that are outliers")
_KIND = Choice(
    name="kind",
    default="far",
    options=("far", "swapped"),
    labels={"far": "far out on their own side", "swapped": "among the other class"},
    help="where the outliers lie",
)
_TURNS = real("turns", 1.25, 0.1, 6.0, help="how often each arm winds around the centre")
_CELLS = integer("cells", 4, 3, 20, help="how many cells there are on a side")
_GAP = real("gap", 0.6, 0.0, 4.0, help="the width of the empty strip between the classes, before noise")
_STRETCH = real("stretch", 4.0, 1.0, 20.0, help="how many times longer than wide each cloud is")
_NARROW = "standard deviation across each cloud, in data units"

SOURCES = (
    _source(moons, "Moons", "two half circles hooked into each other", noise(0.3)),
    _source(circles, "Circles", "rings around one centre", noise(0.2), classes(2)),
    _source(blobs, "Blobs", "round clouds around a circle", noise(0.6), classes(3)),
    _source(xor, "XOR", "opposite quadrants share a class: no line parts them", noise(0.2)),
    _source(spirals, "Spirals", "arms wound around each other", noise(0.1), classes(2), _TURNS),
    _source(checkerboard, "Checkerboard", "classes by turns in the cells", noise(0.05), classes(2), _CELLS),
    _source(linear, "Linear", "two classes on either side of a slanting line", noise(0.2), _GAP),
    _source(
        anisotropic,
        "Anisotropic",
        "long slanting clouds side by side, which distance to a centre tells apart badly",
        renamed(noise(0.25), _NARROW),
        classes(3),
        _STRETCH,
    ),
    _source(
        outliers,
        "Outliers",
        "two round clouds, and a few points that do not belong",
        noise(0.5),
        _SHARE,
        _KIND,
    ),
)
