"""Where lines break."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.scene.polylines import split_at_gaps, true_runs


@pytest.mark.parametrize(
    "known, found",
    [
        ([], []),
        ([False], []),
        ([True], [(0, 1)]),
        ([True, False, False, True, True], [(0, 1), (3, 5)]),
        ([False, True, True, False], [(1, 3)]),
    ],
)
def test_stretches_are_where_a_mask_is_true_without_a_break(known, found):
    assert [(part.start, part.stop) for part in true_runs(np.array(known, dtype=bool))] == found


@given(st.lists(st.booleans(), max_size=40))
def test_parts_of_a_line_hold_every_known_point_that_has_a_known_neighbour(known):
    line = np.column_stack([np.arange(len(known), dtype=float), np.zeros(len(known))])
    line[~np.array(known, dtype=bool), 1] = np.nan  # one coordinate is enough
    padded = [False, *known, False]
    wanted = [i for i, it in enumerate(known) if it and (padded[i] or padded[i + 2])]
    parts = split_at_gaps(line)
    assert [int(x) for part in parts for x in part[:, 0]] == wanted
    assert all(len(part) > 1 and (np.diff(part[:, 0]) == 1).all() for part in parts)


def test_a_line_without_a_break_is_itself():
    line = np.ones((3, 2))
    (part,) = split_at_gaps(line)
    assert part is line
