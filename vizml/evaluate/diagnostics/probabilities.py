"""Predicted probabilities: calibration, and the sigmoid that converts scores to them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import STROKES
from vizml.evaluate.ranking import brier, calibration, log_loss
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, Scale, choice, integer
from vizml.scene import Axis, Chart, Rule, Series

LEAST, FARTHEST = 4.0, 12.0
"""Half of the least and of the largest range of the score: beyond, the curve is flat."""
SAMPLES = 241
JITTER = 0.04
"""Largest distance of points from their class, so that they do not hide each other."""


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


@diagnostic(
    "sigmoid", title="Score to probability", tasks=(CLASSIFY,),
    synonyms=("sigmoid", "logistic function", "log-odds", "logit", "link function", "squashing function"),
)  # fmt: skip
class ScoreToProbability(Diagnostic):
    """Logistic function p = 1/(1 + exp(-f)) over the log-odds f, with the points at 0 or 1."""

    live = True
    part: str = choice("train", ("held out", "train"), help="Part of the data that is shown.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.classifier()
        if len(state.classes) != 2 or state.scale is not Scale.LOGIT:
            raise ValueError(
                "a sigmoid needs two classes and a model of log-odds: choose logistic regression"
            )
        name, data = subject.learned_part(self.part)
        scores = state.scores(data.X)
        f = scores[:, 1] - scores[:, 0]
        reach = float(np.clip(1.05 * np.abs(f).max(initial=0.0), LEAST, FARTHEST))
        x = np.linspace(-reach, reach, SAMPLES)
        second = data.name(int(state.classes[1]))
        series = [Series(name=f"p({second} | x)", x=x, y=_sigmoid(x), ink="text")]
        shift = JITTER * np.modf(np.arange(len(f)) * 0.618)[0]
        for label in state.classes.tolist():
            own, up = data.labels == label, label == state.classes[1]
            y = 1.0 - shift[own] if up else shift[own]
            at = np.clip(f[own], -reach, reach)
            series.append(Series(name=data.name(label), x=at, y=y, ink=label, kind="dots", opacity=0.6))
        mean = float(_sigmoid(f).mean())
        share = float((data.labels == state.classes[1]).mean())
        note = f"{name}: mean probability of {second} {mean:.3f}, share of its points {share:.3f}"
        yield ChartResult(
            Chart(
                title="Score to probability", x=Axis(title=f"log-odds f(x) of {second}"),
                y=Axis(title=f"probability of {second}", low=-0.05, high=1.05), series=tuple(series),
                rules=(Rule(x=0.0), Rule(y=0.5)), note=note,
            )
        )  # fmt: skip


def _sigmoid(f: Floats) -> Floats:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * f))
