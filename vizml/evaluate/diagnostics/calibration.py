"""Calibration: how often a predicted probability comes true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.parts import STROKES, classifier, judged
from vizml.evaluate.ranking import brier, calibration, log_loss
from vizml.learn import CLASSIFY, integer
from vizml.scene import Axis, Chart, Rule, Series


@diagnostic("calibration", title="Calibration", tasks=(CLASSIFY,), live=True)
@dataclass(frozen=True)
class CalibrationCurve(Diagnostic):
    bins: int = integer(10, 2, 50, help="how many groups of like probability")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        state = classifier(subject)
        if not state.has_proba:
            raise ValueError(f"{subject.model.title} gives scores, not probabilities: nothing to calibrate")
        series, notes = [], []
        for part, data in judged(subject):
            for k, label in enumerate(state.classes[1:] if len(state.classes) == 2 else state.classes):
                share = state.proba(data.points)[:, k + 1 if len(state.classes) == 2 else k]
                truth = data.labels == label
                found = calibration(truth, share, self.bins)
                name = f"{data.name(int(label))}, {part}"
                series.append(
                    Series(
                        name=name, x=found.predicted, y=found.observed, ink=int(label), stroke=STROKES[part]
                    )
                )
                notes.append(
                    f"{name}: log-loss {log_loss(truth, share):.3f}, Brier {brier(truth, share):.3f}"
                )
        yield Chart(
            title="Calibration",
            x=Axis(title="predicted probability", low=0.0, high=1.0),
            y=Axis(title="share that came true", low=0.0, high=1.0),
            series=tuple(series),
            rules=(Rule(diagonal=True),),
            note="; ".join(notes),
        )
