"""The validation curve: which value of a parameter holds on points that were not shown?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data.params import Integer, Real
from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.learning_curve import both
from vizml.evaluate.diagnostics.named import AUTO, name_of, param_of, word
from vizml.evaluate.diagnostics.score_axis import left_out, score_axis, told
from vizml.evaluate.validation import Curve, validation_curves, values_of
from vizml.learn import CLASSIFY, REGRESS, Model, integer, text
from vizml.scene import Axis, Chart, Offer


@diagnostic("validation_curve", title="Validation curve", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class ValidationCurve(Diagnostic):
    parameter: str = text(AUTO, str, "the name of a parameter, or auto", help="which parameter is varied")
    folds: int = integer(5, 2, 20, help="how many fits at each value")
    seed: int = integer(0, 0, 2**31 - 1, help="deals the points anew")

    def varies(self, model: Model) -> tuple[str, ...]:
        return (name_of(model, self.parameter, 0),)

    def charts(self, subject: Subject) -> Iterator[Chart]:
        name = name_of(subject.model, self.parameter, 0)
        values = values_of(subject.model, name)
        k = min(self.folds, len(subject.train))
        for found in validation_curves(subject.model, subject.train, name, values, k, self.seed):
            yield _chart(subject.model, found)


def _chart(model: Model, found: Curve) -> Chart:
    param = param_of(model, found.name)
    numeric = isinstance(param, Real | Integer)
    at = np.asarray(found.at, dtype=float) if numeric else np.arange(float(len(found.at)))
    ticks = {} if numeric else {float(i): word(value, param) for i, value in enumerate(found.at)}
    log = isinstance(param, Real | Integer) and param.log
    best, thrifty = (found.at[place] for place in (found.best, found.thrifty))
    named, simpler = word(best, param), word(thrifty, param)
    series = both(found, at)
    y = score_axis(model.task, series)
    below = left_out(y, series, param.label) if numeric else ""
    simple = "Within one standard error of the best, and fits its own points least"
    return Chart(
        title=f"Validation curve of {param.label}",
        x=Axis(title=param.label, log=log, ticks=ticks),
        y=y,
        series=series,
        sets=(found.name,),
        choices=(found.at,),
        offers=(
            Offer(text="Best", tip=f"Set {param.label} to {named}", values={found.name: best}),
            Offer(text="Simplest as good", tip=f"{simple}: {simpler}", values={found.name: thrifty}),
        ),
        note=f"best at {param.label} {named}: {told(found.means[found.best])}; click a value to set it"
        + (f"; {below}" if below else ""),
    )
