import numpy as np
import pytest
from PySide6.QtCore import QRectF

from vizml.ui.picture.words import Room

PLOT = QRectF(0, 0, 400, 300)


def rects(anchors, points, width=50.0, height=14.0):
    room = Room(PLOT, np.asarray(points, dtype=float).reshape(-1, 2), 5.5)
    return [room.find(np.asarray(anchor, dtype=float), width, height, 1.0) for anchor in anchors]


def test_a_label_stands_up_right_of_its_point():
    (rect,) = rects([(200, 150)], [(200, 150)])
    assert rect.left() > 200
    assert rect.bottom() < 150


@pytest.mark.parametrize("anchor", [(2, 2), (398, 2), (2, 298), (398, 298)])
def test_a_label_never_leaves_the_plot(anchor):
    (rect,) = rects([anchor], [anchor])
    assert PLOT.contains(rect)


def test_labels_cover_neither_points_nor_each_other():
    points = np.random.default_rng(3).uniform((0, 0), (400, 300), (120, 2))
    placed = [rect for rect in rects(points[:40], points) if rect is not None]
    assert len(placed) > 10
    for index, rect in enumerate(placed):
        assert not any(rect.intersects(other) for other in placed[:index])
        assert not any(rect.contains(x, y) for x, y in points.tolist())


def test_where_there_is_no_room_there_is_no_label():
    x, y = np.meshgrid(np.arange(0, 400, 8), np.arange(0, 300, 8))
    crowd = np.column_stack([x.ravel(), y.ravel()])
    assert rects([(200, 150)], crowd) == [None]


def test_what_is_taken_stays_free_of_labels():
    room = Room(PLOT, np.empty((0, 2)), 5.5)
    plate = QRectF(205, 0, 195, 300)
    room.take(plate)
    rect = room.find(np.array([200.0, 150.0]), 50.0, 14.0, 1.0)
    assert not rect.intersects(plate)
