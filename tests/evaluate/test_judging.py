"""Many points are judged in parts: the same figure, and an end between two of them where one is asked for."""

from itertools import pairwise

import numpy as np
import pytest

from vizml import data, learn
from vizml.data import Dataset
from vizml.evaluate import judging
from vizml.evaluate.judging import PART, accuracy, r2, score
from vizml.field.cancellation import Cancelled, cancellable

MOONS = data.generate("moons", n=2 * PART + 100, noise=0.3, seed=0)
SINE = data.generate("sine", n=2 * PART + 100, seed=0)


@pytest.mark.parametrize("threshold", [0.0, 0.7])
def test_parts_of_classified_points_give_the_figure_of_all(threshold):
    state = learn.fit(learn.create("lda"), MOONS.points, MOONS.labels)
    lead = np.diff(state.scores(MOONS.points), axis=1)[:, 0]
    assert score(state, MOONS, threshold) == accuracy(MOONS.labels, (lead >= threshold).astype(int))


def test_parts_of_a_curve_give_the_figure_of_all():
    state = learn.fit(learn.create("linear", degree=3), SINE.x, SINE.y)
    assert score(state, SINE) == pytest.approx(r2(SINE.y, state.predict(SINE.x)), rel=1e-12)


def test_it_can_be_ended_between_two_parts():
    state = learn.fit(learn.create("lda"), MOONS.points, MOONS.labels)
    calls = []
    with pytest.raises(Cancelled), cancellable(lambda: calls.append(1) or len(calls) == 2):
        score(state, MOONS)
    assert len(calls) == 2


def test_points_that_make_one_part_are_asked_as_the_array_that_they_are(monkeypatch):
    state = learn.fit(learn.create("lda"), MOONS.points, MOONS.labels)
    few, asked = MOONS.take(slice(0, PART)), []
    monkeypatch.setattr(judging, "decided", lambda _state, points, _t: asked.append(points) or few.labels)
    assert score(state, few) == 1.0
    assert asked[0] is few.points


def test_points_without_a_class_are_not_judged():
    state = learn.fit(learn.create("lda"), MOONS.points, MOONS.labels)
    some = Dataset(MOONS.points[:50], np.where(np.arange(50) % 2, MOONS.labels[:50], -1))
    known = some.labels >= 0
    assert score(state, some) == accuracy(some.labels[known], state.predict(some.points[known]))
    assert score(state, some.unlabelled()) is None


def test_parts_lie_together_and_answers_come_back_to_their_points(monkeypatch):
    asked = []

    def told(_state, points, _t):
        asked.append(points)
        return (points[:, 0] > 0.5).astype(int)

    monkeypatch.setattr(judging, "decided", told)
    state = learn.fit(learn.create("lda"), MOONS.points, MOONS.labels)
    assert score(state, MOONS) == np.mean(MOONS.labels == (MOONS.points[:, 0] > 0.5))
    assert [len(part) for part in asked] == [PART, PART, 100]
    assert all(left[:, 0].max() <= right[:, 0].min() for left, right in pairwise(asked))
