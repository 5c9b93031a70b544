"""A mosaic is the function that it is made from, with tiles as small as that function asks for."""

import numpy as np
import pytest

from vizml.field import Raster
from vizml.field.mosaic import NODES, SIZES, Cut, Mosaic, Part, nodes_within, weights_of_nodes

VIEW = Raster.over((-2.0, 3.0, -1.5, 2.0), 300, 290)


def nowhere(x, y):
    return np.zeros(len(x), dtype=bool)


def part(function, exact=1e-7):
    return Part(
        lambda x, y: function(x[:, None, :], y[:, :, None]), lambda known: np.full(known.shape[1], exact)
    )


def mosaic(function, view=VIEW, faint=1e-7, hides=nowhere):
    return Mosaic.of(view, [part(function)], lambda values: values, faint, hides)


def plane(found):
    return found.plane(slice(0, len(found.raster.y)))


def exact(function, view=VIEW):
    return function(view.x[None, :], view.y[:, None])


def waves(x, y):
    return np.sin(3 * x) * np.cos(2 * y + x)


def cone(x, y):
    return np.hypot(x - 0.31, y + 0.27)


def tiles(found):
    """How many are done at each size by nodes, and how many pixel by pixel."""
    by_nodes = {leaves.x.size: len(leaves.down) for leaves in found.leaves if leaves.values.shape[1] == NODES}
    return by_nodes, sum(len(leaves.down) for leaves in found.leaves if leaves.values.shape[1] != NODES)


@pytest.mark.parametrize("function", [waves, cone])
@pytest.mark.parametrize("width, height", [(300, 290), (256, 256), (1, 1), (17, 3), (1, 40)])
def test_a_mosaic_is_its_function(function, width, height):
    view = Raster.over((-2.0, 3.0, -1.5, 2.0), width, height)
    found = plane(mosaic(function, view))
    assert found.shape == (height, width)
    assert found.dtype == np.float32
    assert np.abs(found - exact(function, view)).max() < 2e-6


def test_a_smooth_function_takes_large_tiles_and_a_crease_small_ones():
    by_nodes, pixels = tiles(mosaic(lambda x, y: 0 * y + x + 1.0))
    assert (by_nodes, pixels) == ({256: 4}, 0)
    by_nodes, pixels = tiles(mosaic(cone))
    assert 1 <= pixels <= 6  # around the tip
    assert by_nodes[256] > 0
    assert by_nodes[16] > 0


def test_tiles_cover_each_pixel_once():
    counts = np.zeros(VIEW.shape, dtype=int)
    for leaves in mosaic(cone).leaves:
        size = leaves.x.size
        for across, down in zip(leaves.across, leaves.down):
            counts[down * size : (down + 1) * size, across * size : (across + 1) * size] += 1
    assert (counts == 1).all()


@pytest.mark.parametrize("height", [1, 7, 16, 64, 289])
def test_rows_of_a_mosaic_are_rows_of_the_whole(height):
    found = mosaic(cone)
    bands = [found.plane(slice(a, min(a + height, 290))) for a in range(0, 290, height)]
    assert np.abs(np.concatenate(bands) - plane(found)).max() < 2e-6


def test_what_hides_between_the_nodes_is_found_where_tiles_may_hide_it():
    def spike(x, y):
        return np.exp(-4e4 * ((x - 0.513) ** 2 + (y - 0.3) ** 2))

    def near_it(x, y):
        inside = (x[:, 0] < 0.55) & (x[:, 1] > 0.47) & (y[:, 0] < 0.34) & (y[:, 1] > 0.26)
        return inside & (np.ptp(x, axis=1) > 0.02)

    view = Raster.over((0.0, 1.0, 0.0, 1.0), 256, 256)
    assert plane(mosaic(spike, view)).max() < 1e-6  # nobody said so
    assert np.abs(plane(mosaic(spike, view, hides=near_it)) - exact(spike, view)).max() < 1e-6


def test_a_costly_part_is_not_asked_again_where_its_polynomial_is_exact():
    asked = {"smooth": 0, "creased": 0}

    def counted(name, function):
        def values(x, y):
            asked[name] += len(x)
            return function(x[:, None, :], y[:, :, None])

        return Part(values, lambda known: np.full(known.shape[1], 1e-9))

    parts = [counted("smooth", lambda x, y: x * y), counted("creased", cone)]
    found = Mosaic.of(VIEW, parts, lambda a, b: a + b, 1e-7, nowhere)
    assert asked["smooth"] == 4
    assert asked["creased"] > 40
    assert np.abs(plane(found) - exact(lambda x, y: x * y + cone(x, y))).max() < 1e-5  # of values up to 10


def test_how_exact_a_part_must_be_may_depend_on_the_others():
    asked = []

    def values(x, y):
        asked.append(len(x))
        return cone(x[:, None, :], y[:, :, None])

    loose = Part(values, lambda known: 1.0 + np.abs(known[0]).max(axis=(1, 2)))
    Mosaic.of(VIEW, [loose, part(cone)], lambda a, b: 0.0 * a + b, 1e-7, nowhere)
    assert asked[0] == 4
    assert sum(asked[1:]) == 0


def test_pixels_in_any_order_are_evaluated_where_they_are():
    rng = np.random.default_rng(0)
    view = Raster(rng.permutation(VIEW.x)[:70], rng.permutation(VIEW.y)[:50])
    assert np.abs(plane(mosaic(waves, view)) - exact(waves, view)).max() < 1e-6


def test_weights_of_nodes_carry_polynomials_exactly():
    ends = np.array([[-1.0, 2.0], [5.0, 5.5], [7.0, 7.0]])
    places = ends[:, :1] + np.ptp(ends, axis=1)[:, None] * np.linspace(0, 1, 7)
    values = nodes_within(ends) ** (NODES - 1)
    found = np.einsum("man,mn->ma", weights_of_nodes(ends, places), values)
    assert found == pytest.approx(places ** (NODES - 1), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_the_pieces_of_an_axis_have_its_pixels(size):
    cut = Cut(VIEW.x, size)
    assert cut.pixels.ravel()[:300].tolist() == VIEW.x.tolist()
    assert len(cut) == -(-300 // size) == len(cut.nodes)
    assert cut.ends[0].tolist() == [VIEW.x[0], VIEW.x[min(size, 300) - 1]]
    assert ((cut.nodes >= cut.ends[:, :1]) & (cut.nodes <= cut.ends[:, 1:])).all()
