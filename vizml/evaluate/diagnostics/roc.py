"""The ROC curve, with a handle for the decision threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import (
    ClassifierCurve,
    active_series,
    class_series,
    compared_series,
    compares_classifiers,
    comparison_note,
    pooled_scores,
)
from vizml.evaluate.ranking import Aim, Roc, best_threshold, roc
from vizml.field.arrays import Floats, Mask
from vizml.learn import CLASSIFY, real
from vizml.scene import Axis, Chart, Handle, Offer, Rule

THRESHOLD = "threshold"
"""Key of the handle and of the offers."""
AIMS: tuple[tuple[Aim, str], ...] = (("error", "Lowest error"), ("f1", "Highest F1"), ("cost", "Lowest cost"))


@diagnostic("roc", title="ROC curve", tasks=(CLASSIFY,), live=True, compares=True)
@dataclass(frozen=True)
class RocCurve(Diagnostic):
    miss: float = real(1.0, 0.0, 1000.0, help="Cost of a false negative.", title="false negative cost")
    alarm: float = real(1.0, 0.0, 1000.0, help="Cost of a false positive.", title="false positive cost")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state, parts = subject.classifier(), subject.parts()
        series = list(class_series(subject, _curve, "AUC"))
        handle, note = None, ""
        offers: tuple[Offer, ...] = ()
        if len(state.classes) == 2 and parts:
            part, data = list(parts.items())[-1]
            positive, lead = pooled_scores(state, data)
            curve = roc(positive, lead)
            at = int((curve.thresholds[1:] >= subject.threshold).sum())
            handle = Handle(series=len(series) - 1, values=threshold_values(curve), at=at, sets=THRESHOLD)
            offers = self._offers(positive, lead, curve, part)
            note = f"{part}: AUC {curve.auc:.3f}, {self._metrics(positive, lead, subject.threshold)}"
        if compares_classifiers(subject):
            series = list(compared_series(subject, _curve))
            note = "; ".join(filter(None, (comparison_note(subject, "AUC"), note)))
            handle = replace(handle, series=active_series(subject)) if handle is not None else None
        chart = Chart(
            title="ROC curve",
            x=Axis(title="false positive rate", low=0.0, high=1.0),
            y=Axis(title="true positive rate", low=0.0, high=1.0),
            series=tuple(series),
            rules=(Rule(diagonal=True),),
            handle=handle,
            offers=offers,
            note=note,
        )
        yield ChartResult(chart)

    def _offers(self, positive: Mask, lead: Floats, curve: Roc, part: str) -> tuple[Offer, ...]:
        """Offer the best threshold by each criterion, and the default one."""
        values, found = threshold_values(curve), []
        for aim, text in AIMS:
            best = best_threshold(positive, lead, aim, miss=self.miss, alarm=self.alarm)
            value = float(values[int((curve.thresholds[1:] >= best).sum())])
            tip = f"Best on {part} points: {self._metrics(positive, lead, value)}"
            found.append(Offer(text=text, tip=tip, values={THRESHOLD: value}))
        zero = Offer(text="Threshold 0", tip="The model's own decision boundary.", values={THRESHOLD: 0.0})
        return (*found, zero)

    def _metrics(self, positive: Mask, lead: Floats, threshold: float) -> str:
        """Return error, F1 and cost at a threshold."""
        predicted = lead >= threshold
        hits, missed = int((positive & predicted).sum()), int((positive & ~predicted).sum())
        alarms = int((predicted & ~positive).sum())
        error, f1 = (missed + alarms) / len(positive), 2 * hits / max(2 * hits + missed + alarms, 1)
        cost = self.miss * missed + self.alarm * alarms
        return f"threshold {threshold:.3g}, error {error:.3f}, F1 {f1:.3f}, cost {cost:.4g}"


def threshold_values(curve: Roc) -> Floats:
    """Return a threshold for each point of a curve, half-way between neighbouring scores."""
    scores = curve.thresholds[1:]
    pad = max(0.05 * float(scores[0] - scores[-1]), 1e-3)
    edges = np.r_[scores[0] + 2 * pad, scores, scores[-1] - 2 * pad]
    values: Floats = (edges[:-1] + edges[1:]) / 2
    return values


def _curve(positive: Mask, lead: Floats) -> ClassifierCurve:
    curve = roc(positive, lead)
    return ClassifierCurve(curve.fpr, curve.tpr, curve.auc)
