"""Selected points, and searches for points under the pointer."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.data import Dataset
from vizml.paint import Geometry
from vizml.ui.canvas.selection import Selection, nearest_point, points_along, points_in_box
from vizml.workspace import Work

GEOMETRY = Geometry(500, 400, (0.0, 10.0, 0.0, 10.0))
points = arrays(np.float64, st.tuples(st.integers(1, 20), st.just(2)), elements=st.floats(-2, 12))
places = st.tuples(st.floats(0, 500), st.floats(0, 400))
radii = st.floats(0, 200)


# -- selection -----------------------------------------------------------------------------------------------


@pytest.fixture
def selection(document):
    document.open(Work(Dataset([(0, 0), (1, 1), (2, 2)], [0, 1, 2]), document.work.experiments))
    return Selection(document)


def test_changed_is_emitted_only_where_the_selection_changes(qtbot, selection):
    with qtbot.waitSignal(selection.changed):
        selection.all()
    with qtbot.assertNotEmitted(selection.changed):
        selection.all()
    with qtbot.waitSignal(selection.changed):
        selection.clear()


def test_removed_points_are_deselected(selection, document):
    selection.all()
    document.erase(np.array([False, True, False]))
    selection.prune()
    assert selection.ids.tolist() == [0, 2]
    assert selection.mask.tolist() == [True, True]


def test_copies_keep_their_classes(selection, document):
    selection.set(np.array([False, True, True]))
    selection.duplicate(0.5, -0.5)
    dataset = document.dataset
    assert dataset.labels.tolist() == [0, 1, 2, 1, 2]
    np.testing.assert_array_equal(dataset.points[3:], [(1.5, 0.5), (2.5, 1.5)])
    assert selection.mask.tolist() == [False, False, False, True, True]


@pytest.mark.parametrize("edit", ["delete", "nudge", "relabel", "duplicate"])
def test_edits_without_a_selection_do_nothing(selection, edit, document):
    given = {"nudge": (1.0, 1.0), "relabel": (3,), "duplicate": (1.0, 1.0)}.get(edit, ())
    before = document.dataset
    getattr(selection, edit)(*given)
    assert document.dataset is before


def test_successive_nudges_of_the_same_points_are_one_undo_entry(selection, document):
    selection.all()
    for _ in range(5):
        selection.nudge(1.0, 0.0)
    selection.set(np.array([True, False, False]))
    selection.nudge(1.0, 0.0)
    document.undo()
    assert document.dataset.x.tolist() == [5, 6, 7]
    document.undo()
    assert document.dataset.x.tolist() == [0, 1, 2]


@pytest.mark.parametrize("edit", ["nudge", "duplicate"])
def test_along_a_logarithmic_axis_points_move_by_powers_of_ten(document, edit):
    points = Dataset([(1, 1), (10, 2)], [0, 1])
    document.open(Work(points, document.work.experiments, log=(True, False)))
    selection = Selection(document)
    selection.all()
    getattr(selection, edit)(1.0, 1.0)
    np.testing.assert_allclose(document.dataset.points[-2:], [(10, 2), (100, 3)])


# -- search --------------------------------------------------------------------------------------------------


def data(given_points):
    return Dataset(given_points, np.zeros(len(given_points), int))


def pixels(dataset):
    return GEOMETRY.to_pixels(dataset.points)


@pytest.mark.parametrize("scale, found", [(1.0, False), (2.0, True)])
def test_large_type_increases_the_reach(scale, found):
    geometry = Geometry(500, 400, GEOMETRY.bounds, scale)
    dataset = data([(2.0, 2.0)])
    at = tuple(geometry.to_pixels(dataset.points)[0] + (15, 0))
    assert nearest_point(geometry, dataset, at, 10).tolist() == [found]
    assert points_along(geometry, dataset, at, at, 10).tolist() == [found]


def test_no_point_is_found_in_an_empty_data_set():
    at, nobody = (250.0, 200.0), Dataset.empty()
    assert nearest_point(GEOMETRY, nobody, at, 10).shape == (0,)
    assert points_along(GEOMETRY, nobody, at, at, 10).shape == (0,)
    assert points_in_box(GEOMETRY, nobody, at, at).shape == (0,)


def test_rows_without_a_place_are_never_nearest():
    dataset = Dataset([[np.nan, 0.0], [0.0, 0.0]], [0, 0], incomplete=True)
    ((x, y),) = GEOMETRY.to_pixels([[0.0, 0.0]])
    assert nearest_point(GEOMETRY, dataset, (x, y), 10).tolist() == [False, True]


def test_zeros_of_a_logarithmic_axis_are_never_touched():
    """The erasing stroke goes up; infinity times its width of 0 is no number."""
    geometry = Geometry(500, 400, (1.0, 100.0, 1.0, 100.0), log=(True, True))
    dataset = Dataset([[0.0, 5.0], [5.0, 5.0]], [0, 0])
    ((x, y),) = geometry.to_pixels([[5.0, 5.0]])
    assert points_along(geometry, dataset, (x, y + 50), (x, y - 50), 10).tolist() == [False, True]


@given(points, places, radii)
def test_no_point_is_nearer_than_the_nearest(given_points, at, reach):
    dataset = data(given_points)
    away = np.hypot(*(pixels(dataset) - at).T)
    mask = nearest_point(GEOMETRY, dataset, at, reach)
    assert mask.sum() == (away.min() <= reach)
    if mask.any():
        assert away[mask][0] == away.min()


@given(points, places, places, radii)
def test_a_disc_touches_what_it_touches_at_some_position_of_its_path(given_points, start, end, radius):
    dataset = data(given_points)
    met = points_along(GEOMETRY, dataset, start, end, radius)
    stops = np.linspace(start, end, 400)
    away = np.hypot(*np.moveaxis(pixels(dataset)[:, None] - stops, -1, 0)).min(axis=1)
    step = np.hypot(*np.subtract(end, start)) / 399
    assert (met[away <= radius]).all()
    assert (away[met] <= radius + step).all()


@given(points, places, places, radii)
def test_the_path_back_touches_the_same_points(given_points, start, end, radius):
    dataset = data(given_points)
    away = np.hypot(*(pixels(dataset) - start).T)
    assume(not np.isclose(away, radius, atol=1e-6).any())
    forth, back = (
        points_along(GEOMETRY, dataset, start, end, radius),
        points_along(GEOMETRY, dataset, end, start, radius - 1e-7),
    )
    assert (forth | ~back).all()
    assert (points_along(GEOMETRY, dataset, end, start, radius + 1e-7) | ~forth).all()


@given(points, places, places)
def test_a_rectangle_is_the_same_from_each_of_its_corners(given_points, one, other):
    dataset = data(given_points)
    found = points_in_box(GEOMETRY, dataset, one, other)
    assert np.array_equal(found, points_in_box(GEOMETRY, dataset, other, one))
    assert np.array_equal(found, points_in_box(GEOMETRY, dataset, (one[0], other[1]), (other[0], one[1])))
    (x0, x1), (y0, y1) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    wanted = [x0 <= x <= x1 and y0 <= y <= y1 for x, y in pixels(dataset).tolist()]
    assert found.tolist() == wanted


@given(points, places, st.permutations(range(20)))
def test_the_order_of_points_does_not_matter(given_points, at, order):
    order = [index for index in order if index < len(given_points)]
    dataset, other = data(given_points), data(given_points[order])
    found = points_along(GEOMETRY, dataset, at, at, 80)[order]
    assert np.array_equal(found, points_along(GEOMETRY, other, at, at, 80))
