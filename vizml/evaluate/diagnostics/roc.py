"""The ROC curve, with a handle for the decision threshold, and the precision-recall curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import STROKES
from vizml.evaluate.metrics import one_vs_rest_scores, threshold_text
from vizml.evaluate.ranking import Aim, Roc, best_threshold, pr, roc
from vizml.field.arrays import Floats, Mask
from vizml.learn import CLASSIFY, Classifier, TrainingData, real
from vizml.scene import Axis, Chart, Handle, Ink, Offer, Rule, Series
from vizml.scene.chart import Kind

THRESHOLD = "threshold"
"""Key of the handle and of the offers."""
AIMS: tuple[tuple[Aim, str], ...] = (("error", "Lowest error"), ("f1", "Highest F1"), ("cost", "Lowest cost"))
POSITIVE = 5e-324
"""In place of the threshold 0, that of the model: of equal scores the first class wins."""
WIDE, NARROW = 2.5, 1.5
"""Line widths of the active model and of the others."""


@dataclass(frozen=True)
class ThresholdDiagnostic(Diagnostic):
    """Diagnostic with a handle that sets the decision threshold, and offers of the best thresholds."""

    live = True
    miss: float = real(1.0, 0.0, 1000.0, help="Cost of a false negative.", title="false negative cost")
    alarm: float = real(1.0, 0.0, 1000.0, help="Cost of a false positive.", title="false positive cost")

    def controls(
        self, subject: DiagnosticSubject, series: int, part: str, data: TrainingData
    ) -> ThresholdControls:
        """Return what sets the threshold of two classes along a series over the points of the ROC curve."""
        state = subject.classifier()
        positive, lead = pooled_scores(state, data)
        curve = roc(positive, lead)
        threshold = subject.threshold or POSITIVE
        at = int((curve.thresholds[1:] >= threshold).sum())
        handle = Handle(series=series, values=threshold_values(curve), at=at, sets=THRESHOLD)
        text = partial(threshold_text, state, name=data.name(int(state.classes[1])))
        offers = self._offers(positive, lead, curve, part, text)
        figures = f"threshold {text(subject.threshold)}, {self._metrics(positive, lead, threshold)}"
        return ThresholdControls(curve, handle, offers, figures)

    def _offers(
        self, positive: Mask, lead: Floats, curve: Roc, part: str, text_of: Callable[[float], str]
    ) -> tuple[Offer, ...]:
        """Offer the best threshold by each criterion, and the default one."""
        values, found = threshold_values(curve), []
        for aim, text in AIMS:
            best = best_threshold(positive, lead, aim, miss=self.miss, alarm=self.alarm)
            value = float(values[int((curve.thresholds[1:] >= best).sum())])
            figures = f"threshold {text_of(value)}, {self._metrics(positive, lead, value)}"
            tip = f"Best on the {'training' if part == 'train' else 'held-out'} points: {figures}"
            found.append(Offer(text=text, tip=tip, values={THRESHOLD: value}))
        tip = "The model's own decision boundary."
        return (*found, Offer(text=f"Default: {text_of(0.0)}", tip=tip, values={THRESHOLD: 0.0}))

    def _metrics(self, positive: Mask, lead: Floats, threshold: float) -> str:
        """Return error, F1 and cost at a threshold."""
        predicted = lead >= threshold
        hits, missed = int((positive & predicted).sum()), int((positive & ~predicted).sum())
        alarms = int((predicted & ~positive).sum())
        error, f1 = (missed + alarms) / len(positive), 2 * hits / max(2 * hits + missed + alarms, 1)
        cost = self.miss * missed + self.alarm * alarms
        return f"error {error:.3f}, F1 {f1:.3f}, cost {cost:.4g}"


@diagnostic(
    "roc", title="ROC curve", tasks=(CLASSIFY,),
    synonyms=("AUC", "receiver operating characteristic", "threshold", "TPR"),
)  # fmt: skip
class RocCurve(ThresholdDiagnostic):
    """True positive rate by false positive rate over all thresholds, with its area."""

    compares = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state, parts = subject.classifier(), subject.parts()
        shown = shown_curves(subject, _roc_curve, "AUC", "AUC")
        handle: Handle | None = None
        note, offers = shown.note, tuple[Offer, ...]()
        if len(state.classes) == 2 and parts:
            part, data = list(parts.items())[-1]
            curve, handle, offers, figures = self.controls(subject, shown.active, part, data)
            note = "; ".join(filter(None, (note, f"{part}: AUC {curve.auc:.3f}, {figures}")))
        chart = Chart(
            title="ROC curve",
            x=Axis(title="false positive rate", low=0.0, high=1.0),
            y=Axis(title="true positive rate", low=0.0, high=1.0),
            series=shown.series,
            rules=(Rule(diagonal=True),),
            handle=handle,
            offers=offers,
            note=note,
        )
        yield ChartResult(chart)


@diagnostic(
    "precision_recall", title="Precision and recall", tasks=(CLASSIFY,),
    synonyms=("PR curve", "average precision"),
)  # fmt: skip
class PrecisionRecallCurve(Diagnostic):
    """Precision by recall over all thresholds."""

    live = True
    compares = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        shown = shown_curves(subject, _precision_recall_curve, "average precision", "AP")
        classes = subject.classifier().classes
        shares = (np.mean(data.labels == classes[-1]) for data in list(subject.parts().values())[:1])
        chart = Chart(
            title="Precision and recall",
            x=Axis(title="recall", low=0.0, high=1.0),
            y=Axis(title="precision", low=0.0, high=1.0),
            series=shown.series,
            rules=tuple(
                Rule(name="random classifier", y=float(share)) for share in shares if len(classes) == 2
            ),
            # a single curve has no legend
            note=shown.note or (shown.series[0].name if len(shown.series) == 1 else ""),
        )
        yield ChartResult(chart)


def threshold_values(curve: Roc) -> Floats:
    """Return a threshold for each point of a curve, half-way between neighbouring scores."""
    scores = curve.thresholds[1:]
    pad = max(0.05 * float(scores[0] - scores[-1]), 1e-3)
    edges = np.r_[scores[0] + 2 * pad, scores, scores[-1] - 2 * pad]
    values: Floats = (edges[:-1] + edges[1:]) / 2
    return values


class ThresholdControls(NamedTuple):
    """The ROC curve of a classifier of two classes with its handle, offers and figures at the threshold."""

    curve: Roc
    handle: Handle
    offers: tuple[Offer, ...]
    figures: str


class RankingCurve(NamedTuple):
    """A curve of a classifier, and its summary: the area under it, the average precision."""

    x: Floats
    y: Floats
    summary: float
    kind: Kind = "line"

    def series(self, name: str, ink: Ink, part: str, width: float) -> Series:
        """Return the curve as a series of a chart, in the line style of a part of the data."""
        return Series(
            name=name, x=self.x, y=self.y, ink=ink, kind=self.kind, stroke=STROKES[part], width=width
        )


def _roc_curve(positive: Mask, lead: Floats) -> RankingCurve:
    curve = roc(positive, lead)
    return RankingCurve(curve.fpr, curve.tpr, curve.auc)


def _precision_recall_curve(positive: Mask, lead: Floats) -> RankingCurve:
    curve = pr(positive, lead)
    return RankingCurve(curve.recall, curve.precision, curve.ap, kind="step")


class ShownCurves(NamedTuple):
    """The curves of one or several classifiers."""

    series: tuple[Series, ...]
    active: int
    """Index of the last series of the subject's own state."""
    note: str = ""
    """Explanation of the lines of several classifiers."""


def shown_curves(
    subject: DiagnosticSubject, curve_of: Callable[[Mask, Floats], RankingCurve], summary: str, short: str
) -> ShownCurves:
    """Return the curves of the classifiers that are shown side by side, or of each class of a single one."""
    own, parts = subject.classifier(), subject.parts()
    compared = [
        (ink, name, state)
        for ink, (name, state) in enumerate(subject.compared)
        if isinstance(state, Classifier) and len(state.classes) > 1
    ]
    series: list[Series] = []
    active = 0
    if len(compared) < 2:
        for part, data in parts.items():
            for label, lead in one_vs_rest_scores(own, data.X):
                curve = curve_of(data.labels == label, lead)
                name = f"{data.name(label)}, {part}: {short} {curve.summary:.3f}"
                series.append(curve.series(name, label, part, Series.width))
        return ShownCurves(tuple(series), len(series) - 1)
    for ink, name, state in compared:
        curves = {part: curve_of(*pooled_scores(state, data)) for part, data in parts.items()}
        legend = f"{'/'.join(f'{curve.summary:.3f}' for curve in curves.values())} {name}"
        for number, (part, curve) in enumerate(curves.items()):
            width = WIDE if state is own else NARROW
            series.append(curve.series("" if number else legend, ink, part, width))
        if state is own:
            active = len(series) - 1
    held = ", train/held out (dashed)" if len(parts) > 1 else ""
    pooled = any(len(state.classes) > 2 for _, _, state in compared)
    note = f"{summary}{held} before each name" + ("; each class against the rest, pooled" if pooled else "")
    return ShownCurves(tuple(series), active, note)


def pooled_scores(state: Classifier, data: TrainingData) -> tuple[Mask, Floats]:
    """Return truth and score of the positive class; of more than two, each against the rest, pooled."""
    labels, leads = zip(*one_vs_rest_scores(state, data.X), strict=True)
    return np.concatenate([data.labels == label for label in labels]), np.concatenate(leads)
