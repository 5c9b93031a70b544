"""The worker trains away from the window; only frames of the newest job arrive; it ends when asked."""

import threading

import pytest

from tests.run.fakes import Counting, two_points
from vizml.run.request import RenderRequest
from vizml.run.runner import Runner
from vizml.run.worker import await_closed
from vizml.scene.viewport import Viewport

VIEW = RenderRequest(Viewport((-2.0, 2.0, -1.0, 1.0), 60, 40))


@pytest.fixture
def runner(qapp):
    runner = Runner()
    runner.show(VIEW)
    yield runner
    runner.close()


@pytest.fixture
def frames(runner):
    arrived = []
    runner.frame.connect(arrived.append)
    return arrived


def start(runner, **settings):
    data = two_points()
    return runner.start(Counting(**settings), 0, data, data.take([]))


def test_a_short_run_simply_shows_its_result(qtbot, runner, frames):
    token = start(runner, count=5)
    qtbot.waitUntil(lambda: bool(frames) and not frames[-1].running)
    assert {frame.token for frame in frames} == {token}
    assert frames[-1].shown.state.note == "step 4"
    assert all(frame.count == 5 for frame in frames)


def test_a_long_run_is_watched_while_it_goes_on(qtbot, runner, frames):
    start(runner, count=300, wait=0.001)
    qtbot.waitUntil(lambda: bool(frames) and not frames[-1].running)
    assert any(frame.running for frame in frames)
    counts = [frame.count for frame in frames]
    assert counts == sorted(counts)
    assert counts[-1] == 300


def test_an_edit_supersedes_what_is_running(qtbot, runner, frames):
    first = start(runner, count=10_000, wait=0.001)
    qtbot.waitUntil(lambda: bool(frames))
    second = start(runner, count=2)
    seen = len(frames)
    assert second > first
    qtbot.waitUntil(lambda: frames[-1].token == second)
    assert all(frame.token == second for frame in frames[seen:])


def test_every_one_of_many_edits_at_once_leaves_only_the_last(qtbot, runner, frames):
    for _ in range(200):
        token = start(runner, count=3)
    qtbot.waitUntil(lambda: bool(frames) and frames[-1].token == token)
    assert {frame.token for frame in frames} == {token}


def test_a_moment_is_shown_while_training_goes_on(qtbot, runner, frames):
    start(runner, count=100_000, wait=0.001)
    qtbot.waitUntil(lambda: bool(frames) and frames[-1].count > 3)
    runner.show(RenderRequest(Viewport(VIEW.viewport.bounds, 60, 40), step=1))
    qtbot.waitUntil(lambda: frames[-1].shown.index == 1)
    assert frames[-1].running


def test_a_new_view_redraws_without_training_again(qtbot, runner, frames):
    start(runner, count=3)
    qtbot.waitUntil(lambda: bool(frames) and not frames[-1].running)
    runner.show(RenderRequest(Viewport((0.0, 1.0, 0.0, 1.0), 30, 20)))
    qtbot.waitUntil(lambda: frames[-1].request.viewport.width == 30)
    assert frames[-1].scene.region.image.shape == (20, 30, 4)
    assert frames[-1].count == 3


def test_cancel_ends_training_and_keeps_the_recording(qtbot, runner, frames):
    start(runner, count=100_000, wait=0.001)
    qtbot.waitUntil(lambda: bool(frames))
    runner.cancel()
    qtbot.waitUntil(lambda: not frames[-1].running)
    assert 0 < frames[-1].count < 100_000


@pytest.mark.parametrize("settings", [{"count": 10**9, "wait": 0.001}, {"count": 1, "checks": 10**9}])
def test_closing_while_training_ends_the_thread(qapp, settings):
    runner = Runner()
    runner.show(VIEW)
    start(runner, **settings)
    runner.close()
    await_closed()
    assert "vizml-worker" not in [thread.name for thread in threading.enumerate()]
