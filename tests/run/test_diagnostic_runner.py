"""Diagnostics are found out beside the window: growing, superseded, cancelled between two steps of a fit."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from tests.events import pass_events
from tests.run.fakes import Counting, two_points
from vizml.evaluate.diagnostic import NO_OVERLAY, ChartResult, Diagnostic, DiagnosticSubject
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import fit_data
from vizml.run.runner import DiagnosticRunner
from vizml.scene import Axis, Chart


def result(note):
    return ChartResult(Chart(title="t", x=Axis(title="x"), y=Axis(title="y"), note=note))


@dataclass(frozen=True)
class Growing(Diagnostic):
    count: int = 3
    wait: float = 0.0
    breaks: type[Exception] | None = None

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        for i in range(self.count):
            time.sleep(self.wait)
            yield result(str(i))
        if self.breaks is not None:
            raise self.breaks("no luck")


@dataclass(frozen=True)
class Fitting(Diagnostic):
    """One long fit, of which nothing is shown before its end."""

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        fit_data(Counting(count=100_000, wait=0.001), subject.train)
        yield result("at last")


@pytest.fixture
def runner(qapp):
    runner = DiagnosticRunner()
    yield runner
    runner.close()


@pytest.fixture
def results(runner):
    found = []
    runner.result.connect(found.append)
    return found


def subject():
    data = two_points()
    return DiagnosticSubject(Counting(), 0, data, data.take([]))


def test_charts_arrive_to_the_last(qtbot, runner, results):
    token = runner.start(Growing(count=20, wait=0.02), subject())
    qtbot.waitUntil(lambda: bool(results) and results[-1].done)
    assert results[-1].chart.note == "19"
    assert {result.token for result in results} == {token}
    assert len(results) > 2


@pytest.mark.parametrize("error, told", [(ValueError, False), (ZeroDivisionError, True)])
@pytest.mark.usefixtures("logged_errors")
def test_an_error_is_a_sentence_and_only_a_fault_has_details(qtbot, runner, results, error, told):
    runner.start(Growing(breaks=error), subject())
    qtbot.waitUntil(lambda: bool(results) and results[-1].done)
    assert results[-1].failure.sentence == "no luck"
    assert bool(results[-1].failure.details) == told
    assert results[-1].chart.note == "2"


def test_a_new_question_supersedes_a_long_fit_within_a_tenth_of_a_second(qtbot, runner, results):
    runner.start(Fitting(), subject())
    time.sleep(0.05)
    started = time.perf_counter()
    second = runner.start(Growing(), subject())
    qtbot.waitUntil(lambda: bool(results) and results[-1].done)
    assert time.perf_counter() - started < 0.1
    assert {result.token for result in results} == {second}


@dataclass(frozen=True)
class Watched(Diagnostic):
    """Notes when it is at work."""

    worked: list[float]

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        ended = time.perf_counter() + 0.6
        while time.perf_counter() < ended:
            time.sleep(0.001)
            self.worked.append(time.perf_counter())
            yield result(str(len(self.worked)))


class Slow(QWidget):
    """Takes a while to paint, as a chart with many words does."""

    def __init__(self):
        super().__init__()
        self.painted = []

    def paintEvent(self, event):
        started = time.perf_counter()
        time.sleep(0.04)
        self.painted.append((started, time.perf_counter()))


def test_nothing_is_found_out_while_the_window_paints_what_was(qtbot, runner, results):
    slow, worked = Slow(), []
    qtbot.addWidget(slow)
    slow.show()
    qtbot.waitUntil(lambda: bool(slow.painted))
    slow.painted.clear()
    runner.result.connect(lambda _: slow.update())
    runner.start(Watched(worked), subject())
    qtbot.waitUntil(lambda: bool(results) and results[-1].done)
    assert len(slow.painted) >= 3
    during = [start < at < end for at in worked for start, end in slow.painted]
    assert not any(during)
    assert not runner.busy


def test_a_window_that_does_not_paint_is_waited_for_but_not_for_ever(runner):
    worked = []
    started = time.perf_counter()
    runner.start(Watched(worked), subject())
    while runner.busy or not worked:
        time.sleep(0.005)  # and no event is looked at
    gaps = np.diff([started, *worked])
    assert 0.25 < gaps.max() < 0.45


def test_it_is_busy_until_the_cancelled_fit_has_ended(qtbot, runner):
    assert not runner.busy
    runner.start(Fitting(), subject())
    qtbot.waitUntil(lambda: runner.busy)
    runner.cancel()
    started = time.perf_counter()
    qtbot.waitUntil(lambda: not runner.busy)
    assert time.perf_counter() - started < 0.1


def test_what_shows_nothing_on_the_stage_leaves_the_stage_alone():
    overlays = [result.overlay for result in Growing().results(subject())]
    assert len(overlays) == 3
    assert all(overlay is NO_OVERLAY for overlay in overlays)


def test_cancel_leaves_nothing_to_arrive(qtbot, runner, results):
    runner.start(Growing(count=1000, wait=0.001), subject())
    qtbot.waitUntil(lambda: bool(results))
    runner.cancel()
    seen = len(results)
    qtbot.waitUntil(lambda: not runner.busy)
    pass_events()
    assert len(results) == seen


def test_closing_ends_the_thread_in_the_middle_of_a_fit(qapp):
    runner = DiagnosticRunner()
    runner.start(Fitting(), subject())
    started = time.perf_counter()
    runner.close()
    assert time.perf_counter() - started < 0.5
    assert "vizml-diagnostics" not in [thread.name for thread in threading.enumerate()]


def test_no_thread_before_the_first_question(qapp):
    DiagnosticRunner().close()
    assert "vizml-diagnostics" not in [thread.name for thread in threading.enumerate()]


def test_a_run_is_interrupted_however_deep_it_was_started():
    steps = []

    def unwanted():
        steps.append(1)
        return len(steps) > 5

    with pytest.raises(Cancelled), cancellable(unwanted):
        fit_data(Counting(count=100), two_points())
    assert len(steps) == 6
    assert np.isfinite(fit_data(Counting(count=3), two_points()).loss)
