"""Diagnostics are found out beside the window: growing, superseded, cancelled between two steps of a fit."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from tests.events import LIMIT, pass_events, wait_for
from tests.run.fakes import Counting, two_points
from vizml.evaluate.diagnostic import NO_OVERLAY, ChartResult, Diagnostic, DiagnosticSubject
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import fit_data
from vizml.run.runner import DiagnosticRunner
from vizml.run.worker import await_closed
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
        fit_data(Counting(count=10**9, wait=0.001), subject.train)
        yield result("at last")


@pytest.fixture
def runner(qapp):
    runner = DiagnosticRunner(paint_timeout=LIMIT)
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
    qtbot.waitUntil(lambda: bool(results) and not results[-1].done)
    qtbot.waitUntil(lambda: bool(results) and results[-1].done)
    assert results[-1].chart.note == "19"
    assert {result.token for result in results} == {token}


@pytest.mark.parametrize("error, told", [(ValueError, False), (ZeroDivisionError, True)])
@pytest.mark.usefixtures("logged_errors")
def test_an_error_is_a_sentence_and_only_a_fault_has_details(qtbot, runner, results, error, told):
    runner.start(Growing(breaks=error), subject())
    qtbot.waitUntil(lambda: bool(results) and results[-1].done)
    assert results[-1].failure.sentence == "no luck"
    assert bool(results[-1].failure.details) == told
    assert results[-1].chart.note == "2"


def test_a_new_question_supersedes_a_long_fit(qtbot, runner, results):
    runner.start(Fitting(), subject())
    wait_for(lambda: runner.busy)
    second = runner.start(Growing(), subject())
    qtbot.waitUntil(lambda: bool(results) and results[-1].done)
    assert {result.token for result in results} == {second}


@dataclass(frozen=True)
class Watched(Diagnostic):
    """Tells when it computes its second chart."""

    continued: threading.Event

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        yield result("first")
        self.continued.set()
        yield result("second")


def test_a_chart_is_painted_before_the_next_one_is_computed(qtbot, runner, results):
    continued, painted = threading.Event(), []

    class Painted(QWidget):
        def paintEvent(self, event):
            if results:
                painted.append(continued.is_set())

    widget = Painted()
    qtbot.addWidget(widget)
    widget.show()
    runner.result.connect(lambda _: widget.update())
    runner.start(Watched(continued), subject())
    qtbot.waitUntil(lambda: bool(painted) and results[-1].done)
    assert not painted[0]


def test_a_window_that_does_not_paint_is_waited_for_but_not_for_ever(qapp):
    runner, continued = DiagnosticRunner(paint_timeout=0.01), threading.Event()
    runner.start(Watched(continued), subject())
    wait_for(continued.is_set)  # and no event is looked at
    runner.close()


def test_it_is_busy_until_the_cancelled_fit_has_ended(qtbot, runner):
    assert not runner.busy
    runner.start(Fitting(), subject())
    qtbot.waitUntil(lambda: runner.busy)
    runner.cancel()
    qtbot.waitUntil(lambda: not runner.busy)


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
    runner.close()
    await_closed()
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
