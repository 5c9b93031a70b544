"""Long work ends in the midst where nobody waits for it, and is done where somebody does."""

import numpy as np
import pytest

from vizml import data, learn
from vizml.field import Raster
from vizml.field.cancellation import Cancelled, cancellable, check_cancelled

RASTER = Raster.over((-1.5, 2.5, -1.5, 2.0), 320, 240)
DEAR = [
    ("classify", "knn", {}, 5000),
    ("classify", "knn", {"weights": "distance"}, 5000),
    ("classify", "gp", {}, 100),
    ("density", "kde", {"kernel": "laplace", "bandwidth": 0.05}, 500),
    ("density", "kde", {"kernel": "gaussian", "bandwidth": 0.01}, 500),
]
every_dear = pytest.mark.parametrize("task, name, values, n", DEAR, ids=str)


class Patience:
    """Waits for so many questions."""

    def __init__(self, questions=np.inf):
        self.left = questions

    def gone(self):
        self.left -= 1
        return self.left < 0


def test_it_ends_as_soon_as_it_is_unwanted():
    done = []

    def work():
        for piece in range(10):
            check_cancelled()
            done.append(piece)

    with pytest.raises(Cancelled), cancellable(Patience(3).gone):
        work()
    assert done == [0, 1, 2]
    check_cancelled()


@pytest.mark.parametrize("outer, inner", [(True, False), (False, True)])
def test_work_within_work_is_unwanted_with_it(outer, inner):
    with cancellable(lambda: outer), pytest.raises(Cancelled), cancellable(lambda: inner):
        check_cancelled()


def test_an_inner_end_is_no_outer_one():
    with cancellable(lambda: False):
        with pytest.raises(Cancelled), cancellable(lambda: True):
            check_cancelled()
        check_cancelled()


def test_bands_end_between_two_of_them():
    rows = []
    with pytest.raises(Cancelled), cancellable(Patience(2).gone):
        rows.extend(rows for rows, _ in RASTER.bands(50))
    with cancellable(lambda: False):
        assert sum(rows.stop - rows.start for rows, _ in RASTER.bands(50)) == 240


@every_dear
def test_a_dear_field_ends_in_the_midst_and_can_be_made_afterwards(task, name, values, n):
    points = data.generate("moons", n=n, noise=0.3, seed=0)
    state = learn.fit_data(learn.create(name, task=task, **values), points)
    counted = Patience()
    counted.left = 10**6
    with cancellable(counted.gone):
        whole = state.field(RASTER)
    asked = 10**6 - counted.left
    assert asked >= 4
    again = learn.fit_data(learn.create(name, task=task, **values), points)
    with pytest.raises(Cancelled), cancellable(Patience(asked // 2).gone):
        again.field(RASTER)
    assert np.array_equal(again.field(RASTER), whole)


def test_answers_of_neighbours_end_between_groups_of_places():
    points = data.generate("moons", n=3000, noise=0.3, seed=0)
    state = learn.fit_data(learn.create("knn"), points)
    with pytest.raises(Cancelled), cancellable(Patience(5).gone):
        state.predict(points.points)
    assert len(state.predict(points.points[:9])) == 9
