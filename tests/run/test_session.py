"""A session trains in slices, ends errors in a sentence, and shows any moment."""

from dataclasses import replace

import pytest

from tests.run.clock import Clock, Timed
from tests.run.fakes import Counting, two_points
from vizml.data import Dataset
from vizml.learn import CannotLearn, create
from vizml.run.compose import COARSE, ROUGH, RenderPacing
from vizml.run.request import Job, RenderRequest
from vizml.run.session import Session
from vizml.scene.viewport import Viewport

VIEW = RenderRequest(Viewport((-2.0, 2.0, -1.0, 1.0), 60, 40))


def session(pacing=None, **settings):
    data = settings.pop("data", two_points())
    return Session(Job(1, Counting(**settings), 0, data, data.take([])), pacing)


def last_frame(run, request=VIEW):
    return list(run.frames(request, lambda: True))[-1]


def test_a_slice_ends_in_time(monkeypatch):
    clock, data = Clock(), two_points()
    clock.stop_in(monkeypatch, "session")
    run = Session(Job(1, Timed(clock, count=1000, step=0.002), 0, data, data.take([])))
    run.advance(0.0195)
    assert run.running
    assert len(run.recording.states) == 10
    assert run.seconds == pytest.approx(0.02)


def test_any_moment_can_be_shown_again():
    run = session(count=5)
    run.advance(1.0)
    frame = last_frame(run, RenderRequest(Viewport(VIEW.viewport.bounds, 60, 40), step=1))
    assert frame.shown.state.note == "step 1"
    assert last_frame(run, RenderRequest(Viewport(VIEW.viewport.bounds, 60, 40), step=99)).shown.index == 4


def test_scores_on_seen_and_unseen_points():
    data = two_points()
    held = Dataset([[3.0, 0.0], [-3.0, 0.0]], [1, 1])
    run = Session(Job(1, Counting(count=1), 0, data, held))
    run.advance(1.0)
    moment = last_frame(run).shown
    assert (moment.train, moment.held) == (1.0, 0.5)
    assert all(frame.held is held for frame in run.frames(VIEW, lambda: True))


def test_an_error_ends_the_run_with_a_sentence_and_keeps_what_was_learned(logged_errors):
    run = session(count=3, breaks=ZeroDivisionError)
    run.advance(1.0)
    frame = last_frame(run)
    assert not frame.running
    assert frame.failure.sentence == "Counting stopped: the floor is wet"
    assert "ZeroDivisionError" in frame.failure.details
    assert frame.count == 3
    assert frame.scene is not None


def test_a_refusal_is_its_own_sentence():
    run = session(count=0, breaks=CannotLearn)
    run.advance(1.0)
    frame = last_frame(run)
    assert frame.failure.sentence == "the floor is wet"
    assert frame.scene is None


@pytest.mark.parametrize("task, model", [("classify", "svm"), ("regress", "linear")])
@pytest.mark.parametrize("far", ["training", "held out"])
def test_coordinates_too_large_to_compute_with_are_refused_wherever_they_are(task, model, far):
    near, there = two_points(), Dataset([[1e200, 0.0], [3.0, 1.0]], [0, 1])
    parts = (there, near) if far == "training" else (near, there)
    run = Session(Job(1, create(model, task), 0, *parts))
    run.advance(1.0)
    sentence = last_frame(run).failure.sentence
    assert sentence == "coordinates beyond 1e+18 cannot be computed with: choose another unit"


def test_no_points_no_run():
    run = session(data=Dataset.empty())
    run.advance(1.0)
    assert "add at least one labelled point" in last_frame(run).failure.sentence


def test_a_slow_field_appears_coarse_first():
    run = session(RenderPacing(1.0, {COARSE: 0.01}), count=1)
    run.advance(1.0)
    exact = [frame.scene.exact for frame in run.frames(VIEW, lambda: True)]
    assert exact == [False, True]


def test_where_a_coarse_picture_takes_long_a_rough_one_comes_first():
    run = session(RenderPacing(1.0 / VIEW.viewport.pixels, {COARSE: 0.3}), count=1)
    run.advance(1.0)
    first, last = run.frames(VIEW, lambda: True)
    assert first.scene.region.image.shape[:2] == (
        max(VIEW.viewport.height // ROUGH, 2),
        max(VIEW.viewport.width // ROUGH, 2),
    )
    assert [first.scene.exact, last.scene.exact] == [False, True]


def test_while_the_same_state_moves_the_next_exact_picture_is_waited_for():
    pacing, pixels = RenderPacing(), VIEW.viewport.pixels
    run = session(pacing, count=2)
    run.advance(1.0)
    moved = VIEW.over(Viewport((-1.9, 2.1, -1.0, 1.0), 60, 40))

    def shown(request, seconds):
        pacing.seconds_per_pixel = seconds / pixels
        scenes = dict.fromkeys(frame.scene for frame in run.frames(request, lambda: True))
        return [scene.exact for scene in scenes]  # a frame with late scores has the scene of the one before

    assert shown(VIEW, 0.1) == [False, True]
    assert shown(moved, 0.1) == [True]
    assert shown(VIEW, 0.3) == [False, True]
    assert shown(replace(moved, step=0), 0.1) == [False, True]  # another state is news
