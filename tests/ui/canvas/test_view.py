"""Which view serves which data."""

import numpy as np
import pytest

from vizml.data import Dataset, generate
from vizml.ui.canvas.viewport import EMPTY, fitted, is_valid, replaced, still_fits
from vizml.workspace import Work

MOONS = generate("moons", n=100, seed=0)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_a_fitted_view_holds_all_points_with_air_around_them(size):
    dataset = Dataset(MOONS.points * size, MOONS.labels)
    left, right, bottom, top = fitted(dataset)
    first, last, lowest, highest = dataset.bounds
    assert left < first < last < right < left + 1.5 * (last - first)
    assert bottom < lowest < highest < top
    assert is_valid(fitted(dataset))


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
    assert still_fits(fitted(other), MOONS, other)
    left, right, bottom, top = fitted(other)
    assert not still_fits((left + 100, right + 100, bottom, top), MOONS, other)


def test_many_points_do_not_end_as_a_speck():
    others = generate("circles", n=80, seed=0)
    assert not still_fits((-30, 30, -30, 30), others, MOONS)
    assert still_fits((-30, 30, -30, 30), others, MOONS.take(slice(0, 3)))


def test_the_first_points_of_a_plane_are_fitted_unless_they_are_few():
    assert not still_fits(EMPTY, Dataset.empty(), MOONS)
    assert still_fits(EMPTY, Dataset.empty(), MOONS.take(slice(0, 3)))


def test_a_canvas_fits_generated_data_but_not_edits(canvas, document):
    document.set_dataset("generate moons", MOONS)
    assert canvas.bounds == fitted(MOONS)
    document.set_dataset("move all", MOONS.moved(np.ones(100, dtype=bool), MOONS.points + 0.2))
    assert canvas.bounds == fitted(MOONS)


def test_undoing_an_exchange_finds_the_points_again(canvas, document):
    document.set_dataset("generate moons", MOONS)
    away = Dataset(MOONS.points + 1000, MOONS.labels)
    document.set_dataset("import", away.adding([(1000, 1000)], 0))
    assert canvas.bounds[0] > 900
    document.undo()
    assert canvas.bounds == fitted(MOONS)


def test_opened_data_are_fitted(canvas, document):
    document.open(Work(Dataset(MOONS.points * 50, MOONS.labels), document.work.experiments))
    assert canvas.bounds[1] > 50


def test_a_canvas_starts_with_all_points_in_view(qtbot, document):
    from vizml.ui.canvas import Canvas

    document.set_dataset("generate moons", MOONS)
    canvas = Canvas(document)
    qtbot.addWidget(canvas)
    assert canvas.bounds == fitted(MOONS)


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
def test_points_are_exchanged_where_none_is_in_its_place_whatever_its_row(after, other):
    assert replaced(MOONS, after) is other
    assert replaced(after, MOONS) is other
