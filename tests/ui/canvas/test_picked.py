"""Picking against the plain definition, and views against what is true of every zoom and pan."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.data import Dataset
from vizml.paint import Geometry
from vizml.ui.canvas.selection import nearest_point, points_along, points_in_box
from vizml.ui.canvas.viewport import (
    EMPTY,
    FARTHEST,
    clipped,
    fitted,
    is_valid,
    panned,
    replaced,
    still_fits,
    zoomed,
)

GEOMETRY = Geometry(500, 400, (0.0, 10.0, 0.0, 10.0))
points = arrays(np.float64, st.tuples(st.integers(1, 20), st.just(2)), elements=st.floats(-2, 12))
places = st.tuples(st.floats(0, 500), st.floats(0, 400))
radii = st.floats(0, 200)
factors = st.floats(0.1, 10)
edges = st.floats(-1e6, 1e6)


def data(given_points):
    return Dataset(given_points, np.zeros(len(given_points), int))


def pixels(dataset):
    return GEOMETRY.to_pixels(dataset.points)


# -- picking -------------------------------------------------------------------------------------------------


@given(points, places, radii)
def test_the_nearest_is_nearer_than_any_other(given_points, at, reach):
    dataset = data(given_points)
    away = np.hypot(*(pixels(dataset) - at).T)
    mask = nearest_point(GEOMETRY, dataset, at, reach)
    assert mask.sum() == (away.min() <= reach)
    if mask.any():
        assert away[mask][0] == away.min()


@given(points, places, places, radii)
def test_what_a_disc_meets_is_what_it_meets_at_some_place_of_its_way(given_points, start, end, radius):
    dataset = data(given_points)
    met = points_along(GEOMETRY, dataset, start, end, radius)
    stops = np.linspace(start, end, 400)
    away = np.hypot(*np.moveaxis(pixels(dataset)[:, None] - stops, -1, 0)).min(axis=1)
    step = np.hypot(*np.subtract(end, start)) / 399
    assert (met[away <= radius]).all()
    assert (away[met] <= radius + step).all()


@given(points, places, places, radii)
def test_the_way_back_meets_the_same_points(given_points, start, end, radius):
    dataset = data(given_points)
    away = np.hypot(*(pixels(dataset) - start).T)
    assume(not np.isclose(away, radius, atol=1e-6).any())
    forth, back = (
        points_along(GEOMETRY, dataset, start, end, radius),
        points_along(GEOMETRY, dataset, end, start, radius - 1e-7),
    )
    assert (forth | ~back).all()
    assert (points_along(GEOMETRY, dataset, end, start, radius + 1e-7) | ~forth).all()


@given(points, places, radii)
def test_a_disc_that_stays_meets_what_is_within_it(given_points, at, radius):
    dataset = data(given_points)
    away = np.hypot(*(pixels(dataset) - at).T)
    found = points_along(GEOMETRY, dataset, at, at, radius)
    assert np.array_equal(found, away <= radius)


@given(points, places, places)
def test_a_box_is_the_same_from_each_of_its_corners(given_points, one, other):
    dataset = data(given_points)
    found = points_in_box(GEOMETRY, dataset, one, other)
    assert np.array_equal(found, points_in_box(GEOMETRY, dataset, other, one))
    assert np.array_equal(found, points_in_box(GEOMETRY, dataset, (one[0], other[1]), (other[0], one[1])))
    (x0, x1), (y0, y1) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    wanted = [x0 <= x <= x1 and y0 <= y <= y1 for x, y in pixels(dataset).tolist()]
    assert found.tolist() == wanted


@given(points, places, st.permutations(range(20)))
def test_the_order_of_points_changes_only_who_is_on_top(given_points, at, order):
    order = [index for index in order if index < len(given_points)]
    dataset, other = data(given_points), data(given_points[order])
    found = points_along(GEOMETRY, dataset, at, at, 80)[order]
    assert np.array_equal(found, points_along(GEOMETRY, other, at, at, 80))


# -- views ---------------------------------------------------------------------------------------------------


@st.composite
def views(draw):
    left, bottom = draw(edges), draw(edges)
    return left, left + draw(st.floats(1, 1e6)), bottom, bottom + draw(st.floats(1, 1e6))


@given(views(), factors, factors, st.floats(0, 1), st.floats(0, 1))
def test_zooming_in_and_out_about_a_point_comes_back(view, across, up, right, above):
    about = view[0] + right * (view[1] - view[0]), view[2] + above * (view[3] - view[2])
    back = zoomed(zoomed(view, across, up, about), 1 / across, 1 / up, about)
    assert np.allclose(back, view, rtol=1e-9, atol=1e-6)


@given(views(), factors, factors, st.floats(0, 1), st.floats(0, 1))
def test_the_point_it_is_about_keeps_its_share_of_the_view(view, across, up, right, above):
    x, y = view[0] + right * (view[1] - view[0]), view[2] + above * (view[3] - view[2])
    left, far, bottom, top = zoomed(view, across, up, (x, y))
    assert np.isclose((far - left) * across, view[1] - view[0])
    assert np.isclose((top - bottom) * up, view[3] - view[2])
    assert np.isclose((x - left) / (far - left), right, atol=1e-6)
    assert np.isclose((y - bottom) / (top - bottom), above, atol=1e-6)


@given(views(), edges, edges, edges, edges)
def test_pans_add_up(view, dx, dy, more_x, more_y):
    twice = panned(panned(view, dx, dy), more_x, more_y)
    assert np.allclose(twice, panned(view, dx + more_x, dy + more_y), atol=1e-6)


@given(arrays(np.float64, st.tuples(st.integers(1, 10), st.just(2)), elements=st.floats(-1e300, 1e300)))
def test_any_points_have_a_view_within_the_limits(given_points):
    view = fitted(data(given_points))
    assert is_valid(view)
    assert max(map(abs, view)) <= FARTHEST


@given(st.tuples(*[st.floats(allow_nan=False)] * 4))
def test_anything_can_be_clipped_to_something_that_can_be_looked_at(bounds):
    assert is_valid(clipped(bounds))


@given(views())
def test_a_view_that_can_be_looked_at_is_left_as_it_is(view):
    assert is_valid(view)
    assert clipped(view) == view


def test_no_points_are_looked_at_around_the_origin():
    assert fitted(Dataset.empty()) == EMPTY


# -- which view serves which data ----------------------------------------------------------------------------


@given(views(), points, st.data())
def test_an_edit_that_leaves_a_point_in_place_never_moves_the_view(view, given_points, chance):
    before = data(given_points)
    mask = np.array(chance.draw(st.lists(st.booleans(), min_size=len(before), max_size=len(before))))
    assume(not mask.all())
    for after in (before.moved(mask, before.points[mask] + 1e5), before.adding([(1e5, 1e5)], 3)):
        assert still_fits(view, before, after)
        assert not replaced(before, after)


@given(views(), points)
def test_a_plane_that_was_emptied_keeps_its_view(view, given_points):
    assert still_fits(view, data(given_points), Dataset.empty())


@given(points)
def test_data_are_never_exchanged_with_themselves(given_points):
    dataset = data(given_points)
    assert not replaced(dataset, dataset)
    assert not replaced(dataset, dataset.moved(np.ones(len(dataset), bool), dataset.points + 100))
