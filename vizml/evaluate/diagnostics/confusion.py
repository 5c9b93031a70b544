"""The confusion matrix, and the classification metrics of each class against the rest with their averages."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, DiagnosticSubject, PartDiagnostic, diagnostic
from vizml.evaluate.metrics import (
    Confusion,
    class_mean,
    codes_with_threshold,
    confusion,
    multiclass_brier,
    multiclass_log_loss,
    scores,
    scores_by_class,
)
from vizml.field.arrays import Ints
from vizml.learn import CLASSIFY, Classifier, TrainingData, choice, flag
from vizml.scene import Axis, Chart, HeatMap

METRIC_NAMES = {
    "accuracy": "accuracy", "precision": "precision", "recall": "recall",
    "f1": "F1", "ber": "BER", "kappa": "kappa", "mcc": "MCC",
}  # fmt: skip
"""The metrics in the note of the confusion matrix."""
COLUMNS = {"precision": "prec", "tpr": "TPR", "fpr": "FPR", "fnr": "FNR", "tnr": "TNR", "f1": "F1"}
OVERALL = {"accuracy": "accuracy", "kappa": "kappa", "mcc": "MCC"}
"""Columns of the scores by class, and the metrics in their note."""


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
            y=Axis(title=""),
            heat=HeatMap(
                values=values,
                rows=(*(data.name(int(label)) for label in matrix.labels), "macro", "weighted"),
                columns=tuple(COLUMNS.values()),
                texts=tuple(tuple(map(_text, row)) for row in values.tolist()),
            ),
            note=_note(scores(data.labels, predicted), state, data),
        )
        yield ChartResult(chart)


def _note(found: dict[str, float], state: Classifier, data: TrainingData) -> str:
    parts = [f"error {_text(found['error'], 3)} (balanced {_text(found['ber'], 3)})"]
    parts += [f"{name} {_text(found[key], 3)}" for key, name in OVERALL.items()]
    if state.has_proba:
        given = data.labels, state.proba(data.X), state.classes
        parts += [f"log-loss {multiclass_log_loss(*given):.3f}", f"Brier {multiclass_brier(*given):.3f}"]
    return ", ".join(parts)


def _text(value: float, places: int = 2) -> str:
    return "\N{EN DASH}" if np.isnan(value) else f"{value:.{places}f}"
