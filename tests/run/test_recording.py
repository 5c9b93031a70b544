"""A recording keeps every step, counts what it holds, and thins itself without losing its ends."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

from tests.run.fakes import Halves
from vizml.run import recording as recordings
from vizml.run.recording import Recording, arrays


def state(i, weights=None):
    return Halves(
        classes=np.array([0, 1]), weights=np.zeros(1000) + i if weights is None else weights, loss=float(i)
    )


def test_every_step_is_kept_in_order():
    recording = Recording()
    for i in range(20):
        recording.append(state(i))
    assert len(recording.states) == 20
    assert [recording.states[i].loss for i in range(20)] == list(range(20))
    assert recording.steps == list(range(1, 21))
    assert recording.losses == list(range(20))


def test_shared_arrays_count_once():
    shared, recording = np.zeros(1000), Recording()
    for i in range(10):
        recording.append(state(i, shared))
    labels = 10 * np.array([0, 1]).nbytes
    assert recording.nbytes == shared.nbytes + labels


def test_what_states_share_is_looked_through_once(monkeypatch):
    shared, looked = (np.zeros(100), (np.zeros(50),)), []
    usual = recordings.arrays
    monkeypatch.setattr(
        recordings, "arrays", lambda value, depth: looked.append(value) or usual(value, depth)
    )
    recording, classes = Recording(), np.array([0, 1])
    for i in range(10):
        recording.append(Halves(classes=classes, weights=shared, loss=float(i)))
    assert recording.nbytes == 150 * 8 + classes.nbytes
    assert len([value for value in looked if value is shared]) == 1


def test_a_list_that_grows_is_looked_through_again():
    growing, recording, classes = [np.zeros(100)], Recording(), np.array([0, 1])
    for _ in range(3):
        recording.append(Halves(classes=classes, weights=growing))
        growing.append(np.zeros(100))
    assert recording.nbytes == 300 * 8 + classes.nbytes


def test_a_view_counts_as_the_array_that_it_keeps_alive():
    recording = Recording()
    recording.append(state(0, np.zeros(5000)[:10]))
    assert recording.nbytes >= 5000 * 8


@pytest.mark.parametrize("count", [9, 50, 301])
def test_thinning_keeps_the_budget_the_first_and_the_last(count):
    budget = 8 * 8016
    recording = Recording(budget)
    for i in range(count):
        recording.append(state(i))
        assert recording.nbytes <= budget
    assert recording.states[0].loss == 0
    assert recording.states[-1].loss == count - 1
    assert recording.steps[-1] == count
    assert (np.diff(recording.steps) > 0).all()
    assert recording.losses == [step - 1 for step in recording.steps]


@pytest.mark.parametrize("count", [5, 40, 200])
def test_after_thinning_it_counts_what_it_holds_and_nothing_else(count):
    recording = Recording(10 * 8016)
    for i in range(count):
        recording.append(state(i))
    held = {id(array): array.nbytes for s in recording.states for array in (s.weights, s.classes)}
    assert recording.nbytes == sum(held.values())
    assert len(recording.states) <= 10


def test_thinning_lets_every_second_step_between_the_ends_go():
    recording = Recording(7 * 8016)
    for i in range(8):  # one more than there is room for
        recording.append(state(i))
    assert recording.steps == [1, 3, 5, 7, 8]
    assert [kept.loss for kept in recording.states] == [0, 2, 4, 6, 7]


def test_recordings_share_a_budget_and_give_it_back(monkeypatch):
    megabyte, count = np.ones(1 << 17).nbytes, 60
    monkeypatch.setattr(recordings, "BUDGET", 48 * megabyte)
    monkeypatch.setattr(recordings, "LEAST", 8 * megabyte)
    six = [Recording(recordings.BUDGET) for _ in range(6)]
    for recording in six:
        for i in range(count):
            recording.append(state(i, np.full(1 << 17, float(i))))
    assert sum(recording.nbytes for recording in six) <= (48 + 5 * 8 + 1) * megabyte
    assert six[0].nbytes > 24 * megabyte
    del six, recording
    alone = Recording(recordings.BUDGET)
    for i in range(count):
        alone.append(state(i, np.full(1 << 17, float(i))))
    assert alone.nbytes > 24 * megabyte


def test_a_state_larger_than_the_budget_is_kept_beside_the_first():
    recording = Recording(100)
    for i in range(4):
        recording.append(state(i))
    assert recording.steps == [1, 4]


def test_arrays_are_listed_while_a_property_is_cached():
    @dataclass(frozen=True)
    class Cached:
        first: np.ndarray
        second: np.ndarray

        @cached_property
        def total(self):
            return self.first + self.second

    value = Cached(np.zeros(3), np.ones((4, 1)))
    listed = arrays(value)
    sizes = [next(listed)[1]]
    assert value.total.sum() > 0
    assert [*sizes, *(size for _, size in listed)] == [24, 32]
