"""Which points lie under the pointer."""

import numpy as np
import pytest

from vizml.data import Dataset
from vizml.paint import Geometry
from vizml.ui.canvas.selection import nearest_point, points_along, points_in_box

BOUNDS = (0.0, 10.0, 0.0, 10.0)
SQUARE = Dataset([(2, 2), (2, 8), (8, 2), (8, 8)], [0, 0, 0, 0])
NOBODY = Dataset.empty()


@pytest.fixture
def geometry():
    return Geometry(500, 400, BOUNDS)


def place(geometry, x, y, right=0.0, down=0.0):
    px, py = geometry.to_pixels(np.array([[x, y]]))[0]
    return px + right, py + down


def found(mask):
    return np.flatnonzero(mask).tolist()


def test_the_nearest_point_within_reach_is_picked(geometry):
    assert found(nearest_point(geometry, SQUARE, place(geometry, 8, 2, 5, 5), 10)) == [2]
    assert found(nearest_point(geometry, SQUARE, place(geometry, 8, 2, 8, 8), 10)) == []
    assert found(nearest_point(geometry, SQUARE, place(geometry, 5.1, 8), 1e6)) == [3]


def test_of_points_in_one_place_the_one_on_top_is_picked(geometry):
    twins = Dataset([(5, 5), (5, 5), (5, 5)], [0, 1, 2])
    assert found(nearest_point(geometry, twins, place(geometry, 5, 5), 10)) == [2]


def test_a_disc_holds_the_points_within_its_radius_in_pixels(geometry):
    at = place(geometry, 2, 2, 3, 4)
    assert found(points_along(geometry, SQUARE, at, at, 5.001)) == [0]
    assert found(points_along(geometry, SQUARE, at, at, 4.999)) == []


def test_a_disc_on_its_way_meets_what_lies_between(geometry):
    start, end = place(geometry, 1, 2, down=3), place(geometry, 9, 2, down=3)
    assert found(points_along(geometry, SQUARE, start, end, 4)) == [0, 2]
    assert found(points_along(geometry, SQUARE, start, end, 2)) == []
    assert found(points_along(geometry, SQUARE, start, place(geometry, 5, 2), 4)) == [0]


def test_a_box_may_be_drawn_from_any_corner(geometry):
    for one, other in (((1, 1), (3, 9)), ((3, 1), (1, 9)), ((3, 9), (1, 1))):
        assert found(points_in_box(geometry, SQUARE, place(geometry, *one), place(geometry, *other))) == [
            0,
            1,
        ]


def test_large_type_makes_points_easier_to_hit():
    large = Geometry(500, 400, BOUNDS, type_scale=2.0)
    at = place(large, 2, 2, 15)
    assert found(nearest_point(large, SQUARE, at, 10)) == [0]
    assert found(points_along(large, SQUARE, at, at, 10)) == [0]


def test_there_is_nothing_to_pick_among_no_points(geometry):
    at = place(geometry, 5, 5)
    for mask in (
        nearest_point(geometry, NOBODY, at, 10),
        points_along(geometry, NOBODY, at, at, 10),
        points_in_box(geometry, NOBODY, at, at),
    ):
        assert mask.shape == (0,)
