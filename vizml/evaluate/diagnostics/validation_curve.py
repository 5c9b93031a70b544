"""The validation curve: the score against the values of a parameter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data.params import Integer, Real
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import (
    below_axis_note,
    param_of,
    parameter_field,
    score_axis,
    score_curves,
    score_text,
    search_offers,
    seed_field,
    value_text,
    varied_parameter,
)
from vizml.evaluate.validation import ScoreCurve, validation_curves, values_of
from vizml.learn import CLASSIFY, REGRESS, Model, integer
from vizml.scene import Axis, Chart


@diagnostic("validation_curve", title="Validation curve", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class ValidationCurve(Diagnostic):
    parameter: str = parameter_field("Parameter that is varied.")
    folds: int = integer(5, 2, 20, help="Number of cross-validation folds.")
    seed: int = seed_field("Random seed of the folds.")

    def varies(self, model: Model) -> tuple[str, ...]:
        return (varied_parameter(model, self.parameter, 0),)

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        (name,) = self.varies(subject.model)
        values = values_of(subject.model, name)
        k = min(self.folds, len(subject.train))
        for found in validation_curves(subject.model, subject.train, name, values, k, self.seed):
            yield ChartResult(_chart(subject.model, found))


def _chart(model: Model, found: ScoreCurve) -> Chart:
    param = param_of(model, found.name)
    numeric = isinstance(param, Real | Integer)
    at = np.asarray(found.at, dtype=float) if numeric else np.arange(float(len(found.at)))
    ticks = {} if numeric else {float(i): value_text(value, param) for i, value in enumerate(found.at)}
    best, simplest = (found.at[index] for index in (found.best, found.simplest))
    series = score_curves(found, at)
    y = score_axis(model.task, series)
    top = f"best at {param.label} {value_text(best, param)}: {score_text(found.means[found.best])}"
    notes = f"{top}; click a value to set it", below_axis_note(y, series, param.label) if numeric else ""
    return Chart(
        title=f"Validation curve of {param.label}",
        x=Axis(title=param.label, log=isinstance(param, Real | Integer) and param.log, ticks=ticks),
        y=y,
        series=series,
        sets=(found.name,),
        choices=(found.at,),
        offers=search_offers(model, {found.name: best}, {found.name: simplest}),
        note="; ".join(filter(None, notes)),
    )
