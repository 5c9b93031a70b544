"""Error rates over the decision threshold, and the ordered pairs that the area under the ROC curve counts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.data.wording import plural
from vizml.evaluate.diagnostic import ChartResult, DiagnosticSubject, PartDiagnostic, diagnostic
from vizml.evaluate.diagnostics.roc import ThresholdDiagnostic
from vizml.evaluate.metrics import threshold_at
from vizml.evaluate.ranking import roc
from vizml.field.arrays import Floats, Ints, evenly_spaced
from vizml.learn import CLASSIFY, Classifier
from vizml.scene import Axis, Chart, HeatMap, Ink, Rule, Series

INKS: tuple[Ink, ...] = (0, 1, "text")
MOST_PAIRS = 30
"""Rows and columns of the matrix of pairs: points of evenly spaced ranks stand for more."""


@diagnostic(
    "threshold", title="Error over the threshold", tasks=(CLASSIFY,),
    synonyms=(
        "false positive rate", "false negative rate", "FPR", "FNR", "best threshold", "decision threshold",
    ),
)  # fmt: skip
class ThresholdCurves(ThresholdDiagnostic, PartDiagnostic):
    """False positive rate, false negative rate and error of two classes by decision threshold."""

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = _binary(subject)
        part, data = subject.part(self.part)
        curve, handle, offers, figures = self.controls(subject, 2, part, data)
        name, share = data.name(int(state.classes[1])), float((data.labels == state.classes[1]).mean())
        x = np.array([threshold_at(state, float(lead)) for lead in handle.values])
        rates = {
            "false positive rate": curve.fpr, "false negative rate": 1 - curve.tpr,
            "error": (1 - share) * curve.fpr + share * (1 - curve.tpr),
        }  # fmt: skip
        chart = Chart(
            title=f"Error over the threshold, {part}",
            x=Axis(title=f"threshold of P({name})" if state.has_proba else "threshold of f(x)"),
            y=Axis(title="rate", low=0.0, high=1.0),
            series=tuple(
                Series(name=title, x=x, y=np.nan_to_num(y), ink=ink, width=3.0 if ink == "text" else 2.0)
                for (title, y), ink in zip(rates.items(), INKS)
            ),
            rules=(Rule(name="always the majority class", y=min(share, 1 - share)),),
            handle=handle,
            offers=offers,
            note=figures,
        )
        yield ChartResult(chart)


@diagnostic(
    "pairs", title="Ordered pairs", tasks=(CLASSIFY,),
    synonyms=("AUC as a probability", "ranking", "Mann-Whitney", "concordant pairs"),
)  # fmt: skip
class OrderedPairs(PartDiagnostic):
    """Pairs of a positive and a negative point, and whether the score of the positive one is higher."""

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = _binary(subject)
        part, data = subject.part(self.part)
        scores = state.scores(data.X)
        lead, positive = scores[:, 1] - scores[:, 0], data.labels == state.classes[1]
        if positive.all() or not positive.any():
            raise ValueError(f"there are no pairs: the {part} points are of one class")
        rows, columns = (_ranked(lead, np.flatnonzero(mask)) for mask in (positive, ~positive))
        order = np.sign(lead[rows][:, None] - lead[columns])
        names = [data.name(int(code)) for code in state.classes]
        signs = {1.0: "✓", 0.0: "=", -1.0: "✗"}
        n, m = int(positive.sum()), int((~positive).sum())
        auc = roc(positive, lead).auc
        sampled = (
            f"; {len(rows)} x {len(columns)} of them are shown" if len(rows) * len(columns) < n * m else ""
        )
        members = tuple(tuple(data.row_ids[[i, j]] for j in columns) for i in rows)
        chart = Chart(
            title=f"Ordered pairs, {part}",
            x=Axis(title=f"score of {names[0]}"),
            y=Axis(title=f"score of {names[1]}"),
            heat=HeatMap(
                values=(order + 1) / 2,
                rows=_texts(state, lead[rows]),
                columns=_texts(state, lead[columns]),
                texts=tuple(tuple(signs[value] for value in row) for row in order.tolist()),
                members=members,
            ),
            note=f"AUC {auc:.3f}: {auc * n * m:,.6g} of {plural(n * m, 'pair')} in order, ties count "
            f"half{sampled}; click a cell to select its points",
        )
        yield ChartResult(chart)


def _binary(subject: DiagnosticSubject) -> Classifier:
    """Return the classifier of two classes; ValueError for more."""
    state = subject.classifier()
    if len(state.classes) != 2:
        raise ValueError("a threshold needs two classes: the ROC curve shows each class against the rest")
    return state


def _ranked(lead: Floats, members: Ints) -> Ints:
    """Return members by falling score, at most so many of evenly spaced ranks."""
    ordered = members[np.argsort(-lead[members], kind="stable")]
    return np.asarray(ordered[evenly_spaced(len(ordered), MOST_PAIRS)])


def _texts(state: Classifier, leads: Floats) -> tuple[str, ...]:
    """Return scores as the texts of rows or columns."""
    return tuple(f"{threshold_at(state, float(lead)):.2g}" for lead in leads)
