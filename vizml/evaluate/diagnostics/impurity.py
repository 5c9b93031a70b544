"""Impurity measures of two classes over the share of one: entropy, Gini impurity, classification error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, choice, flag, real
from vizml.learn.state import State
from vizml.learn.trees.criteria import CRITERIA
from vizml.learn.trees.id3 import ID3State
from vizml.learn.trees.tree_state import TreeState
from vizml.scene import Axis, Chart, Ink, Rule, Series
from vizml.scene.typesetting import typeset

SAMPLES = 401
UNITS: Mapping[str, float] = {"bits": 1.0, "nats": float(np.log(2))}
NAMES: Mapping[str, tuple[str, Ink]] = {
    "entropy": ("entropy", "accent"), "gini": ("Gini impurity", 1), "error": ("misclassification error", 2),
}  # fmt: skip


@diagnostic(
    "impurity", title="Impurity measures", tasks=(CLASSIFY,),
    synonyms=("entropy", "Gini index", "misclassification error", "node purity", "entropy curve"),
)  # fmt: skip
class ImpurityMeasures(Diagnostic):
    """Entropy −Σ p log p, Gini impurity 1 − Σ p², and misclassification error 1 − max p of two classes over
    the share p of the second. Vary p; the share in the training data is marked as well. Of a decision tree,
    the split of the step shown is drawn: its gain is the distance from its parts up to the impurity at p.
    """

    live = True
    p: float = real(0.5, 0.0, 1.0, help="Share of the second class at which the measures are named.")
    scaled: bool = flag(default=False, help="Divide each measure by its maximum.")
    unit: str = choice("bits", tuple(UNITS), help="Unit of the entropy: bits for base 2, nats for base e.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        p = np.linspace(0.0, 1.0, SAMPLES)
        at = np.array([self.p])
        series, words = [], []
        for key, (name, ink) in NAMES.items():
            here = float(self._values(key, at)[0])
            words.append(f"{name} {here:.3g}")
            series.append(Series(name=name, x=p, y=self._values(key, p), ink=ink))
            series.append(Series(name="", x=at, y=np.array([here]), ink=ink, kind="dots"))
        log2, log5 = (np.log2(k) * UNITS[self.unit] for k in (2, 5))
        note = (
            f"p = {self.p:.3g}: {', '.join(words)}; entropy of a single class 0, of 2 equal ones log 2 = "
            f"{log2:.3g}, of 5 log 5 = {log5:.3g} {self.unit}"
        )
        rules, name = [Rule(x=self.p, ink="text")], "the second class"
        classes, counts = np.unique(subject.train.labels[subject.train.labels >= 0], return_counts=True)
        if len(classes) == 2:
            name = subject.train.name(int(classes[1]))
            rules.append(Rule(name="all training points", x=float(counts[1] / counts.sum())))
            criterion = str(subject.model.values.get("criterion", "entropy"))
            parts = _parts(subject.inner)
            series += self._split(parts, criterion) if len(parts) else []
        yield ChartResult(
            Chart(
                title="Impurity measures", x=Axis(title=f"share p of {name}", low=0.0, high=1.0),
                y=Axis(title="impurity, as a share of its maximum" if self.scaled else "impurity", low=0.0),
                series=tuple(series), rules=tuple(rules), note=typeset(note),
            )
        )  # fmt: skip

    def _split(self, parts: Floats, criterion: str) -> list[Series]:
        """Draw the nodes (k, 2) below a split, and its gain as a line up from their mean impurity."""
        weights = parts.sum(axis=1)
        order = np.argsort(parts[:, 1] / weights)
        p, own = (parts[:, 1] / weights)[order], weights[order] / weights.sum()
        here, values = np.full(2, own @ p), self._values(criterion, p)
        ends = np.array([own @ values, self._values(criterion, here)[0]])
        gain = f"gain of the split {ends[1] - ends[0]:.3g}"
        return [
            Series(name="nodes below the split", x=p, y=values, ink="text", stroke="dash", width=1.0),
            Series(name="", x=p, y=values, ink="text", kind="dots"),
            Series(name=gain, x=here, y=ends, ink="text", width=4.0),
        ]

    def _values(self, key: str, p: Floats) -> Floats:
        """Return a measure at shares of the second class."""
        measure = CRITERIA[key]
        half = float(measure(np.array([[0.5], [0.5]]))[0])
        unit = 1 / half if self.scaled else UNITS[self.unit] if key == "entropy" else 1.0
        return measure(np.stack([1 - p, p])) * unit


def _parts(state: State | None) -> Floats:
    """Return the class counts (k, K) of the nodes below the latest split; none where there is no split."""
    if isinstance(state, ID3State) and state.splits:
        first, last = state.growth.sizes[state.splits - 1 : state.splits + 1]
        counts = np.array([node.counts for node in state.growth.nodes[first:last]], dtype=np.float64)
    elif isinstance(state, TreeState) and state.shown:
        counts = state.tree.sums[[*state.tree.children(state.latest)]]
    else:
        return np.empty((0, 2))
    return np.asarray(counts[counts.sum(axis=1) > 0])
