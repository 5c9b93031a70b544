"""More points than symbols: spots that grow denser, then darker, and hide no class."""

import numpy as np
import pytest

from tests.paint.sheet import pixels_of
from vizml.paint.symbols import DEPTH, LEAST, density_image, style_of
from vizml.scene import DARK, LIGHT
from vizml.scene.figure import PLAIN

pytestmark = pytest.mark.usefixtures("qapp")


def spots(places, kinds, size=(60, 40), spot=1.0):
    return pixels_of(density_image(np.asarray(places, dtype=float), np.asarray(kinds), size, LIGHT, spot))


def test_points_at_and_over_the_edge_are_no_trouble():
    rows = spots([(0.0, 0.0), (59.9, 39.9), (-5.0, 10.0), (10.0, 500.0), (60.0, 40.0)], [0, 1, 2, 3, 4])
    assert rows[0, 0, 3] > 0
    assert rows[39, 59, 3] > 0
    assert rows[10, 0, 3] == 0


def test_no_class_is_always_on_top():
    where = np.repeat(np.random.default_rng(0).uniform((0, 0), (60, 40), (300, 2)), 2, axis=0)
    kinds = np.tile([0, 1], 300)
    rows = spots(where, kinds)
    blue = (rows[..., 2] > rows[..., 0]).sum()
    red = (rows[..., 0] > rows[..., 2]).sum()
    assert 0.5 < blue / red < 2


def test_one_point_is_half_opaque_and_in_the_colour_of_its_class():
    for kind in range(PLAIN, 8):
        pixel = spots([(30.5, 20.5)], [kind])[20, 30]
        assert pixel[3] / 255 == pytest.approx(LEAST, abs=0.01)
        assert pixel[:3].tolist() == pytest.approx(list(style_of(kind, LIGHT).fill), abs=2)


def test_each_point_takes_its_share_of_what_still_shines_through():
    """n half-opaque spots on each other let 1 / 2^n through."""
    for count in (1, 2, 3, 5):
        pixel = spots(np.tile([30.5, 20.5], (count, 1)), np.zeros(count, int))[20, 30]
        assert 1 - pixel[3] / 255 == pytest.approx(0.5**count, abs=0.01)


def test_moving_all_points_moves_the_image():
    rng = np.random.default_rng(2)
    places, kinds = rng.uniform((10, 10), (40, 30), (400, 2)), rng.integers(0, 8, 400)
    here, there = spots(places, kinds), spots(places + np.array([7.0, 3.0]), kinds)
    assert np.array_equal(here[:-3, :-7], there[3:, 7:])


def test_a_spot_is_round_and_grows_with_the_type():
    small, large = (spots([(30.5, 20.5)], [0], spot=spot)[..., 3] > 0 for spot in (1.0, 2.5))
    for spot in (small, large):
        assert np.array_equal(spot[:, 11:50], spot[:, 11:50][:, ::-1])
        assert np.array_equal(spot[1:40], spot[1:40][::-1])
        assert np.array_equal(spot[11:30, 21:40], spot[11:30, 21:40].T)
    assert small.sum() == pytest.approx(np.pi * 1.6**2, abs=3)
    assert large.sum() == pytest.approx(np.pi * 4.0**2, abs=4)


def test_no_pile_is_darker_than_the_deepest():
    deep, deeper = (spots(np.tile([30.5, 20.5], (n, 1)), np.zeros(n, int)) for n in (DEPTH, 50 * DEPTH))
    assert np.array_equal(deep, deeper)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_piles_go_from_the_fill_towards_the_outline(theme):
    style = style_of(2, theme)
    place = np.tile([[30.5, 20.5]], (1000, 1))
    few, many = (
        pixels_of(density_image(place[:n], np.full(n, 2), (60, 40), theme))[20, 30, :3].astype(int)
        for n in (4, 1000)
    )
    assert np.abs(few - style.fill).max() < 12
    assert np.abs(many - style.outline).sum() < np.abs(few - style.outline).sum()


def test_the_order_of_points_does_not_matter_for_how_dense_they_are():
    rng = np.random.default_rng(3)
    places = rng.uniform((0, 0), (60, 40), (300, 2))
    one, other = spots(places, np.zeros(300, int)), spots(places[::-1], np.zeros(300, int))
    assert np.array_equal(one, other)


def test_points_out_of_sight_change_nothing_and_the_same_points_are_the_same_picture():
    rng = np.random.default_rng(0)
    places, kinds = rng.uniform(0, 40, size=(500, 2)), rng.integers(0, 4, size=500)
    image = spots(places, kinds)
    assert np.array_equal(spots(places, kinds), image)
    far = np.concatenate([places, [[-50.0, 3.0], [3.0, 900.0]]])
    assert np.array_equal(spots(far, np.append(kinds, [5, 6])), image)
