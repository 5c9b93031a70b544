"""When the worker trains, when it shows what, and what it drops: by a clock that the test moves."""

from dataclasses import replace

import pytest

from tests.run.clock import Clock, Timed
from tests.run.fakes import two_points
from vizml.run.compose import RenderPacing
from vizml.run.request import Job, RenderRequest
from vizml.run.worker import DISPLAY, QUIET, SLICE, Order, TrainingScheduler
from vizml.scene.viewport import Viewport

VIEW = RenderRequest(Viewport((-2.0, 2.0, -1.0, 1.0), 40, 32))
PIXELS = VIEW.viewport.width * VIEW.viewport.height


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    clock.stop_in(monkeypatch, "worker", "session", "compose")
    return clock


class Office:
    """A scheduler with an order, and the frames that it sent with the time of each."""

    def __init__(self, clock, order=None, **settings):
        self.clock, self.frames, self.times = clock, [], []
        data = two_points()
        self.job = Job(1, Timed(clock=clock, **settings), 0, data, data.take([]))
        self.order = order or Order(job=self.job, request=VIEW)
        self.pacing = RenderPacing()
        self.scheduler = TrainingScheduler(self.job, self.pacing)

    def post(self, frame):
        self.frames.append(frame)
        self.times.append(self.clock.now)

    def turn(self):
        return self.scheduler.turn(self.order, self.post, lambda: self.order)

    def train(self):
        """Train without a view."""
        self.scheduler.turn(Order(job=self.job), self.post, lambda: self.order)

    def work(self, turns=10_000):
        while self.turn() and turns:
            turns -= 1
            self.clock.now += 1e-6


def test_a_run_of_less_than_a_tenth_of_a_second_shows_its_result_only(clock):
    office = Office(clock, count=9, step=0.01)
    office.work()
    assert [(frame.count, frame.running) for frame in office.frames] == [(9, False)]


def test_a_longer_run_is_seen_from_then_on_and_at_its_end(clock):
    office = Office(clock, count=100, step=0.01)
    started = clock.now
    office.work()
    assert QUIET <= office.times[0] - started < QUIET + 2 * SLICE + 0.01
    assert all(frame.running for frame in office.frames[:-1])
    assert (office.frames[-1].count, office.frames[-1].running) == (100, False)


def test_no_more_frames_are_sent_than_a_display_shows(clock):
    office = Office(clock, count=5000, step=0.0005)
    office.work()
    gaps = [later - one for one, later in zip(office.times, office.times[1:])]
    assert min(gaps[:-1]) >= DISPLAY  # an end is shown at once
    assert max(gaps) < DISPLAY + 2 * SLICE + 0.001


def test_each_frame_shows_something_that_the_one_before_did_not(clock):
    office = Office(clock, count=60, step=0.02)
    office.work()
    shown = [(frame.count, not frame.running) for frame in office.frames]
    assert shown == sorted(set(shown))


def test_no_more_time_goes_into_pictures_than_into_training(clock):
    """A slow field must not starve the run that it shows."""
    office = Office(clock, count=500, step=0.004, per_pixel=0.05 / PIXELS)
    started = clock.now
    office.work()
    spent = clock.now - started
    assert office.frames[-1].seconds == pytest.approx(500 * 0.004)
    assert spent < 2.5 * office.frames[-1].seconds


def test_a_run_that_is_over_and_seen_leaves_nothing_to_do(clock):
    office = Office(clock, count=3)
    office.work()
    seen = len(office.frames)
    assert not office.turn()
    assert len(office.frames) == seen == 1


def test_a_new_view_of_a_finished_run_is_drawn_at_once_and_once(clock):
    office = Office(clock, count=3)
    office.work()
    office.order = replace(office.order, request=VIEW.over(Viewport(VIEW.viewport.bounds, 20, 32)))
    office.turn()
    office.turn()
    assert [frame.request.viewport.width for frame in office.frames] == [40, 20]


def test_the_view_that_is_shown_already_is_not_drawn_again(clock):
    office = Office(clock, count=3)
    office.work()
    office.order = replace(office.order, cancelled=0)
    office.turn()
    assert len(office.frames) == 1


def test_without_a_view_it_trains_and_shows_nothing(clock):
    office = Office(clock, count=3)
    office.order = Order(job=office.job)
    for _ in range(5):
        office.turn()
    assert office.frames == []
    office.order = Order(job=office.job, request=VIEW)
    office.turn()
    assert [frame.count for frame in office.frames] == [3]


def test_a_cancelled_run_stops_and_shows_how_far_it_came(clock):
    office = Office(clock, count=1000, step=0.004)
    for _ in range(3):
        office.turn()
    office.order = replace(office.order, cancelled=1)
    office.work()
    assert [(frame.count, frame.running) for frame in office.frames] == [(6, False)]


@pytest.mark.parametrize("token", [0, 2])
def test_what_was_cancelled_before_is_no_matter(clock, token):
    office = Office(clock, count=10, step=0.001)
    office.order = replace(office.order, cancelled=token)
    office.work()
    assert office.frames[-1].count == 10


def test_a_slice_of_training_ends_in_time_for_news(clock):
    office = Office(clock, count=1000, step=0.001)
    before = clock.now
    office.turn()
    assert SLICE <= clock.now - before <= SLICE + 0.001 + 1e-9


@pytest.mark.parametrize(
    "news, seconds, exact",
    [
        ({}, 1.0, True),
        ({"cancelled": 1}, 1.0, True),
        ({"request": replace(VIEW, step=3)}, 0.24, True),  # a moving view is shown late rather than never
        ({"request": replace(VIEW, step=3)}, 0.26, False),
        ({"job": None}, 1e-3, False),
    ],
    ids=["none", "a cancel", "another view", "another view, slow", "another job"],
)
def test_a_picture_in_the_making_ends_with_its_job_and_a_slow_one_with_its_view(clock, news, seconds, exact):
    office = Office(clock, count=1)
    office.pacing.seconds_per_pixel = seconds / PIXELS
    office.train()
    office.scheduler.turn(office.order, office.post, lambda: replace(office.order, **news))
    assert any(frame.scene.exact for frame in office.frames) is exact


def test_a_coarse_picture_is_not_made_to_its_end_for_a_job_that_is_gone(clock):
    office = Office(clock, count=1, per_pixel=0.05 / PIXELS)
    office.train()
    office.scheduler.turn(office.order, office.post, Order)
    assert office.frames == []
    assert office.pacing.coarse == {}


def test_a_coarse_picture_moves_along_with_its_view(clock):
    office = Office(clock, count=1, per_pixel=1.0 / PIXELS)
    office.scheduler.turn(office.order, office.post, lambda: replace(office.order, request=replace(VIEW)))
    assert [frame.scene.exact for frame in office.frames] == [False]
