"""The learning curve: the score against the number of training points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import below_axis_note, score_axis, score_curves, seed_field
from vizml.evaluate.validation import learning_curves
from vizml.learn import CLASSIFY, REGRESS, integer
from vizml.scene import Axis, Chart


@diagnostic("learning_curve", title="Learning curve", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class LearningCurve(Diagnostic):
    folds: int = integer(5, 2, 20, help="Number of cross-validation folds.")
    seed: int = seed_field("Random seed of the folds.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        k = min(self.folds, len(subject.train))
        for found in learning_curves(subject.model, subject.train, k=k, seed=self.seed):
            series = score_curves(found, np.asarray(found.at, dtype=float))
            y = score_axis(subject.model.task, series)
            note = below_axis_note(y, series, "n =")
            chart = Chart(
                title="Learning curve", x=Axis(title="training points"), y=y, series=series, note=note
            )
            yield ChartResult(chart)
