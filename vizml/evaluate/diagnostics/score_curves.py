"""The learning curve, the score by number of training points, and the validation curve, by a parameter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.data.params import Integer, Real
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import (
    UNDEFINED,
    accuracy_rules,
    bayes_note,
    below_axis_note,
    param_of,
    parameter_field,
    score_axis,
    score_text,
    search_offers,
    seed_field,
    value_text,
    varied_parameter,
)
from vizml.evaluate.validation import ScoreCurve, learning_curves, validation_curves
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, Model, integer
from vizml.scene import Axis, Chart, Rule, Series


@diagnostic(
    "learning_curve", title="Learning curve", tasks=(CLASSIFY, REGRESS), synonyms=("sample size", "more data")
)
class LearningCurve(Diagnostic):
    """Training and validation score by the number of training points."""

    folds: int = integer(5, 2, 20, help="Number of cross-validation folds.")
    seed: int = seed_field("Random seed of the folds.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        k = min(self.folds, len(subject.train))
        for found in learning_curves(subject.model, subject.train, k=k, seed=self.seed):
            series = score_series(found, np.asarray(found.at, dtype=float))
            y = score_axis(subject.model.task, series)
            notes = below_axis_note(y, series, "n ="), bayes_note(subject, series[1].y)
            chart = Chart(
                title="Learning curve", x=Axis(title="training points"), y=y, series=series,
                rules=accuracy_rules(subject), note="; ".join(filter(None, notes)),
            )  # fmt: skip
            yield ChartResult(chart)


@diagnostic(
    "validation_curve", title="Validation curve", tasks=(CLASSIFY, REGRESS),
    synonyms=("overfitting", "model complexity", "choosing hyperparameters"),
)  # fmt: skip
class ValidationCurve(Diagnostic):
    """Training and validation score by the value of a parameter."""

    parameter: str = parameter_field("Parameter that is varied.")
    folds: int = integer(5, 2, 20, help="Number of cross-validation folds.")
    seed: int = seed_field("Random seed of the folds.")

    def varies(self, model: Model) -> tuple[str, ...]:
        return (varied_parameter(model, self.parameter, 0),)

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        (name,) = self.varies(subject.model)
        k = min(self.folds, len(subject.train))
        for found in validation_curves(subject.model, subject.train, name, k=k, seed=self.seed):
            yield ChartResult(_validation_chart(subject.model, found, accuracy_rules(subject)))


def score_series(found: ScoreCurve, at: Floats) -> tuple[Series, Series]:
    """Return the mean training scores, and the mean test scores with their standard error."""
    rows = np.isfinite(found.test).any(axis=1)
    means, errors = found.means[rows], np.nan_to_num(found.errors[rows])
    return (
        Series(name="train", x=at[rows], y=found.train_means[rows], ink="muted"),
        Series(name="cross-validated", x=at[rows], y=means, low=means - errors, high=means + errors),
    )


def _validation_chart(model: Model, found: ScoreCurve, rules: tuple[Rule, ...]) -> Chart:
    param = param_of(model, found.name)
    numeric = isinstance(param, Real | Integer)
    at = np.asarray(found.at, dtype=float) if numeric else np.arange(float(len(found.at)))
    ticks = {} if numeric else {float(i): value_text(value, param) for i, value in enumerate(found.at)}
    best, simplest = (found.at[index] for index in (found.best, found.simplest))
    series = score_series(found, at)
    y = score_axis(model.task, series)
    known = bool(np.isfinite(found.means).any())
    top = f"best at {param.label} {value_text(best, param)}: {score_text(found.means[found.best])}"
    notes = (
        f"{top if known else UNDEFINED}; click a value to set it",
        below_axis_note(y, series, param.label) if numeric else "",
    )
    return Chart(
        title=f"Validation curve of {param.label}",
        x=Axis(title=param.label, log=isinstance(param, Real | Integer) and param.log, ticks=ticks),
        y=y,
        series=series,
        rules=rules,
        sets=(found.name,),
        choices=(found.at,),
        offers=search_offers(model, {found.name: best}, {found.name: simplest}) if known else (),
        note="; ".join(filter(None, notes)),
    )
