"""Naive Bayes: ln p(k | x) = ln pi_k + sum_j ln p_k(x_j) + const, one feature at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field.arrays import Floats, Ints
from vizml.field.section import Section
from vizml.learn import CLASSIFY, Model, integer, real, register
from vizml.learn.bayes.discriminant import GaussianState
from vizml.learn.bayes.gaussians import Quadratics, log_sum_exp
from vizml.learn.priors import class_priors, prior_shares
from vizml.learn.state import Classifier, Scale
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Axis, Chart, Heat

S = TypeVar("S", "GaussianNbState", "CategoricalNbState")
IMPOSSIBLE = -700.0
"""Stands for ln 0: far below the log of any relative frequency, and still a number."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianNbState(GaussianState):
    """Gaussian classes with diagonal covariances; the loss is the log-loss, -sum_i ln p(y_i | x_i)."""

    used: int
    """Number of features that have been taken into account; the other ones have no influence."""

    @property
    def variances(self) -> Floats:
        """The variances (K, d) of the classes."""
        return np.diagonal(self.covariances, axis1=1, axis2=2)

    @cached_property
    def log_joint(self) -> Quadratics:
        precision = np.asarray(np.linalg.inv(self.covariances), dtype=np.float64)
        precision[:, self.used :] = 0.0
        return Quadratics.around(self.means, self._peaks, precision)

    def scores(self, X: ArrayLike) -> Floats:
        # From the differences to the means: variances may be so small that powers of x cancel.
        used = slice(self.used)
        away = np.asarray(X, dtype=np.float64)[:, None, used] - self.means[:, used]
        logs = self._peaks - 0.5 * (away**2 / self.variances[:, used]).sum(axis=2)
        return np.asarray(logs - logs[:, :1])

    def plane_view(self, section: Section) -> PlaneView[Any]:
        from vizml.learn.bayes.views import GaussianNbView

        return GaussianNbView(self, section)

    def metrics(self) -> Mapping[str, float]:
        return {"log-loss": self.loss, "log-loss per point": self.loss / self.points}

    @property
    def _peaks(self) -> Floats:
        log_variances = np.log(2 * np.pi * self.variances[:, : self.used])
        return np.asarray(np.log(self.priors) - log_variances.sum(axis=1) / 2)


@dataclass(frozen=True, eq=False, kw_only=True)
class CategoricalNbState(Classifier):
    """Counts (d, K, bins) of the bins of each feature in each class; the outer bins are unbounded.

    The loss is the log-loss, -sum_i ln p(y_i | x_i).
    """

    scale: ClassVar[Scale] = Scale.LOGIT
    priors: Floats
    edges: Floats
    """Bin edges (d, bins + 1) from the lowest to the highest value of each feature."""
    counts: Ints
    smoothing: float
    used: int
    """Number of features that have been taken into account."""
    names: tuple[str, ...]

    def bins(self, feature: int, values: Floats) -> Ints:
        """The bin of each value; a value on an edge belongs to the bin above it."""
        return np.searchsorted(self.edges[feature, 1:-1], values, side="right")

    def feature_scores(self, feature: int, values: Floats) -> Floats:
        """ln p_k(x_j) - ln p_0(x_j) (K, n) for values of a feature."""
        logs = self._log_likelihoods[feature][:, self.bins(feature, values)]
        return np.asarray(logs - logs[0])

    def scores(self, X: ArrayLike) -> Floats:
        points = np.asarray(X, dtype=np.float64)
        total = np.tile(self.log_prior_odds[:, None], len(points))
        for feature in range(self.used):
            total += self.feature_scores(feature, points[:, feature])
        return np.ascontiguousarray(total.T)

    def plane_view(self, section: Section) -> PlaneView[Any]:
        from vizml.learn.bayes.views import CategoricalNbView

        return CategoricalNbView(self, section)

    def charts(self) -> tuple[Chart, ...]:
        return tuple(self._table(feature) for feature in range(self.used))

    def metrics(self) -> Mapping[str, float]:
        return {
            "log-loss": self.loss,
            "log-loss per point": self.loss / int(self.counts[0].sum()),
            "empty cells": int((self.counts[: self.used] == 0).sum()),
        }

    @property
    def log_prior_odds(self) -> Floats:
        """ln pi_k - ln pi_0 (K,)."""
        return np.asarray(np.log(self.priors / self.priors[0]))

    @cached_property
    def _log_likelihoods(self) -> list[Floats]:
        return [log_frequencies(table, self.smoothing) for table in self.counts]

    def _table(self, feature: int) -> Chart:
        low, high = self.edges[feature, :-1], self.edges[feature, 1:]
        return Chart(
            title=f"Counts of {self.space.names[feature]} by class",
            x=Axis(title=self.space.names[feature]),
            y=Axis(title="class"),
            heat=Heat(
                values=self.counts[feature].astype(np.float64),
                rows=self.names,
                columns=tuple(f"{a:.3g} to {b:.3g}" for a, b in zip(low, high)),
                texts=tuple(tuple(str(count) for count in row) for row in self.counts[feature].tolist()),
            ),
            note=f"P(bin) = (count + {self.smoothing:g}) / (row sum + {self.smoothing:g} × {len(low)})",
        )


@register(
    "gaussian_nb",
    task=CLASSIFY,
    family="Bayes classifiers",
    title="Gaussian naive Bayes",
    about="Models each feature of each class as a Gaussian and assumes that the features are independent "
    "given the class.",
    formula=(
        r"p(k \mid x) \propto \pi_k \prod_{j} p(x_j \mid k)",
        r"p(x_j \mid k) = \frac{1}{\sqrt{2 \pi}\, \sigma_{kj}} e^{-(x_j - \mu_{kj})^2 / 2 \sigma_{kj}^2}",
    ),
)
@dataclass(frozen=True)
class GaussianNaiveBayes(Model):
    priors: str = class_priors()
    smoothing: float = real(
        1e-9, 1e-12, 1.0, log=True, symbol="\\epsilon",
        help="Share of the largest variance of all features that is added to each variance.",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[GaussianNbState]:
        del rng
        groups = [data.X[data.labels == label] for label in data.present]
        own = np.array([group.var(axis=0) for group in groups])
        added = self.smoothing * (float(data.X.var(axis=0).max()) or 1.0)
        start = GaussianNbState(
            classes=data.present, priors=class_shares(data, self.priors), points=len(data), used=0,
            means=np.array([group.mean(axis=0) for group in groups]),
            covariances=np.array([np.diag(variances) for variances in own + added]),
        )  # fmt: skip
        for used in range(len(data.columns) + 1):
            note = _gaussians(data, start, used - 1, own, added) if used else priors_note(data, start.priors)
            yield _with_loss(replace(start, used=used), data, note)


@register(
    "categorical_nb",
    task=CLASSIFY,
    family="Bayes classifiers",
    title="Categorical naive Bayes",
    about="Divides each feature into bins, estimates the bin probabilities of each class from counts, and "
    "assumes that the features are independent given the class.",
    formula=(
        r"\ln p(k \mid x) = \ln \pi_k + \sum_{j} \ln p(x_j \mid k) + \mathrm{const}",
        r"p(x_j \mid k) = \frac{\mathrm{count}(x_j, k) + \epsilon}{n_k + \epsilon B}",
    ),
)
@dataclass(frozen=True)
class CategoricalNaiveBayes(Model):
    bins: int = integer(8, 2, 50, symbol="B", help="Number of equally wide bins per feature.")
    smoothing: float = real(
        1.0,
        0.0,
        100.0,
        symbol="\\epsilon",
        help="Additive smoothing of the counts. 1 is Laplace smoothing; 0 gives empty bins probability zero.",
    )
    priors: str = class_priors()

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[CategoricalNbState]:
        del rng
        codes, K = np.searchsorted(data.present, data.labels), len(data.present)
        edges = np.array([_edges(values, self.bins) for values in data.X.T])
        binned = [np.searchsorted(cuts[1:-1], v, side="right") for cuts, v in zip(edges, data.X.T)]
        start = CategoricalNbState(
            classes=data.present, priors=class_shares(data, self.priors), used=0, edges=edges,
            counts=np.array([contingency(bins, codes, self.bins, K) for bins in binned]),
            smoothing=self.smoothing, names=tuple(data.name(int(label)) for label in data.present),
        )  # fmt: skip
        for used in range(len(data.columns) + 1):
            note = _counts(data, start, used - 1) if used else priors_note(data, start.priors)
            yield _with_loss(replace(start, used=used), data, note)


def contingency(categories: Ints, codes: Ints, size: int, classes: int) -> Ints:
    """Count each of `size` categories (n,) in each class (K, size).

    >>> contingency(np.array([0, 2, 2, 1]), np.array([0, 0, 0, 1]), 3, 2)
    array([[1, 0, 2],
           [0, 1, 0]])
    """
    cells = np.bincount(codes * size + categories, minlength=classes * size)
    return cells.reshape(classes, size)


def log_frequencies(counts: Ints, smoothing: float) -> Floats:
    """ln (count + eps) / (n_k + eps size), with `IMPOSSIBLE` for ln 0."""
    rows, size = counts.sum(axis=1, keepdims=True), counts.shape[1]
    with np.errstate(divide="ignore"):
        logs = np.log(counts + smoothing) - np.log(rows + smoothing * size)
    return np.asarray(np.maximum(logs, IMPOSSIBLE))


def log_loss(state: Classifier, data: TrainingData) -> float:
    """-sum_i ln p(y_i | x_i) of a state whose scores are log-odds."""
    scores = state.scores(data.X)
    own = scores[np.arange(len(data)), np.searchsorted(state.classes, data.labels)]
    return float((log_sum_exp(scores) - own).sum())


def class_shares(data: TrainingData, kind: str = "data") -> Floats:
    """The prior probability of each class."""
    return prior_shares(np.bincount(np.searchsorted(data.present, data.labels)), kind)


def priors_note(data: TrainingData, priors: Floats) -> str:
    """Describe the start, at which only the priors count."""
    shares = ", ".join(f"{data.name(int(label))} {share:.3g}" for label, share in zip(data.present, priors))
    return f"start: class priors only, {shares}"


def _with_loss(state: S, data: TrainingData, note: str) -> S:
    loss = log_loss(state, data)
    return replace(
        state, loss=loss, note=f"{note}; log-loss {loss:.4g}", progress=state.used / len(data.columns)
    )


def _edges(values: Floats, bins: int) -> Floats:
    low, high = float(values.min()), float(values.max())
    if not low < high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1)


def _gaussians(data: TrainingData, state: GaussianNbState, feature: int, own: Floats, added: float) -> str:
    """Describe the Gaussians of a feature, and the classes with constant values of it."""
    names = [data.name(int(label)) for label in data.present]
    figures = zip(names, state.means[:, feature], state.variances[:, feature])
    each = ", ".join(f"{name} {mean:.3g} ± {np.sqrt(variance):.2g}" for name, mean, variance in figures)
    constant = [name for name, variance in zip(names, own[:, feature]) if not variance > 0]
    note = f"feature {data.columns[feature]}: {each}"
    if constant:
        note += f"; zero variance of {', '.join(constant)}: σ {np.sqrt(added):.2g} from smoothing"
    return note


def _counts(data: TrainingData, state: CategoricalNbState, feature: int) -> str:
    """Describe the counts of a feature, and the zeros among them where they are not smoothed."""
    rows = state.counts[feature].tolist()
    each = ", ".join(f"{name} {' '.join(map(str, row))}" for name, row in zip(state.names, rows))
    width = state.edges[feature, 1] - state.edges[feature, 0]
    note = f"feature {data.columns[feature]}, bins of {width:.3g}: {each}"
    empty = int((state.counts[feature] == 0).sum())
    return f"{note}; {empty} zero counts have probability zero" if empty and not state.smoothing else note
