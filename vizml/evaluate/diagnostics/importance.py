"""Importance of inputs: by permutation of their values, and by the impurity that splits of trees remove."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.random import Generator

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import dots_by_name, score_name, seed_field
from vizml.evaluate.metrics import known_score
from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn import CLASSIFY, REGRESS, State, TrainingData, choice, integer
from vizml.learn.coded import CodedState
from vizml.learn.ensembles.tree_sum import TreeSumState
from vizml.learn.trees.tree_state import TreeState
from vizml.scene import Axis, Chart, Rule, Series

MAX_ROWS = 2000
"""Points of which a sample is permuted: each repeat predicts them once for each input."""
SINGLE = 0.25
"""Opacity of single permutations."""


def permutation_importances(state: State, data: TrainingData, rng: Generator) -> Iterator[Floats]:
    """Yield the decrease of the score (d,) when the values of each input are permuted, again and again.

    Nothing is yielded where the score is not defined, as R² is for equal targets.
    """
    whole = known_score(state, data)
    while whole is not None:
        found = np.empty(data.X.shape[1])
        for j in range(len(found)):
            check_cancelled()
            X = data.X.copy()
            X[:, j] = rng.permutation(X[:, j])
            found[j] = whole - (known_score(state, replace(data, X=X)) or 0.0)
        yield found


def impurity_importances(state: State) -> Floats | None:
    """Return the share (d,) of each input in the impurity that splits remove; None for other models.

    That of a category is the sum of its indicators'.
    """
    if isinstance(state, CodedState):
        inner = impurity_importances(state.inner)
        return None if inner is None else np.add.reduceat(inner, state.coding.starts)
    return state.importances if isinstance(state, TreeState | TreeSumState) else None


@diagnostic(
    "importance", title="Feature importance", tasks=(CLASSIFY, REGRESS),
    synonyms=("permutation importance", "variable importance"),
)  # fmt: skip
class FeatureImportance(Diagnostic):
    """Loss of score when the values of an input are permuted."""

    data: str = choice("held out", ("held out", "train"), help="Points whose values are permuted.")
    draws: int = integer(10, 1, 200, title="repeats", help="Number of permutations of each input.")
    seed: int = seed_field("Random seed of the permutations.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        if subject.state is None:
            raise ValueError("there is nothing to evaluate yet: train on some points")
        part, data = subject.part(self.data)
        rng = np.random.default_rng(self.seed)
        rows = np.sort(rng.permutation(len(data))[:MAX_ROWS])
        impurity, found = impurity_importances(subject.state), list[Floats]()
        score = score_name(subject.model.task)
        for decrease in islice(permutation_importances(subject.state, data.take(rows), rng), self.draws):
            found.append(decrease)
            yield ChartResult(importance_chart(data.columns, np.array(found), impurity, part, score))
        if not found:
            raise ValueError(f"the {score} is not defined for these points: the targets are equal")


def importance_chart(
    names: tuple[str, ...], decreases: Floats, impurity: Floats | None, part: str, score: str
) -> Chart:
    """Return the mean decrease of the score by each input, the largest at the top, and the repeats."""
    mean = decreases.mean(axis=0)
    order = np.argsort(mean, kind="stable")[::-1]
    figures = {f"decrease of {score} by permutation": mean[order]}
    if impurity is not None:
        figures["share of the decrease of impurity"] = impurity[order]
    axis, series = dots_by_name([names[j] for j in order], figures)
    single = Series(
        name="single permutation", x=decreases[:, order].ravel(), y=np.tile(series[0].y, len(decreases)),
        kind="dots", opacity=SINGLE,
    )  # fmt: skip
    repeats = f"mean of {len(decreases)} permutations" if len(decreases) > 1 else "one permutation"
    points = "held-out points" if part == "held out" else "training points"
    note = f"{points}: {repeats} of each input"
    return Chart(
        title="Feature importance", x=Axis(title="importance"), y=axis, series=(single, *series),
        rules=(Rule(x=0.0),), note=note,
    )  # fmt: skip
