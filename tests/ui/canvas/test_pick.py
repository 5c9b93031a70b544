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
