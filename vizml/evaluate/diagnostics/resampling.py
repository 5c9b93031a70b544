"""Bootstrap beside cross-validation: estimates of the score on new points, with intervals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import score_axis, score_text, seed_field
from vizml.evaluate.diagnostics.bootstrap import EVERY, INSIDE, refits
from vizml.evaluate.validation import CrossValidation, cross_validations, score_or_nan
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, fit_data, integer, real
from vizml.scene import Axis, Chart, Rule, Series

FRESH_SAMPLES = 10
"""Fresh samples on which the score is measured."""
NAMES = ("train", "bootstrap", "OOB", ".632", "CV")
"""Short names: the chart is narrow in a dock."""


@diagnostic(
    "resampling", title="Bootstrap and cross-validation", tasks=(CLASSIFY, REGRESS),
    synonyms=("bootstrap vs CV", ".632 estimator", "prediction error", "optimism"),
)  # fmt: skip
class ResamplingEstimates(Diagnostic):
    """Estimates of the score on new points: on the training points, by bootstrap samples on all points or on
    those outside each sample, .632, which weights these, and by cross-validation.
    """

    draws: int = integer(100, 3, 1000, help="Number of bootstrap samples.")
    folds: int = integer(10, 2, 100, help="Number of folds of the cross-validation.")
    level: float = real(
        95.0, 50.0, 99.9, help="Percentiles of samples or folds that the whiskers span.", unit="%"
    )
    seed: int = seed_field("Random seed of folds and samples.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        train = subject.train
        whole = fit_data(subject.model, train, subject.seed)
        apparent = score_or_nan(whole, train)
        rows, validation = np.empty((0, 2)), CrossValidation(())
        for validation in cross_validations(subject.model, train, min(self.folds, len(train)), self.seed):
            yield self._result(subject, apparent, rows, validation)
        for state, _, outside in refits(subject, self.draws, self.seed):
            rows = np.vstack([rows, [score_or_nan(state, train), score_or_nan(state, outside)]])
            if len(rows) % EVERY == 0 or len(rows) == self.draws:
                yield self._result(subject, apparent, rows, validation)
        if subject.sampler is not None:
            samples = (subject.sampler(i) for i in range(FRESH_SAMPLES))
            fresh = float(np.mean([score_or_nan(whole, sample) for sample in samples]))
            yield self._result(subject, apparent, rows, validation, fresh)

    def _result(
        self, subject: DiagnosticSubject, apparent: float, rows: Floats, validation: CrossValidation,
        fresh: float | None = None,
    ) -> ChartResult:  # fmt: skip
        """Return the chart of bootstrap scores (draws, 2), on all points and outside, and of the folds."""
        weighted = (1.0 - INSIDE) * apparent + INSIDE * rows[:, 1]
        parts = [np.array([apparent]), rows[:, 0], rows[:, 1], weighted, validation.scores]
        known = [(k, part[np.isfinite(part)]) for k, part in enumerate(parts) if np.isfinite(part).any()]
        at = np.array([float(k) for k, _ in known])
        tails = 50 - self.level / 2, 50 + self.level / 2
        low, high = np.array([np.percentile(part, tails) for _, part in known]).T
        means = np.array([part.mean() for _, part in known])
        series = (Series(name="mean and percentiles", x=at, y=means, low=low, high=high, kind="dots"),)
        figures = ", ".join(f"{NAMES[k]} {score_text(mean)}" for (k, _), mean in zip(known, means.tolist()))
        rules = () if fresh is None else (Rule(name="fresh points", y=fresh, ink="text"),)
        beside = "" if fresh is None else f"; on fresh points {score_text(fresh)}"
        chart = Chart(
            title="Bootstrap and cross-validation",
            x=Axis(ticks=dict(enumerate(NAMES)), low=-0.5, high=len(NAMES) - 0.5),
            y=score_axis(subject.model.task, series), series=series, rules=rules,
            note=f"{len(rows)} of {self.draws} samples; {figures}{beside}",
        )  # fmt: skip
        return ChartResult(chart)
