"""Lines through places where planes are equal but for rounding are left out, and no others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.composing import composed
from tests.run.planes import Shares, of, vertices
from vizml import data, learn
from vizml.field import Raster
from vizml.run.contours import JUMP, NEAR, ROUNDING, boundaries, levels, without_noise
from vizml.run.ranking import Ranking
from vizml.scene import LIGHT, Look
from vizml.scene.scene import BOUNDARIES

NOISE = 2.0**-22
RASTER = Raster.over((-30.0, 30.0, -25.0, 25.0), 240, 200)


def noisy(plane, size=NOISE):
    return (plane + np.random.default_rng(0).normal(0.0, size, plane.shape)).astype(np.float32)


def drawn(plane):
    fields = np.stack([np.float32(0.5) - plane / 2, np.float32(0.5) + plane / 2])
    height, width = plane.shape
    raster = Raster(np.arange(float(width)), np.arange(float(height)))
    return vertices(boundaries(Ranking(fields), raster))


def test_a_plane_of_noise_has_no_lines():
    plane = noisy(np.zeros((60, 80)))
    assert len(vertices(levels(plane, Raster(np.arange(80.0), np.arange(60.0)), [0.0]))) > 1000
    assert not len(drawn(plane))


@given(st.floats(0.2, 79.0 - 0.2), st.floats(1e-5, 1.0))
def test_a_line_with_both_classes_beside_it_is_whole(at, slope):
    """However flat: three pixels off it the lead is more than rounding."""
    across = np.broadcast_to(slope * (np.arange(80.0) - at), (60, 80))
    found = drawn(noisy(across))
    assert np.ptp(found[:, 1]) == pytest.approx(59.0)
    assert np.abs(found[:, 0] - at).max() < 1.5 + 6 * NOISE / slope


def test_a_line_ends_where_its_classes_fade_into_a_tie():
    """Two bumps, far from which there is nothing: the line between them, and no rim around either."""
    x, y = np.meshgrid(np.arange(200.0), np.arange(160.0))
    one, other = (np.exp(-((x - at) ** 2 + (y - 80.0) ** 2) / 200.0) for at in (80.0, 120.0))
    found = drawn(noisy(one - other, NOISE / 4))
    assert len(found) > 50
    assert np.abs(found[:, 0] - 100.0).max() < 2.0
    assert 30.0 < np.ptp(found[:, 1]) < 110.0


@pytest.mark.parametrize("step", [1.0, 0.01, 2 * JUMP])
def test_a_jump_to_an_exact_tie_is_a_boundary(step):
    """Neighbours that vote one to one: the first class has the tie, and ends where the second one leads."""
    plane = np.zeros((40, 60), dtype=np.float32)
    plane[:, 30:] = step
    assert np.ptp(drawn(plane)[:, 1]) == 39.0


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
    scene = composed(points, state, RASTER, Look(LIGHT))
    (mark,) = (mark for mark in scene.marks if mark.layer == BOUNDARIES)
    found = vertices(mark.lines)
    assert len(found) > 10
    assert np.abs(found).max() < 12.0


def test_a_lens_has_no_lines_in_what_it_tells_no_finer():
    points = data.generate("moons", n=60, seed=3)
    state = learn.fit_data(learn.create("gp"), points)
    lens = state.lenses()[0]
    assert 0.5 in lens.levels
    scene = composed(points, state, RASTER, Look(LIGHT, lens=lens.name))
    found = vertices([line for mark in scene.marks if mark.layer == lens.name for line in mark.lines])
    assert 10 < len(found) < 1000
    assert np.abs(found).max() < 12.0


def test_classes_that_are_equal_by_their_scores_have_no_boundary():
    state = of(Shares, lambda X: np.full((len(X), 3), 1 / 3), 3)
    assert not len(vertices(boundaries(Ranking(state.field(RASTER)), RASTER)))
