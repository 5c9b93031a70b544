import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.ui.picture.clip import inside, polygon, runs, segments, thinned

BOX = (10.0, 110.0, 20.0, 70.0)
points = arrays(np.float64, (12, 2), elements=st.floats(-200, 300))


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


def test_a_line_that_is_all_inside_is_left_alone():
    line = np.array([[20.0, 30], [40, 50], [60, 30]])
    (part,) = runs(line, BOX)
    assert np.array_equal(part, line)


def test_nan_breaks_a_line():
    line = np.array([[20.0, 30], [40, 50], [np.nan, np.nan], [60, 30], [70, 40], [80, 30]])
    assert [len(part) for part in runs(line, BOX)] == [2, 3]


def test_a_closed_line_comes_back_to_its_start():
    corners = np.array([[20.0, 30], [40, 30], [40, 50]])
    (part,) = runs(corners, BOX, closed=True)
    assert np.array_equal(part[0], part[-1])


def test_infinite_ends_reach_the_edge():
    ends = np.array([[[50.0, -np.inf], [50.0, np.inf]], [[-np.inf, 30.0], [60.0, 30.0]]])
    cut, seen = segments(ends, BOX)
    assert seen.all()
    assert cut[0] == pytest.approx(np.array([[50, 20], [50, 70]]), abs=1e-6)
    assert cut[1] == pytest.approx(np.array([[10, 30], [60, 30]]), abs=1e-6)


def test_segments_beside_the_box_are_not_seen():
    ends = np.array([[[0.0, 0], [5, 100]], [[np.nan, 0], [50, 50]], [[0, 0], [200, 10]]], dtype=float)
    assert not segments(ends, BOX)[1].any()


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


def test_a_contour_loses_vertices_but_not_its_shape():
    around = np.linspace(0, 2 * np.pi, 3000)
    line = np.column_stack([300 + 200 * np.cos(around), 300 + 200 * np.sin(around)])
    kept = thinned(line)
    assert len(kept) < len(line) / 3
    assert far_from(kept, line).max() < 0.15
    assert np.array_equal(kept[[0, -1]], line[[0, -1]])


def test_a_zigzag_keeps_all_of_its_corners():
    line = np.column_stack([np.arange(100.0), np.arange(100) % 2 * 5.0])
    assert np.array_equal(thinned(line), line)
