"""Results that are kept as long as their first argument exists, the latest of them only."""

import gc
import weakref

import numpy as np
import pytest

from vizml import learn
from vizml.field import Raster
from vizml.field.raster import Section
from vizml.field.tiles import TiledField
from vizml.learn.recent import keep_recent

VIEW = Raster.over((-3.0, 3.0, -2.0, 2.0), 120, 80)


class Owner:
    pass


@pytest.fixture
def asked():
    return []


@pytest.fixture
def cached(asked):
    @keep_recent(3)
    def computed(owner, *key):
        asked.append((owner, *key))
        return np.zeros(4)

    return computed


def test_a_result_is_computed_once(cached, asked):
    one, other = Owner(), Owner()
    assert cached(one, "a") is cached(one, "a")
    assert cached(one, "a") is not cached(one, "b")
    assert cached(one, "a") is not cached(other, "a")
    assert len(asked) == 3


def test_a_result_ends_with_its_first_argument(cached, asked):
    owner = Owner()
    result = weakref.ref(cached(owner, "a"))
    asked.clear()
    del owner
    assert result() is None


def test_only_the_latest_results_are_kept(cached, asked):
    owner, other = Owner(), Owner()
    cached(other)
    for key in "abcab":
        cached(owner, key)
    assert len(asked) == 4
    cached(other)
    assert len(asked) == 5
    cached(owner, "c")
    assert len(asked) == 6


@pytest.mark.parametrize(
    "task, name, values",
    [
        ("classify", "gp", {}),
        ("regress", "gp", {"kernel": "matern32"}),
        ("regress", "kernel_smoother", {"order": 1}),
    ],
)
def test_nothing_is_kept_of_a_state_that_is_gone(task, name, values):
    """The matrices of a Gaussian process of 1,000 points take 8 MB each."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = X.sum(axis=1) if task == "regress" else X[:, 0] > X[:, 1]
    before = len(tiled_fields())
    state = learn.fit(learn.create(name, task, **values), X, y)
    view = state.on(Section.whole_space(2))
    view.field(VIEW)
    assert len(tiled_fields()) > before
    del state, view
    assert len(tiled_fields()) == before


def tiled_fields():
    gc.collect()
    return [each for each in gc.get_objects() if isinstance(each, TiledField)]
