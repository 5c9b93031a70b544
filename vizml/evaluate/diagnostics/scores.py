"""Scores: what a classification is judged by, for each class against the rest and averaged, as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.confusion import Confusion, by_class, confusion, mean_of, scores
from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.parts import Floats, chosen, classifier
from vizml.evaluate.judging import decided
from vizml.evaluate.shares import shares_brier, shares_log_loss
from vizml.learn import CLASSIFY, Classifier, choice
from vizml.scene import Axis, Chart, HeatMap

COLUMNS = {"precision": "prec", "tpr": "TPR", "fpr": "FPR", "fnr": "FNR", "tnr": "TNR", "f1": "F1"}
WHOLE = {"accuracy": "accuracy", "kappa": "kappa", "mcc": "MCC"}


@diagnostic("scores", title="Scores by class", tasks=(CLASSIFY,), live=True)
@dataclass(frozen=True)
class ScoresByClass(Diagnostic):
    part: str = choice("held out", ("held out", "train"), help="which points are judged")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        state = classifier(subject)
        name, data = chosen(subject, self.part)
        predicted = decided(state, data.points, subject.threshold)
        matrix = confusion(data.labels, predicted)
        values = _rows(matrix)
        names = tuple(data.name(int(label)) for label in matrix.labels)
        yield Chart(
            title=f"Scores by class, {name}",
            x=Axis(title="score"),
            y=Axis(title=""),
            heat=HeatMap(
                values=values,
                rows=(*names, "mean", "by size"),
                columns=tuple(COLUMNS.values()),
                texts=tuple(tuple(map(_word, row)) for row in values.tolist()),
            ),
            note=_note(scores(data.labels, predicted), state, data),
        )


def _rows(matrix: Confusion) -> Floats:
    """A row for each class, one of their means, one of their means with each class as often as it comes."""
    found, sizes = by_class(matrix), matrix.counts.sum(axis=1)
    columns = [[*found[name], mean_of(found[name]), mean_of(found[name], sizes)] for name in COLUMNS]
    return np.array(columns).T


def _note(found: dict[str, float], state: Classifier, data: Dataset) -> str:
    told = [f"error {_word(found['error'], 3)} (balanced {_word(found['ber'], 3)})"]
    told += [f"{words} {_word(found[name], 3)}" for name, words in WHOLE.items()]
    if state.has_proba:
        given = data.labels, state.proba(data.points), state.classes
        told += [f"log-loss {shares_log_loss(*given):.3f}", f"Brier {shares_brier(*given):.3f}"]
    return ", ".join(told)


def _word(value: float, places: int = 2) -> str:
    return "\N{EN DASH}" if np.isnan(value) else f"{value:.{places}f}"
