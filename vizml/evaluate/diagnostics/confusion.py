"""The confusion matrix, the metrics of each class against the rest, and of counts that are typed in."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, PartDiagnostic, diagnostic
from vizml.evaluate.metrics import (
    Confusion,
    class_mean,
    codes_with_threshold,
    confusion,
    matrix_scores,
    multiclass_brier,
    multiclass_log_loss,
    scores,
    scores_by_class,
)
from vizml.field.arrays import Ints
from vizml.learn import CLASSIFY, Classifier, TrainingData, choice, flag, integer
from vizml.scene import Axis, Chart, HeatMap

METRIC_NAMES = {
    "accuracy": "accuracy", "precision": "precision", "recall": "recall",
    "f1": "F1", "ber": "BER", "kappa": "kappa", "mcc": "MCC",
}  # fmt: skip
"""The metrics in the note of the confusion matrix."""
COLUMNS = {"precision": "prec", "tpr": "TPR", "fpr": "FPR", "fnr": "FNR", "tnr": "TNR", "f1": "F1"}
OVERALL = {"accuracy": "accuracy", "kappa": "kappa", "mcc": "MCC"}
"""Columns of the scores by class, and the metrics in their note."""
MOST_COUNT = 10_000_000
FORMULAS = {
    "accuracy": ("accuracy", "(TP + TN) / n"),
    "error": ("error", "(FP + FN) / n"),
    "tpr": ("TPR, recall", "TP / P"),
    "fnr": ("FNR", "FN / P"),
    "tnr": ("TNR, specificity", "TN / N"),
    "fpr": ("FPR", "FP / N"),
    "precision": ("precision", "TP / (TP + FP)"),
    "f1": ("F1", "2 TP / (2 TP + FP + FN)"),
    "ber": ("balanced error", "(FPR + FNR) / 2"),
    "kappa": ("kappa", "(accuracy − chance) / (1 − chance)"),
    "mcc": ("MCC", "(TP TN − FP FN) / √(P N (TP + FP) (TN + FN))"),
    "majority": ("majority error", "min(P, N) / n"),
}
"""Names and formulas of the metrics."""


def count_field(default: int, title: str, help: str) -> Any:
    """Declare a count of a confusion matrix."""
    return integer(default, 0, MOST_COUNT, title=title, help=help)


@diagnostic(
    "confusion", title="Confusion matrix", tasks=(CLASSIFY,),
    synonyms=("true positives", "false negatives", "FPR", "FNR", "accuracy", "error rate"),
)  # fmt: skip
class ConfusionMatrix(PartDiagnostic):
    """Counts or rates of predicted and true classes."""

    show: str = choice("counts", ("counts", "rates"), help="Counts, or shares of the true class.")
    transposed: bool = flag(
        False, help="Predicted classes in the rows and true classes in the columns, as in note 001."
    )

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        name, data = subject.part(self.part)
        predicted = codes_with_threshold(subject.classifier(), data.X, subject.threshold)
        matrix, metrics = confusion(data.labels, predicted), scores(data.labels, predicted)
        heat, axes = self._heat_map(matrix, data, predicted), (Axis(title="predicted"), Axis(title="true"))
        x, y = axes[::-1] if self.transposed else axes
        chart = Chart(
            title=f"Confusion matrix, {name}",
            x=x,
            y=y,
            heat=heat,
            note=", ".join(f"{words} {metrics[key]:.3f}" for key, words in METRIC_NAMES.items()),
        )
        yield ChartResult(chart)

    def _heat_map(self, matrix: Confusion, data: TrainingData, predicted: Ints) -> HeatMap:
        names = tuple(data.name(int(label)) for label in matrix.labels)
        rates = [[f"{100 * rate:.1f} %" for rate in row] for row in matrix.rates]
        texts = matrix.counts.astype(str).tolist() if self.show == "counts" else rates
        members = tuple(
            tuple(data.row_ids[(data.labels == row) & (predicted == column)] for column in matrix.labels)
            for row in matrix.labels
        )
        values = np.nan_to_num(matrix.rates)
        if self.transposed:
            values, texts, members = values.T.copy(), zip(*texts), tuple(zip(*members))
        return HeatMap(
            values=values, rows=names, columns=names, texts=tuple(map(tuple, texts)), members=members
        )


@diagnostic(
    "scores", title="Scores by class", tasks=(CLASSIFY,),
    synonyms=("F1 score", "sensitivity", "specificity", "balanced error"),
)  # fmt: skip
class ClassScoreTable(PartDiagnostic):
    """Precision, recall, F1 and error rates of each class."""

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.classifier()
        name, data = subject.part(self.part)
        predicted = codes_with_threshold(state, data.X, subject.threshold)
        matrix = confusion(data.labels, predicted)
        found, sizes = scores_by_class(matrix), matrix.counts.sum(axis=1)
        columns = [[*found[key], class_mean(found[key]), class_mean(found[key], sizes)] for key in COLUMNS]
        values = np.array(columns).T
        chart = Chart(
            title=f"Scores by class, {name}",
            x=Axis(title="score"),
            heat=HeatMap(
                values=values,
                rows=(*(data.name(int(label)) for label in matrix.labels), "macro", "weighted"),
                columns=tuple(COLUMNS.values()),
                texts=tuple(tuple(map(_text, row)) for row in values.tolist()),
            ),
            note=_note(scores(data.labels, predicted), state, data),
        )
        yield ChartResult(chart)


@diagnostic(
    "calculator", title="Confusion matrix calculator", tasks=(CLASSIFY,),
    synonyms=("FPR", "FNR", "precision", "recall", "specificity", "balanced error", "TPR", "TNR", "MCC"),
)  # fmt: skip
class Calculator(Diagnostic):
    """Metrics of a confusion matrix that is typed in, each with its formula; the model is not used."""

    live = True
    tn: int = count_field(9644, "true negatives", "Number of negatives predicted as negative.")
    fp: int = count_field(23, "false positives", "Number of negatives predicted as positive.")
    fn: int = count_field(252, "false negatives", "Number of positives predicted as negative.")
    tp: int = count_field(81, "true positives", "Number of positives predicted as positive.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        del subject
        counts = np.array([[self.tn, self.fp], [self.fn, self.tp]])
        n = int(counts.sum())
        if not n:
            raise ValueError("the confusion matrix is empty: set at least one of its counts")
        found = matrix_scores(Confusion(counts, np.arange(2)))
        found["majority"] = min(counts.sum(axis=1).tolist()) / n
        texts = tuple((f"{_exact(found[key])}\n{formula}",) for key, (_, formula) in FORMULAS.items())
        heat = HeatMap(
            values=np.nan_to_num(np.array([[found[key]] for key in FORMULAS])),
            rows=tuple(name for name, _ in FORMULAS.values()),
            columns=("value",),
            texts=texts,
        )
        note = f"n = {n:,}; P = TP + FN = {self.tp + self.fn:,}, N = TN + FP = {self.tn + self.fp:,}"
        title = f"TN {self.tn:,}, FP {self.fp:,}, FN {self.fn:,}, TP {self.tp:,}"
        yield ChartResult(Chart(title=title, heat=heat, note=note))


def _note(found: dict[str, float], state: Classifier, data: TrainingData) -> str:
    parts = [f"error {_text(found['error'], 3)} (balanced {_text(found['ber'], 3)})"]
    parts += [f"{name} {_text(found[key], 3)}" for key, name in OVERALL.items()]
    if state.has_proba:
        given = data.labels, state.proba(data.X), state.classes
        parts += [f"log-loss {multiclass_log_loss(*given):.3f}", f"Brier {multiclass_brier(*given):.3f}"]
    return ", ".join(parts)


def _text(value: float, places: int = 2) -> str:
    return "\N{EN DASH}" if np.isnan(value) else f"{value:.{places}f}"


def _exact(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:z.4f}"
