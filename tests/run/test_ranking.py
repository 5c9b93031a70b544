"""The ranking of planes, against a plain sort."""

import numpy as np
import pytest

from vizml.run.shade import Ranking


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
    found = list(ranking.leads())
    assert [k for k, _, _ in found] == [0, 1, 2, 3, 4]
    for k, box, lead in found:
        assert np.array_equal(lead > 0, ranking.winner[box] == k)
        assert np.count_nonzero(lead > 0) == np.count_nonzero(ranking.winner == k)


def test_the_first_of_equals_leads_too_and_who_never_wins_has_no_lead():
    field = np.zeros((4, 6, 9), np.float32)
    field[0], field[2, :, 5:], field[3] = -1.0, 2.0, 0.0
    ranking = Ranking(field)
    found = {k: (box, lead) for k, box, lead in ranking.leads()}
    assert sorted(found) == [1, 2]
    assert ranking.last == 2
    lead = found[1][1]
    assert (lead[:, :5] > 0).all()
    assert (lead[:, 5:] < 0).all()


def test_each_square_between_pixels_knows_the_first_and_the_last_winner_at_its_corners():
    field = np.random.default_rng(3).normal(size=(6, 12, 9)).astype(np.float32)
    ranking = Ranking(field)
    corners = np.lib.stride_tricks.sliding_window_view(ranking.winner, (2, 2)).reshape(11, 8, 4)
    first, last = ranking.cells
    assert np.array_equal(first, corners.min(axis=-1))
    assert np.array_equal(last, corners.max(axis=-1))
