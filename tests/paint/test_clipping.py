"""Clipping loses nothing in the box and keeps nothing beyond it; arrays become paths of Qt as they are."""

import itertools
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tests.paint.sheet import painted
from vizml.paint.clipping import (
    PIECE,
    area,
    inside,
    length_within,
    near,
    pieces,
    polygon,
    qpolygon,
    segments,
    thinned,
    traces,
    visible,
)

BOX = (10.0, 110.0, 20.0, 70.0)
points = arrays(np.float64, (12, 2), elements=st.floats(-200, 300))


def alone(line):
    """One line thinned by itself."""
    (kept,) = thinned([line])
    return kept


def seen(lines, *, closed=False):
    """The parts of lines in the box."""
    return visible(near(lines, BOX, closed=closed), BOX)


def runs(line, box, *, closed=False):
    """The parts of a line by itself."""
    return visible(near([line], box, closed=closed), box)


def dense(line):
    """Many points along a polyline."""
    share = np.linspace(0, 1, 200)[:, None]
    return np.concatenate([a + share * (b - a) for a, b in itertools.pairwise(line)])


def far_from(line, spots):
    """The distance of each spot to a polyline."""
    start, along = line[:-1], np.diff(line, axis=0)
    share = ((spots[:, None] - start) * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-30)
    foot = start + np.clip(share, 0, 1)[..., None] * along
    return np.hypot(*np.moveaxis(spots[:, None] - foot, -1, 0)).min(axis=1)


@given(points)
def test_runs_hold_what_is_inside_and_nothing_else(line):
    parts = [part for part in runs(line, BOX) if len(part) > 1]
    eps = 1e-6
    wider = (BOX[0] - eps, BOX[1] + eps, BOX[2] - eps, BOX[3] + eps)
    for part in parts:
        assert inside(part, wider).all()
    spots = dense(line)
    narrower = (BOX[0] + eps, BOX[1] - eps, BOX[2] + eps, BOX[3] - eps)
    spots = spots[inside(spots, narrower)]
    if len(spots):
        assert np.min([far_from(part, spots) for part in parts], axis=0).max() < 1e-6


def test_nan_breaks_a_line():
    line = np.array([[20.0, 30], [40, 50], [np.nan, np.nan], [60, 30], [70, 40], [80, 30]])
    assert [len(part) for part in runs(line, BOX)] == [2, 3]


def test_infinite_ends_reach_the_edge():
    ends = np.array([[[50.0, -np.inf], [50.0, np.inf]], [[-np.inf, 30.0], [60.0, 30.0]]])
    cut, seen = segments(ends, BOX)
    assert seen.all()
    assert cut[0] == pytest.approx(np.array([[50, 20], [50, 70]]), abs=1e-6)
    assert cut[1] == pytest.approx(np.array([[10, 30], [60, 30]]), abs=1e-6)


def test_coordinates_of_a_deep_zoom_come_out_small():
    around = np.linspace(0, 2 * np.pi, 50)
    line = 1e14 * np.column_stack([np.cos(around), np.sin(around)])
    for part in runs(np.concatenate([line, [[50.0, 50.0]]]), BOX):
        assert np.abs(part).max() <= 110.001


def shoelace(corners):
    x, y = corners.T
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@pytest.mark.parametrize(
    "corners, area",
    [
        ([[0, 0], [200, 0], [200, 100], [0, 100]], 100 * 50),
        ([[20, 30], [40, 30], [40, 50], [20, 50]], 400),
        ([[-100, 45], [60, 45], [60, 500], [-100, 500]], 50 * 25),
        ([[200, 200], [300, 200], [300, 300]], 0),
    ],
)
def test_a_polygon_keeps_the_area_that_it_shares_with_the_box(corners, area):
    cut = polygon(np.array(corners, dtype=float), BOX)
    assert (shoelace(cut) if len(cut) else 0) == pytest.approx(area)


def test_a_zigzag_keeps_all_of_its_corners():
    line = np.column_stack([np.arange(100.0), np.arange(100) % 2 * 5.0])
    assert np.array_equal(alone(line), line)


# -- against the mathematics ---------------------------------------------------------------------------------


def length(line):
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


@given(arrays(np.float64, (20, 2, 2), elements=st.floats(-200, 300)))
def test_a_segment_keeps_the_share_of_it_that_lies_in_the_box(ends):
    cut, seen = segments(ends, BOX)
    share = np.linspace(0, 1, 2001)[:, None]
    for (start, end), (first, last), shown in zip(ends, cut, seen):
        along = start + share * (end - start)
        within = inside(along, BOX).mean()
        if shown:
            whole = np.hypot(*(end - start))
            assert np.hypot(*(last - first)) == pytest.approx(within * whole, abs=2e-3 * whole + 1e-9)
        else:
            assert within < 2e-3


def test_a_segment_of_no_length_is_seen_where_it_is_in_the_box():
    ends = np.array([[[50.0, 50.0], [50.0, 50.0]], [[5.0, 50.0], [5.0, 50.0]]])
    cut, seen = segments(ends, BOX)
    assert seen.tolist() == [True, False]
    assert cut[0].tolist() == [[50, 50], [50, 50]]


@pytest.mark.parametrize("seed", range(20))
def test_a_triangle_and_the_box_share_what_a_grid_of_points_says(seed):
    """60,000 points of the box, within the triangle by the signs of its three edges."""
    corners = np.random.default_rng(seed).uniform((-60, -60), (180, 150), (3, 2))
    x, y = np.meshgrid(np.linspace(*BOX[:2], 300), np.linspace(*BOX[2:], 200))
    sides = []
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0)):
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    within = (np.min(sides, axis=0) >= 0) | (np.max(sides, axis=0) <= 0)
    cut = polygon(corners, BOX)
    assert (shoelace(cut) if len(cut) else 0.0) == pytest.approx(within.mean() * 5000, abs=60)


def test_a_polygon_forgets_corners_that_are_no_numbers():
    corners = np.array([[20, 30], [np.nan, 0], [40, 30], [40, 50], [20, 50]], dtype=float)
    assert shoelace(polygon(corners, BOX)) == 400
    assert len(polygon(np.full((4, 2), np.nan), BOX)) == 0


def test_a_closed_line_that_crosses_the_edge_is_closed_out_of_sight():
    corners = np.array([[50.0, 40.0], [150.0, 40.0], [150.0, 60.0], [50.0, 60.0]])
    parts = runs(corners, BOX, closed=True)
    assert sum(map(length, parts)) == pytest.approx(60 + 60 + 20)


# -- thinning ------------------------------------------------------------------------------------------------


@given(arrays(np.float64, (60, 2), elements=st.floats(0, 100)))
def test_thinning_only_leaves_out(line):
    kept = {tuple(point) for point in alone(line).tolist()}
    assert kept <= {tuple(point) for point in line.tolist()}


# -- many at once --------------------------------------------------------------------------------------------


many = st.lists(st.integers(0, 40), max_size=8).flatmap(
    lambda sizes: st.tuples(*(arrays(np.float64, (size, 2), elements=st.floats(-200, 300)) for size in sizes))
)


@pytest.mark.parametrize("sizes", [(300,), (300, 455), (2000, 317, 333, 900), (256, 256, 257)])
def test_a_line_among_others_loses_what_it_loses_alone(sizes):
    """As long as it keeps enough points to be worth a look by itself."""
    ways = [np.linspace(0, size, size) for size in sizes]
    lines = [np.column_stack([way, 40 * np.sin(way / (7 + number))]) for number, way in enumerate(ways)]
    found = thinned(lines)
    assert len(found) == len(lines)
    for kept, line in zip(found, lines):
        assert 16 <= len(kept) < len(line)
        assert np.array_equal(kept, alone(line))
        assert far_from(kept, line).max() < 0.15


def test_no_line_is_thinned_across_the_gap_to_the_next():
    straight = np.column_stack([np.arange(40.0), np.zeros(40)])
    found = thinned([straight, straight + 40.0, straight[::-1]])
    assert [kept[[0, -1]].tolist() for kept in found] == [
        straight[[0, -1]].tolist(),
        (straight + 40.0)[[0, -1]].tolist(),
        straight[[-1, 0]].tolist(),
    ]


@given(many, st.booleans())
def test_what_is_visible_of_many_lines_is_that_of_each(lines, closed):
    each = [run for line in lines for run in runs(line, BOX, closed=closed) if len(line) > 1]
    found = seen(lines, closed=closed)
    assert len(found) == len(each)
    assert all(np.array_equal(one, other) for one, other in zip(found, each))


def test_what_is_visible_leaves_out_what_is_unknown_or_infinitely_far():
    inside_, far = np.full((3, 2), 50.0), np.array([[50.0, 50.0], [np.inf, 50.0]])
    broken = np.array([[50.0, 50.0], [60.0, 60.0], [np.nan, 0.0], [60.0, 30.0], [50.0, 30.0]])
    found = seen([inside_, far, broken])
    assert [len(run) for run in found] == [3, 2, 2, 2]
    assert found[1][1, 0] == BOX[1]


def test_of_lines_that_are_nowhere_nothing_is_visible():
    assert seen([np.full((4, 2), np.nan), np.array([[np.nan, 1.0], [50.0, 50.0]])]) == []
    assert seen([np.empty((0, 2)), np.full((1, 2), 50.0)]) == []
    assert near([np.array([[0.0, 0.0], [5.0, 100.0]]), np.array([[0.0, 90.0], [200.0, 80.0]])], BOX) == []


SCREEN = (0.0, 100.0, 0.0, 80.0)
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
    first, second = traces([line], SCREEN)
    assert points_of(first) == [(10, 40), (100, 40)]
    assert points_of(second) == [(100, 60), (10, 60)]


STAIRS = np.column_stack([np.repeat(np.linspace(2, 98, 40), 2), np.tile([10.0, 70.0, 70.0, 10.0], 20)])


def test_short_pieces_share_their_ends_and_are_the_whole():
    (whole,) = traces([STAIRS], SCREEN)
    short = traces([STAIRS], SCREEN, short=True)
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
            for piece in traces([STAIRS], SCREEN, short=short):
                painter.drawPolyline(piece)

        return painted(100, 80, draw, ground=QColor("white"))[..., 0].astype(int)

    apart = np.abs(drawn(True) - drawn(False))
    assert apart.mean() < 3
    assert apart.max() < 90


def test_lengths_leave_out_what_is_out_of_sight_and_the_way_between_lines():
    flat, ways, long = (
        np.array([[0.0, 0.0], [30.0, 40.0]]),
        (0.0, 600.0, 0.0, 500.0),
        [[0.0, -9e9], [0.0, np.inf]],
    )
    assert length_within([flat], ways) == 50
    assert length_within([flat, np.empty((0, 2)), flat], ways) == 100
    assert length_within([np.tile([[0.0, 0.0], [0.0, 500.0]], (10, 1))], ways) == 19 * 500
    assert length_within([np.full((3, 2), np.nan), flat], ways) == 50
    assert length_within([np.array(long)], ways) == 500
    assert length_within([flat - 1000.0], ways) == 0
    assert length_within([], ways) == 0


def test_a_closed_line_is_traced_all_the_way_round():
    (trace,) = traces([square(10, 30)], SCREEN, closed=True)
    assert points_of(trace)[0] == points_of(trace)[-1] == (10, 10)
    assert len(points_of(traces([square(10, 30)], SCREEN)[0])) == 4


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
        ([square(10, 50), square(20, 40)[::-1]], 1600 - 400),  # whichever way round the hole goes
        ([square(-50, 50)], 2500),
        ([square(-500, 500)], 8000),
        ([square(200, 300)], 0),
        ([], 0),
    ],
)
def test_an_area_is_what_its_lines_enclose_in_the_box(lines, pixels):
    assert covered(area(lines, SCREEN)) == pixels


@pytest.mark.parametrize("reach", [1e3, 1e8, 1e15, np.inf])
def test_an_area_of_any_size_has_corners_that_qt_can_paint(reach):
    path = area([square(-reach, reach)], SCREEN)
    box = path.boundingRect()
    assert (box.left(), box.right(), box.top(), box.bottom()) == (0, 100, 0, 80)
    assert path.contains(QPointF(50, 40))
