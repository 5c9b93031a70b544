"""The learning curve: would more points help?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.score_axis import left_out, score_axis
from vizml.evaluate.validation import Curve, learning_curves
from vizml.learn import CLASSIFY, REGRESS, integer
from vizml.scene import Axis, Chart, Series


@diagnostic("learning_curve", title="Learning curve", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class LearningCurve(Diagnostic):
    folds: int = integer(5, 2, 20, help="how many fits at each size")
    seed: int = integer(0, 0, 2**31 - 1, help="deals the points anew")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        k = min(self.folds, len(subject.train))
        for found in learning_curves(subject.model, subject.train, k=k, seed=self.seed):
            series = both(found, np.asarray(found.at, dtype=float))
            y = score_axis(subject.model.task, series)
            yield Chart(
                title="Learning curve",
                x=Axis(title="points learned from"),
                y=y,
                series=series,
                note=left_out(y, series, "n ="),
            )


def both(found: Curve, at: np.ndarray) -> tuple[Series, Series]:
    """The means on points learned from and on others, with a standard error around the latter."""
    rows = np.isfinite(found.test).any(axis=1)
    train = np.array([np.nanmean(row) for row in found.train[rows]])
    means, errors = found.means[rows], np.nan_to_num(found.errors[rows])
    return (
        Series(name="train", x=at[rows], y=train, ink="muted"),
        Series(name="cross-validated", x=at[rows], y=means, low=means - errors, high=means + errors),
    )
