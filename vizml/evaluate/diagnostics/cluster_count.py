"""The number of clusters: elbow, silhouette, gap statistic, BIC or AIC against K, with a fit for each K."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.random import Generator

from vizml.data import Dataset
from vizml.data.params import Value
from vizml.evaluate.diagnostic import AUTO, ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import seed_field
from vizml.evaluate.partitions import silhouette, within_cluster_squares
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLUSTER, DENSITY, Clusterer, Model, TrainingData, choice, find, fit_data, integer
from vizml.learn.clusters.kmeans_solver import PLACED
from vizml.scene import Axis, Chart, Offer, Series

COUNT_PARAMETERS = ("k", "states")
"""Names that models give to the number of clusters."""
REFERENCES = 10
"""Uniform samples that the gap statistic compares with."""
SAMPLE = 1000
"""Rows from which a mean silhouette is computed: its cost grows with their square."""
TINY = 1e-300
"""Lower bound of a sum of squares whose logarithm is taken."""


@dataclass(frozen=True, eq=False)
class ClusterCounts:
    """A measure for each number of clusters k so far, with standard errors (0 where it has none)."""

    measure: Measure
    k: tuple[int, ...]
    values: Floats
    errors: Floats

    @property
    def best(self) -> int | None:
        """The number of clusters that the measure suggests; None while that is open."""
        if np.isfinite(self.values).sum() < 2:
            return None
        index = self.measure.choose(self.values, self.errors)
        return None if index is None else self.k[index]


class Fit:
    """A model with K clusters, its data and its state."""

    def __init__(self, model: Model, data: TrainingData, seed: int) -> None:
        self.model, self.data, self.seed = model, data, seed
        self.state = fit_data(model, data, seed)

    @property
    def assigned(self) -> Ints:
        """Cluster of each row; ValueError where there are none."""
        if not isinstance(self.state, Clusterer):
            raise ValueError("a density has no clusters: choose BIC or AIC")  # noqa: TRY004 (shown to users)
        return self.state.assigned


@dataclass(frozen=True)
class Measure:
    """A measure of clusterings: its value with a standard error, and the choice among values for rising K."""

    title: str
    axis: str
    rule: str
    """The rule by which it chooses, for the note."""
    value: Callable[[Fit, Generator], tuple[float, float]]
    choose: Callable[[Floats, Floats], int | None]


@diagnostic(
    "cluster_count", title="Number of clusters", tasks=(CLUSTER, DENSITY),
    synonyms=("elbow method", "choose k", "BIC", "AIC"),
)  # fmt: skip
class ClusterCountCurve(Diagnostic):
    """Elbow, silhouette, gap statistic or information criterion by the number of clusters."""

    measure: str = choice(
        AUTO,
        (AUTO, "elbow", "silhouette", "gap", "BIC", "AIC"),
        labels={AUTO: "automatic", "elbow": "Elbow", "silhouette": "Silhouette", "gap": "Gap statistic"},
        help="Measure that is compared: automatic takes BIC for mixtures, else the elbow.",
    )
    most: int = integer(10, 3, 20, help="Largest number of clusters.", title="maximum")
    seed: int = seed_field("Random seed of the fits.")

    def varies(self, model: Model) -> tuple[str, ...]:
        try:
            return (count_parameter(model),)
        except ValueError:
            return ()

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        measure = self.measure
        if measure == AUTO:
            has_bic = subject.state is not None and "BIC" in subject.state.metrics()
            measure = "BIC" if has_bic or not isinstance(subject.state, Clusterer) else "elbow"
        for found in cluster_counts(subject.model, subject.train, measure, self.most, self.seed):
            yield ChartResult(cluster_count_chart(subject.model, found))


def cluster_counts(
    model: Model, dataset: Dataset, measure: str, most: int = 10, seed: int = 0
) -> Iterator[ClusterCounts]:
    """Yield a measure for K = 1, 2, ... after each fit; ValueError where the model has no such measure."""
    rng = np.random.default_rng(seed)
    data, known = model.task.training_data(dataset), MEASURES[measure]
    count_parameter(model)
    rows: list[tuple[float, float]] = []
    for k in range(1, min(most, len(data)) + 1):
        rows.append(known.value(Fit(model.with_(**count_settings(model, k)), data, seed), rng))
        values, errors = np.array(rows).T
        yield ClusterCounts(known, tuple(range(1, k + 1)), values, errors)


def count_parameter(model: Model) -> str:
    """Return the parameter for the number of clusters; ValueError for models without one."""
    known = {param.name for param in model.parameters()}
    for name in COUNT_PARAMETERS:
        if name in known:
            return name
    raise ValueError(f"{model.title} determines the number of clusters itself")


def count_settings(model: Model, k: int) -> dict[str, Value]:
    """Return the parameters with which a model finds K clusters."""
    return {count_parameter(model): k, **_other_settings(model)}


def _other_settings(model: Model) -> dict[str, Value]:
    """Return the parameters without which the number of clusters would have no effect."""
    values = model.values
    others: dict[str, Value] = {"cut": "k"} if values.get("cut", "k") != "k" else {}
    if values.get("init") == PLACED:
        others["init"] = find(model.id, model.task)().values["init"]
    return others


def cluster_count_chart(model: Model, found: ClusterCounts) -> Chart:
    """Return a measure against K; a click sets K."""
    k, measure, best = np.array(found.k, dtype=float), found.measure, found.best
    line = Series(name=measure.axis, x=k, y=found.values)
    if found.errors.any():
        line = replace(line, low=found.values - found.errors, high=found.values + found.errors)
    series, offers = [line], []
    if best is not None:
        at = slice(best - found.k[0], best - found.k[0] + 1)
        series.append(Series(name=f"K = {best}", x=k[at], y=found.values[at], kind="dots", ink="text"))
        offers.append(Offer(text="Best", tip=f"Set K to {best}.", values=count_settings(model, best)))
    return Chart(
        title=f"{measure.title} against K",
        x=Axis(title="number of clusters K"),
        y=Axis(title=measure.axis),
        series=tuple(series),
        sets=(count_parameter(model),),
        choices=(found.k,),
        also=tuple(_other_settings(model).items()),
        offers=tuple(offers),
        note=measure.rule + (f": K = {best}" if best is not None else "") + "; click a K to set it",
    )


# -- measures --


def _squares(fit: Fit, _: Generator) -> tuple[float, float]:
    return within_cluster_squares(fit.data.X, fit.assigned), 0.0


def _mean_silhouette(fit: Fit, rng: Generator) -> tuple[float, float]:
    rows = np.sort(rng.permutation(len(fit.data))[:SAMPLE])
    own = fit.assigned[rows]
    if not 2 <= len(np.unique(own)) < len(own):
        return np.nan, 0.0
    return silhouette(fit.data.X[rows], own), 0.0


def _gap(fit: Fit, rng: Generator) -> tuple[float, float]:
    """Return the mean log W of uniform samples minus the own one, and its error (Tibshirani 2001)."""
    X = fit.data.X
    low, high = X.min(axis=0), X.max(axis=0)
    logs = []
    for _ in range(REFERENCES):
        uniform = replace(fit.data, X=rng.uniform(low, high, size=X.shape))
        logs.append(_log_squares(uniform.X, Fit(fit.model, uniform, fit.seed).assigned))
    error = float(np.std(logs) * np.sqrt(1 + 1 / REFERENCES))
    return float(np.mean(logs) - _log_squares(X, fit.assigned)), error


def _log_squares(X: Floats, assigned: Ints) -> float:
    return float(np.log(max(within_cluster_squares(X, assigned), TINY)))


def _criterion(name: str, fit: Fit, _: Generator) -> tuple[float, float]:
    metrics = fit.state.metrics()
    if name not in metrics:
        raise ValueError(f"{name} needs a likelihood, as Gaussian mixtures have")
    return metrics[name], 0.0


def _bend(values: Floats, _: Floats) -> int | None:
    """Return the index at which the curve is farthest below the line between its ends."""
    if len(values) < 3 or values[0] <= values[-1]:
        return None
    line = np.linspace(values[0], values[-1], len(values))
    return int(np.argmax(line - values))


def _first_within_error(values: Floats, errors: Floats) -> int | None:
    """Return the first index whose gap is within one standard error of the next."""
    enough = np.flatnonzero(values[:-1] >= values[1:] - errors[1:])
    return int(enough[0]) if len(enough) else None


def _lowest(values: Floats, _: Floats) -> int | None:
    return int(np.nanargmin(values))


def _highest(values: Floats, _: Floats) -> int | None:
    return int(np.nanargmax(values))


MEASURES: Mapping[str, Measure] = {
    "elbow": Measure("Elbow", "within-cluster sum of squares", "Bend of the falling curve", _squares, _bend),
    "silhouette": Measure("Silhouette", "mean silhouette", "Highest mean silhouette", _mean_silhouette,
                          _highest),
    "gap": Measure("Gap statistic", "gap", "First gap within one standard error of the next", _gap,
                   _first_within_error),
    "BIC": Measure("BIC", "BIC", "Lowest BIC", partial(_criterion, "BIC"), _lowest),
    "AIC": Measure("AIC", "AIC", "Lowest AIC", partial(_criterion, "AIC"), _lowest),
}  # fmt: skip
