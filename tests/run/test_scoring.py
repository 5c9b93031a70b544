"""Figures of a moment come with its picture where they are quick, and after it where they are not."""

from dataclasses import replace

import numpy as np
import pytest

from tests.run.clock import Clock, Timed
from tests.run.fakes import Counting, two_points
from vizml.data import Dataset
from vizml.evaluate.diagnostic import Overlay
from vizml.evaluate.metrics import BATCH
from vizml.learn import CannotLearn, create
from vizml.run.compose import RenderPacing
from vizml.run.layers import OTHER_FITS, OTHER_MODEL, DifferenceLayer, OverlayLayer
from vizml.run.request import Job, RenderRequest
from vizml.run.session import QUICK_POINTS, QUICK_SCORING, Session
from vizml.scene import Look
from vizml.scene.viewport import Viewport

VIEW = RenderRequest(Viewport((-2.0, 2.0, -1.0, 1.0), 40, 32))
EVER = 1e9


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    clock.stop_in(monkeypatch, "session", "compose")
    return clock


def points(n):
    return Dataset(np.linspace(-1, 1, 2 * n).reshape(n, 2), np.arange(n) % 2)


def session(clock, train=None, held=None, **settings):
    train = two_points() if train is None else train
    return Session(Job(1, Timed(clock=clock, **settings), 0, train, held or train.take([])))


def frames(run, request=VIEW, wanted=lambda: True):
    return list(run.frames(request, wanted))


def figures(run, request=VIEW):
    return [frame.shown.train is not None for frame in frames(run, request)]


def test_few_points_are_scored_with_the_first_picture(clock):
    run = session(clock)
    run.advance(EVER)
    assert figures(run) == [True]


def test_many_points_are_scored_after_the_picture_of_a_finished_run(clock):
    run = session(clock, points(QUICK_POINTS + 1))
    run.advance(EVER)
    assert figures(run) == [False, True]
    assert figures(run) == [True]  # they are remembered


def test_many_points_are_not_scored_while_a_run_goes_on(clock):
    run = session(clock, points(QUICK_POINTS + 1), count=100, step=1.0)
    run.advance(3.0)
    assert run.running
    assert figures(run) == [False]


def test_scores_that_took_long_come_late_from_then_on(clock):
    run = session(clock, count=3, per_score=2 * QUICK_SCORING)
    run.advance(EVER)
    assert figures(run) == [True]
    assert figures(run, replace(VIEW, step=0)) == [False, True]


def test_scores_that_turn_out_quick_come_with_the_picture_again(clock):
    run = session(clock, points(QUICK_POINTS + 1), count=3)
    run.advance(EVER)
    assert figures(run) == [False, True]
    assert figures(run, replace(VIEW, step=0)) == [True]


def test_another_threshold_is_another_score(clock):
    run = session(clock, count=1)
    run.advance(EVER)
    moments = [frames(run, replace(VIEW, look=Look(threshold=t)))[-1].shown for t in (0.0, 99.0, -99.0, 0.0)]
    assert [moment.train for moment in moments] == [1.0, 0.5, 0.5, 1.0]


def test_nothing_held_out_has_no_score(clock):
    run = session(clock, count=1)
    run.advance(EVER)
    moment = frames(run)[-1].shown
    assert (moment.train, moment.held) == (1.0, None)


def test_before_the_first_step_there_is_a_frame_without_a_picture(clock):
    (frame,) = frames(session(clock))
    assert (frame.count, frame.scene, frame.shown, frame.running, frame.progress) == (
        0,
        None,
        None,
        True,
        None,
    )


def test_progress_is_that_of_the_newest_state_and_whole_at_the_end(clock):
    run = session(clock, count=4, step=1.0)
    run.advance(1.0)
    assert frames(run)[-1].progress == 0.25
    run.advance(EVER)
    assert frames(run)[-1].progress == 1.0


def test_seconds_are_those_of_training_alone(clock):
    run = session(clock, count=4, step=1.5, per_pixel=0.01)
    run.advance(EVER)
    assert frames(run)[-1].seconds == pytest.approx(6.0)


def test_a_slice_that_learned_nothing_new_says_so(clock):
    run = session(clock, count=2, step=1.0)
    assert run.advance(0.0) is False
    assert run.advance(0.5) is True
    assert len(run.recording.states) == 1  # a step that takes longer is made to its end
    assert run.advance(EVER) is True
    run.cancel()
    assert len(run.recording.states) == 2


def test_a_field_of_unknown_cost_is_timed_on_few_pixels_first(clock):
    quick, slow = session(clock, count=1), session(clock, count=1, per_pixel=1e-3)
    for run in (quick, slow):
        run.advance(EVER)
    assert [frame.scene.exact for frame in frames(quick)] == [True]
    assert [frame.scene.exact for frame in frames(slow)] == [False, True]
    assert [frame.scene.exact for frame in frames(slow)] == [False, True]


def test_an_overlay_and_a_rival_lie_over_the_picture(clock):
    run = session(clock, count=2)
    run.advance(EVER)
    other = run.recording.states[0]
    scene = frames(run, replace(VIEW, layers=(OverlayLayer(Overlay((other,))), DifferenceLayer(other))))[
        -1
    ].scene
    assert {OTHER_FITS, OTHER_MODEL} <= set(scene.layers)
    assert not {OTHER_FITS, OTHER_MODEL} & set(frames(run)[-1].scene.layers)


def test_a_picture_that_nobody_waits_for_ends_without_a_word(clock):
    run = session(clock, count=1)
    run.advance(EVER)
    assert frames(run, wanted=lambda: False) == []
    assert run.failure is None


class Stained(Timed):
    """Its states can not be painted."""

    breaks = ZeroDivisionError

    def steps(self, data, rng):
        for state in super().steps(data, rng):
            object.__setattr__(state, "at", self)  # no number
            yield state

    def __rsub__(self, other):
        raise self.breaks


@pytest.mark.parametrize(
    "error, sentence", [(ZeroDivisionError, "Timed stopped: ZeroDivisionError"), (CannotLearn, "")]
)
def test_a_state_that_can_not_be_painted_ends_the_run_with_a_sentence(
    clock, monkeypatch, error, sentence, logged_errors
):
    monkeypatch.setattr(Stained, "breaks", error)
    data = two_points()
    run = Session(Job(1, Stained(clock=clock, count=3, step=1.0), 0, data, data.take([])))
    run.advance(1.0)
    (frame,) = frames(run)
    assert (frame.scene, frame.running, frame.count) == (None, False, 1)
    assert frame.failure.sentence == sentence


def test_a_run_that_was_cancelled_does_not_go_on(clock):
    run = session(clock, count=100, step=1.0)
    run.advance(2.0)
    run.cancel()
    run.advance(EVER)
    assert len(run.recording.states) == 2
    assert frames(run)[-1].progress == 1.0


def test_a_frame_knows_each_step_and_its_loss():
    data = two_points()
    run = Session(Job(7, Counting(count=4), 0, data, data.take([])))
    run.advance(EVER)
    frame = frames(run)[-1]
    assert frame.token == 7
    assert frame.steps.tolist() == [1, 2, 3, 4]
    assert frame.losses == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])
    assert [state.note for state in frame.states] == [f"step {i}" for i in range(4)]
    assert np.array_equal(frame.request.viewport.raster.x, VIEW.viewport.raster.x)


def test_figures_that_take_long_are_given_up_between_two_parts_when_nobody_waits(clock):
    run = session(clock, train=points(3 * BATCH))
    while run.running:
        run.advance(EVER)
    shown = []
    coming = run.frames(VIEW, lambda: not shown)
    shown.append(next(coming))
    assert shown[0].shown.train is None
    assert not list(coming)
    again = frames(run)
    assert again[-1].shown.train is not None


def test_a_task_without_a_score_has_one_picture():
    data = two_points()
    run = Session(Job(1, create("kmeans", k=2), 0, data, data.take([])), RenderPacing(1e-12))
    run.advance(EVER)
    assert [frame.shown.train for frame in frames(run)] == [None]
