"""Naive Bayes: ln p(k | x) = ln pi_k + sum_j ln p_k(x_j) + const, one feature at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Generic, Literal, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, Model, integer, real, register
from vizml.learn.bayes.discriminant import GaussianState, GaussianView
from vizml.learn.gaussians import Quadratics, log_sum_exp
from vizml.learn.priors import CLASS_PRIORS, prior_shares
from vizml.learn.state import Classifier, Scale
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Axis, Chart, HeatMap, Lens, Mark, Profile, Segments, TextLabels

S = TypeVar("S", "GaussianNbState", "CategoricalNbState")
IMPOSSIBLE = -700.0
"""Stands for ln 0: far below the log of any relative frequency, and still a number."""
NARROWEST = 1e-2
"""Classes narrower than this share of the widest do not set the height of the densities drawn."""
EXTENT = 4.0
"""Standard deviations of a density that are drawn."""
AXES: tuple[Literal["x", "y"], ...] = ("x", "y")


class GaussianNbView(GaussianView["GaussianNbState"]):
    """Densities of the features that have been used, along the edges; ellipses once all of them have."""

    def lenses(self) -> tuple[Lens, ...]:
        return ()

    def marks(self) -> tuple[Mark, ...]:
        used = used_features(self)
        densities = [mark for axis, feature in used for mark in self._densities(AXES[axis], feature)]
        return (*densities, *(self._ellipses(1.0) if len(used) == len(self.section.basis) else ()))

    def _densities(self, axis: Literal["x", "y"], feature: int) -> Iterator[Mark]:
        """pi_k p_k(x_j) along an axis, clipped where one class is far narrower than the others."""
        state = self.state
        widths = np.sqrt(state.variances[:, feature])
        tops = state.priors / (np.sqrt(2 * np.pi) * widths)
        peak = float(tops[widths >= NARROWEST * widths.max()].max())
        away = np.linspace(-EXTENT, EXTENT, 129)
        for k, label in enumerate(state.classes):
            yield Profile(
                layer="Densities", axis=axis, at=state.means[k, feature] + widths[k] * away,
                heights=np.minimum(tops[k] * np.exp(-0.5 * away**2), peak), peak=peak, ink=int(label),
                legend="" if k or axis == "y" else "class density × prior",
            )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianNbState(GaussianState):
    """Gaussian classes with diagonal covariances; the loss is the log-loss, -sum_i ln p(y_i | x_i)."""

    plane_view_class = GaussianNbView
    used: int
    """Number of features that have been taken into account; the other ones have no influence."""
    added: float
    """Variance added by smoothing."""

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

    def metrics(self) -> Mapping[str, float]:
        return {"log-loss": self.loss, "log-loss per point": self.loss / self.points}

    @property
    def _peaks(self) -> Floats:
        log_variances = np.log(2 * np.pi * self.variances[:, : self.used])
        return np.asarray(np.log(self.priors) - log_variances.sum(axis=1) / 2)


class CategoricalNbView(PlaneView["CategoricalNbState"]):
    """Log-odds that are a sum over the axes, and the bin edges as lines."""

    def field(self, raster: Raster) -> Field:
        section, state = self.section, self.state
        if np.count_nonzero(section.basis) > len(section.basis):
            return super().field(raster)
        held = state.scores(section.origin[None])[0]
        across, down = (self._change(axis, values) for axis, values in enumerate((raster.x, raster.y)))
        across = (across + held[:, None]).astype(np.float32)
        # Pages of zeros cost nothing until they are written to.
        out = np.zeros((len(state.classes), *raster.shape), dtype=np.float32)
        for plane, row, column in zip(out[1:], across[1:], down.astype(np.float32)[1:]):
            np.add(column[:, None], row, out=plane)
        return out

    def marks(self) -> tuple[Mark, ...]:
        edges = [_lines(self.state.edges[j][1:-1], axis) for axis, j in used_features(self)]
        ends = np.concatenate([np.empty((0, 2, 2)), *edges])
        return (Segments(layer="Bins", ends=ends, ink="muted", opacity=0.5, legend="bin edge"),)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        texts = [self._counts(j, float(point[axis])) for axis, j in used_features(self)]
        return (TextLabels(layer="Counts", points=point[None], texts=("; ".join(texts),)),) if texts else ()

    def _change(self, axis: int, values: Floats) -> Floats:
        """The change (K, n) of the scores from the origin of the section to values along an axis."""
        for shown, feature in used_features(self):
            if shown == axis:
                there = self.state.feature_scores(feature, self.section.basis[axis, feature] * values)
                return there - self.state.feature_scores(feature, self.section.origin[[feature]])
        return np.zeros((len(self.state.classes), len(values)))

    def _counts(self, feature: int, value: float) -> str:
        column = self.state.counts[feature][:, bins_of(np.array([value]), self.state.edges[feature])[0]]
        each = ", ".join(f"{name} {count}" for name, count in zip(self.state.names, column))
        return f"{self.state.space.names[feature]}: {each}"


@dataclass(frozen=True, eq=False, kw_only=True)
class CategoricalNbState(Classifier):
    """Counts (K, bins) of the bins of each feature in each class; the outer bins are unbounded.

    The loss is the log-loss, -sum_i ln p(y_i | x_i).
    """

    plane_view_class = CategoricalNbView
    scale: ClassVar[Scale] = Scale.LOGIT
    priors: Floats
    edges: tuple[Floats, ...]
    """Bin edges (bins + 1,) of each feature, from the lowest to the highest value."""
    counts: tuple[Ints, ...]
    categories: tuple[tuple[str, ...], ...]
    """Declared categories of each feature; none of a number, whose categories are the bins that occur."""
    smoothing: float
    used: int
    """Number of features that have been taken into account."""
    names: tuple[str, ...]

    def feature_scores(self, feature: int, values: Floats) -> Floats:
        """ln p_k(x_j) - ln p_0(x_j) (K, n) for values of a feature."""
        logs = self._log_likelihoods[feature][:, bins_of(values, self.edges[feature])]
        return np.asarray(logs - logs[0])

    def scores(self, X: ArrayLike) -> Floats:
        points = np.asarray(X, dtype=np.float64)
        total = np.tile(np.log(self.priors / self.priors[0])[:, None], len(points))
        for feature in range(self.used):
            total += self.feature_scores(feature, points[:, feature])
        return np.ascontiguousarray(total.T)

    def charts(self) -> tuple[Chart, ...]:
        return tuple(self._table(feature) for feature in range(self.used))

    def metrics(self) -> Mapping[str, float]:
        figures = {"log-loss": self.loss, "log-loss per point": self.loss / int(self.counts[0].sum())}
        return {**figures, "empty cells": sum(int((table == 0).sum()) for table in self.counts[: self.used])}

    @cached_property
    def _log_likelihoods(self) -> list[Floats]:
        sizes = map(self._size, range(len(self.counts)))
        return [log_frequencies(*each, self.smoothing) for each in zip(self.counts, sizes)]

    def _size(self, feature: int) -> int:
        """The number of categories of a feature that are declared, or that occur."""
        return len(self.categories[feature]) or int(self.counts[feature].any(axis=0).sum())

    def _table(self, feature: int) -> Chart:
        name, counts = self.space.names[feature], self.counts[feature]
        bins = tuple(f"{low:.3g} to {high:.3g}" for low, high in pairwise(self.edges[feature]))
        columns = self.categories[feature] or bins
        texts = tuple(tuple(map(str, row)) for row in counts.tolist())
        size, kind = self._size(feature), "categories" if self.categories[feature] else "bins with points"
        return Chart(
            title=f"Counts of {name} by class", x=Axis(title=name), y=Axis(title="class"),
            heat=HeatMap(values=counts.astype(np.float64), rows=self.names, columns=columns, texts=texts),
            note=f"P = (count + {self.smoothing:g}) / (row sum + {self.smoothing:g} × {size} {kind})",
        )  # fmt: skip


class NaiveBayesModel(Model, Generic[S]):
    """Takes the distributions of one more feature into account at each step."""

    priors: str

    @abstractmethod
    def estimate(self, data: TrainingData, priors: Floats, codes: Ints) -> S:
        """Estimate the distributions of all features."""

    @abstractmethod
    def describe(self, data: TrainingData, state: S, feature: int) -> str:
        """Describe the distributions of a feature."""

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[S]:
        del rng
        codes, features = data.class_indices, len(data.columns)
        priors = prior_shares(np.bincount(codes), self.priors)
        fitted = self.estimate(data, priors, codes)
        shares = ", ".join(f"{name} {share:.3g}" for name, share in zip(data.class_names, priors))
        note = f"start: class priors only, {shares}"
        for used in range(features + 1):
            if used:
                note = f"feature {data.columns[used - 1]}{self.describe(data, fitted, used - 1)}"
            state = replace(fitted, used=used)
            loss = log_loss(state.scores(data.X), codes)
            yield replace(state, loss=loss, note=f"{note}; log-loss {loss:.4g}", progress=used / features)


@register(
    "gaussian_nb",
    CLASSIFY,
    "Bayes classifiers",
    "Gaussian naive Bayes",
    symbols={
        "μ": ("Mean of a feature in a class.", "Ellipses"),
        "σ": ("Standard deviation of a feature in a class.", "Ellipses"),
        "π": ("Prior probability of a class.",),
    },
    synonyms=("GNB", "naive Bayes"),
)
class GaussianNaiveBayes(NaiveBayesModel[GaussianNbState]):
    r"""Models each feature of each class as a Gaussian and assumes that the features are independent given
    the class.

    .. math::
        p(k \mid x) \propto \pi_k \prod_{j} p(x_j \mid k)
        p(x_j \mid k) = \frac{1}{\sqrt{2 \pi}\, \sigma_{kj}} e^{-(x_j - \mu_{kj})^2 / 2 \sigma_{kj}^2}
    """

    priors: str = CLASS_PRIORS
    smoothing: float = real(
        1e-9, 1e-12, 1.0, log=True, symbol="\\epsilon",
        help="Variance smoothing: share of the largest variance of all features that is added to each "
        "variance.",
    )  # fmt: skip

    def estimate(self, data: TrainingData, priors: Floats, codes: Ints) -> GaussianNbState:
        groups = [data.X[codes == k] for k in range(len(priors))]
        added = self.smoothing * (float(data.X.var(axis=0).max()) or 1.0)
        return GaussianNbState(
            classes=data.present, priors=priors, points=len(data), used=0, added=added,
            means=np.array([group.mean(axis=0) for group in groups]),
            covariances=np.array([np.diag(group.var(axis=0) + added) for group in groups]),
        )  # fmt: skip

    def describe(self, data: TrainingData, state: GaussianNbState, feature: int) -> str:
        variances = state.variances[:, feature]
        figures = list(zip(data.class_names, state.means[:, feature], variances))
        note = ": " + ", ".join(f"{name} {mean:.3g} ± {np.sqrt(v):.2g}" for name, mean, v in figures)
        constant = ", ".join(name for name, _, variance in figures if variance <= state.added)
        sigma = np.sqrt(state.added)
        return f"{note}; zero variance of {constant}: σ {sigma:.2g} from smoothing" if constant else note


@register(
    "categorical_nb",
    CLASSIFY,
    "Bayes classifiers",
    "Categorical naive Bayes",
    synonyms=("discrete naive Bayes", "multinomial naive Bayes", "Laplace smoothing"),
)
class CategoricalNaiveBayes(NaiveBayesModel[CategoricalNbState]):
    r"""Divides each feature into bins, estimates the bin probabilities of each class from counts, and assumes
    that the features are independent given the class.

    .. math::
        \ln p(k \mid x) = \ln \pi_k + \sum_{j} \ln p(x_j \mid k) + \mathrm{const}
        p(x_j \mid k) = \frac{\mathrm{count}(x_j, k) + \epsilon}{n_k + \epsilon B_j}
        B_j = \text{number of bins with points}
    """

    bins: int = integer(8, 2, 50, symbol="B", help="Number of bins of equal width for each feature.")
    smoothing: float = real(
        1.0, 0.0, 100.0, symbol="\\epsilon",
        help="Additive smoothing of the counts. 1 is Laplace smoothing; 0 gives empty bins probability zero.",
    )  # fmt: skip
    priors: str = CLASS_PRIORS

    takes_categories = True

    def estimate(self, data: TrainingData, priors: Floats, codes: Ints) -> CategoricalNbState:
        categories = data.categories or ((),) * len(data.columns)
        edges = tuple(map(self._edges, data.X.T, categories))
        return CategoricalNbState(
            classes=data.present, priors=priors, used=0, edges=edges, names=data.class_names,
            counts=tuple(
                contingency(bins_of(values, ends), codes, len(ends) - 1, len(priors))
                for values, ends in zip(data.X.T, edges)
            ),
            categories=categories, smoothing=self.smoothing,
        )  # fmt: skip

    def _edges(self, values: Floats, categories: tuple[str, ...]) -> Floats:
        """The edges of equal bins over the extent of a number, or around the codes of categories."""
        if categories:
            return np.asarray(np.arange(len(categories) + 1) - 0.5, dtype=np.float64)
        return np.histogram_bin_edges(values, self.bins)

    def describe(self, data: TrainingData, state: CategoricalNbState, feature: int) -> str:
        counts, edges = state.counts[feature], state.edges[feature]
        rows = zip(state.names, counts.tolist())
        each = ", ".join(f"{name} {' '.join(map(str, row))}" for name, row in rows)
        empty = int((counts == 0).sum()) if not self.smoothing else 0
        bins = "" if state.categories[feature] else f", bins of {edges[1] - edges[0]:.3g}"
        note = f"{bins}: {each}"
        return f"{note}; {empty} zero counts have probability zero" if empty else note


def used_features(view: GaussianNbView | CategoricalNbView) -> list[tuple[int, int]]:
    """The axes of the canvas with the used features that they show."""
    shown = enumerate(int(np.argmax(row)) for row in view.section.basis)
    return [(axis, feature) for axis, feature in shown if feature < view.state.used]


def bins_of(values: Floats, edges: Floats) -> Ints:
    """The bin of each value; a value on an inner edge belongs to the bin above it, the outer bins are open.

    >>> bins_of(np.array([-9.0, 0.9, 1.0, 9.0]), np.array([0.0, 1.0, 2.0]))
    array([0, 0, 1, 1])
    """
    return np.searchsorted(edges[1:-1], values, side="right")


def contingency(categories: Ints, codes: Ints, size: int, classes: int) -> Ints:
    """Count each of `size` categories (n,) in each class (K, size).

    >>> contingency(np.array([0, 2, 2, 1]), np.array([0, 0, 0, 1]), 3, 2)
    array([[1, 0, 2],
           [0, 1, 0]])
    """
    cells = np.bincount(codes * size + categories, minlength=classes * size)
    return cells.reshape(classes, size)


def log_frequencies(counts: Ints, size: int, smoothing: float) -> Floats:
    """ln (count + eps) / (n_k + eps size) for so many categories, with `IMPOSSIBLE` for ln 0."""
    rows = counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        logs = np.log(counts + smoothing) - np.log(rows + smoothing * size)
    return np.asarray(np.maximum(logs, IMPOSSIBLE))


def log_loss(scores: Floats, codes: Ints) -> float:
    """-sum_i ln p(y_i | x_i) of log-odds (n, K) and the indices (n,) of the true classes."""
    return float((log_sum_exp(scores) - scores[np.arange(len(codes)), codes]).sum())


def _lines(cuts: Floats, axis: int) -> Floats:
    """Segments (n, 2, 2) across the whole view at these values of an axis."""
    ends = np.empty((len(cuts), 2, 2))
    ends[:, :, axis] = cuts[:, None]
    ends[:, :, 1 - axis] = -np.inf, np.inf
    return ends
