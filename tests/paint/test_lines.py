"""Arrays become Qt's polygons and paths: their areas, lengths, holes and gaps stay what they were."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tests.paint.sheet import painted
from vizml.paint.clipping import LONG, PIECE, area, joined, pieces, qpolygon, together, traces, winds

BOX = (0.0, 100.0, 0.0, 80.0)
places = arrays(np.float64, (8, 2), elements=st.floats(-1e6, 1e6))


def points_of(polygon):
    return [(point.x(), point.y()) for point in polygon]


def square(low, high):
    return np.array([[low, low], [high, low], [high, high], [low, high]], dtype=float)


@given(places)
def test_a_polygon_is_a_copy_of_its_points(points):
    before = points.copy()
    made = qpolygon(points)
    points += 1.0
    assert np.array_equal(np.array(points_of(made)), before)


def test_lines_are_traced_in_parts_where_they_leave_and_come_back():
    line = np.array([[10.0, 40.0], [150.0, 40.0], [150.0, 60.0], [10.0, 60.0]])
    first, second = traces([line], BOX)
    assert points_of(first) == [(10, 40), (100, 40)]
    assert points_of(second) == [(100, 60), (10, 60)]


STAIRS = np.column_stack([np.repeat(np.linspace(2, 98, 40), 2), np.tile([10.0, 70.0, 70.0, 10.0], 20)])


def test_short_pieces_share_their_ends_and_are_the_whole():
    (whole,) = traces([STAIRS], BOX)
    short = traces([STAIRS], BOX, short=True)
    assert all(2 <= len(piece) <= PIECE + 1 for piece in short)
    assert all(one[-1] == other[0] for one, other in pairwise(map(points_of, short)))
    corners = [points_of(short[0])[0], *(point for piece in short for point in points_of(piece)[1:])]
    assert corners == points_of(whole)


def test_short_pieces_look_like_the_whole():
    def drawn(short):
        def draw(painter):
            pen = QPen(QColor("black"), 2.5)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for piece in traces([STAIRS], BOX, short=short):
                painter.drawPolyline(piece)

        return painted(100, 80, draw, ground=QColor("white"))[..., 0].astype(int)

    apart = np.abs(drawn(True) - drawn(False))
    assert apart.mean() < 3
    assert apart.max() < 90


def test_a_line_winds_where_it_is_longer_than_it_could_be_straight():
    flat = np.array([[0.0, 0.0], [LONG - 1, 0.0]])
    assert not winds([flat])
    assert winds([flat, flat])
    assert winds([np.tile([[0.0, 0.0], [0.0, 500.0]], (10, 1))])
    assert not winds([np.full((3, 2), np.nan), flat])
    assert not winds([np.array([[0.0, np.inf], [1.0, -np.inf], [1.0, 1e300], [2.0, -np.inf]])])
    assert not winds([])


def test_a_closed_line_is_traced_all_the_way_round():
    (trace,) = traces([square(10, 30)], BOX, closed=True)
    assert points_of(trace)[0] == points_of(trace)[-1] == (10, 10)
    assert len(points_of(traces([square(10, 30)], BOX)[0])) == 4


def test_joined_lines_stay_apart():
    path = joined([qpolygon(square(0, 10)), qpolygon(square(20, 30))])
    assert path.elementCount() == 8
    moves = [i for i in range(8) if path.elementAt(i).isMoveTo()]
    assert moves == [0, 4]
    assert joined([]).isEmpty()


def test_pieces_are_as_many_lines_as_there_are_ends():
    ends = np.array([[[0.0, 0.0], [3.0, 4.0]], [[10.0, 10.0], [10.0, 22.0]]])
    path = pieces(ends)
    assert path.length() == pytest.approx(5 + 12)
    assert [path.elementAt(i).isMoveTo() for i in range(4)] == [True, False, True, False]
    assert pieces(np.empty((0, 2, 2))).isEmpty()


# -- areas ---------------------------------------------------------------------------------------------------


def covered(path):
    rows = painted(100, 80, lambda painter: painter.fillPath(path, QColor("black")))
    return int((rows[..., 3] > 127).sum())


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    "lines, pixels",
    [
        ([square(10, 50)], 1600),
        ([square(10, 50), square(20, 40)], 1600 - 400),
        ([square(10, 50), square(20, 40), square(25, 35)], 1600 - 400 + 100),
        ([square(10, 30), square(40, 60)], 800),
        ([square(-50, 50)], 2500),
        ([square(-500, 500)], 8000),
        ([square(200, 300)], 0),
        ([], 0),
    ],
)
def test_an_area_is_what_its_lines_enclose_in_the_box(lines, pixels):
    assert covered(area(lines, BOX)) == pixels


@pytest.mark.usefixtures("qapp")
def test_which_way_round_a_hole_goes_does_not_matter():
    assert covered(area([square(10, 50), square(20, 40)[::-1]], BOX)) == 1200


@pytest.mark.parametrize("reach", [1e3, 1e8, 1e15, np.inf])
def test_an_area_of_any_size_has_corners_that_qt_can_paint(reach):
    path = area([square(-reach, reach)], BOX)
    box = path.boundingRect()
    assert (box.left(), box.right(), box.top(), box.bottom()) == (0, 100, 0, 80)
    assert path.contains(QPointF(50, 40))


def test_the_way_from_one_line_to_the_next_is_not_wound():
    far = [np.array([[0.0, 0.0], [1.0, 0.0]]), np.empty((0, 2)), np.array([[9e5, 0.0], [9e5, 1.0]])]
    assert not winds(far)
    assert not winds(far[1:])
    assert winds([far[0], far[0] * (LONG + 1.0)])


@pytest.mark.parametrize("sizes", [(), (3,), (0, 4), (2, 0, 5)])
def test_what_is_done_to_lines_together_is_done_to_each(sizes):
    lines = [np.arange(2.0 * size).reshape(size, 2) for size in sizes]
    calls = []
    found = together(lambda points: calls.append(1) or points * 2.0, lines)
    assert len(calls) == min(len(sizes), 1)
    assert [line.tolist() for line in found] == [(line * 2.0).tolist() for line in lines]
