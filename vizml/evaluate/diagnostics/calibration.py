"""Calibration: observed frequency of a class against its predicted probability."""

from __future__ import annotations

from collections.abc import Iterator

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import STROKES
from vizml.evaluate.ranking import brier, calibration, log_loss
from vizml.learn import CLASSIFY, integer
from vizml.scene import Axis, Chart, Rule, Series


@diagnostic("calibration", title="Calibration", tasks=(CLASSIFY,), synonyms=("reliability diagram",))
class CalibrationCurve(Diagnostic):
    """Observed frequencies by predicted probability."""

    live = True
    bins: int = integer(10, 2, 50, help="Number of bins of predicted probability.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.classifier()
        if not state.has_proba:
            raise ValueError(f"{subject.model.title} gives scores, not probabilities: nothing to calibrate")
        series, notes = [], []
        shown = list(enumerate(state.classes.tolist()))[1 if len(state.classes) == 2 else 0 :]
        for part, data in subject.parts().items():
            proba = state.proba(data.X)
            for k, label in shown:
                truth, share = data.labels == label, proba[:, k]
                found = calibration(truth, share, self.bins)
                name = f"{data.name(label)}, {part}"
                series.append(
                    Series(name=name, x=found.predicted, y=found.observed, ink=label, stroke=STROKES[part])
                )
                notes.append(
                    f"{name}: log-loss {log_loss(truth, share):.3f}, Brier {brier(truth, share):.3f}"
                )
        chart = Chart(
            title="Calibration",
            x=Axis(title="predicted probability", low=0.0, high=1.0),
            y=Axis(title="observed frequency", low=0.0, high=1.0),
            series=tuple(series),
            rules=(Rule(diagonal=True),),
            note="; ".join(notes),
        )
        yield ChartResult(chart)
