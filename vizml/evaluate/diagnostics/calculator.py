"""Calculator: the metrics of a confusion matrix of two classes that is typed in, with their formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.metrics import Confusion, matrix_scores
from vizml.learn import CLASSIFY, integer
from vizml.scene import Axis, Chart, HeatMap

MOST = 10_000_000
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


@diagnostic(
    "calculator", title="Confusion matrix calculator", tasks=(CLASSIFY,),
    synonyms=("FPR", "FNR", "precision", "recall", "specificity", "balanced error", "TPR", "TNR", "MCC"),
)  # fmt: skip
class Calculator(Diagnostic):
    """Metrics of a confusion matrix that is typed in, each with its formula; the model is not used."""

    live = True
    tn: int = integer(
        9644, 0, MOST, title="true negatives", help="Number of negatives predicted as negative."
    )
    fp: int = integer(23, 0, MOST, title="false positives", help="Number of negatives predicted as positive.")
    fn: int = integer(
        252, 0, MOST, title="false negatives", help="Number of positives predicted as negative."
    )
    tp: int = integer(81, 0, MOST, title="true positives", help="Number of positives predicted as positive.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        del subject
        counts = np.array([[self.tn, self.fp], [self.fn, self.tp]])
        n = int(counts.sum())
        if not n:
            raise ValueError("the confusion matrix is empty: set at least one of its counts")
        found = matrix_scores(Confusion(counts, np.arange(2)))
        found["majority"] = min(counts.sum(axis=1).tolist()) / n
        texts = tuple((f"{formula} = {_text(found[key])}",) for key, (_, formula) in FORMULAS.items())
        heat = HeatMap(
            values=np.nan_to_num(np.array([[found[key]] for key in FORMULAS])),
            rows=tuple(name for name, _ in FORMULAS.values()),
            columns=("value",),
            texts=texts,
        )
        note = f"n = {n:,}; P = TP + FN = {self.tp + self.fn:,}, N = TN + FP = {self.tn + self.fp:,}"
        title = f"TN {self.tn:,}, FP {self.fp:,}, FN {self.fn:,}, TP {self.tp:,}"
        yield ChartResult(Chart(title=title, x=Axis(title=""), y=Axis(title=""), heat=heat, note=note))


def _text(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:z.4f}"
