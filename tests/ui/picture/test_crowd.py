import numpy as np
import pytest

from tests.ui.picture.sheet import pixels_of
from vizml.scene import LIGHT
from vizml.ui.picture.crowd import crowd
from vizml.ui.picture.symbols import style_of

pytestmark = pytest.mark.usefixtures("qapp")


def spots(places, kinds, size=(60, 40), spot=1.0):
    return pixels_of(crowd(np.asarray(places, dtype=float), np.asarray(kinds), size, LIGHT, spot))


def test_each_point_is_a_spot_at_its_place():
    rows = spots([(10.5, 20.5), (50.5, 5.5)], [0, 1])
    assert rows[20, 10, 3] > 0
    assert rows[5, 50, 3] > 0
    assert np.argwhere(rows[..., 3]).mean(axis=0).tolist() == [12.5, 30.0]


def test_more_points_are_denser_then_darker():
    one, few, many = (spots(np.tile([30.5, 20.5], (n, 1)), np.zeros(n, int))[20, 30] for n in (1, 8, 100))
    assert one[3] < few[3] <= many[3]
    assert many[:3].sum() < few[:3].sum()


def test_a_million_on_one_pixel_are_as_dark_as_it_gets():
    style = style_of(0, LIGHT)
    pile = spots(np.tile([30.5, 20.5], (1_000_000, 1)), np.zeros(1_000_000, int))[20, 30]
    assert pile[3] == 255
    assert pile[:3].sum() > sum(style.outline)


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


def test_the_same_points_give_the_same_image():
    places, kinds = np.random.default_rng(1).random((500, 2)) * 40, np.arange(500) % 8
    assert np.array_equal(spots(places, kinds), spots(places, kinds))
