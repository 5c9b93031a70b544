"""Bootstrap standard errors and percentile intervals of coefficients, of a curve, or of scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.diagnostic import AUTO, ChartResult, Diagnostic, DiagnosticSubject, Overlay, diagnostic
from vizml.evaluate.diagnostic_charts import score_name, seed_field
from vizml.evaluate.metrics import one_vs_rest_scores
from vizml.evaluate.ranking import roc
from vizml.evaluate.resampling import Bootstrap, bootstraps, with_repeats
from vizml.evaluate.validation import known_mean, score_or_nan
from vizml.field.arrays import Floats
from vizml.learn import (
    CLASSIFY,
    REGRESS,
    CannotLearn,
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
from vizml.scene import Axis, Band, Chart, Mark, Rule, Series

EVERY = 10
"""Number of fits between two charts."""
CURVE_POINTS = 241
INSIDE = 1.0 - np.exp(-1.0)
"""Share of the rows in a large bootstrap sample: 63.2 %."""
EXACT = 1e-6
"""Largest deviation from a linear function, as a share of the range, of the scores of a linear classifier."""
COEFFICIENTS, CURVE, SCORES = "coefficients", "curve", "scores"


@diagnostic("bootstrap", title="Bootstrap", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class BootstrapIntervals(Diagnostic):
    what: str = choice(
        AUTO,
        (AUTO, COEFFICIENTS, CURVE, SCORES),
        labels={AUTO: "automatic"},
        title="statistic",
        help="Statistic: coefficients, the curve at each x, or scores on the rows outside each sample.",
    )
    draws: int = integer(100, 3, 1000, help="Number of bootstrap samples.")
    level: float = real(95.0, 50.0, 99.9, help="Confidence level of the percentile interval.", unit="%")
    seed: int = seed_field()

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        """Show the fits to the newest samples."""
        statistic = self._statistic(subject, fit_data(subject.model, subject.train, subject.seed))
        drawn = 0
        for state, sample, outside in refits(subject, self.draws, self.seed):
            statistic.add(state, sample, outside)
            if len(statistic.states) % EVERY == 0:
                drawn = len(statistic.states)
                yield statistic.result()
        if len(statistic.states) > max(drawn, 1):
            yield statistic.result()

    def _statistic(self, subject: DiagnosticSubject, fitted: State) -> BootstrapStatistic:
        """Return the statistic that was chosen, or the first that the model has; ValueError if it has not."""
        data = subject.model.task.training_data(subject.train)
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
    """A statistic of refits, collected one by one."""

    def __init__(
        self, settings: BootstrapIntervals, subject: DiagnosticSubject, fitted: State, data: TrainingData
    ) -> None:
        self.settings, self.subject, self.fitted, self.data = settings, subject, fitted, data
        self.states: list[State] = []

    def add(self, state: State, sample: Dataset, outside: Dataset) -> None:
        """Add a refit with its sample and the rows outside it."""
        self.states.append(state)
        self._collect(state, sample, outside)

    @abstractmethod
    def _collect(self, state: State, sample: Dataset, outside: Dataset) -> None: ...

    @abstractmethod
    def result(self) -> ChartResult:
        """Return the chart of all refits so far."""

    @property
    def interval_name(self) -> str:
        return f"{self.settings.level:g} % interval"

    def _result(
        self, axes: tuple[Axis, Axis], series: Series, note: str, rules: tuple[Rule, ...] = (),
        marks: tuple[Mark, ...] = (),
    ) -> ChartResult:  # fmt: skip
        x, y = axes
        note = f"{len(self.states)} of {self.settings.draws} samples; {note}"
        chart = Chart(title="Bootstrap", x=x, y=y, series=(series,), rules=rules, note=note)
        return ChartResult(chart, Overlay(tuple(self.states), marks=marks))

    def _named(
        self, axis: str, names: Sequence[str], y: Floats, low: Floats, high: Floats
    ) -> tuple[Axis, Series]:
        """Return an axis with a tick for each name, and an interval at each of them."""
        at = np.arange(float(len(names)))
        ticks = dict(zip(at.tolist(), names, strict=True))
        series = Series(name=self.interval_name, x=at, y=y, low=low, high=high, kind="dots")
        return Axis(title=axis, ticks=ticks, low=-0.5, high=at[-1] + 0.5), series


class CoefficientStatistic(BootstrapStatistic):
    """The coefficients of a linear model."""

    def __init__(
        self, settings: BootstrapIntervals, subject: DiagnosticSubject, fitted: State, data: TrainingData
    ) -> None:
        super().__init__(settings, subject, fitted, data)
        self.names, self.estimate = coefficients(fitted, data)
        self.rows: list[Floats] = []

    def _collect(self, state: State, sample: Dataset, outside: Dataset) -> None:
        row = coefficients(state, self.data)[1]
        if len(row) == len(self.names):
            self.rows.append(row)

    def result(self) -> ChartResult:
        found = Bootstrap(np.array(self.rows), 0.0)
        interval = found.interval(self.settings.level / 100)
        axis, series = self._named("coefficient", self.names, self.estimate, *interval)
        note = _standard_errors(self.names, found.error)
        return self._result((axis, Axis(title="value")), series, note, (Rule(y=0.0),))


class CurveStatistic(BootstrapStatistic):
    """The prediction at each value of the input."""

    def __init__(
        self, settings: BootstrapIntervals, subject: DiagnosticSubject, fitted: State, data: TrainingData
    ) -> None:
        super().__init__(settings, subject, fitted, data)
        self.x: Floats = np.linspace(data.X.min(), data.X.max(), CURVE_POINTS)
        self.rows: list[Floats] = []

    def _collect(self, state: State, sample: Dataset, outside: Dataset) -> None:
        self.rows.append(np.asarray(state.predict(self.x), dtype=np.float64))

    def result(self) -> ChartResult:
        found, x, name = Bootstrap(np.array(self.rows), 0.0), self.x, self.interval_name
        low, high = found.interval(self.settings.level / 100)
        curve = np.asarray(self.fitted.predict(x), dtype=np.float64)
        series = Series(name=name, x=x, y=curve, low=low, high=high)
        band = Band(layer="Bootstrap interval", ink="accent", x=x, low=low, high=high, legend=name)
        axes = Axis(title=self.data.columns[0]), Axis(title=self.data.target)
        note = f"mean standard error of the curve {found.error.mean():.3g}"
        return self._result(axes, series, note, marks=(band,))


class ScoreStatistic(BootstrapStatistic):
    """Scores on the sample, on the rows outside it, and the .632 estimate, which weights the two."""

    def __init__(
        self, settings: BootstrapIntervals, subject: DiagnosticSubject, fitted: State, data: TrainingData
    ) -> None:
        super().__init__(settings, subject, fitted, data)
        self.rows: list[dict[str, float]] = []

    def _collect(self, state: State, sample: Dataset, outside: Dataset) -> None:
        self.rows.append(refit_scores(state, sample, outside))

    def estimates(self) -> dict[str, tuple[float, Floats]]:
        """Return for each score its estimate, and its values over the refits."""
        values = {name: np.array([row[name] for row in self.rows]) for name in self.rows[0]}
        train, outside = score_or_nan(self.fitted, self.subject.train), values["left out"]
        weighted = (1.0 - INSIDE) * train + INSIDE * outside
        found = {"train": (train, values["train"]), "left out": (known_mean(outside), outside)}
        found[".632"] = (known_mean(weighted), weighted)
        if "AUC" in values:
            found["AUC"] = (known_mean(values["AUC"]), values["AUC"])
        return {name: pair for name, pair in found.items() if np.isfinite(pair[1]).any()}

    def result(self) -> ChartResult:
        found, half = self.estimates(), self.settings.level / 2
        tails = [np.nanpercentile(values, (50 - half, 50 + half)) for _, values in found.values()]
        low, high = np.array(tails).T
        estimate = np.array([value for value, _ in found.values()])
        axis, series = self._named("rows", tuple(found), estimate, low, high)
        errors = np.array([np.nanstd(values, ddof=1) for _, values in found.values()])
        note = _standard_errors(tuple(found), errors)
        return self._result((axis, Axis(title=score_name(self.subject.model.task))), series, note)


def refits(subject: DiagnosticSubject, draws: int, seed: int) -> Iterator[tuple[State, Dataset, Dataset]]:
    """Yield the fit to each sample that can be learned from, the sample, and the rows outside it."""
    data = subject.train
    for rows in bootstraps(len(data), draws, seed):
        outside = np.ones(len(data), dtype=bool)
        outside[rows] = False
        sample = with_repeats(data, rows)
        try:
            yield fit_data(subject.model, sample, subject.seed), sample, data.take(outside)
        except CannotLearn:
            continue


def refit_scores(state: State, sample: Dataset, outside: Dataset) -> dict[str, float]:
    """Return the scores of a refit on its sample and on the rows outside it, and there its AUC."""
    found = {"train": score_or_nan(state, sample), "left out": score_or_nan(state, outside)}
    if isinstance(state, Classifier):
        found["AUC"] = mean_auc(state, CLASSIFY.training_data(outside))
    return found


def mean_auc(state: Classifier, data: TrainingData) -> float:
    """Return the area under the ROC curve; of more classes the mean of each against the rest."""
    if len(state.classes) < 2 or not len(data):
        return float("nan")
    areas = [roc(data.labels == label, lead).auc for label, lead in one_vs_rest_scores(state, data.X)]
    return float(np.mean(areas))


def coefficients(state: State, data: TrainingData) -> tuple[tuple[str, ...], Floats]:
    """Return the coefficients of a state with their names; of a linear classifier those of its hyperplane."""
    if hasattr(state, "coefficients"):
        return _reported(state, np.ravel(state.coefficients))
    if isinstance(state, Classifier) and len(state.classes) == 2:
        return _hyperplane(state, data)
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
    if np.abs(design @ weights - lead).max() > EXACT * max(float(np.ptp(lead)), 1e-300):
        return (), np.empty(0)
    factor = 0.5 if state.scale is Scale.MARGIN else 1.0
    return ("intercept", *data.columns), np.asarray(factor * weights, dtype=np.float64)


def _standard_errors(names: Sequence[str], errors: Floats) -> str:
    each = (f"{name} {error:.3g}" for name, error in zip(names, errors.tolist(), strict=True))
    return f"standard errors {', '.join(each)}"
