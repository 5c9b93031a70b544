"""What holds for every rasteriser: bands, order and place of the pixels change no value."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from vizml.field import Raster, pointwise
from vizml.field.discs import caps_field, disc_depths, disc_field
from vizml.field.kernels import ProductKernel, gaussian_field, laplace_field, product_shares
from vizml.field.leaves import HalfPlaneTrees, summed_field, tiled_field
from vizml.field.log_kernel_sums import exponential_log_sums, gaussian_log_sums
from vizml.field.nearest import nearest_shares
from vizml.field.polynomial import affine_field, polynomial_plane, polynomial_through
from vizml.field.tiles import smooth_field

RNG = np.random.default_rng(0)
CENTRES = RNG.normal(size=(40, 2))
WEIGHTS, BIAS = RNG.normal(size=(2, 40)), RNG.normal(size=2)
CODES = np.sort(RNG.integers(2, size=40))
TABLE = RNG.normal(size=(2, 4, 3))
EDGES = np.sort(RNG.normal(size=(40, 2, 2)), axis=2).reshape(40, 4)
TILES = np.array([[-np.inf, 0.1, -np.inf, np.inf], [0.1, np.inf, -np.inf, -0.3], [0.1, np.inf, -0.3, np.inf]])
SHADES = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
SPLIT = HalfPlaneTrees(
    *np.array([[0, -1, -1], [0, 0, 0], [1, 0, 0], [2, 0, 0]]),
    WEIGHTS[:, :3].T,
    np.array([[1.0, -2.0]]),
    BIAS[:1],
)
"""One split, and its leaves."""
SCREEN = Raster.over((-2.0, 3.0, -1.5, 2.0), 41, 29)


def bell(X):
    return np.exp(-(X**2).sum(axis=1, keepdims=True)) * [1.0, -2.0]


def plane(X):
    return np.column_stack([(X[:, 0] - X[:, 1]) ** 2, X[:, 0] * X[:, 1]])


def polynomials(raster):
    out = np.empty((2, *raster.shape), dtype=np.float32)
    for plane, table in zip(out, TABLE, strict=True):
        polynomial_plane(table, raster, plane)
    return out


def cubes(X):
    return np.polynomial.polynomial.polyval2d(X[:, 0], X[:, 1], TABLE.transpose(1, 2, 0)).T


def within(edges):
    def values(X):
        inside = np.ones((len(X), len(edges)), dtype=bool)
        for k, (low, high) in enumerate(zip(edges.T[::2], edges.T[1::2])):
            inside &= (low < X[:, k, None]) & (X[:, k, None] <= high)
        return inside @ (SHADES if len(edges) == 3 else WEIGHTS.T)

    return values


def sums(power):
    def values(X):
        away = (cdist(X, CENTRES) / 0.8) ** 2
        each = np.where(away <= 1, (1 - away) ** power, 0.0)
        return np.column_stack([each[:, :15].sum(axis=1), each[:, 15:].sum(axis=1)])

    return values


def class_shares(exponents):
    sums = [np.exp(-part).sum(axis=1) for part in np.split(exponents, [15], axis=1)]
    return np.column_stack(sums) / np.sum(sums, axis=0)[:, None]


def nearest(X):
    away = cdist(X, CENTRES)
    away[away > np.sort(away, axis=1)[:, 6:7]] = np.inf
    weights = 1 / away
    return np.column_stack([weights @ (code == CODES) for code in (0, 1)]) / weights.sum(axis=1)[:, None]


def kernel(norm):
    def values(X):
        return np.exp(-1.3 * norm(X[:, None] - CENTRES)) @ WEIGHTS.T + BIAS

    return values


def square(delta):
    return (delta**2).sum(axis=-1)


def taxi(delta):
    return np.abs(delta).sum(axis=-1)


FIELDS = {
    "affine": (
        lambda raster: affine_field(WEIGHTS[:, :2], BIAS, raster),
        lambda X: X @ WEIGHTS[:, :2].T + BIAS,
    ),
    "polynomial": (polynomials, cubes),
    "through nodes": (lambda raster: polynomial_through(plane, raster, 2), plane),
    "smooth": (lambda raster: smooth_field(bell, raster, 2), bell),
    "pointwise": (lambda raster: pointwise(bell, raster, 2), bell),
    "gaussian": (lambda raster: gaussian_field(raster, CENTRES, WEIGHTS, 1.3, BIAS), kernel(square)),
    "laplace": (lambda raster: laplace_field(raster, CENTRES, WEIGHTS, 1.3, BIAS), kernel(taxi)),
    "tiles": (lambda raster: tiled_field(TILES, SHADES, raster), within(TILES)),
    "boxes": (lambda raster: summed_field(EDGES, WEIGHTS.T, raster), within(EDGES)),
    "polygons": (
        lambda raster: SPLIT.sums(np.array([0]), raster).astype(np.float32),
        lambda X: SPLIT.values[np.where(X @ [1.0, -2.0] + BIAS[0] <= 0, 1, 2)],
    ),
    "counts": (lambda raster: caps_field(raster, CENTRES, (15, 25), 0.8, 0), sums(0)),
    "caps": (lambda raster: caps_field(raster, CENTRES, (15, 25), 0.8, 1), sums(1)),
    "nearest": (lambda raster: nearest_shares(raster, CENTRES, CODES, 7, classes=2), nearest),
    "discs": (
        lambda raster: disc_field(raster, CENTRES, CODES, 0.8, 2),
        lambda X: disc_depths(X, CENTRES, CODES, 0.8, 2),
    ),
    "gaussian logs": (
        lambda raster: gaussian_log_sums(raster, CENTRES, 1.3)[None],
        lambda X: logsumexp(-1.3 * cdist(X, CENTRES) ** 2, axis=1)[:, None],
    ),
    "laplace logs": (
        lambda raster: exponential_log_sums(raster, CENTRES, 1.3)[None],
        lambda X: logsumexp(-1.3 * cdist(X, CENTRES), axis=1)[:, None],
    ),
}
FIELDS |= {
    f"shares {power}": (
        lambda raster, power=power: product_shares(
            raster, ProductKernel(1.3, power), CENTRES, np.zeros(40), (15, 25)
        ),
        lambda X, power=power: class_shares(1.3 * (np.abs(X[:, None] - CENTRES) ** power).sum(axis=-1)),
    )
    for power in (1, 2)
}
every_field = pytest.mark.parametrize("name", FIELDS)


def apart(one, other):
    return np.abs(np.subtract(one, other, dtype=float)).max(initial=0.0)


@every_field
def test_each_pixel_has_the_value_at_its_centre(name):
    field, values = FIELDS[name]
    found = field(SCREEN)
    assert found.dtype == np.float32
    assert found.flags.c_contiguous or name == "nearest"  # a part of whole tiles
    exact = values(SCREEN.points()).T.reshape(found.shape)
    assert apart(found, exact) < 3e-6 * np.abs(exact).max()


@every_field
@pytest.mark.parametrize("height", [1, 10])
def test_bands_are_the_whole(name, height):
    field, _ = FIELDS[name]
    bands = np.concatenate([field(band) for _, band in SCREEN.bands(height)], axis=1)
    assert apart(bands, field(SCREEN)) < 1e-5


@every_field
def test_every_other_pixel_has_the_same_value(name):
    """A coarse picture shows what the exact one will."""
    field, _ = FIELDS[name]
    few = Raster(SCREEN.x[::5], SCREEN.y[::4])
    assert apart(field(few), field(SCREEN)[:, ::4, ::5]) < 1e-5


@every_field
def test_a_turned_raster_has_a_turned_field(name):
    field, _ = FIELDS[name]
    turned = field(Raster(SCREEN.x[::-1], SCREEN.y[::-1]))
    assert apart(turned[:, ::-1, ::-1], field(SCREEN)) < 1e-5


@every_field
@pytest.mark.parametrize("x, y", [([0.3], [-0.2]), ([0.3, 0.3], [-0.2, -0.2]), ([-9.0, 9.0], [0.1])])
def test_a_pixel_a_pixel_twice_and_a_pair_are_rasters_too(name, x, y):
    field, values = FIELDS[name]
    raster = Raster(x, y)
    exact = values(raster.points()).T.reshape(-1, len(y), len(x))
    assert apart(field(raster), exact) < 1e-5 * max(np.abs(exact).max(), 1.0)


@every_field
@pytest.mark.parametrize(
    "raster", [Raster([], [1.0]), Raster([1.0], []), Raster([], [])], ids=["x", "y", "xy"]
)
def test_an_empty_raster_has_an_empty_field(name, raster):
    field, _ = FIELDS[name]
    assert field(raster).shape[1:] == raster.shape
