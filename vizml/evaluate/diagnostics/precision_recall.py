"""Precision against recall as the threshold moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.company import Line, note_of, series_of, several
from vizml.evaluate.diagnostics.parts import STROKES, Floats, Mask, classifier, judged
from vizml.evaluate.judging import against_rest
from vizml.evaluate.ranking import pr
from vizml.learn import CLASSIFY
from vizml.scene import Axis, Chart, Rule, Series


@diagnostic("precision_recall", title="Precision and recall", tasks=(CLASSIFY,), live=True, several=True)
@dataclass(frozen=True)
class PrecisionRecallCurve(Diagnostic):
    def charts(self, subject: Subject) -> Iterator[Chart]:
        state = classifier(subject)
        series: list[Series] = []
        rules: list[Rule] = []
        for part, data in judged(subject):
            for label, lead in against_rest(state, data.points):
                curve = pr(data.labels == label, lead)
                name = f"{data.name(label)}, {part}: AP {curve.ap:.3f}"
                line = Series(name=name, x=curve.recall, y=curve.precision, ink=label, kind="step")
                series.append(replace(line, stroke=STROKES[part]))
                if len(state.classes) == 2 and not rules:
                    rules.append(Rule(name="by chance", y=float(np.mean(data.labels == label))))
        if several(subject):
            series = list(series_of(subject, _line))
        yield Chart(
            title="Precision and recall",
            x=Axis(title="recall", low=0.0, high=1.0),
            y=Axis(title="precision", low=0.0, high=1.0),
            series=tuple(series),
            rules=tuple(rules),
            note=note_of(subject, "average precision") if several(subject) else _alone(series),
        )


def _alone(series: list[Series]) -> str:
    """What a legend would say, where one curve alone has none."""
    return series[0].name if len(series) == 1 else ""


def _line(positive: Mask, lead: Floats) -> Line:
    curve = pr(positive, lead)
    return Line(curve.recall, curve.precision, curve.ap, kind="step")
