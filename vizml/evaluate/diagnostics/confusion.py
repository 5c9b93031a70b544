"""The confusion matrix, in counts or as shares of the true class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.metrics import Confusion, confusion, predict_with_threshold, scores
from vizml.field.arrays import Ints
from vizml.learn import CLASSIFY, TrainingData, choice
from vizml.scene import Axis, Chart, HeatMap

METRIC_NAMES = {
    "accuracy": "accuracy", "precision": "precision", "recall": "recall",
    "f1": "F1", "ber": "BER", "kappa": "kappa", "mcc": "MCC",
}  # fmt: skip
"""The metrics in the note."""


@diagnostic("confusion", title="Confusion matrix", tasks=(CLASSIFY,), live=True)
@dataclass(frozen=True)
class ConfusionMatrix(Diagnostic):
    part: str = choice("held out", ("held out", "train"), help="Part of the data that is evaluated.")
    show: str = choice("counts", ("counts", "rates"), help="Counts, or shares of the true class.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        name, data = subject.part(self.part)
        predicted = predict_with_threshold(subject.classifier(), data.X, subject.threshold)
        matrix, metrics = confusion(data.labels, predicted), scores(data.labels, predicted)
        chart = Chart(
            title=f"Confusion matrix, {name}",
            x=Axis(title="predicted"),
            y=Axis(title="true"),
            heat=self._heat_map(matrix, data, predicted),
            note=", ".join(f"{words} {metrics[key]:.3f}" for key, words in METRIC_NAMES.items()),
        )
        yield ChartResult(chart)

    def _heat_map(self, matrix: Confusion, data: TrainingData, predicted: Ints) -> HeatMap:
        names = tuple(data.name(int(label)) for label in matrix.labels)
        rates = [[f"{100 * rate:.1f} %" for rate in row] for row in matrix.rates]
        texts = matrix.counts.astype(str).tolist() if self.show == "counts" else rates
        ids = np.arange(len(data)) if data.ids is None else data.ids
        members = tuple(
            tuple(ids[(data.labels == row) & (predicted == column)] for column in matrix.labels)
            for row in matrix.labels
        )
        values = np.nan_to_num(matrix.rates)
        return HeatMap(
            values=values, rows=names, columns=names, texts=tuple(map(tuple, texts)), members=members
        )
