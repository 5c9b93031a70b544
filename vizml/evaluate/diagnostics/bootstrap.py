"""Bootstrap standard errors and intervals of coefficients, a curve or scores, and the share of rows drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.diagnostic import AUTO, ChartResult, Diagnostic, DiagnosticSubject, Overlay, diagnostic
from vizml.evaluate.diagnostic_charts import score_name, seed_field
from vizml.evaluate.metrics import binary_classifier, one_vs_rest_scores
from vizml.evaluate.ranking import roc
from vizml.evaluate.resampling import bootstraps, fits, with_repeats
from vizml.evaluate.validation import known_statistics, score_or_nan
from vizml.field.arrays import Floats
from vizml.learn import (
    CLASSIFY,
    REGRESS,
    Classifier,
    Regressor,
    Scale,
    State,
    TrainingData,
    choice,
    fit_data,
    integer,
    real,
)
from vizml.learn.coded import CodedRegressor
from vizml.learn.linear_models.basis_regression import BasisRegressionState
from vizml.scene import Axis, Band, Chart, Rule, Series
from vizml.scene.typesetting import without_rounding

EVERY = 10
"""Number of fits between two charts."""
CURVE_POINTS = 241
INSIDE = float(1.0 - np.exp(-1.0))
"""Share of the rows in a large bootstrap sample: 63.2 %."""
SIZES = 12
"""Numbers of rows between 1 and n for which the share of drawn rows is measured."""
EXACT = 1e-6
"""Largest deviation from a linear function, as a share of the range, of the scores of a linear classifier."""
COEFFICIENTS, CURVE, SCORES = "coefficients", "curve", "scores"


@diagnostic(
    "bootstrap", title="Bootstrap", tasks=(CLASSIFY, REGRESS),
    synonyms=("standard error", "resampling", "confidence interval", "block bootstrap"),
)  # fmt: skip
class BootstrapIntervals(Diagnostic):
    """Intervals of coefficients, curve or scores over bootstrap samples."""

    what: str = choice(
        AUTO,
        (AUTO, COEFFICIENTS, CURVE, SCORES),
        labels={AUTO: "automatic"},
        title="statistic",
        help="Statistic: coefficients, the curve at each x, or scores on the rows outside each sample.",
    )
    draws: int = integer(100, 3, 1000, help="Number of bootstrap samples.")
    block: int = integer(
        1, 1, 500, log=True, title="block length", synonyms=("block bootstrap", "moving blocks"),
        help="Number of consecutive rows that are drawn together (block bootstrap): more than 1 for rows in "
        "the order of time, which depend on each other.",
    )  # fmt: skip
    level: float = real(95.0, 50.0, 99.9, help="Confidence level of the percentile interval.", unit="%")
    seed: int = seed_field()

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        """Show the fits to the newest samples."""
        statistic = self._statistic(subject, fit_data(subject.model, subject.train, subject.seed))
        drawn = 0
        for state, sample, outside in refits(subject, self.draws, self.seed, self.block):
            statistic.add(state, sample, outside)
            if len(statistic.states) % EVERY == 0:
                drawn = len(statistic.states)
                yield statistic.result()
        if len(statistic.states) > max(drawn, 1):
            yield statistic.result()

    def _statistic(self, subject: DiagnosticSubject, fitted: State) -> BootstrapStatistic:
        """Return the statistic that was chosen, or the first that the model has; ValueError if it has not."""
        data = subject.model.training_data(subject.train)
        names, _ = coefficients(fitted, data)
        has_curve = isinstance(fitted, Regressor) and data.X.shape[1] == 1
        if self.what == COEFFICIENTS and not names:
            raise ValueError(f"{subject.model.title} has no coefficients")
        if self.what == CURVE and not has_curve:
            raise ValueError("only a regression on one input has a curve: choose scores")
        first = COEFFICIENTS if names else CURVE if has_curve else SCORES
        kinds: dict[str, type[BootstrapStatistic]] = {
            COEFFICIENTS: CoefficientStatistic, CURVE: CurveStatistic, SCORES: ScoreStatistic,
        }  # fmt: skip
        return kinds[first if self.what == AUTO else self.what](self, subject, fitted, data)


class BootstrapStatistic(ABC):
    """A statistic of refits, collected one by one as rows of numbers."""

    def __init__(
        self, settings: BootstrapIntervals, subject: DiagnosticSubject, fitted: State, data: TrainingData
    ) -> None:
        self.settings, self.subject, self.fitted, self.data = settings, subject, fitted, data
        self.states: list[State] = []
        self.rows: list[Floats] = []
        self.name = f"{settings.level:g} % interval"

    def add(self, state: State, sample: Dataset, outside: Dataset) -> None:
        """Add a refit with its sample and the rows outside it."""
        self.states.append(state)
        self.rows.append(self.row(state, sample, outside))

    @abstractmethod
    def row(self, state: State, sample: Dataset, outside: Dataset) -> Floats:
        """Return the statistic of a refit."""

    @abstractmethod
    def result(self) -> ChartResult:
        """Return the chart of all refits so far."""

    def interval(self, rows: Floats) -> Floats:
        """Return the percentile interval (2, m) of rows (draws, m)."""
        half = self.settings.level / 2
        return np.asarray(np.nanpercentile(rows, (50 - half, 50 + half), axis=0))

    def chart(
        self, axes: tuple[Axis, Axis], series: Series, note: str, rules: tuple[Rule, ...] = ()
    ) -> Chart:
        """Return a chart of one series with its interval."""
        x, y = axes
        of = f" of blocks of {self.settings.block} rows" if self.settings.block > 1 else ""
        note = f"{len(self.states)} of {self.settings.draws} samples{of}; {note}"
        return Chart(title="Bootstrap", x=x, y=y, series=(series,), rules=rules, note=note)

    def named_result(
        self, axes: tuple[str, str], names: Sequence[str], estimate: Floats, rows: Floats, *rules: Rule
    ) -> ChartResult:
        """Return the chart of an interval for each name."""
        at, (low, high) = np.arange(float(len(names))), self.interval(rows)
        x = Axis(title=axes[0], ticks=dict(zip(at.tolist(), names, strict=True)), low=-0.5, high=at[-1] + 0.5)
        series = Series(name=self.name, x=at, y=estimate, low=low, high=high, kind="dots")
        errors = zip(names, known_statistics(rows.T)[1].tolist(), strict=True)
        known = ", ".join(f"{name} {error:.3g}" for name, error in errors if np.isfinite(error))
        note = f"standard errors {known}" if known else "too few fits for standard errors"
        chart = self.chart((x, Axis(title=axes[1])), series, note, rules)
        return ChartResult(chart, Overlay(tuple(self.states)))


class CoefficientStatistic(BootstrapStatistic):
    """The coefficients of a linear model."""

    def row(self, state: State, sample: Dataset, outside: Dataset) -> Floats:
        return coefficients(state, self.data)[1]

    def result(self) -> ChartResult:
        names, estimate = coefficients(self.fitted, self.data)
        rows = np.array([row for row in self.rows if len(row) == len(names)])  # a refit may lack some
        if not len(rows):
            raise ValueError("the fits to the samples have other coefficients: choose scores")
        return self.named_result(("coefficient", "value"), names, estimate, rows, Rule(y=0.0))


class CurveStatistic(BootstrapStatistic):
    """The prediction at each value of the input."""

    @cached_property
    def x(self) -> Floats:
        return np.linspace(self.data.X.min(), self.data.X.max(), CURVE_POINTS)

    def row(self, state: State, sample: Dataset, outside: Dataset) -> Floats:
        return np.asarray(state.predict(self.x), dtype=np.float64)

    def result(self) -> ChartResult:
        x, rows = self.x, np.array(self.rows)
        low, high = self.interval(rows)
        curve = self.row(self.fitted, self.subject.train, self.subject.train)
        series = Series(name=self.name, x=x, y=curve, low=low, high=high)
        band = Band(layer="Bootstrap interval", ink="accent", x=x, low=low, high=high, legend=self.name)
        axes = Axis(title=self.data.columns[0]), Axis(title=self.data.target)
        note = f"mean standard error of the curve {rows.std(axis=0, ddof=1).mean():.3g}"
        return ChartResult(self.chart(axes, series, note), Overlay(tuple(self.states), marks=(band,)))


class ScoreStatistic(BootstrapStatistic):
    """Scores on the sample, on the rows outside it, the .632 estimate, which weights the two, and the AUC."""

    names = ("train", "left out", ".632", "AUC")

    def row(self, state: State, sample: Dataset, outside: Dataset) -> Floats:
        return refit_scores(state, sample, outside)

    def result(self) -> ChartResult:
        train, outside, auc = np.array(self.rows).T
        apparent = score_or_nan(self.fitted, self.subject.train)
        weighted = (1.0 - INSIDE) * apparent + INSIDE * outside
        rows = np.column_stack([train, outside, weighted, auc])
        estimate, _, _ = known_statistics(rows.T)
        estimate[0] = apparent
        known = np.flatnonzero(np.isfinite(rows).any(axis=0))
        names, axes = [self.names[k] for k in known], ("rows", score_name(self.subject.model.task))
        return self.named_result(axes, names, estimate[known], rows[:, known])


def refits(
    subject: DiagnosticSubject, draws: int, seed: int, block: int = 1
) -> Iterator[tuple[State, Dataset, Dataset]]:
    """Yield the fit to each sample that can be learned from, the sample, and the rows outside it."""
    data = subject.train
    for rows in bootstraps(len(data), draws, seed, block):
        sample, outside = with_repeats(data, rows), data.take(np.setdiff1d(np.arange(len(data)), rows))
        for state in fits(subject.model, iter([sample]), subject.seed):
            yield state, sample, outside


def refit_scores(state: State, sample: Dataset, outside: Dataset) -> Floats:
    """Return the scores of a refit on its sample and on the rows outside it, and there its AUC."""
    auc = mean_auc(state, state.training_data(outside)) if isinstance(state, Classifier) else float("nan")
    return np.array([score_or_nan(state, sample), score_or_nan(state, outside), auc])


def mean_auc(state: Classifier, data: TrainingData) -> float:
    """Return the area under the ROC curve; of more classes the mean of each against the rest."""
    if len(state.classes) < 2 or not len(data):
        return float("nan")
    areas = [roc(data.labels == label, lead).auc for label, lead in one_vs_rest_scores(state, data.X)]
    return float(np.mean(areas))


def coefficients(state: State, data: TrainingData) -> tuple[tuple[str, ...], Floats]:
    """Return the coefficients of a state with their names; of a linear classifier those of its hyperplane."""
    if isinstance(state, CodedRegressor) and not state.coding.affine:
        return coefficients(state.inner, data)
    if isinstance(state, BasisRegressionState):
        names = state.coefficient_names
        return names, state.coefficients[: len(names)]
    if hasattr(state, "coefficients"):
        return _reported(state, np.ravel(state.coefficients))
    if classifier := binary_classifier(state):
        return _hyperplane(classifier, data)
    return (), np.empty(0)


def _reported(state: State, values: Floats) -> tuple[tuple[str, ...], Floats]:
    """Return the metrics of a state that are coefficients."""
    rounded = {round(float(value), 12) for value in values}
    named = {
        name: value
        for name, value in state.metrics().items()
        if name == "intercept" or round(float(value), 12) in rounded
    }
    return tuple(named), np.array(list(named.values()), dtype=np.float64)


def _hyperplane(state: Classifier, data: TrainingData) -> tuple[tuple[str, ...], Floats]:
    """Return intercept and weights where the lead of the second class is linear; a margin is half a lead."""
    ((_, lead),) = one_vs_rest_scores(state, data.X)
    design = np.column_stack([np.ones(len(data)), data.X])
    weights, *_ = np.linalg.lstsq(design, lead, rcond=None)
    reach = np.maximum(np.abs(design).max(axis=0), 1e-300)
    weights = without_rounding(weights * reach, lead) / reach
    if np.abs(design @ weights - lead).max() > EXACT * max(float(np.ptp(lead)), 1e-300):
        return (), np.empty(0)
    factor = 0.5 if state.scale is Scale.MARGIN else 1.0
    return ("intercept", *data.columns), np.asarray(factor * weights, dtype=np.float64)


@diagnostic(
    "share_drawn", title="The 63.2 % rule", tasks=(CLASSIFY, REGRESS), synonyms=("0.632", "bootstrap sample")
)
class BootstrapCoverage(Diagnostic):
    """Share of the points that a bootstrap sample contains, by its size."""

    draws: int = integer(200, 3, 2000, help="Number of bootstrap samples of each size.")
    seed: int = seed_field()

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        if not len(subject.train):
            raise ValueError("there are no points to draw from yet")
        sizes = np.unique(np.geomspace(1, len(subject.train), SIZES).round().astype(np.int64))
        shares: list[Floats] = []
        for n in sizes.tolist():
            samples = bootstraps(n, self.draws, self.seed)
            shares.append(np.array([len(np.unique(sample)) / n for sample in samples]))
            yield ChartResult(self._chart(sizes[: len(shares)].astype(float), shares))

    def _chart(self, n: Floats, shares: list[Floats]) -> Chart:
        mean = np.array([share.mean() for share in shares])
        deviation = np.array([share.std(ddof=1) for share in shares])
        low, high = mean - deviation, mean + deviation
        return Chart(
            title="The 63.2 % rule",
            x=Axis(title="points n", log=True),
            y=Axis(title="share of points in a sample", low=0.4, high=1.02),
            series=(
                Series(name="1 − (1 − 1/n)ⁿ", x=n, y=1 - (1 - 1 / n) ** n, ink="muted", stroke="dash"),
                Series(name="measured", x=n, y=mean, low=low, high=high, kind="dots"),
            ),
            rules=(Rule(name="1 − 1/e", y=INSIDE, ink="accent"),),
            note=f"{self.draws} bootstrap samples of each size; n = {n[-1]:.0f}: {mean[-1]:.1%}",
        )
