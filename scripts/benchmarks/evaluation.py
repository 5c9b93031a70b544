"""The evaluation lab: ROC and cross-validation by themselves, a grid search in the real window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer

from benchmarks.timing import best
from desk import Desk
from vizml import data, evaluate, learn
from vizml.evaluate.diagnostics.search import GridSearch
from vizml.run.diagnostic_worker import DiagnosticResult

SCORES, FOLDED, SEARCHED = 100_000, 500, 200
TICK = 0.005
WAIT = 0.5
"""Seconds of a search before it is cancelled."""


@dataclass(frozen=True)
class Figure:
    """What was measured, in milliseconds, and what it should stay under."""

    what: str
    took: float
    goal: float


def figures(desk: Desk) -> Iterator[Figure]:
    """All of them; the search is asked for as people do, at the dock."""
    yield roc()
    yield cross_validation()
    yield from search(desk)
    yield cancel(desk)


def roc() -> Figure:
    """The curve and its area, of scores without ties."""
    rng = np.random.default_rng(0)
    truth = rng.random(SCORES) < 0.4
    scores = rng.normal(size=SCORES) + truth
    took, _ = best(lambda: evaluate.roc(truth, scores).auc)
    return Figure(f"ROC of {SCORES:,} points", took * 1e3, 50.0)


def cross_validation() -> Figure:
    """Ten fits of the SVM."""
    points = data.generate("moons", n=FOLDED, noise=0.3, seed=0)
    model = learn.create("svm")
    took, _ = best(lambda: evaluate.cross_validate(model, points.points, points.labels, k=10))
    return Figure(f"10-fold cross-validation of the SVM, n {FOLDED}", took * 1e3, 500.0)


def search(desk: Desk) -> Iterator[Figure]:
    """A grid search of 10 x 10 cells and 5 folds while the window lives, and does nothing else."""
    _prepare(desk)
    lab, ticks, found, loop = desk.window.diagnostic_docks.controller, [], [], QEventLoop()

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
    desk.window.diagnostic_docks.diagnostics.choose(GridSearch.title)
    loop.exec()  # it sleeps between events, as the program does
    timer.stop()
    lab.found.disconnect(note)
    between = np.diff([started, *ticks]) * 1e3
    yield Figure("first cells of a grid search", (found[0] - started) * 1e3, 300.0)
    yield Figure(f"all 10 x 10 cells, 5 folds, n {SEARCHED}", (found[-1] - started) * 1e3, 10_000.0)
    yield Figure("gaps of the window meanwhile, p99", float(np.percentile(between, 99)), 33.0)


def cancel(desk: Desk) -> Figure:
    """From the click on the cross to the last bit of work."""
    _prepare(desk)
    diagnostic_docks = desk.window.diagnostic_docks
    diagnostic_docks.diagnostics.choose(GridSearch.title)
    desk.rest(WAIT)
    started = perf_counter()
    diagnostic_docks.diagnostics.status.cancel.click()
    desk.until(lambda: not diagnostic_docks.controller.runner.busy)
    return Figure("cancelling it", (perf_counter() - started) * 1e3, 100.0)


def _prepare(desk: Desk) -> None:
    """Fresh points and the SVM, the dock open, nothing to be found out."""
    desk.window.docks.show(desk.window.docks.diagnostics, shown=True)
    desk.window.diagnostic_docks.diagnostics.choose("")
    desk.document.set_model(learn.create("svm"))
    desk.document.set_dataset("draw", data.generate("moons", n=SEARCHED, noise=0.3, seed=0))
    desk.settle()
    desk.rest()
