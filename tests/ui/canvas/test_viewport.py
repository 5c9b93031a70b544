"""Rectangle that is shown: fitting, zooming, panning, and when a change of the data replaces it."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.data import Dataset, generate
from vizml.ui.canvas import Canvas
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
from vizml.workspace import Work

MOONS = generate("moons", n=100, seed=0)
points = arrays(np.float64, st.tuples(st.integers(1, 20), st.just(2)), elements=st.floats(-2, 12))
factors, shares, edges = st.floats(0.1, 10), st.floats(0, 1), st.floats(-1e6, 1e6)


def data(given_points):
    return Dataset(given_points, np.zeros(len(given_points), int))


@st.composite
def views(draw):
    left, bottom = draw(edges), draw(edges)
    return left, left + draw(st.floats(1, 1e6)), bottom, bottom + draw(st.floats(1, 1e6))


@given(views(), factors, factors, shares, shares)
def test_zooming_in_and_out_about_a_point_comes_back(view, across, up, right, above):
    about = view[0] + right * (view[1] - view[0]), view[2] + above * (view[3] - view[2])
    back = zoomed(zoomed(view, across, up, about), 1 / across, 1 / up, about)
    assert np.allclose(back, view, rtol=1e-9, atol=1e-6)


@given(views(), factors, factors, shares, shares)
def test_zooming_keeps_the_relative_position_of_its_centre(view, across, up, right, above):
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
    view = fitted(data(given_points).bounds)
    assert is_valid(view)
    assert max(map(abs, view)) <= FARTHEST


@given(st.tuples(*[st.floats(allow_nan=False)] * 4))
def test_any_rectangle_can_be_clipped_to_a_valid_view(bounds):
    assert is_valid(clipped(bounds))


@given(views())
def test_a_valid_view_is_not_clipped(view):
    assert is_valid(view)
    assert clipped(view) == view


@given(views(), points, st.data())
def test_an_edit_that_leaves_a_point_in_place_never_moves_the_view(view, given_points, chance):
    before = data(given_points)
    mask = np.array(chance.draw(st.lists(st.booleans(), min_size=len(before), max_size=len(before))))
    assume(not mask.all())
    for after in (before.moved(mask, before.points[mask] + 1e5), before.adding([(1e5, 1e5)], 3)):
        assert still_fits(view, before, after)
        assert not replaced(before, after)


@given(views(), points)
def test_removing_all_points_keeps_the_view(view, given_points):
    assert still_fits(view, data(given_points), Dataset.empty())


@given(points)
def test_moved_points_are_not_replaced(given_points):
    dataset = data(given_points)
    assert not replaced(dataset, dataset)
    assert not replaced(dataset, dataset.moved(np.ones(len(dataset), bool), dataset.points + 100))


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_a_fitted_view_has_a_margin_around_all_points(size):
    dataset = Dataset(MOONS.points * size, MOONS.labels)
    left, right, bottom, top = fitted(dataset.bounds)
    first, last, lowest, highest = dataset.bounds
    assert left < first < last < right < left + 1.5 * (last - first)
    assert bottom < lowest < highest < top
    assert is_valid(fitted(dataset.bounds))


@pytest.mark.parametrize(
    "bounds",
    [
        (0, 0, 0, 1),
        (1, 0, 0, 1),
        (0, np.nan, 0, 1),
        (-1e16, 1e16, 0, 1),
        (1e6, 1e6 + 1e-6, 0, 1),
        (0, 1e-20, 0, 1),
    ],
)
def test_views_beyond_the_limits_are_refused(bounds):
    assert not is_valid(bounds)


def test_a_view_is_kept_while_half_of_the_points_are_in_it():
    other = generate("blobs", n=100, seed=3)
    assert still_fits(fitted(other.bounds), MOONS, other)
    left, right, bottom, top = fitted(other.bounds)
    assert not still_fits((left + 100, right + 100, bottom, top), MOONS, other)


def test_a_view_is_replaced_where_many_new_points_take_up_little_of_it():
    others = generate("circles", n=80, seed=0)
    assert not still_fits((-30, 30, -30, 30), others, MOONS)
    assert still_fits((-30, 30, -30, 30), others, MOONS.take(slice(0, 3)))


def test_the_first_points_are_fitted_unless_they_are_few():
    assert not still_fits(EMPTY, Dataset.empty(), MOONS)
    assert still_fits(EMPTY, Dataset.empty(), MOONS.take(slice(0, 3)))


def test_a_canvas_fits_generated_data_but_not_edits(canvas, document):
    document.set_dataset("generate moons", MOONS)
    assert canvas.bounds == fitted(MOONS.bounds)
    document.set_dataset("move all", MOONS.moved(np.ones(100, dtype=bool), MOONS.points + 0.2))
    assert canvas.bounds == fitted(MOONS.bounds)


def test_a_new_canvas_and_opened_data_are_fitted(qtbot, canvas, document):
    assert canvas.bounds == fitted(Dataset.empty().bounds) == EMPTY
    document.open(Work(Dataset(MOONS.points * 50, MOONS.labels), document.work.experiments))
    second = Canvas(document)
    qtbot.addWidget(second)
    assert canvas.bounds == second.bounds == fitted(document.dataset.bounds)


def test_undo_of_replaced_data_fits_the_former_points(canvas, document):
    document.set_dataset("generate moons", MOONS)
    away = Dataset(MOONS.points + 1000, MOONS.labels)
    document.set_dataset("import", away.adding([(1000, 1000)], 0))
    assert canvas.bounds[0] > 900
    document.undo()
    assert canvas.bounds == fitted(MOONS.bounds)


def rows_of(*rows, moved=()):
    """Some of the moons, in this order, some of them elsewhere."""
    found = MOONS.take(np.array(rows))
    points = found.points.copy()
    points[list(moved)] += 50.0
    return Dataset(points, found.labels, ids=found.ids)


@pytest.mark.parametrize(
    "after, other",
    [
        (rows_of(*range(100)), False),
        (rows_of(*range(99)), False),
        (rows_of(*range(1, 100)), False),  # each in another row
        (rows_of(*range(99, -1, -1)), False),
        (rows_of(5), False),
        (rows_of(4, 3, moved=[0]), False),
        (rows_of(4, 3, moved=[0, 1]), True),
        (rows_of(*range(50), moved=range(50)), True),
    ],
)
def test_data_are_replaced_where_no_point_keeps_its_position(after, other):
    assert replaced(MOONS, after) is other
    assert replaced(after, MOONS) is other
