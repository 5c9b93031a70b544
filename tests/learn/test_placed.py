"""Starts put by hand: one declaration for all models that have them, and what is written is read again."""

import numpy as np
import pytest

from vizml import learn
from vizml.learn.clusters.placed import MOST, PLACED, parsed, put, written

MODELS = {
    "k-means": learn.create("kmeans", task="cluster"),
    "mixture": learn.create("gmm", task="cluster"),
    "mixture as a density": learn.create("gmm", task="density"),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def params(model):
    return {param.name: param for param in model.parameters()}


@every_model
def test_how_many_is_asked_where_they_are_not_put_by_hand(model):
    found = params(model)
    ways = found["init"].options
    assert ways[-1] == PLACED
    assert model.init in ways[:-1]
    for way in ways:
        values = {"init": way}
        assert found["k"].relevant(values) is (way != PLACED)
        assert found["starts"].relevant(values) is (way == PLACED)
    assert (found["k"].lo, found["k"].hi) == (1, MOST)


@every_model
def test_every_way_has_words_and_the_help_tells_of_the_hand(model):
    init = params(model)["init"]
    assert set(init.labels) == set(init.options)
    assert init.labels[PLACED] == "placed by hand"
    assert init.help.endswith(", or where you say")


@pytest.mark.parametrize("init, count", [(PLACED, 2), ("random", 0), ("kmeans++", 0)])
def test_places_are_of_account_where_the_hand_puts_them(init, count):
    places = put(init, "0.5,1;-2,3e-3")
    assert places.shape == (count, 2)
    assert places.tolist() == [[0.5, 1.0], [-2.0, 0.003]][:count]


def test_what_is_written_is_read_again_to_the_last_digit():
    places = np.random.default_rng(0).normal(size=(7, 2)) * 1e-7
    assert np.array_equal(parsed(written(places)), places)


@pytest.mark.parametrize("text", ["1", "1,2;3", "a,b", "1,inf", ";".join(["0,0"] * (MOST + 1))])
def test_what_is_no_place_is_refused(text):
    with pytest.raises(ValueError):
        parsed(text)


@pytest.mark.parametrize("name", ["mixture", "mixture as a density"])
def test_both_kinds_of_mixtures_tell_the_same_of_their_moment(name):
    X = np.random.default_rng(0).normal(size=(60, 2))
    state = learn.fit(MODELS[name], X)
    moment = state.moment
    assert (state.note, state.loss, state.progress) == (moment.note, -moment.half.likelihood, 1.0)
    assert state.metrics() == moment.metrics()
    assert [anchor.name for anchor in state.anchors()] == ["mean 1", "mean 2", "mean 3"]
    moved = state.moved("mean 2", np.array([9.0, 8.0]))
    assert moved["init"] == PLACED
    assert parsed(moved["starts"])[1].tolist() == [9.0, 8.0]
    assert np.array_equal(state.mixture.means[[0, 2]], parsed(moved["starts"])[[0, 2]])
