"""K-fold cross-validation: the scores of the folds with their mean and deviation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, Overlay, diagnostic
from vizml.evaluate.diagnostic_charts import below_axis_note, score_axis, score_text, seed_field
from vizml.evaluate.validation import CrossValidation, Fold, cross_validations
from vizml.learn import CLASSIFY, REGRESS, Task, flag, integer
from vizml.scene import Axis, Chart, Rule, Series

MAX_COLOURED = 10
"""Folds that have colours on the stage; with more of them only the lines of the fits are shown."""
LEAVE_ONE_OUT = 100
"""More folds than this can only be those of leave-one-out."""
SEEDS = 2**31


@diagnostic(
    "cross_validation", title="Cross-validation", tasks=(CLASSIFY, REGRESS),
    synonyms=("k-fold", "CV", "leave-one-out", "LOO"),
)  # fmt: skip
class CrossValidationScores(Diagnostic):
    """Scores of the folds of k-fold or leave-one-out cross-validation."""

    folds: int = integer(10, 2, 100, help="Number of folds.")
    leave_one_out: bool = flag(default=False, help="Use as many folds as points.")
    repeats: int = integer(1, 1, 50, help="Number of repetitions with different folds.")
    seed: int = seed_field("Random seed of the folds.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        """Colour the points by fold, and draw the fit without each fold."""
        count = len(subject.train)
        k = count if self.leave_one_out else min(self.folds, count)
        repeats = 1 if self.leave_one_out else self.repeats
        done: tuple[Fold, ...] = ()
        for repeat in range(repeats):
            for found in cross_validations(subject.model, subject.train, k, (self.seed + repeat) % SEEDS):
                chart = _chart(CrossValidation(done + found.folds), k, repeats, subject.model.task)
                yield ChartResult(chart, _overlay(found.folds, k, subject.train))
            done += found.folds


def _overlay(folds: tuple[Fold, ...], k: int, data: Dataset) -> Overlay:
    states = tuple(fold.state for fold in folds if fold.state is not None)
    if k > MAX_COLOURED:
        return Overlay(states)
    ids = np.concatenate([data.ids[fold.test] for fold in folds])
    numbers = np.repeat(np.arange(len(folds)), [len(fold.test) for fold in folds])
    return Overlay(states, (ids, numbers))


def _chart(found: CrossValidation, k: int, repeats: int, task: Task) -> Chart:
    count, undefined = len(found.folds), task is REGRESS and bool(np.isnan(found.scores).all())
    at = np.arange(1.0, count + 1)
    title = "Leave-one-out" if k > LEAVE_ONE_OUT else f"{k}-fold cross-validation"
    series = (
        Series(name="training folds", x=at, y=found.train_scores, kind="dots", ink="muted"),
        Series(name="test fold", x=at, y=found.scores, kind="dots"),
    )
    y, mean = score_axis(task, series), score_text(found.mean)
    spread = f"mean {mean}"
    if np.isfinite(found.error):
        spread += f" ± {score_text(found.error)}, standard deviation {score_text(found.deviation)}"
    notes = (
        ("R² of a single point is undefined",) if undefined else (spread, below_axis_note(y, series, "fold"))
    )
    return Chart(
        title=title if repeats == 1 else f"{title}, {repeats} times",
        x=Axis(title="fold", low=0.0, high=k * repeats + 1.0),
        y=y,
        series=series,
        rules=() if undefined else (Rule(name=f"mean {mean}", y=found.mean, ink="accent"),),
        note=f"fold {count} of {k * repeats}: " + "; ".join(filter(None, notes)),
    )
