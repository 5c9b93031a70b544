"""Synthetic data sets: labelled shapes in about [-3, 3] x [-3, 3]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from vizml.data.columns import MAX_CLASSES, Floats, Ints
from vizml.data.dataset import Dataset
from vizml.data.generator import (
    NOISE,
    SEED,
    SIZE,
    ClassDensities,
    DatasetGenerator,
    balanced_labels,
    gaussian_noise,
    mixture,
    quadrature,
)
from vizml.data.params import Choice, Integer, Real, Value

TAU = 2 * np.pi
MOON = 1.6
"""Radius of the moons."""
APART = 2.2
"""Distance of neighbours in a row."""
QUADRANT = (0.1, 2.5)
"""Ends of the squares of XOR along each axis."""
START = 0.1
"""Share of a spiral arm around the centre that is left out."""
BOARD = 5.2
"""Side of the checkerboard."""
SQUARE, SLANT = 0.3, 0.5
"""Half the side of the squares in the rectangles of linear data, and the angle of these."""
TILT = 0.6
"""Angle of anisotropic clouds."""
PAIR, FAR, LEAN = 1.3, (6.5, -2.0), 0.4
"""Distance of two clouds from the middle, place of outliers, and the angle by which all are turned."""


def moons(rng: Generator, n: int, noise: float) -> Dataset:
    label = balanced_labels(n, 2)
    arc = _arc(np.pi * rng.random(n))
    return Dataset(np.where(label[:, None] == 0, arc, -arc) + gaussian_noise(rng, n, noise), label)


def _arc(t: Floats) -> Floats:
    return MOON * np.column_stack([np.cos(t) - 0.5, np.sin(t) - 0.25])


def _moon_densities(noise: float) -> ClassDensities:
    t, weights = quadrature(0.0, np.pi, MOON * np.pi, noise)
    arc = _arc(t)
    return ClassDensities((arc, -arc), (weights / 2, weights / 2), noise * np.eye(2))


def circles(rng: Generator, n: int, noise: float, classes: int) -> Dataset:
    label = balanced_labels(n, classes)
    radius = 2.4 * (label + 1) / classes
    return Dataset(_polar(radius, TAU * rng.random(n)) + gaussian_noise(rng, n, noise), label)


def _circle_densities(noise: float, classes: int) -> ClassDensities:
    radii = [2.4 * (label + 1) / classes for label in range(classes)]
    parts = [(radius, *quadrature(0.0, TAU, TAU * radius, noise)) for radius in radii]
    return ClassDensities(
        tuple(_polar(np.full(len(t), radius), t) for radius, t, _ in parts),
        tuple(weights / classes for *_, weights in parts), noise * np.eye(2),
    )  # fmt: skip


def ring_of_centres(rng: Generator, classes: int, **_: Value) -> Mapping[str, Floats]:
    """Draw the centres (classes, 2) of blobs."""
    angle = TAU * (np.arange(classes) + 0.3 * rng.random(classes)) / classes + TAU * rng.random()
    return {"centres": _polar(rng.uniform(1.5, 2.3, classes), angle)}


def blobs(rng: Generator, n: int, noise: float, classes: int, centres: Floats) -> Dataset:
    label = balanced_labels(n, classes)
    return Dataset(centres[label] + gaussian_noise(rng, n, noise), label)


def _blob_densities(noise: float, classes: int, centres: Floats) -> ClassDensities:
    del classes
    return mixture(centres[:, None], noise)


def row(rng: Generator, n: int, noise: float) -> Dataset:
    """Draw each cloud in pairs of opposite points: the mean of the middle one is that of all points."""
    pair, side = np.divmod(np.arange(n) // 3, 2)
    label = balanced_labels(n, 3)
    offset = gaussian_noise(rng, n, noise)[3 * pair + label] * (1 - 2 * side[:, None])
    return Dataset(np.column_stack([APART * (label - 1.0), np.zeros(n)]) + offset, label)


def _row_densities(noise: float) -> ClassDensities:
    return mixture([np.array([[x, 0.0]]) for x in (-APART, 0.0, APART)], noise)


def xor(rng: Generator, n: int, noise: float) -> Dataset:
    label = balanced_labels(n, 2)
    corner = rng.uniform(*QUADRANT, (n, 2))
    side = rng.choice([-1.0, 1.0], n)
    signs = np.column_stack([side, np.where(label == 0, side, -side)])
    return Dataset(signs * corner + gaussian_noise(rng, n, noise), label)


def _xor_densities(noise: float) -> ClassDensities:
    low, high = QUADRANT
    corners = (low + high) / 2 * np.array([[[1, 1], [-1, -1]], [[1, -1], [-1, 1]]])
    return replace(mixture(corners, noise), half=(high - low) / (2 * noise))


def spirals(rng: Generator, n: int, noise: float, classes: int, turns: float) -> Dataset:
    label = balanced_labels(n, classes)
    t = np.sqrt(rng.uniform(START**2, 1.0, n))  # the root spreads the points evenly along the arm
    return Dataset(_arm(t, turns, label / classes) + gaussian_noise(rng, n, noise), label)


def _arm(t: Floats, turns: float, share: Floats | float) -> Floats:
    return _polar(2.6 * t, TAU * (turns * t + share))


def _spiral_densities(noise: float, classes: int, turns: float) -> ClassDensities:
    t, weights = quadrature(START, 1.0, 2.6 * np.hypot(1.0, TAU * turns), noise)
    weights = weights * t / (weights @ t) / classes
    arms = tuple(_arm(t, turns, label / classes) for label in range(classes))
    return ClassDensities(arms, (weights,) * classes, noise * np.eye(2))


def checkerboard(rng: Generator, n: int, noise: float, classes: int, cells: int) -> Dataset:
    label = balanced_labels(n, classes)
    corners, colour = _board(classes, cells)
    cell = np.empty(n, dtype=np.int64)
    for k in range(classes):
        mine = label == k
        cell[mine] = rng.choice(np.flatnonzero(colour == k), int(mine.sum()))
    place = corners[cell] + rng.random((n, 2))
    return Dataset(BOARD * (place / cells - 0.5) + gaussian_noise(rng, n, noise), label)


def _board(classes: int, cells: int) -> tuple[Floats, Ints]:
    """Return the lower left corners of all cells, in cells, and their classes."""
    row, column = np.divmod(np.arange(cells * cells), cells)
    step = 1 if classes < 2 * cells else cells  # diagonals alone would not reach every class
    return np.column_stack([column, row]).astype(np.float64), (column + step * row) % classes


def _checkerboard_densities(noise: float, classes: int, cells: int) -> ClassDensities:
    corners, colour = _board(classes, cells)
    middles = BOARD * ((corners + 0.5) / cells - 0.5)
    found = mixture([middles[colour == k] for k in range(classes)], noise)
    return replace(found, half=BOARD / (2 * cells * noise))


def linear(rng: Generator, n: int, noise: float, gap: float) -> Dataset:
    label = balanced_labels(n, 2)
    side = np.where(label == 0, 1.0, -1.0)
    across = side * (gap / 2 + rng.uniform(0.0, 6 * SQUARE, n))
    along = rng.uniform(-8 * SQUARE, 8 * SQUARE, n)
    return Dataset(_rotated(np.column_stack([along, across]), SLANT) + gaussian_noise(rng, n, noise), label)


def _linear_densities(noise: float, gap: float) -> ClassDensities:
    """Tile the rectangles of both classes with squares."""
    rows, columns = gap / 2 + SQUARE * np.arange(1, 6, 2), SQUARE * np.arange(-7, 8, 2)
    above = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    found = mixture([_rotated(above, SLANT), _rotated(above * [1, -1], SLANT)], noise)
    return replace(found, half=SQUARE / noise, frame=noise * _rotated(np.eye(2), SLANT))


def anisotropic(rng: Generator, n: int, noise: float, classes: int, stretch: float) -> Dataset:
    label = balanced_labels(n, classes)
    centre = _stacked(classes)[label]
    long, short = gaussian_noise(rng, n, noise).T
    return Dataset(_rotated(np.column_stack([stretch * long, centre + short]), TILT), label)


def _stacked(classes: int) -> Floats:
    """Return the places of clouds across their length."""
    places = np.arange(classes, dtype=np.float64) - (classes - 1) / 2
    return np.asarray(min(1.5, 5.0 / max(classes - 1, 1)) * places)


def _anisotropic_densities(noise: float, classes: int, stretch: float) -> ClassDensities:
    centres = _rotated(np.column_stack([np.zeros(classes), _stacked(classes)]), TILT)
    frame = _rotated(noise * np.diag([stretch, 1.0]), TILT)
    return replace(mixture(centres[:, None], noise), frame=frame)


def outliers(rng: Generator, n: int, noise: float, share: float, kind: str) -> Dataset:
    label = balanced_labels(n, 2)
    centre = np.column_stack([np.where(label == 0, -PAIR, PAIR), np.zeros(n)])
    may = np.flatnonzero(label == 1) if kind == "far" else np.arange(n)
    out = rng.permutation(may)[: int(np.floor(share * n + 0.5))]
    # far out all lie on one side, where they pull the hardest at a least squares fit
    centre[out] = FAR if kind == "far" else -centre[out]
    return Dataset(_rotated(centre + gaussian_noise(rng, n, noise), LEAN), label)


def _outlier_densities(noise: float, share: float, kind: str) -> ClassDensities:
    left, right = (-PAIR, 0.0), (PAIR, 0.0)
    own, out = np.array([1 - share, share]), np.array([0.5 - share, share])
    swapped = [(left, right), (right, left)], (own / 2, own / 2)
    centres, weights = ([(left, left), (right, FAR)], (own / 2, out)) if kind == "far" else swapped
    places = tuple(_rotated(np.array(pair), LEAN) for pair in centres)
    return ClassDensities(places, weights, noise * np.eye(2))


def sequence(rng: Generator, n: int, noise: float, classes: int, stay: float) -> Dataset:
    label = balanced_labels(n, classes)
    turns = max(round(n * (1.0 - stay) / classes), 1)
    label = label[np.lexsort((label, rng.integers(0, turns, n)))]
    return Dataset(_turned(classes)[label] + gaussian_noise(rng, n, noise), label)


def _turned(classes: int) -> Floats:
    """Return the centres of classes that take turns."""
    return _polar(np.full(classes, 1.6), TAU * np.arange(classes) / classes)


def _sequence_densities(noise: float, classes: int, stay: float) -> ClassDensities:
    del stay
    return mixture(_turned(classes)[:, None], noise)


def _polar(radius: Floats, angle: Floats) -> Floats:
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def _rotated(points: Floats, angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    x, y = points.T
    return np.column_stack([c * x - s * y, s * x + c * y])


_SHARE = Real(name="share", default=0.06, lo=0.0, hi=0.5, help="Share of the points that are outliers.")
_KIND = Choice(
    name="kind", default="far", options=("far", "swapped"), help="Position of the outliers.",
    labels={"far": "far away, on their own side", "swapped": "inside the other class"},
)  # fmt: skip
_TURNS = Real(name="turns", default=1.25, lo=0.1, hi=6.0, help="Number of turns of each arm.")
_CELLS = Integer(name="cells", default=4, lo=3, hi=20, help="Number of cells along each side.")
_WIDTH = "Width of the gap between the classes, before noise is added."
_GAP = Real(name="gap", default=0.6, lo=0.0, hi=4.0, help=_WIDTH)
_STRETCH = Real(name="stretch", default=4.0, lo=1.0, hi=20.0, help="Ratio of length to width of each cloud.")
_NARROW = replace(NOISE, default=0.25, help="Standard deviation across each cloud, in data units.")
_STAY = Real(
    name="stay", default=0.9, lo=0.0, hi=1.0, help="Share of the points that the same class follows."
)
_TWO = Integer(name="classes", default=2, lo=2, hi=MAX_CLASSES, help="Number of classes.")
_THREE = replace(_TWO, default=3)

SHAPES = (
    DatasetGenerator(
        "moons", "Moons", "Two interleaving half circles.", "classify",
        (SIZE, replace(NOISE, default=0.3), SEED), moons, densities=_moon_densities,
    ),
    DatasetGenerator(
        "circles", "Circles", "Concentric circles.", "classify",
        (SIZE, replace(NOISE, default=0.2), _TWO, SEED), circles, densities=_circle_densities,
    ),
    DatasetGenerator(
        "blobs", "Blobs", "Isotropic Gaussian clouds, arranged in a ring.", "classify",
        (SIZE, replace(NOISE, default=0.6), _THREE, SEED), blobs,
        structure=ring_of_centres, densities=_blob_densities,
    ),
    DatasetGenerator(
        "row", "Row", "Three Gaussian clouds in a row: one class lies between the others.", "classify",
        (SIZE, replace(NOISE, default=0.4), SEED), row, densities=_row_densities,
    ),
    DatasetGenerator(
        "xor", "XOR", "Opposite quadrants share a class. Not linearly separable.", "classify",
        (SIZE, replace(NOISE, default=0.2), SEED), xor, densities=_xor_densities,
    ),
    DatasetGenerator(
        "spirals", "Spirals", "Interleaving spiral arms.", "classify",
        (SIZE, replace(NOISE, default=0.1), _TWO, _TURNS, SEED), spirals, densities=_spiral_densities,
    ),
    DatasetGenerator(
        "checkerboard", "Checkerboard", "Classes in alternating cells.", "classify",
        (SIZE, replace(NOISE, default=0.05), _TWO, _CELLS, SEED), checkerboard,
        densities=_checkerboard_densities,
    ),
    DatasetGenerator(
        "linear", "Linear", "Two classes on either side of an oblique line.", "classify",
        (SIZE, replace(NOISE, default=0.2), _GAP, SEED), linear, densities=_linear_densities,
    ),
    DatasetGenerator(
        "anisotropic", "Anisotropic",
        "Elongated oblique clouds side by side, which Euclidean distance to the centres separates poorly.",
        "classify", (SIZE, _NARROW, _THREE, _STRETCH, SEED), anisotropic, densities=_anisotropic_densities,
    ),
    DatasetGenerator(
        "outliers", "Outliers", "Two Gaussian clouds with a few outliers.", "classify",
        (SIZE, replace(NOISE, default=0.5), _SHARE, _KIND, SEED), outliers, densities=_outlier_densities,
    ),
    DatasetGenerator(
        "sequence", "Sequence",
        "A sequence for hidden Markov models: classes take turns, each for several points in a row.",
        "classify", (SIZE, replace(NOISE, default=0.7), _THREE, _STAY, SEED), sequence,
        densities=_sequence_densities,
    ),
)  # fmt: skip
