"""Times of evaluation: ROC, cross-validation, a grid search in the window, first results of diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer

from benchmarks.timing import best
from gallery import charts
from vizml import data, evaluate, learn
from vizml.evaluate.diagnostic import DiagnosticSubject
from vizml.evaluate.diagnostics.search import GridSearch
from vizml.evaluate.resampling import generator_samplers
from vizml.run.request import RunRequest
from vizml.run.worker import DiagnosticResult
from window_driver import WindowDriver

SCORES, FOLDED, SEARCHED = 100_000, 500, 200
TICK = 0.005
WAIT = 0.5
"""Seconds of a search before it is cancelled."""


@dataclass(frozen=True)
class Figure:
    """A measurement in milliseconds, and its goal."""

    what: str
    took: float
    goal: float


HEADER = f"{'measurement':52}{'ms':>10}{'goal':>10}"


def line(row: Figure) -> str:
    """Format a row."""
    return f"{row.what:52}{row.took:10.1f}{row.goal:10.0f}"


def measure(driver: WindowDriver, _: Sequence[str] = ()) -> Iterator[Figure]:
    """Measure all; the search is started in its dock."""
    yield roc()
    yield cross_validation()
    yield from search(driver)
    yield cancel(driver)
    yield from first_results()


def first_results() -> Iterator[Figure]:
    """Time the first result of each diagnostic, for model and data set of its picture in the gallery."""
    for kind, shown in charts.exhibits():
        points = data.load(re.sub(r"\bn=\d+", f"n={FOLDED}", shown.data))
        request = RunRequest(points, learn.create(shown.model, shown.task, **shown.values))
        recording, split = request.recording(), request.split
        sampler, noiseless = generator_samplers(shown.data, split)
        subject = DiagnosticSubject(
            request.model, request.seed, *split.parts(points), recording.states[-1], sampler=sampler,
            noiseless_sampler=noiseless, generator=shown.data, history=tuple(recording.states),
            steps=np.array(recording.steps),
        )  # fmt: skip
        chosen = kind(**shown.options)
        took, _ = best(lambda: next(iter(chosen.results(subject))), 3)  # noqa: B023 (called here)
        yield Figure(f"first result of {kind.title}, n {len(points)}", took * 1e3, 100.0)


def roc() -> Figure:
    """Time the ROC curve and its area for scores without ties."""
    rng = np.random.default_rng(0)
    truth = rng.random(SCORES) < 0.4
    scores = rng.normal(size=SCORES) + truth
    took, _ = best(lambda: evaluate.roc(truth, scores).auc)
    return Figure(f"ROC of {SCORES:,} points", took * 1e3, 50.0)


def cross_validation() -> Figure:
    """Time a 10-fold cross-validation of the SVM."""
    points = data.generate("moons", n=FOLDED, noise=0.3, seed=0)
    model = learn.create("svm")
    took, _ = best(lambda: evaluate.cross_validate(model, points.points, points.labels, k=10))
    return Figure(f"10-fold cross-validation of the SVM, n {FOLDED}", took * 1e3, 500.0)


def search(driver: WindowDriver) -> Iterator[Figure]:
    """Time a grid search of 10 x 10 cells and 5 folds, and the gaps in the event loop meanwhile."""
    _prepare(driver)
    lab, ticks, found, loop = driver.window.diagnostic_docks.controller, [], [], QEventLoop()

    def note(finding: DiagnosticResult) -> None:
        found.append(perf_counter())
        if finding.done:
            loop.quit()

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: ticks.append(perf_counter()))
    timer.start(int(TICK * 1000))
    lab.found.connect(note)
    started = perf_counter()
    driver.window.diagnostic_docks.diagnostics.choose(GridSearch.title)
    loop.exec()
    timer.stop()
    lab.found.disconnect(note)
    between = np.diff([started, *ticks]) * 1e3
    yield Figure("first cells of a grid search", (found[0] - started) * 1e3, 300.0)
    yield Figure(f"all 10 x 10 cells, 5 folds, n {SEARCHED}", (found[-1] - started) * 1e3, 10_000.0)
    yield Figure("gaps in the event loop meanwhile, p99", float(np.percentile(between, 99)), 33.0)


def cancel(driver: WindowDriver) -> Figure:
    """Time from the click on Cancel to the end of the work."""
    _prepare(driver)
    diagnostic_docks = driver.window.diagnostic_docks
    diagnostic_docks.diagnostics.choose(GridSearch.title)
    driver.rest(WAIT)
    started = perf_counter()
    diagnostic_docks.diagnostics.status.cancel.click()
    driver.until(lambda: not diagnostic_docks.controller.runner.busy)
    return Figure("cancelling it", (perf_counter() - started) * 1e3, 100.0)


def _prepare(driver: WindowDriver) -> None:
    """Set new points and the SVM, and open the dock without a diagnostic."""
    driver.window.docks.show(driver.window.docks.diagnostics, shown=True)
    driver.window.diagnostic_docks.diagnostics.choose("")
    driver.document.set_model(learn.create("svm"))
    driver.document.set_dataset("draw", data.generate("moons", n=SEARCHED, noise=0.3, seed=0))
    driver.settle()
    driver.rest()
