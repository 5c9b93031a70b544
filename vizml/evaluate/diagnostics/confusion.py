"""The confusion matrix: which class was taken for which, in counts or as shares of the true class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.confusion import Confusion, confusion, scores
from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.parts import chosen, classifier
from vizml.evaluate.judging import decided
from vizml.learn import CLASSIFY, choice
from vizml.scene import Axis, Chart, HeatMap

NOTED = {
    "accuracy": "accuracy", "precision": "precision", "recall": "recall",
    "f1": "F1", "ber": "BER", "kappa": "kappa", "mcc": "MCC",
}  # fmt: skip
"""Which scores the note tells, by the names that people know."""


@diagnostic("confusion", title="Confusion matrix", tasks=(CLASSIFY,), live=True)
@dataclass(frozen=True)
class ConfusionMatrix(Diagnostic):
    part: str = choice("held out", ("held out", "train"), help="which points are counted")
    show: str = choice("counts", ("counts", "rates"), help="how many, or which share of the true class")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        name, data = chosen(subject, self.part)
        predicted = decided(classifier(subject), data.points, subject.threshold)
        matrix = confusion(data.labels, predicted)
        figures = scores(data.labels, predicted)
        yield Chart(
            title=f"Confusion matrix, {name}",
            x=Axis(title="predicted"),
            y=Axis(title="true"),
            heat=self._heat(matrix, data, predicted),
            note=", ".join(f"{words} {figures[key]:.3f}" for key, words in NOTED.items()),
        )

    def _heat(self, matrix: Confusion, data: Dataset, predicted: np.ndarray) -> HeatMap:
        names = tuple(data.name(int(label)) for label in matrix.labels)
        texts = matrix.counts.astype(str) if self.show == "counts" else _percents(matrix.rates)
        ids = np.arange(len(data)) if data.ids is None else data.ids
        members = tuple(
            tuple(ids[(data.labels == row) & (predicted == column)] for column in matrix.labels)
            for row in matrix.labels
        )
        values = np.nan_to_num(matrix.rates)
        return HeatMap(
            values=values, rows=names, columns=names, texts=tuple(map(tuple, texts.tolist())), members=members
        )


def _percents(rates: np.ndarray) -> np.ndarray:
    return np.array([[f"{100 * rate:.1f} %" for rate in row] for row in rates])
