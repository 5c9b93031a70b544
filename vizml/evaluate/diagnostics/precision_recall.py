"""The precision-recall curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import (
    STROKES,
    ClassifierCurve,
    compared_series,
    compares_classifiers,
    comparison_note,
)
from vizml.evaluate.metrics import one_vs_rest_scores
from vizml.evaluate.ranking import pr
from vizml.field.arrays import Floats, Mask
from vizml.learn import CLASSIFY
from vizml.scene import Axis, Chart, Rule, Series


@diagnostic("precision_recall", title="Precision and recall", tasks=(CLASSIFY,), live=True, compares=True)
@dataclass(frozen=True)
class PrecisionRecallCurve(Diagnostic):
    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.classifier()
        series: list[Series] = []
        rules: list[Rule] = []
        for part, data in subject.parts().items():
            for label, lead in one_vs_rest_scores(state, data.X):
                curve = pr(data.labels == label, lead)
                name = f"{data.name(label)}, {part}: AP {curve.ap:.3f}"
                series.append(
                    Series(
                        name=name,
                        x=curve.recall,
                        y=curve.precision,
                        ink=label,
                        kind="step",
                        stroke=STROKES[part],
                    )
                )
                if len(state.classes) == 2 and not rules:
                    rules.append(Rule(name="random classifier", y=float(np.mean(data.labels == label))))
        note = series[0].name if len(series) == 1 else ""  # a single curve has no legend
        if compares_classifiers(subject):
            series = list(compared_series(subject, _curve))
            note = comparison_note(subject, "average precision")
        chart = Chart(
            title="Precision and recall",
            x=Axis(title="recall", low=0.0, high=1.0),
            y=Axis(title="precision", low=0.0, high=1.0),
            series=tuple(series),
            rules=tuple(rules),
            note=note,
        )
        yield ChartResult(chart)


def _curve(positive: Mask, lead: Floats) -> ClassifierCurve:
    curve = pr(positive, lead)
    return ClassifierCurve(curve.recall, curve.precision, curve.ap, kind="step")
