"""Synthetic data sets: labelled shapes in about [-3, 3] x [-3, 3] and noisy curves over [-3, 3]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from vizml.data.dataset import MAX_CLASSES, Dataset, Floats
from vizml.data.generator import (
    SEED,
    DatasetGenerator,
    Sampler,
    Structure,
    balanced_labels,
    gaussian_noise,
    noise_option,
    size_option,
)
from vizml.data.params import Choice, Integer, Param, Real, Value

TAU = 2 * np.pi


def moons(rng: Generator, n: int, noise: float) -> Dataset:
    label = balanced_labels(n, 2)
    t, radius = np.pi * rng.random(n), 1.6
    arc = radius * np.column_stack([np.cos(t) - 0.5, np.sin(t) - 0.25])
    return Dataset(np.where(label[:, None] == 0, arc, -arc) + gaussian_noise(rng, n, noise), label)


def circles(rng: Generator, n: int, noise: float, classes: int) -> Dataset:
    label = balanced_labels(n, classes)
    radius = 2.4 * (label + 1) / classes
    return Dataset(_polar(radius, TAU * rng.random(n)) + gaussian_noise(rng, n, noise), label)


def ring_of_centres(rng: Generator, classes: int, **_: Value) -> Mapping[str, Floats]:
    """Draw the centres (classes, 2) of blobs."""
    angle = TAU * (np.arange(classes) + 0.3 * rng.random(classes)) / classes + TAU * rng.random()
    return {"centres": _polar(rng.uniform(1.5, 2.3, classes), angle)}


def blobs(rng: Generator, n: int, noise: float, classes: int, centres: Floats) -> Dataset:
    label = balanced_labels(n, classes)
    return Dataset(centres[label] + gaussian_noise(rng, n, noise), label)


def row(rng: Generator, n: int, noise: float) -> Dataset:
    """Draw each cloud in pairs of opposite points: the mean of the middle one is that of all points."""
    pair, side = np.divmod(np.arange(n) // 3, 2)
    label = balanced_labels(n, 3)
    offset = gaussian_noise(rng, n, noise)[3 * pair + label] * (1 - 2 * side[:, None])
    return Dataset(np.column_stack([2.2 * (label - 1.0), np.zeros(n)]) + offset, label)


def xor(rng: Generator, n: int, noise: float) -> Dataset:
    label = balanced_labels(n, 2)
    corner = rng.uniform(0.1, 2.5, (n, 2))
    side = rng.choice([-1.0, 1.0], n)
    signs = np.column_stack([side, np.where(label == 0, side, -side)])
    return Dataset(signs * corner + gaussian_noise(rng, n, noise), label)


def spirals(rng: Generator, n: int, noise: float, classes: int, turns: float) -> Dataset:
    label = balanced_labels(n, classes)
    t = np.sqrt(rng.uniform(0.01, 1.0, n))  # the root spreads the points evenly along the arm
    angle = TAU * (turns * t + label / classes)
    return Dataset(_polar(2.6 * t, angle) + gaussian_noise(rng, n, noise), label)


def checkerboard(rng: Generator, n: int, noise: float, classes: int, cells: int) -> Dataset:
    label = balanced_labels(n, classes)
    row, column = np.divmod(np.arange(cells * cells), cells)
    step = 1 if classes < 2 * cells else cells  # diagonals alone would not reach every class
    colour = (column + step * row) % classes
    cell = np.empty(n, dtype=np.int64)
    for k in range(classes):
        mine = label == k
        cell[mine] = rng.choice(np.flatnonzero(colour == k), int(mine.sum()))
    place = np.column_stack([column[cell], row[cell]]) + rng.random((n, 2))
    return Dataset(5.2 * (place / cells - 0.5) + gaussian_noise(rng, n, noise), label)


def linear(rng: Generator, n: int, noise: float, gap: float) -> Dataset:
    label = balanced_labels(n, 2)
    side = np.where(label == 0, 1.0, -1.0)
    across = side * (gap / 2 + rng.uniform(0.0, 1.8, n))
    along = rng.uniform(-2.4, 2.4, n)
    return Dataset(_rotated(np.column_stack([along, across]), 0.5) + gaussian_noise(rng, n, noise), label)


def anisotropic(rng: Generator, n: int, noise: float, classes: int, stretch: float) -> Dataset:
    label = balanced_labels(n, classes)
    apart = min(1.5, 5.0 / max(classes - 1, 1))
    centre = apart * (label - (classes - 1) / 2)
    long, short = gaussian_noise(rng, n, noise).T
    return Dataset(_rotated(np.column_stack([stretch * long, centre + short]), 0.6), label)


def outliers(rng: Generator, n: int, noise: float, share: float, kind: str) -> Dataset:
    label = balanced_labels(n, 2)
    centre = np.column_stack([np.where(label == 0, -1.3, 1.3), np.zeros(n)])
    may = np.flatnonzero(label == 1) if kind == "far" else np.arange(n)
    out = rng.permutation(may)[: int(np.floor(share * n + 0.5))]
    # far out all lie on one side, where they pull the hardest at a least squares fit
    centre[out] = (6.5, -2.0) if kind == "far" else -centre[out]
    return Dataset(_rotated(centre + gaussian_noise(rng, n, noise), 0.4), label)


def sequence(rng: Generator, n: int, noise: float, classes: int, stay: float) -> Dataset:
    label = balanced_labels(n, classes)
    turns = max(round(n * (1.0 - stay) / classes), 1)
    label = label[np.lexsort((label, rng.integers(0, turns, n)))]
    centre = _polar(np.full(n, 1.6), TAU * label / classes)
    return Dataset(centre + gaussian_noise(rng, n, noise), label)


def sine(rng: Generator, n: int, noise: float, periods: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, 1.5 * np.sin(2 * np.pi * periods * (x + 3) / 6), noise)


def step(rng: Generator, n: int, noise: float, jump: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, np.where(x < 0, -jump / 2, jump / 2), noise)


def line(rng: Generator, n: int, noise: float, slope: float, intercept: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, intercept + slope * x, noise)


def cubic(rng: Generator, n: int, noise: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, x**3 / 6 - x, noise)


def hetero(rng: Generator, n: int, noise: float) -> Dataset:
    x = _inputs(rng, n)
    return _noisy(rng, x, 0.5 * x, noise * (x + 3) / 3)


def _polar(radius: Floats, angle: Floats) -> Floats:
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def _rotated(points: Floats, angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    x, y = points.T
    return np.column_stack([c * x - s * y, s * x + c * y])


def _inputs(rng: Generator, n: int) -> Floats:
    return rng.uniform(-3.0, 3.0, n)


def _noisy(rng: Generator, x: Floats, y: Floats, deviation: float | Floats) -> Dataset:
    return Dataset.curve(x, y + deviation * rng.standard_normal(len(x)))


def _shape(
    sample: Sampler, title: str, help: str, *options: Param, structure: Structure | None = None
) -> DatasetGenerator:
    declared = (size_option(), *options, SEED)
    return DatasetGenerator(sample.__name__, title, help, "classify", declared, sample, structure=structure)


def _curve(sample: Sampler, title: str, help: str, *options: Param) -> DatasetGenerator:
    declared = (size_option(100), *options, SEED)
    return DatasetGenerator(sample.__name__, title, help, "regress", declared, sample)


_SHARE = Real(name="share", default=0.06, lo=0.0, hi=0.5, help="Share of the points that are outliers.")
_KIND = Choice(
    name="kind",
    default="far",
    options=("far", "swapped"),
    labels={"far": "far away, on their own side", "swapped": "inside the other class"},
    help="Position of the outliers.",
)
_TURNS = Real(name="turns", default=1.25, lo=0.1, hi=6.0, help="Number of turns of each arm.")
_CELLS = Integer(name="cells", default=4, lo=3, hi=20, help="Number of cells along each side.")
_WIDTH = "Width of the gap between the classes, before noise is added."
_GAP = Real(name="gap", default=0.6, lo=0.0, hi=4.0, help=_WIDTH)
_STRETCH = Real(name="stretch", default=4.0, lo=1.0, hi=20.0, help="Ratio of length to width of each cloud.")
_NARROW = noise_option(0.25, "Standard deviation across each cloud, in data units.")
_RESIDUAL = noise_option(0.25, "Standard deviation of y around the curve.")
_GROWING = noise_option(0.4, "Standard deviation of y at x = 0. It is proportional to x + 3.")
_PERIODS = Real(name="periods", default=1.5, lo=0.1, hi=10.0, help="Number of periods from x = −3 to x = 3.")
_JUMP = Real(name="jump", default=2.0, lo=-6.0, hi=6.0, help="Height of the step at x = 0.")
_SLOPE = Real(name="slope", default=0.7, lo=-10.0, hi=10.0, help="Slope of the line.")
_INTERCEPT = Real(name="intercept", default=0.5, lo=-10.0, hi=10.0, help="Value of y at x = 0.")
_STAY = Real(
    name="stay", default=0.9, lo=0.0, hi=1.0, help="Share of the points that the same class follows."
)
_TWO = Integer(name="classes", default=2, lo=2, hi=MAX_CLASSES, help="Number of classes.")
_THREE = replace(_TWO, default=3)

SHAPES = (
    _shape(moons, "Moons", "Two interleaving half circles.", noise_option(0.3)),
    _shape(circles, "Circles", "Concentric circles.", noise_option(0.2), _TWO),
    _shape(
        blobs,
        "Blobs",
        "Isotropic Gaussian clouds, arranged in a ring.",
        noise_option(0.6),
        _THREE,
        structure=ring_of_centres,
    ),
    _shape(
        row, "Row", "Three Gaussian clouds in a row: one class lies between the others.", noise_option(0.4)
    ),
    _shape(xor, "XOR", "Opposite quadrants share a class. Not linearly separable.", noise_option(0.2)),
    _shape(spirals, "Spirals", "Interleaving spiral arms.", noise_option(0.1), _TWO, _TURNS),
    _shape(checkerboard, "Checkerboard", "Classes in alternating cells.", noise_option(0.05), _TWO, _CELLS),
    _shape(linear, "Linear", "Two classes on either side of an oblique line.", noise_option(0.2), _GAP),
    _shape(
        anisotropic,
        "Anisotropic",
        "Elongated oblique clouds side by side, which Euclidean distance to the centres separates poorly.",
        _NARROW,
        _THREE,
        _STRETCH,
    ),
    _shape(
        outliers, "Outliers", "Two Gaussian clouds with a few outliers.", noise_option(0.5), _SHARE, _KIND
    ),
    _shape(
        sequence,
        "Sequence",
        "A sequence for hidden Markov models: classes take turns, each for several points in a row.",
        noise_option(0.7),
        _THREE,
        _STAY,
    ),
)
CURVES = (
    _curve(sine, "Sine", "A sine wave of amplitude 1.5.", _RESIDUAL, _PERIODS),
    _curve(step, "Step", "A step function with its jump at x = 0.", _RESIDUAL, _JUMP),
    _curve(line, "Line", "A straight line.", _RESIDUAL, _SLOPE, _INTERCEPT),
    _curve(cubic, "Cubic", "The cubic y = x³/6 − x.", _RESIDUAL),
    _curve(hetero, "Heteroscedastic", "A line with noise that grows with x.", _GROWING),
)
