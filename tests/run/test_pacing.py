"""How high bands are, when a coarse picture is due, and what a composed picture asks of its state."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.clock import Clock, Painted
from tests.run.composing import composed, previewed
from tests.run.fakes import Bell, Halves, Slope, two_points
from tests.run.planes import Logits, Margins, Ranks, Shares, nearest_centre, of
from vizml.data import Dataset
from vizml.field import Raster
from vizml.learn import PlaneView, TrainingData
from vizml.run.compose import BAND_FLOATS, BAND_SECONDS, COARSE, FIRST, ROUGH, SAMPLE, WORTH, RenderPacing
from vizml.scene import DARK, Look
from vizml.scene.figure import BOUNDARIES, CONTOURS, REGIONS

RASTER = Raster.over((-2.0, 2.0, -1.5, 1.5), 64, 48)
sides = st.integers(1, 4000)


class Sized:
    """As much of a raster as a pace looks at."""

    def __init__(self, height, width):
        self.shape = height, width


@given(sides, sides, st.integers(1, 8), st.floats(1e-10, 1e-2))
def test_a_band_takes_no_longer_and_no_more_than_it_may(height, width, planes, cost):
    rows = RenderPacing(cost).rows(Sized(height, width), planes)
    assert 16 <= rows <= max(height, 16)
    if rows > 16:
        assert rows * width * cost <= BAND_SECONDS * (1 + 1e-9)
        assert rows * width * planes <= BAND_FLOATS


@given(sides, sides, st.floats(1e-10, 1e-2), st.floats(1.0, 100.0))
def test_the_slower_the_field_the_lower_the_bands(height, width, cost, times):
    quick, slow = (RenderPacing(c).rows(Sized(height, width), 2) for c in (cost, cost * times))
    assert slow <= quick


def test_an_unknown_duration_is_not_waited_for():
    pacing = RenderPacing(1e-6)
    assert pacing.exact_seconds(50_000) == pytest.approx(0.05)
    assert RenderPacing().exact_seconds(10**9) == 0


def painted(clock, per_pixel):
    return Painted(classes=np.array([0, 1]), weights=np.zeros(1), clock=clock, per_pixel=per_pixel)


def test_the_pace_is_that_of_the_latest_field(monkeypatch):
    clock = Clock()
    clock.stop_in(monkeypatch, "compose")
    pacing = RenderPacing()
    for cost in (1e-5, 1e-7, 1e-3):
        composed(two_points(), painted(clock, cost), RASTER, Look(), pacing=pacing)
        assert pacing.seconds_per_pixel == pytest.approx(cost, rel=0.07)  # bands share a row


@dataclass(frozen=True, eq=False, kw_only=True)
class Slow(Slope):
    """A curve that takes some time for each x."""

    clock: Clock
    per_x: float

    def expected(self, X):
        self.clock.now += self.per_x * len(X)
        return super().expected(X)


def test_curves_have_a_pace_too(monkeypatch):
    clock = Clock()
    clock.stop_in(monkeypatch, "compose")
    pacing, data = RenderPacing(), Dataset.curve([-1.0, 1.0], [0.0, 0.0])
    composed(data, Slow(clock=clock, per_x=1e-3), RASTER, Look(), pacing=pacing)
    assert pacing.exact_seconds(48 * 64) == pytest.approx(66e-3)  # the columns, and the ends of the data
    after_rough = RenderPacing(pacing.seconds_per_pixel, {ROUGH: 0.01})
    assert after_rough.exact_seconds(48 * 64) == pytest.approx(66e-3)  # whatever the rough one took


def test_a_coarse_picture_costs_a_small_share_of_the_exact_one(monkeypatch):
    clock = Clock()
    clock.stop_in(monkeypatch, "compose")
    before = clock.now
    pacing = RenderPacing()
    scene = previewed(two_points(), painted(clock, 1e-4), RASTER, Look(), pacing)
    assert scene.region.image.shape == (48 // COARSE, 64 // COARSE, 4)
    assert clock.now - before == pytest.approx(1e-4 * 48 * 64 / COARSE**2)
    assert pacing.coarse == {COARSE: pytest.approx(clock.now - before)}
    assert pacing.exact_seconds(48 * 64) == pytest.approx(1e-4 * 48 * 64)


def test_what_a_coarse_picture_takes_is_a_guess_until_one_was_made():
    pacing = RenderPacing(1e-6)
    assert pacing.preview_seconds(COARSE, 640_000) == pytest.approx(0.01)
    assert pacing.strides(640_000) == (COARSE,)
    pacing.coarse[COARSE] = 0.4  # of very many points it takes nearly as long as the exact one
    assert pacing.preview_seconds(COARSE, 640_000) == 0.4
    assert pacing.strides(640_000) == (ROUGH,)


@given(st.floats(1e-9, 1e-2), st.floats(1e-6, 10.0))
def test_the_first_picture_comes_soon_and_the_next_is_worth_its_time(cost, seconds):
    pacing, pixels = RenderPacing(cost, {COARSE: seconds}), 800_000
    first, *others = pacing.strides(pixels)
    assert first == (COARSE if seconds <= FIRST else ROUGH)
    assert others == ([COARSE] if first == ROUGH and WORTH * seconds <= cost * pixels else [])


def test_after_a_rough_picture_alone_nobody_knows_whether_a_coarse_one_is_worth_its_time():
    assert RenderPacing(None, {ROUGH: 0.2}).strides(800_000) == (ROUGH,)
    assert RenderPacing(2e-4, {ROUGH: 0.2}).strides(800_000) == (ROUGH, COARSE)
    assert RenderPacing(None, {ROUGH: 0.001}).strides(800_000) == (COARSE,)


def test_of_two_coarse_pictures_the_one_that_says_less_of_the_exact_one_is_believed():
    assert RenderPacing(None, {ROUGH: 0.001, COARSE: 0.004}).exact_seconds(10**6) == pytest.approx(0.256)
    assert RenderPacing(None, {ROUGH: 0.001}).exact_seconds(10**6) == pytest.approx(1.024)
    assert RenderPacing(1e-6, {ROUGH: 0.001}).exact_seconds(10**6) == pytest.approx(1.0)


@pytest.mark.parametrize("width, height", [(1, 1), (1, 7), (9, 1), (2, 2)])
def test_any_raster_has_a_picture(width, height):
    raster = Raster.over((-1.0, 1.0, -1.0, 1.0), width, height)
    for state in (Halves(classes=np.array([0, 1]), weights=np.zeros(1)), Bell()):
        scene = composed(two_points(), state, raster, Look(hidden=frozenset()))
        assert scene.region.image.shape == (height, width, 4)


@pytest.mark.parametrize("kind", [Shares, Logits, Margins, Ranks])
@pytest.mark.parametrize("classes", [1, 2, 3, 8])
@pytest.mark.parametrize("look", [Look(), Look(shading="hard", theme=DARK), Look(transparent=True)])
def test_bands_are_the_whole_for_every_kind_of_scores(kind, classes, look):
    centres = np.random.default_rng(classes).uniform(-1, 1, (classes, 2))
    state = of(kind, nearest_centre(centres), classes)
    whole, banded = (
        composed(two_points(), state, RASTER, look, pacing=RenderPacing(cost)) for cost in (1e-12, 1.0)
    )
    assert np.array_equal(whole.region.image, banded.region.image)
    assert whole.layers == banded.layers


@dataclass(frozen=True, eq=False, kw_only=True)
class Watched(Halves):
    asked: list = field(default_factory=list)

    def plane_view(self, section):
        return WatchedView(self, section)


class WatchedView(PlaneView):
    def field(self, raster):
        self.state.asked.append(raster.shape[0])
        return super().field(raster)


def test_each_row_is_asked_for_once_and_the_seams_twice():
    state = Watched(classes=np.array([0, 1]), weights=np.zeros(1))
    composed(two_points(), state, RASTER, Look(), pacing=RenderPacing(1.0))
    assert state.asked == [16, 17, 17]


@pytest.mark.parametrize("hidden", [set(), {REGIONS}, {BOUNDARIES}, {CONTOURS}, {REGIONS, CONTOURS}])
def test_layers_that_are_hidden_are_left_out_and_no_others(hidden):
    state = Halves(classes=np.array([0, 1]), weights=np.zeros(1))
    scene = composed(two_points(), state, RASTER, Look(hidden=frozenset(hidden)))
    assert (scene.region is None) == (REGIONS in hidden)
    assert set(scene.layers) == {BOUNDARIES, CONTOURS} - hidden


class Asked(Bell):
    """Counts the points whose density it is asked for."""

    most = 0

    def log_density(self, X):
        Asked.most = max(Asked.most, len(X))
        return super().log_density(X)


def test_the_peak_of_a_density_over_many_points_is_found_from_some_of_them():
    points = np.random.default_rng(0).normal(size=(10 * SAMPLE, 2))
    state = Asked()
    vars(state)["trained_on"] = TrainingData(points)
    scene = composed(Dataset.empty(), state, Raster([0.0], [0.0]), Look())
    assert SAMPLE / 2 <= Asked.most <= SAMPLE
    assert 0.99 < scene.lens.high <= 1.0


def test_a_density_without_points_is_drawn_beside_one():
    assert composed(Dataset.empty(), Bell(), RASTER, Look()).lens.high == 1.0
