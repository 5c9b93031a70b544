"""K-fold cross-validation: the score of each fold, their mean and scatter; the folds are on the stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.diagnostic import Diagnostic, Exhibit, Overlay, Subject, diagnostic
from vizml.evaluate.diagnostics.score_axis import left_out, score_axis, told
from vizml.evaluate.validation import CrossValidation, Fold, cross_validations
from vizml.learn import CLASSIFY, REGRESS, Task, flag, integer
from vizml.scene import Axis, Chart, Rule, Series

TOLD_APART = 10
"""So many folds have colours on the stage; of more, only the faint lines are to be seen."""
SEEDS = 2**31


@diagnostic("cross_validation", title="Cross-validation", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class CrossValidated(Diagnostic):
    folds: int = integer(10, 2, 100, help="how many parts the points are dealt into")
    leave_one_out: bool = flag(default=False, help="as many folds as points")
    repeats: int = integer(1, 1, 50, help="how often the points are dealt anew")
    seed: int = integer(0, 0, 2**31 - 1, help="deals the points anew")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        for exhibit in self.exhibits(subject):
            yield exhibit.chart

    def exhibits(self, subject: Subject) -> Iterator[Exhibit]:
        """Points in the colours of their folds, and the boundary that each fold was left out of."""
        count = len(subject.train)
        k = count if self.leave_one_out else min(self.folds, count)
        repeats = 1 if self.leave_one_out else self.repeats
        done: tuple[Fold, ...] = ()
        for repeat in range(repeats):
            for found in cross_validations(subject.model, subject.train, k, (self.seed + repeat) % SEEDS):
                chart = _chart(CrossValidation(done + found.folds), k, repeats, subject.model.task)
                yield Exhibit(chart, _overlay(found.folds, k, subject.train))
            done += found.folds


def _overlay(folds: tuple[Fold, ...], k: int, data: Dataset) -> Overlay:
    states = tuple(fold.state for fold in folds if fold.state is not None)
    if k > TOLD_APART or data.ids is None:
        return Overlay(states)
    ids = np.concatenate([data.ids[fold.test] for fold in folds])
    numbers = np.repeat(np.arange(len(folds)), [len(fold.test) for fold in folds])
    return Overlay(states, (ids, numbers))


def _chart(found: CrossValidation, k: int, repeats: int, task: Task) -> Chart:
    count, alone = len(found.folds), task is REGRESS and np.isnan(found.scores).all()
    at = np.arange(1.0, count + 1)
    title = "Leave-one-out" if k > 100 else f"{k}-fold cross-validation"
    note = f"fold {count} of {k * repeats}: mean {told(found.mean)} ± {told(found.error)}"
    if alone:
        note = f"fold {count} of {k * repeats}: a fold of one point has no variance to explain"
    series = (
        Series(name="on the other folds", x=at, y=found.train_scores, kind="dots", ink="muted"),
        Series(name="on its own", x=at, y=found.scores, kind="dots"),
    )
    y = score_axis(task, series)
    below = left_out(y, series, "fold")
    return Chart(
        title=title if repeats == 1 else f"{title}, {repeats} times",
        x=Axis(title="fold", low=0.0, high=k * repeats + 1.0),
        y=y,
        series=series,
        rules=() if alone else (Rule(name=f"mean {told(found.mean)}", y=found.mean, ink="accent"),),
        note=note
        if alone
        else f"{note}, deviation {told(found.deviation)}" + (f"; {below}" if below else ""),
    )
