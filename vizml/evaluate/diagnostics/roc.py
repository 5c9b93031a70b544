"""The ROC curve: true against false positives as the threshold falls, with a handle on the threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.parts import STROKES, against_rest, classifier, judged
from vizml.evaluate.ranking import Aim, best_threshold, roc
from vizml.learn import CLASSIFY, choice, real
from vizml.scene import Axis, Chart, Handle, Rule, Series


@diagnostic("roc", title="ROC curve", tasks=(CLASSIFY,), live=True)
@dataclass(frozen=True)
class RocCurve(Diagnostic):
    aim: Aim = choice("error", ("error", "f1", "cost"), help="what the best threshold is best in")
    miss: float = real(1.0, 0.0, 1000.0, help="cost of a positive that is missed", when={"aim": ("cost",)})
    alarm: float = real(1.0, 0.0, 1000.0, help="cost of a false alarm", when={"aim": ("cost",)})

    def charts(self, subject: Subject) -> Iterator[Chart]:
        state = classifier(subject)
        series, handle, note = [], None, ""
        for part, data in judged(subject):
            for label, lead in against_rest(state, data.points):
                curve = roc(data.labels == label, lead)
                name = f"{data.name(label)}, {part}: AUC {curve.auc:.3f}"
                series.append(Series(name=name, x=curve.fpr, y=curve.tpr, ink=label, stroke=STROKES[part]))
                if len(state.classes) == 2:
                    at = int(np.argmin(np.abs(curve.thresholds - subject.threshold)))
                    handle = Handle(series=len(series) - 1, values=curve.thresholds, at=at, sets="threshold")
                    best = best_threshold(
                        data.labels == label, lead, self.aim, miss=self.miss, alarm=self.alarm
                    )
                    note = f"threshold {subject.threshold:.3g}; of least {self.aim} on {part}: {best:.3g}"
        yield Chart(
            title="ROC",
            x=Axis(title="false positive rate", low=0.0, high=1.0),
            y=Axis(title="true positive rate", low=0.0, high=1.0),
            series=tuple(series),
            rules=(Rule(diagonal=True),),
            handle=handle,
            note=note,
        )
