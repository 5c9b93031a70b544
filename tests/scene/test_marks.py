"""Marks, whether they draw anything, and polylines that are split and joined."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.run.composing import composed
from vizml import scene
from vizml.data import load
from vizml.field import Raster
from vizml.learn import create, run
from vizml.run.compose import RenderPacing
from vizml.scene import (
    Band,
    Borders,
    Curves,
    Dots,
    FunctionBand,
    LazyLines,
    Levels,
    Look,
    Mark,
    Path,
    Profile,
    Rings,
    Segments,
    TextLabels,
    ViewDependent,
)
from vizml.scene.marks import PointMark, join_lines, split_at_gaps, true_runs

POINT, NONE = np.zeros((1, 2)), np.empty((0, 2))
ROW = np.array([0.0, 1.0])

FULL = {
    "path": Path(layer="a", lines=(NONE, np.zeros((2, 2)))),
    "segments": Segments(layer="a", ends=np.zeros((1, 2, 2))),
    "rings": Rings(layer="a", points=POINT, radii=np.ones(1)),
    "dots": Dots(layer="a", points=POINT),
    "words": TextLabels(layer="a", points=POINT, texts=("k",)),
    "band": Band(layer="a", x=ROW, low=ROW, high=ROW + 1),
    "levels": Levels(layer="a", plane=0, values=(0.0,)),
    "borders": Borders(layer="a", field=lambda raster: np.zeros((2, *raster.shape), np.float32)),
    "lazy lines": LazyLines(layer="a", lines=lambda: [np.zeros((2, 2))]),
    "curves": Curves(layer="a", values=lambda x: x[None]),
    "between": FunctionBand(layer="a", edges=lambda x: (x, x + 1)),
    "profile": Profile(layer="a", axis="x", at=ROW, heights=ROW, peak=1.0),
}
EMPTY = {
    "path without lines": Path(layer="a", lines=()),
    "path of empty lines": Path(layer="a", lines=(NONE, NONE)),
    "segments": Segments(layer="a", ends=np.empty((0, 2, 2))),
    "rings": Rings(layer="a", points=NONE, radii=np.empty(0)),
    "dots": Dots(layer="a", points=NONE),
    "words": TextLabels(layer="a", points=NONE, texts=()),
}


@pytest.mark.parametrize("mark", FULL.values(), ids=FULL)
def test_what_has_something_to_draw_is_not_empty(mark):
    assert mark.empty is False


@pytest.mark.parametrize("mark", EMPTY.values(), ids=EMPTY)
def test_what_has_nothing_to_draw_is_empty(mark):
    assert mark.empty is True


def test_every_kind_of_mark_is_looked_at_here_and_given_by_the_room():
    general = ViewDependent, PointMark
    kinds = {kind for base in (Mark, *general) for kind in base.__subclasses__()} - {*general}
    assert {type(mark) for mark in FULL.values()} == kinds
    assert {kind.__name__ for kind in kinds} < set(scene.__all__)


@pytest.mark.parametrize("mark", FULL.values(), ids=FULL)
def test_marks_are_themselves_however_alike(mark):
    """Their arrays have no single truth; lines are kept by the mark that asked for them."""
    twin = dataclasses.replace(mark)
    assert mark == mark  # noqa: PLR0124
    assert twin != mark
    assert len({mark: 1, twin: 2}) == 2


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


RASTER = Raster.over((-2.0, 2.0, -2.0, 2.0), 80, 80)
ANGLES = np.linspace(0, 2 * np.pi, 90)
RING = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
RING[-1] = RING[0]
WAVE = np.column_stack([np.linspace(-2, 2, 60), np.sin(3 * np.linspace(-2, 2, 60))])


def edges(lines):
    """The stretches that are drawn, whichever way round."""
    ends = [tuple(sorted(map(tuple, pair))) for line in lines for pair in pairwise(line)]
    return sorted(end for end in ends if np.isfinite(end).all())


@settings(max_examples=40)
@given(
    cuts=st.lists(st.integers(1, 58), max_size=6, unique=True),
    turned=st.lists(st.booleans(), min_size=7, max_size=7),
    seed=st.integers(0, 99),
)
@pytest.mark.parametrize("line", [RING, WAVE], ids=["ring", "wave"])
def test_whatever_is_cut_becomes_one_again(line, cuts, turned, seed):
    bounds = [0, *sorted(cuts), len(line) - 1]
    pieces = [line[start : stop + 1] for start, stop in pairwise(bounds)]
    pieces = [piece[::-1] if turn else piece for piece, turn in zip(pieces, turned)]
    order = np.random.default_rng(seed).permutation(len(pieces))
    (whole,) = join_lines([pieces[k] for k in order], RASTER)
    assert len(whole) == len(line)
    assert edges([whole]) == edges([line])


def test_a_row_of_nan_parts_what_does_not_meet_and_is_no_part_of_it():
    gap = np.full((1, 2), np.nan)
    both = np.concatenate([gap, WAVE[:20], gap, WAVE[30:], gap])
    found = join_lines([both], RASTER)
    assert sorted(len(line) for line in found) == [20, 30]
    assert all(np.isfinite(line).all() for line in found)


def test_where_three_meet_all_of_them_end():
    star = [np.array([[0.0, 0.0], [np.cos(a), np.sin(a)]]) for a in (0.0, 2.0, 4.0)]
    assert len(join_lines(star, RASTER)) == 3


def test_of_nothing_there_is_nothing():
    assert join_lines([], RASTER) == []
    assert join_lines([np.empty((0, 2)), np.zeros((1, 2))], RASTER) == []


def test_two_halves_of_a_ring_are_one():
    half = len(RING) // 2
    (whole,) = join_lines([RING[: half + 1], RING[half:]], RASTER)
    assert len(whole) == len(RING)


@pytest.mark.parametrize("id, source", [("svm", "moons:n=120,noise=0.3"), ("qda", "blobs:n=150,classes=3")])
def test_lines_of_a_scene_in_bands_are_the_same_and_hardly_in_more_pieces(id, source):
    data = load(source)
    *_, state = run(create(id), data, 0)
    raster = Raster.over((-3.5, 3.5, -3.0, 3.0), 300, 240)

    def lines(seconds):
        marks = composed(data, state, raster, Look(), pacing=RenderPacing(seconds)).marks
        layers = ("Boundaries", "Margins")
        return [
            line for mark in marks if isinstance(mark, Path) and mark.layer in layers for line in mark.lines
        ]

    def places(found):
        points = np.concatenate(found)
        return {tuple(point) for point in np.round(points[np.isfinite(points).all(axis=1)], 4).tolist()}

    slow, fast = lines(1e-5), lines(1e-12)
    assert places(slow) == places(fast)
    assert len(slow) <= (len(join_lines(fast, raster)) if id == "svm" else 8)
