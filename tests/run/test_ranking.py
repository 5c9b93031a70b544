"""The ranking of planes, against a plain sort."""

import numpy as np
import pytest

from vizml.run.ranking import Ranking


@pytest.mark.parametrize("planes", [2, 3, 8])
def test_winner_best_and_lead_equal_a_sort(planes):
    field = np.random.default_rng(planes).normal(size=(planes, 40, 50)).astype(np.float32)
    ranking, ordered = Ranking(field), np.sort(field, axis=0)
    assert np.array_equal(ranking.winner, field.argmax(axis=0))
    assert np.array_equal(ranking.best, ordered[-1])
    assert np.array_equal(ranking.lead, ordered[-1] - ordered[-2])


def test_of_equals_the_first_wins():
    assert (Ranking(np.zeros((4, 3, 3), np.float32)).winner == 0).all()


def test_each_lead_is_positive_exactly_where_its_class_wins():
    field = np.random.default_rng(0).normal(size=(5, 30, 30)).astype(np.float32)
    ranking = Ranking(field)
    for (rows, columns), lead in ranking.leads():
        classes = np.unique(ranking.winner[rows, columns][lead > 0])
        assert len(classes) == 1
        assert np.array_equal(lead > 0, ranking.winner[rows, columns] == classes[0])


def test_three_planes_of_which_two_win_have_one_boundary():
    field = np.zeros((3, 10, 10), np.float32)
    field[0, :, :5], field[1, :, 5:], field[2] = 1, 1, -1
    assert len(list(Ranking(field).leads())) == 1
