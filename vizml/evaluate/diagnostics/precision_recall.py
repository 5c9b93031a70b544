"""The precision-recall curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import (
    ClassifierCurve,
    class_series,
    compared_series,
    compares_classifiers,
    comparison_note,
)
from vizml.evaluate.ranking import pr
from vizml.field.arrays import Floats, Mask
from vizml.learn import CLASSIFY
from vizml.scene import Axis, Chart, Rule


@diagnostic("precision_recall", title="Precision and recall", tasks=(CLASSIFY,), live=True, compares=True)
@dataclass(frozen=True)
class PrecisionRecallCurve(Diagnostic):
    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        series = list(class_series(subject, _curve, "AP"))
        note = series[0].name if len(series) == 1 else ""  # a single curve has no legend
        if compares_classifiers(subject):
            series = list(compared_series(subject, _curve))
            note = comparison_note(subject, "average precision")
        chart = Chart(
            title="Precision and recall",
            x=Axis(title="recall", low=0.0, high=1.0),
            y=Axis(title="precision", low=0.0, high=1.0),
            series=tuple(series),
            rules=tuple(_random_classifier(subject)),
            note=note,
        )
        yield ChartResult(chart)


def _random_classifier(subject: DiagnosticSubject) -> Iterator[Rule]:
    """Yield the precision of a random classifier for two classes: the share of positives."""
    classes = subject.classifier().classes
    for data in list(subject.parts().values())[:1] if len(classes) == 2 else ():
        yield Rule(name="random classifier", y=float(np.mean(data.labels == classes[1])))


def _curve(positive: Mask, lead: Floats) -> ClassifierCurve:
    curve = pr(positive, lead)
    return ClassifierCurve(curve.recall, curve.precision, curve.ap, kind="step")
