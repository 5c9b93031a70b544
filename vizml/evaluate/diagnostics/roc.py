"""The ROC curve: true against false positives as the threshold falls, with a handle on the threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vizml.evaluate.confusion import scores
from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.company import Line, note_of, own, series_of, several
from vizml.evaluate.diagnostics.parts import STROKES, Floats, Mask, classifier, judged
from vizml.evaluate.judging import against_rest
from vizml.evaluate.ranking import Aim, Roc, best_threshold, roc
from vizml.learn import CLASSIFY, real
from vizml.scene import Axis, Chart, Handle, Offer, Rule, Series

THRESHOLD = "threshold"
AIMS: tuple[tuple[Aim, str], ...] = (("error", "Least error"), ("f1", "Best F1"), ("cost", "Least cost"))


@diagnostic("roc", title="ROC curve", tasks=(CLASSIFY,), live=True, several=True)
@dataclass(frozen=True)
class RocCurve(Diagnostic):
    miss: float = real(1.0, 0.0, 1000.0, help="what a positive that is missed costs", title="cost of a miss")
    alarm: float = real(1.0, 0.0, 1000.0, help="what a false alarm costs", title="cost of a false alarm")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        state = classifier(subject)
        series, handle, note = [], None, ""
        offers: tuple[Offer, ...] = ()
        for part, data in judged(subject):
            for label, lead in against_rest(state, data.points):
                positive = data.labels == label
                curve = roc(positive, lead)
                name = f"{data.name(label)}, {part}: AUC {curve.auc:.3f}"
                series.append(Series(name=name, x=curve.fpr, y=curve.tpr, ink=label, stroke=STROKES[part]))
                if len(state.classes) == 2:
                    values = between(curve)
                    at = int((curve.thresholds[1:] >= subject.threshold).sum())
                    handle = Handle(series=len(series) - 1, values=values, at=at, sets=THRESHOLD)
                    offers = self._offers(positive, lead, curve, part)
                    words = self._words(positive, lead >= subject.threshold, subject.threshold)
                    note = f"{part}: AUC {curve.auc:.3f}, {words}"
        if several(subject):
            series = list(series_of(subject, _line))
            note = f"{note_of(subject, 'AUC')}; {note}" if note else note_of(subject, "AUC")
            handle = replace(handle, series=own(subject)) if handle is not None else None
        yield Chart(
            title="ROC curve",
            x=Axis(title="false positive rate", low=0.0, high=1.0),
            y=Axis(title="true positive rate", low=0.0, high=1.0),
            series=tuple(series),
            rules=(Rule(diagonal=True),),
            handle=handle,
            offers=offers,
            note=note,
        )

    def _offers(self, positive: Mask, lead: Floats, curve: Roc, part: str) -> tuple[Offer, ...]:
        """The best threshold by each measure, and the way back."""
        values = between(curve)
        found = []
        for aim, words in AIMS:
            best = best_threshold(positive, lead, aim, miss=self.miss, alarm=self.alarm)
            value = float(values[int((curve.thresholds[1:] >= best).sum())])
            tip = f"Best on {part} points: {self._words(positive, lead >= value, value)}"
            found.append(Offer(text=words, tip=tip, values={THRESHOLD: value}))
        zero = Offer(
            text="Threshold 0", tip="Where the model puts its boundary by itself", values={THRESHOLD: 0.0}
        )
        return (*found, zero)

    def _words(self, positive: Mask, told: Mask, threshold: float) -> str:
        found = scores(positive, told)
        missed, alarms = int((positive & ~told).sum()), int((told & ~positive).sum())
        cost = self.miss * missed + self.alarm * alarms
        f1 = 2 * int((positive & told).sum()) / max(2 * int((positive & told).sum()) + missed + alarms, 1)
        return f"threshold {threshold:.3g}, error {found['error']:.3f}, F1 {f1:.3f}, cost {cost:.4g}"


def _line(positive: Mask, lead: Floats) -> Line:
    curve = roc(positive, lead)
    return Line(curve.fpr, curve.tpr, curve.auc)


def between(curve: Roc) -> Floats:
    """A threshold for each point of a curve, half-way between the scores that it parts."""
    scores = curve.thresholds[1:]
    pad = max(0.05 * float(scores[0] - scores[-1]), 1e-3)
    edges = np.r_[scores[0] + 2 * pad, scores, scores[-1] - 2 * pad]
    values: Floats = (edges[:-1] + edges[1:]) / 2
    return values
