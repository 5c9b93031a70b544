"""K-fold cross-validation: the score of each fold, their mean, and how far they scatter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.validation import CrossValidation, cross_validations
from vizml.learn import CLASSIFY, REGRESS, Task, flag, integer
from vizml.scene import Axis, Chart, Rule, Series


@diagnostic("cross_validation", title="Cross-validation", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class CrossValidated(Diagnostic):
    folds: int = integer(10, 2, 100, help="how many parts the points are dealt into")
    leave_one_out: bool = flag(default=False, help="as many folds as points")
    seed: int = integer(0, 0, 2**31 - 1, help="deals the points anew")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        count = len(subject.train)
        k = count if self.leave_one_out else min(self.folds, count)
        for found in cross_validations(subject.model, subject.train, k, self.seed):
            yield _chart(found, k, subject.model.task)


def measure(task: Task) -> str:
    """What a score of the task is called."""
    return "R²" if task is Task.REGRESS else "accuracy"


def _chart(found: CrossValidation, k: int, task: Task) -> Chart:
    at = np.arange(1.0, len(found.folds) + 1)
    note = f"fold {len(found.folds)} of {k}: mean {found.mean:.3f} ± {found.error:.3f}"
    return Chart(
        title=f"{k}-fold cross-validation",
        x=Axis(title="fold", low=0.0, high=k + 1.0),
        y=Axis(title=measure(task)),
        series=(
            Series(name="on the other folds", x=at, y=found.train_scores, kind="dots", ink="muted"),
            Series(name="on its own", x=at, y=found.scores, kind="dots"),
        ),
        rules=(Rule(name=f"mean {found.mean:.3f}", y=found.mean, ink="accent"),),
        note=f"{note}, deviation {found.deviation:.3f}",
    )
