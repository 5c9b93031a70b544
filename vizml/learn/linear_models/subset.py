"""Subset selection: linear regression on the terms that a criterion selects along a path of sizes."""

from __future__ import annotations

import math
from collections.abc import Generator as Steps
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import REGRESS, choice, flag, integer, real, register
from vizml.learn.linear_models import FAMILY
from vizml.learn.linear_models import subset_search as search
from vizml.learn.linear_models.basis import power
from vizml.learn.linear_models.basis_regression import BasisRegression, TermRegressionState
from vizml.learn.linear_models.penalised_solver import assigned_folds
from vizml.learn.linear_models.standardised import StandardisedProblem
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, HeatMap, Rule, Series

FOLDS = 10
"""Cross-validation folds."""
MANY, MOST = 40, 1000
"""Numbers of terms whose subsets are counted in full, and drawn by size."""
COLUMNS = 24
"""The most columns of the chart of terms."""
AXES = search.CRITERIA | {"adjr2": "1 − adjusted R²", "cv": "mean squared error"}


@dataclass(frozen=True, eq=False, kw_only=True)
class SubsetSelectionState(TermRegressionState):
    """Least squares on a subset of terms; its loss is the criterion, lower is better."""

    path: tuple[search.Subset, ...]
    """All subsets that the search visits."""
    scores: Floats
    """The criterion of each, empty until it is known."""
    seen: int = 0
    """The number of subsets visited so far."""
    index: int = 0
    """The index of the current subset."""
    criterion: str
    noise: float
    """The noise variance of the full model as a share of the variance of y."""
    small_steps: bool
    """Whether the path is that of stagewise search, on which many subsets have the same terms."""

    def at(self, index: int, note: str, progress: float) -> SubsetSelectionState:
        """Return the state at another subset of the path."""
        return replace(
            self, index=index, seen=max(self.seen, index + 1),
            slopes=self.path[index].slopes,
            loss=float(self.scores[index]) if len(self.scores) else math.nan, note=note, progress=progress,
        )  # fmt: skip

    @property
    def subset(self) -> search.Subset:
        """The current subset."""
        return self.path[self.index]

    @property
    def degrees_of_freedom(self) -> float:
        return 1.0 + self.subset.size

    def metrics(self) -> Mapping[str, float]:
        found = {"terms": float(self.subset.size)}
        cp = search.mallows_cp(self.problem.n, self.subset, self.noise)
        if math.isfinite(cp):
            found["Cp"] = cp
        if len(self.scores) and self.criterion == "cv":
            found["CV error"] = float(self.scores[self.index])
        return {**found, **super().metrics()}

    def charts(self) -> tuple[Chart, ...]:
        sizes = np.array([subset.size for subset in self.path], dtype=np.int64)
        across = np.arange(len(self.path)) if self.small_steps else sizes
        order = np.argsort(across[: self.seen], kind="stable")
        axis = Axis(title="step" if self.small_steps else "number of terms")
        terms = self._terms_chart(order, across, axis)
        scores = (self._score_chart(order, across, axis),) if len(self.scores) else ()
        return (*scores, terms, *((count_chart(self.problem.size),) if self.problem.size <= MOST else ()))

    def _score_chart(self, order: Ints, across: Ints, axis: Axis) -> Chart:
        x, at = across[order].astype(np.float64), int(across[self.index])
        return Chart(
            title="Selection criterion", x=axis, y=Axis(title=AXES[self.criterion]),
            series=(Series(name=search.CRITERIA[self.criterion], x=x, y=self.scores[order]),),
            rules=(Rule(name=f"shown: {at}", x=float(at), ink="text"),), note="Lower is better.",
        )  # fmt: skip

    def _terms_chart(self, order: Ints, across: Ints, axis: Axis) -> Chart:
        """Draw the terms that are selected at each size."""
        picked = order[np.unique(np.linspace(0, len(order) - 1, COLUMNS).astype(np.int64))].tolist()
        selected = np.stack([self.path[i].slopes != 0 for i in picked], axis=1).astype(np.float64)
        columns = tuple(str(across[i]) for i in picked)
        heat = HeatMap(values=selected, rows=self.problem.names, columns=columns)
        return Chart(title="Selected terms", x=axis, y=Axis(title="term"), heat=heat)


@register(
    "subset", REGRESS, FAMILY, "Subset selection",
    remarks=("Note 001 counts over 1 billion models of 40 terms; correct is 2⁴⁰, over 1 trillion.",),
    symbols={
        "p": ("Number of weights of the model.",), "n": ("Number of training points.",),
        "s": ("Estimated standard deviation of the noise.",), "C": ("Mallows’ Cp.",),
    },
    synonyms=(
        "best subset selection", "forward stepwise", "backward stepwise", "forward stagewise",
        "feature selection", "AIC", "BIC", "Mallows Cp",
    ),
)  # fmt: skip
class SubsetSelection(BasisRegression):
    r"""Linear regression on the subset of terms that minimises a selection criterion.

    .. math::
        \mathrm{BIC} = n \ln \frac{2 \pi e \, \mathrm{RSS}}{n} + (p + 1) \ln n
        \mathrm{AIC} = n \ln \frac{2 \pi e \, \mathrm{RSS}}{n} + 2 (p + 1)
        C_p = \frac{\mathrm{RSS}}{s^2} - n + 2 p
    """

    takes_reference = True
    method: str = choice(
        "forward", ("best", "forward", "backward", "stagewise"),
        labels={"best": "best subset", "forward": "forward selection", "backward": "backward elimination",
                "stagewise": "forward stagewise"},
        help="Search method: best subset (exhaustive), forward or backward selection, or forward stagewise "
        "regression.",
    )  # fmt: skip
    criterion: str = choice(
        "bic", tuple(search.CRITERIA), labels=search.CRITERIA, help="Model selection criterion to minimise."
    )
    hierarchy: bool = flag(
        False, when={"basis": ("polynomial",), "method": ("best", "forward", "backward")},
        help="Hierarchy principle: include all lower powers together with each power, and both inputs with "
        "their product.",
    )  # fmt: skip
    step: float = real(
        0.02, 1e-3, 1.0, log=True, when={"method": ("stagewise",)}, symbol="ε", title="step size",
        help="Step size of forward stagewise regression, in standard deviations of y.",
    )  # fmt: skip
    rounds: int = integer(
        300, 1, 2000, log=True, when={"method": ("stagewise",)}, title="steps",
        help="Maximum number of stagewise steps.",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[SubsetSelectionState]:
        problem = self.problem(data)
        n, most = len(data), min(problem.size, max(len(data) - 2, 0))
        method, criterion, remark = self._feasible(n, problem.size, most)
        path, noise = tuple(self._search(problem, method, most)), search.full_model_noise(problem, most)
        state = SubsetSelectionState(
            X=data.X, y=data.y, problem=problem, slopes=path[0].slopes, path=path, scores=np.empty(0),
            criterion=criterion, noise=noise, small_steps=method == "stagewise",
        )  # fmt: skip
        if criterion == "cv":
            scores = yield from self._cross_validated(state, method, most, rng)
        else:
            scores = np.array([search.criterion_score(criterion, problem, subset, noise) for subset in path])
        state = replace(state, scores=scores)
        for index, subset in enumerate(path):
            rss = n * problem.deviation**2 * subset.unexplained
            note = f"{subset.note}: RSS {rss:.4g}, {_described(criterion, float(scores[index]))}"
            state = state.at(index, note, (index + 1) / (len(path) + 1))
            yield state
        index = _lowest(scores, path)
        names = ", ".join(problem.names[j] for j in path[index].terms) or "no term"
        size = f"{path[index].size} of {plural(problem.size, 'term')}"
        chosen = f"{search.CRITERIA[criterion]} selects {size}: {names}"
        yield state.at(index, remark + chosen, 1.0)

    def _feasible(self, n: int, terms: int, most: int) -> tuple[str, str, str]:
        """Return the method and the criterion that so many points and terms allow, with a remark."""
        method, criterion, remark = self.method, self.criterion, ""
        if method == "best" and terms > search.MOST_TERMS:
            count = subset_count(terms)
            method, remark = "forward", f"{terms} terms have {count} subsets: forward selection instead; "
        if criterion == "cp" and n < most + 2:
            criterion, remark = "bic", f"{remark}too few points for Cp: BIC instead; "
        if criterion == "cv" and n < 4:
            criterion, remark = "bic", f"{remark}too few points for cross-validation: BIC instead; "
        return method, criterion, remark

    def _search(self, problem: StandardisedProblem, method: str, most: int) -> Iterator[search.Subset]:
        if method == "stagewise":
            return search.stagewise(problem, most, self.step, self.rounds)
        parents = problem.basis.parents if self.hierarchy else ((),) * problem.size
        return search.METHODS[method](problem, most, parents=parents)

    def _cross_validated(
        self, state: SubsetSelectionState, method: str, most: int, rng: Generator
    ) -> Steps[SubsetSelectionState, None, Floats]:
        """Return the mean squared error of each subset of the path; the search is repeated in each fold."""
        X, y, length = state.X, state.y, len(state.path)
        folds, total, seen = min(FOLDS, len(y)), np.zeros(length), 0
        for k, out in enumerate(assigned_folds(len(y), folds, rng), start=1):
            kept = StandardisedProblem.over(state.basis, X[~out], y[~out])
            path = self._search(kept, method, min(most, kept.n - 1))
            errors = kept.squared_errors(X[out], y[out], np.stack([subset.slopes for subset in path]))
            total += resized(errors.sum(axis=0), length, backward=method == "backward")
            seen += len(errors)
            index = _lowest(total, state.path)
            terms = plural(state.path[index].size, "term")
            lowest = f"lowest error {total[index] / seen:.4g} with {terms}"
            yield state.at(index, f"fold {k} of {folds}: {lowest}", k / (folds + 1))
        return total / len(y)


def subset_count(p: int) -> str:
    """Return the number 2^p of subsets of p terms as text."""
    return f"{2**p:,}" if p < MANY else power("2", p)


def count_chart(p: int) -> Chart:
    """Draw the number C(p, k) of subsets of each size k of p terms, and of fits of a stepwise search."""
    sizes = np.arange(p + 1.0)
    every = np.array([math.comb(p, k) for k in range(p + 1)], dtype=np.float64)
    steps = 1 + p * (p + 1) // 2
    return Chart(
        title="Number of subsets", x=Axis(title="number of terms k"), y=Axis(title="models", log=True),
        series=(
            Series(name=f"best subset: C({p}, k)", x=sizes, y=every),
            Series(name=f"forward selection: {p + 1} − k", x=sizes[1:], y=p + 1 - sizes[1:], ink=1),
        ),
        note=f"{subset_count(p)} subset{'s' if p else ''} in all, of which forward selection fits {steps:,}",
    )  # fmt: skip


def resized(errors: Floats, length: int, *, backward: bool) -> Floats:
    """Cut the errors of a shorter or longer path to a length; the error of the largest model is repeated.

    >>> resized(np.array([3.0, 2.0]), 4, backward=False).tolist()
    [3.0, 2.0, 2.0, 2.0]
    >>> resized(np.array([3.0, 2.0]), 3, backward=True).tolist()
    [3.0, 3.0, 2.0]
    """
    if backward:
        return resized(errors[::-1], length, backward=False)[::-1]
    return np.pad(errors, (0, max(length - len(errors), 0)), mode="edge")[:length]


def _described(criterion: str, value: float) -> str:
    shown = f"{1 - value:.4g}" if criterion == "adjr2" else f"{value:.5g}"
    return f"{search.CRITERIA[criterion]} {shown}"


def _lowest(scores: Floats, path: tuple[search.Subset, ...]) -> int:
    """Return the index of the lowest score, of equals the fewest terms."""
    return min(range(len(path)), key=lambda index: (float(scores[index]), path[index].size))
