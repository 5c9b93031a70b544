"""Contour lines are where mathematics puts them, whatever the raster, and none follows rounding errors."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.composing import composed
from tests.run.fakes import Bell
from tests.run.planes import Leads, Logits, Margins, Ranks, Shares, nearest_centre, of, vertices
from vizml import data, learn
from vizml.field import Raster
from vizml.run.contours import (
    DENSITIES,
    JUMP,
    MARGINS,
    NEAR,
    PROBABILITIES,
    ROUNDING,
    boundaries,
    confidences,
    levels,
    without_noise,
)
from vizml.run.shade import Ranking
from vizml.scene import LIGHT, Look
from vizml.scene.figure import BOUNDARIES

RASTER = Raster.over((-2.0, 2.0, -1.5, 1.5), 161, 121)


def radius(raster):
    return np.hypot(*np.meshgrid(raster.x, raster.y)).astype(np.float32)


def sloped(raster):
    return np.broadcast_to(raster.x.astype(np.float32), raster.shape)


def drawn(state, raster=RASTER, peak=0.0):
    return vertices(confidences(state.shading, Ranking(state.field(raster)), raster, peak))


@given(st.floats(0.05, 1.4))
def test_a_level_of_the_distance_is_a_circle(r):
    found = vertices(levels(radius(RASTER), RASTER, [r]))
    assert np.abs(np.hypot(*found.T) - r).max() < 1e-3  # a pixel is 0.025
    angle = np.sort(np.arctan2(found[:, 1], found[:, 0]))
    assert np.diff(angle, append=angle[0] + 2 * np.pi).max() < 0.6  # all the way round


def test_a_closed_line_ends_where_it_begins():
    (line,) = levels(radius(RASTER), RASTER, [0.5])
    assert np.array_equal(line[0], line[-1])


def test_parts_of_one_level_are_kept_apart_by_a_break():
    waves = np.broadcast_to(np.sin(np.pi * RASTER.x).astype(np.float32), RASTER.shape)
    (line,) = levels(waves, RASTER, [0.5])
    assert np.isnan(line).any(axis=1).sum() == 3  # four lines: sin is 1/2 at 1/6 and 5/6 of half a period
    assert np.unique(np.round(vertices([line])[:, 0], 2)) == pytest.approx(
        [-1.83, -1.17, 0.17, 0.83], abs=0.006
    )


def test_each_level_that_is_somewhere_has_its_line():
    assert len(levels(radius(RASTER), RASTER, [0.5, 99.0, 1.0])) == 2
    assert levels(radius(RASTER), RASTER, []) == []


@pytest.mark.parametrize("shape", [(1, 9), (9, 1), (1, 1), (0, 5)])
def test_a_row_or_a_column_has_no_lines(shape):
    raster = Raster(np.arange(float(shape[1])), np.arange(float(shape[0])))
    assert levels(np.ones(shape, np.float32), raster, [1.0]) == []


def test_a_plane_of_one_value_draws_nothing_that_is_not_there():
    assert len(vertices(levels(np.zeros(RASTER.shape, np.float32), RASTER, [0.0]))) == 0


@pytest.mark.parametrize(
    "x", [np.linspace(-2, 2, 41), np.linspace(-2, 2, 41) ** 3, np.linspace(2, -2, 41)],
    ids=["even", "uneven", "falling"],
)  # fmt: skip
def test_lines_are_in_units_of_the_data_on_any_axis(x):
    raster = Raster(x, [0.0, 1.0, 5.0])
    found = vertices(levels(sloped(raster), raster, [0.3]))
    assert np.abs(found[:, 0] - 0.3).max() < 1e-6
    assert {0.0, 1.0, 5.0} <= set(np.round(found[:, 1], 9))


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_size_does_not_matter(size):
    resized = Raster(RASTER.x * size, RASTER.y * size)
    usual, other = (vertices(levels(radius(RASTER), r, [1.0])) for r in (RASTER, resized))
    assert np.abs(other / size - usual).max() < 1e-9


@pytest.mark.parametrize("classes", [2, 3, 5, 8])
def test_a_boundary_is_where_the_two_best_tie(classes):
    centres = np.random.default_rng(classes).uniform(-1.2, 1.2, (classes, 2))
    state = of(Ranks, nearest_centre(centres), classes)
    found = vertices(boundaries(Ranking(state.field(RASTER)), RASTER))
    best, second = np.sort(state.scores(found), axis=1)[:, [-1, -2]].T
    assert len(found) > 100
    # on straight edges they tie but for rounding; a pixel around a corner may round it off
    assert np.mean(best - second < 1e-5) > 0.9
    assert (best - second).max() < 0.2


def test_each_pair_of_neighbouring_pixels_of_two_classes_has_a_line_between_them():
    centres = np.random.default_rng(1).uniform(-1.2, 1.2, (6, 2))
    field = of(Ranks, nearest_centre(centres), 6).field(RASTER)
    found = vertices(boundaries(Ranking(field), RASTER))
    winner = field.argmax(axis=0)
    rows, columns = np.nonzero(winner[:, 1:] != winner[:, :-1])
    on_row = {
        (round(y, 9), int(np.searchsorted(RASTER.x, x))) for x, y in found if np.isclose(RASTER.y, y).any()
    }
    crossed = [(round(RASTER.y[r], 9), c + 1) in on_row for r, c in zip(rows, columns)]
    assert np.mean(crossed) == 1.0


def steps(lines):
    """The ends of all steps of polylines, each in one direction: (m, 2, 2)."""
    each = [np.stack([line[:-1], line[1:]], axis=1) for line in lines]
    found = np.concatenate(each)
    found = found[~np.isnan(found).any(axis=(1, 2))]
    return np.array([sorted(step) for step in found.round(9).tolist()])


@pytest.mark.parametrize("classes", [2, 3, 5, 8])
def test_each_way_is_drawn_once(classes):
    """All but the squares where three classes meet: there each of the lines around them has its own turn."""
    centres = np.random.default_rng(classes).uniform(-1.2, 1.2, (classes, 2))
    ranking = Ranking(of(Ranks, nearest_centre(centres), classes).field(RASTER))
    found = steps(boundaries(ranking, RASTER))
    assert len(np.unique(found, axis=0)) == len(found)
    whole, crossed = np.hypot(*(found[:, 1] - found[:, 0]).T).sum(), 0.0
    for a, b in itertools.combinations(centres, 2):
        t = np.linspace(-4, 4, 16001)  # along the line of equal distances, in parts of 1/2000
        way = (a + b) / 2 + t[:, None] * (np.array([[0, -1], [1, 0]]) @ (b - a)) / np.hypot(*(b - a))
        to = np.hypot(*np.moveaxis(way[:, None] - centres, -1, 0))
        seen = (np.abs(way) <= (2.0, 1.5)).all(axis=1) & np.isclose(to.min(axis=1), np.hypot(*(way - a).T))
        crossed += np.count_nonzero(seen) / 2000
    assert whole == pytest.approx(crossed, rel=0.02)


def test_where_classes_tie_the_line_goes_where_the_colour_changes():
    field = np.zeros((3, 20, 30), np.float32)
    field[0, :, :10], field[1, :, 20:], field[2] = 1.0, 1.0, -1.0  # a tie from 10 to 19: the first wins
    raster = Raster(np.arange(30.0), np.arange(20.0))
    assert np.unique(vertices(boundaries(Ranking(field), raster))[:, 0]).tolist() == pytest.approx([19.0])


@pytest.mark.parametrize("winners", [(0, 1), (0, 2), (1, 2), (3, 5)])
def test_two_of_many_classes_have_one_line_between_them(winners):
    field = np.full((6, 9, 12), -1.0, np.float32)
    field[winners[0], :, :5] = field[winners[1], :, 5:] = 1.0
    (line,) = boundaries(Ranking(field), Raster(np.arange(12.0), np.arange(9.0)))
    assert sorted(line.tolist()) == [[4.5, float(y)] for y in range(9)]


def test_one_class_everywhere_has_no_boundary():
    state = of(Ranks, lambda X: np.column_stack([X[:, 0], X[:, 0] - 1, X[:, 0] - 2]), 3)
    assert boundaries(Ranking(state.field(RASTER)), RASTER) == []


def test_probabilities_of_two_have_lines_on_both_sides_of_the_boundary():
    share = of(Shares, lambda X: np.column_stack([0.5 - X[:, 0] / 4, 0.5 + X[:, 0] / 4]))
    lines = np.unique(np.round(drawn(share)[:, 0] / 4 + 0.5, 5))
    assert lines == pytest.approx(sorted([1 - s for s in PROBABILITIES] + list(PROBABILITIES)))


def test_logits_are_drawn_at_the_same_probabilities():
    """p of the second class is the logistic function of the difference of the logits."""
    logit = of(Logits, lambda X: np.column_stack([7 - X[:, 0], 7 + X[:, 0]]))
    x = drawn(logit)[:, 0]
    p = 1 / (1 + np.exp(-2 * x))
    wanted = np.array(sorted([1 - s for s in PROBABILITIES] + list(PROBABILITIES)))
    assert np.abs(p[:, None] - wanted).min(axis=1).max() < 1e-3
    assert len(np.unique(np.abs(p[:, None] - wanted).argmin(axis=1))) == 8


def test_each_of_many_classes_has_its_own_probabilities():
    centres = [[-1, 0], [1, 0], [0, 1]]
    logit = of(Logits, lambda X: 3 * nearest_centre(centres)(X), 3)
    p = logit.proba(drawn(logit))
    assert np.abs(p[:, :, None] - np.array(PROBABILITIES)).min(axis=(1, 2)).max() < 5e-3
    assert {int(k) for k in p.argmax(axis=1)} == {0, 1, 2}


def test_margins_are_drawn_at_leads():
    margin = of(Margins, lambda X: np.column_stack([-X[:, 0], X[:, 0]]))
    assert np.unique(np.round(2 * drawn(margin)[:, 0], 5)).tolist() == sorted(
        [-v for v in MARGINS] + list(MARGINS)
    )


def test_margins_of_many_are_those_of_the_winner_over_the_next():
    margin = of(Margins, lambda X: np.column_stack([X[:, 0], -X[:, 0], -1.2 + X[:, 1]]), 3)
    ordered = np.sort(margin.scores(drawn(margin)), axis=1)
    assert np.abs((ordered[:, -1] - ordered[:, -2])[:, None] - np.array(MARGINS)).min(axis=1).max() < 0.05


def test_leads_are_drawn_at_shares_of_a_wide_one():
    lead = of(Leads, lambda X: np.column_stack([-X[:, 0], X[:, 0]]))
    expected = np.array([-v for v in MARGINS] + list(MARGINS)) * lead.reach / 2
    assert np.unique(np.round(2 * drawn(lead)[:, 0], 5)).tolist() == pytest.approx(sorted(expected))


@pytest.mark.parametrize("kind, classes", [(Ranks, 2), (Ranks, 3), (Shares, 1), (Logits, 1), (Margins, 1)])
def test_what_only_ranks_or_knows_one_class_has_no_confidence(kind, classes):
    state = of(kind, lambda X: np.repeat(X[:, :1], classes, axis=1) * np.arange(1, classes + 1), classes)
    assert len(drawn(state)) == 0


@pytest.mark.parametrize("peak", [0.0, -0.7])
def test_a_density_is_drawn_at_shares_of_its_peak(peak):
    """exp(-r^2 / 2) is a share of its peak at r = sqrt(-2 ln share)."""
    r = np.hypot(*drawn(Bell(), peak=peak).T)
    rings = np.sqrt([-2 * (math.log(share) + peak) for share in DENSITIES])
    inside = rings[rings < 1.45]
    nearest = np.abs(r[:, None] - rings).min(axis=1)
    assert nearest.max() < 1e-3
    assert all((np.abs(r - ring) < 1e-3).any() for ring in inside)


NOISE = 2.0**-22
WIDE_RASTER = Raster.over((-30.0, 30.0, -25.0, 25.0), 240, 200)


def noisy(plane, size=NOISE):
    return (plane + np.random.default_rng(0).normal(0.0, size, plane.shape)).astype(np.float32)


def boundary_of(plane):
    fields = np.stack([np.float32(0.5) - plane / 2, np.float32(0.5) + plane / 2])
    height, width = plane.shape
    raster = Raster(np.arange(float(width)), np.arange(float(height)))
    return vertices(boundaries(Ranking(fields), raster))


def test_a_plane_of_noise_has_no_lines():
    plane = noisy(np.zeros((60, 80)))
    assert len(vertices(levels(plane, Raster(np.arange(80.0), np.arange(60.0)), [0.0]))) > 1000
    assert not len(boundary_of(plane))


@given(st.floats(0.2, 79.0 - 0.2), st.floats(1e-5, 1.0))
def test_a_line_with_both_classes_beside_it_is_whole(at, slope):
    """However flat: three pixels off it the lead is more than rounding."""
    across = np.broadcast_to(slope * (np.arange(80.0) - at), (60, 80))
    found = boundary_of(noisy(across))
    assert np.ptp(found[:, 1]) == pytest.approx(59.0)
    assert np.abs(found[:, 0] - at).max() < 1.5 + 6 * NOISE / slope


def test_a_line_ends_where_its_classes_fade_into_a_tie():
    """Two bumps, far from which there is nothing: the line between them, and no rim around either."""
    x, y = np.meshgrid(np.arange(200.0), np.arange(160.0))
    one, other = (np.exp(-((x - at) ** 2 + (y - 80.0) ** 2) / 200.0) for at in (80.0, 120.0))
    found = boundary_of(noisy(one - other, NOISE / 4))
    assert len(found) > 50
    assert np.abs(found[:, 0] - 100.0).max() < 2.0
    assert 30.0 < np.ptp(found[:, 1]) < 110.0


@pytest.mark.parametrize("step", [1.0, 0.01, 2 * JUMP])
def test_a_jump_to_an_exact_tie_is_a_boundary(step):
    """Neighbours that vote one to one: the first class has the tie, and ends where the second one leads."""
    plane = np.zeros((40, 60), dtype=np.float32)
    plane[:, 30:] = step
    assert np.ptp(boundary_of(plane)[:, 1]) == 39.0


def test_what_is_compared_tells_how_fine_a_lead_may_be():
    """A lead of 1e-4 is none between numbers of a thousand."""
    lead = np.broadcast_to(1e-5 * (np.arange(80.0) - 40.0), (60, 80)).astype(np.float32)
    line = np.column_stack([np.full(60, 40.0), np.arange(60.0)])
    assert not np.isnan(without_noise(line, lead, 0.0, np.full_like(lead, 0.5))).any()
    assert np.isnan(without_noise(line, lead, 0.0, np.full_like(lead, 1000.0))).all()


def test_breaks_stay_breaks_and_a_line_that_means_something_is_the_same():
    plane = np.broadcast_to(np.arange(20.0) - 9.5, (10, 20)).astype(np.float32)
    line = np.array([[9.5, 0.0], [9.5, 4.0], [np.nan, np.nan], [9.5, 6.0], [9.5, 9.0]])
    assert without_noise(line, plane, 0.0, np.ones_like(plane)) is line


@pytest.mark.parametrize("off", [0.6, 0.9])
def test_both_sides_have_to_be_near(off):
    """A lead on one side alone, however near, is the end of a fading class."""
    far = np.full((9, 40), np.float32(ROUNDING) / 8)
    far[:, 20 + NEAR :] = -np.float32(JUMP) * off
    far[:, :20] = np.float32(ROUNDING) / 8
    line = np.column_stack([np.full(9, 20.0 + NEAR - 0.5), np.arange(9.0)])
    assert np.isnan(without_noise(line, far, 0.0, np.ones_like(far))).all()
    far[:, 20] = np.float32(JUMP) * off
    assert not np.isnan(without_noise(line, far, 0.0, np.ones_like(far))).any()


@pytest.mark.parametrize("classes", [2, 3])
def test_a_gaussian_process_seen_from_afar_is_calm(classes):
    """Far from its points it says nothing, and no line says that it does."""
    points = data.generate("blobs", n=60, classes=classes, seed=3)
    state = learn.fit_data(learn.create("gp"), points)
    scene = composed(points, state, WIDE_RASTER, Look(LIGHT))
    (mark,) = (mark for mark in scene.marks if mark.layer == BOUNDARIES)
    found = vertices(mark.lines)
    assert len(found) > 10
    assert np.abs(found).max() < 12.0


def test_a_lens_has_no_lines_in_what_it_tells_no_finer():
    points = data.generate("moons", n=60, seed=3)
    state = learn.fit_data(learn.create("gp"), points)
    lens = state.on().lenses()[0]
    assert 0.5 in lens.levels
    scene = composed(points, state, WIDE_RASTER, Look(LIGHT, lens=lens.name))
    found = vertices([line for mark in scene.marks if mark.layer == lens.name for line in mark.lines])
    assert 10 < len(found) < 1000
    assert np.abs(found).max() < 12.0


def test_classes_that_are_equal_by_their_scores_have_no_boundary():
    state = of(Shares, lambda X: np.full((len(X), 3), 1 / 3), 3)
    assert not len(vertices(boundaries(Ranking(state.field(WIDE_RASTER)), WIDE_RASTER)))
