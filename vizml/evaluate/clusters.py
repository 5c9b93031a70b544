"""How many clusters? Elbow, silhouette, gap statistic, BIC and AIC against K, a fit for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.data import Dataset
from vizml.data.params import Value
from vizml.evaluate.partitions import scatter, silhouette
from vizml.learn import Clusterer, Model, State, fit_data
from vizml.learn.clusters.initialisation import PLACED
from vizml.scene import Axis, Chart, Offer, Series

Floats: TypeAlias = NDArray[np.float64]
COUNTS = ("k", "states")
"""What the number of clusters is called."""
REFERENCES = 10
"""Samples without clusters that the gap statistic compares with."""
SAMPLE = 1000
"""So many points stand for all in a silhouette."""
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Counted:
    """A measure at each K that was tried so far."""

    measure: str
    sets: str
    k: tuple[int, ...]
    found: Floats
    errors: Floats | None = None

    @property
    def best(self) -> int | None:
        """The K that the measure speaks for, None while that is open."""
        known = np.isfinite(self.found)
        if known.sum() < 2:
            return None
        at = PICKS[self.measure](self.found, self.errors)
        return None if at is None else self.k[at]


def counted(model: Model, data: Dataset, measure: str, most: int = 10, seed: int = 0) -> Iterator[Counted]:
    """A measure for K = 1, 2, ... as fits come in; ValueError says where there is none."""
    name = count_parameter(model)
    value_of = MEASURES[measure]
    rng = np.random.default_rng(seed)
    k: list[int] = []
    found: list[tuple[float, float]] = []
    for number in range(1, min(most, len(data)) + 1):
        k.append(number)
        found.append(value_of(_Fit(model.with_(**settings(model, number)), data, seed), rng))
        values = np.array(found)
        yield Counted(measure, name, tuple(k), values[:, 0], values[:, 1] if measure == "gap" else None)


def count_parameter(model: Model) -> str:
    """What the number of clusters is called; ValueError for models that find it themselves."""
    known = {param.name for param in model.parameters()}
    for name in COUNTS:
        if name in known:
            return name
    raise ValueError(f"{model.title} finds the number of clusters itself")


def settings(model: Model, k: int) -> dict[str, Value]:
    """What makes a model find K clusters."""
    return {count_parameter(model): k, **_otherwise(model)}


def _otherwise(model: Model) -> dict[str, Value]:
    """What must be set besides, or the number would not count."""
    values = model.values
    others: dict[str, Value] = {"cut": "k"} if values.get("cut", "k") != "k" else {}
    if values.get("init") == PLACED:
        others["init"] = type(model)().values["init"]
    return others


def elbow(model: Model, X: ArrayLike, most: int = 10, seed: int = 0) -> Chart:
    """Squares within clusters against K."""
    return _last(model, X, "elbow", most, seed)


def silhouette_by_k(model: Model, X: ArrayLike, most: int = 10, seed: int = 0) -> Chart:
    """The mean silhouette against K."""
    return _last(model, X, "silhouette", most, seed)


def gap(model: Model, X: ArrayLike, most: int = 10, seed: int = 0) -> Chart:
    """The gap statistic against K."""
    return _last(model, X, "gap", most, seed)


def bic(model: Model, X: ArrayLike, most: int = 10, seed: int = 0) -> Chart:
    """BIC against K, for mixtures."""
    return _last(model, X, "BIC", most, seed)


def aic(model: Model, X: ArrayLike, most: int = 10, seed: int = 0) -> Chart:
    """AIC against K, for mixtures."""
    return _last(model, X, "AIC", most, seed)


def chart(model: Model, found: Counted) -> Chart:
    """A measure against K; a click sets K."""
    k, best = np.array(found.k, dtype=float), found.best
    low = None if found.errors is None else found.found - found.errors
    high = None if found.errors is None else found.found + found.errors
    series = [Series(name=found.measure, x=k, y=found.found, low=low, high=high)]
    offers: tuple[Offer, ...] = ()
    if best is not None:
        at = found.k.index(best)
        dot = Series(
            name=f"K = {best}", x=k[at : at + 1], y=found.found[at : at + 1], kind="dots", ink="text"
        )
        series.append(dot)
        offers = (Offer(text="Best", tip=f"Set K to {best}", values=settings(model, best)),)
    return Chart(
        title=f"{TITLES[found.measure]} against K",
        x=Axis(title="clusters K"),
        y=Axis(title=UNITS[found.measure]),
        series=tuple(series),
        sets=(found.sets,),
        choices=(found.k,),
        also=tuple(_otherwise(model).items()),
        offers=offers,
        note=SAYS[found.measure] + (f": K = {best}" if best is not None else "") + "; click a K to set it",
    )


class _Fit:
    """A model with K clusters, fitted when it is asked for."""

    def __init__(self, model: Model, data: Dataset, seed: int) -> None:
        self.model, self.data, self.seed = model, data, seed
        self.state = fit_data(model, data, seed)

    def again(self, points: Floats) -> State:
        """The same on other points."""
        return fit_data(self.model, Dataset(points, np.full(len(points), -1)), self.seed)


def _assigned(state: State) -> NDArray[np.int64]:
    if not isinstance(state, Clusterer):
        raise ValueError("a density has no clusters: BIC and AIC can tell")  # noqa: TRY004 (a sentence for people)
    return state.assigned


def _within(fit: _Fit, rng: Generator) -> tuple[float, float]:
    del rng
    return scatter(fit.data.points, _assigned(fit.state)), 0.0


def _apart(fit: _Fit, rng: Generator) -> tuple[float, float]:
    rows = np.sort(rng.permutation(len(fit.data))[:SAMPLE])
    own = _assigned(fit.state)[rows]
    if not 2 <= len(np.unique(own)) < len(own):
        return np.nan, 0.0
    return silhouette(fit.data.points[rows], own), 0.0


def _gap(fit: _Fit, rng: Generator) -> tuple[float, float]:
    """Of log W how far it lies below that of uniform points in the same rectangle, and the error of that."""
    points = fit.data.points
    low, high = points.min(axis=0), points.max(axis=0)
    logs = []
    for _ in range(REFERENCES):
        uniform = rng.uniform(low, high, size=points.shape)
        logs.append(np.log(max(scatter(uniform, _assigned(fit.again(uniform))), TINY)))
    own = np.log(max(scatter(points, _assigned(fit.state)), TINY))
    return float(np.mean(logs) - own), float(np.std(logs) * np.sqrt(1 + 1 / REFERENCES))


def _criterion(name: str) -> Callable[[_Fit, Generator], tuple[float, float]]:
    def value(fit: _Fit, rng: Generator) -> tuple[float, float]:
        del rng
        figures = fit.state.metrics()
        if name not in figures:
            raise ValueError(f"{name} needs a likelihood: Gaussian mixtures have one")
        return figures[name], 0.0

    return value


def _bend(found: Floats, errors: Floats | None) -> int | None:
    """Where the curve lies farthest below the line between its ends."""
    del errors
    if len(found) < 3 or found[0] <= found[-1]:
        return None
    line = np.linspace(found[0], found[-1], len(found))
    return int(np.argmax(line - found))


def _first_enough(found: Floats, errors: Floats | None) -> int | None:
    """The first K whose gap is within an error of the next one's."""
    if errors is None:
        return None
    enough = np.flatnonzero(found[:-1] >= found[1:] - errors[1:])
    return int(enough[0]) if len(enough) else None


def _lowest(found: Floats, errors: Floats | None) -> int | None:
    del errors
    return int(np.nanargmin(found))


def _highest(found: Floats, errors: Floats | None) -> int | None:
    del errors
    return int(np.nanargmax(found))


def _last(model: Model, X: ArrayLike, measure: str, most: int, seed: int) -> Chart:
    points = np.asarray(X, dtype=np.float64)
    *_, found = counted(model, Dataset(points, np.full(len(points), -1)), measure, most, seed)
    return chart(model, found)


MEASURES: Mapping[str, Callable[[_Fit, Generator], tuple[float, float]]] = {
    "elbow": _within,
    "silhouette": _apart,
    "gap": _gap,
    "BIC": _criterion("BIC"),
    "AIC": _criterion("AIC"),
}
PICKS: Mapping[str, Callable[[Floats, Floats | None], int | None]] = {
    "elbow": _bend,
    "silhouette": _highest,
    "gap": _first_enough,
    "BIC": _lowest,
    "AIC": _lowest,
}
TITLES = {"elbow": "Elbow", "silhouette": "Silhouette", "gap": "Gap statistic", "BIC": "BIC", "AIC": "AIC"}
UNITS = {
    "elbow": "squares within clusters",
    "silhouette": "mean silhouette",
    "gap": "gap",
    "BIC": "BIC",
    "AIC": "AIC",
}
SAYS = {
    "elbow": "more clusters always have less; the bend",
    "silhouette": "clusters are farthest apart",
    "gap": "first within an error of the next",
    "BIC": "the lowest",
    "AIC": "the lowest",
}
