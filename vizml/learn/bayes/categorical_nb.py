"""Categorical naive Bayes: p(k | x) proportional to pi_k prod_j p(x_j | k), with p(x_j | k) from counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, choice, integer, real, register
from vizml.learn.bayes.distributions import IMPOSSIBLE, FeatureDistribution, Frequencies, Normals
from vizml.learn.bayes.naive_bayes import NaiveBayesModel, NaiveBayesState, density_profiles, used_features
from vizml.learn.learned import Learned
from vizml.learn.line_views import ClassLineView
from vizml.learn.priors import CLASS_PRIORS
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView, View, calculation_labels
from vizml.scene import Chart, Mark, Segments
from vizml.scene.marks import upright_ends

LEADING, MOST_FACTORS = 4, 6
"""Classes, and factors of each product, that the pointer shows at most."""
WIDTH = 1e-9
"""Share of the largest variance of all numbers that is added to each variance, as in scikit-learn."""


class CategoricalNbView(PlaneView["CategoricalNbState"]):
    """Log-odds that are a sum over the axes, and the bin edges of numbers as lines."""

    def field(self, raster: Raster) -> Field:
        section, state = self.section, self.state
        if section.axes is None:
            return super().field(raster)
        shown = dict(used_features(self)).values()
        held = np.log(state.priors / state.priors[0])
        for feature in set(range(state.used)).difference(shown):
            held = held + state.feature_scores(feature, section.origin[[feature]])[:, 0]
        across, down = (self._along(axis, values) for axis, values in enumerate((raster.x, raster.y)))
        across = (across + held[:, None]).astype(np.float32)
        # Pages of zeros cost nothing until they are written to.
        out = np.zeros((len(state.classes), *raster.shape), dtype=np.float32)
        for plane, row, column in zip(out[1:], across[1:], down.astype(np.float32)[1:]):
            np.add(column[:, None], row, out=plane)
        return out

    def marks(self) -> tuple[Mark, ...]:
        profiles = list[Mark]()
        for axis, feature in used_features(self):
            found = self.state.distributions[feature]
            if isinstance(found, Normals):
                profiles += density_profiles(
                    axis, self.state.priors, found.means, found.widths, self.state.classes
                )
        return (bins(self), *profiles)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        return calculation_labels(self, point)

    def _along(self, axis: int, values: Floats) -> Floats:
        """The scores (K, n) of the feature on an axis; 0 where it is not taken into account."""
        feature = dict(used_features(self)).get(axis)
        if feature is None:
            return np.zeros((len(self.state.classes), len(values)))
        return self.state.feature_scores(feature, values)


class CategoricalNbLineView(ClassLineView["CategoricalNbState"]):
    """Posteriors, with the edges of bins."""

    def marks(self) -> tuple[Mark, ...]:
        return (bins(self),)


@dataclass(frozen=True, eq=False, kw_only=True)
class CategoricalNbState(NaiveBayesState):
    """The distribution of each feature in each class; the loss is the log-loss, -sum_i ln p(y_i | x_i)."""

    plane_view_class = CategoricalNbView
    line_view_class = CategoricalNbLineView
    prior_texts: tuple[str, ...]
    """The priors as fractions."""
    distributions: tuple[FeatureDistribution, ...]
    names: tuple[str, ...]
    points: int

    def feature_scores(self, feature: int, values: Floats) -> Floats:
        logs = self.distributions[feature].logs(values)
        return np.asarray(logs - logs[0])

    def calculation(self, x: Floats) -> tuple[str, ...]:
        shares = self.proba(x[None])[0]
        shown = np.sort(np.argsort(-shares, kind="stable")[:LEADING]).tolist()
        return (
            *(self._product(k, x, shares[k]) for k in shown),
            f"prediction: {self.names[shares.argmax()]}",
        )

    def _product(self, k: int, x: Floats, share: float) -> str:
        """The product of the likelihoods and the prior of a class, its logarithm, and the posterior."""
        used = list(zip(self.distributions[: self.used], x))
        logs = np.array([np.log(self.priors[k]), *(each.logs(np.array([v]))[k, 0] for each, v in used)])
        total = logs.sum() if (logs > IMPOSSIBLE).all() else -np.inf
        factors = [each.factor(k, value) for each, value in used[:MOST_FACTORS]]
        factors += ["…"] * (len(used) > MOST_FACTORS) + [self.prior_texts[k]]
        log = f"{total:.2f}".replace("-inf", "−∞")
        product = f"{self.names[k]}: {' · '.join(factors)} = {np.exp(total):.3g}"
        return f"{product}, Σ ln = {log}, P = {share:.3f}"

    def charts(self) -> tuple[Chart, ...]:
        return tuple(each.chart(self.classes) for each in self.distributions[: self.used])

    def learned(self) -> Learned:
        """Return the priors, and for each feature the probabilities of its categories or its Gaussian."""
        found: Learned = {"pi": self.priors}
        for each in self.distributions[: self.used]:
            found |= each.learned()
        return found

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        named = {name: each.axes for each in self.distributions[: self.used] for name in each.learned()}
        return {**super().learned_axes(), **named}

    def metrics(self) -> Mapping[str, float]:
        tables = [each.counts for each in self.distributions[: self.used] if isinstance(each, Frequencies)]
        figures = {"log-loss": self.loss, "log-loss per point": self.loss / self.points}
        return {**figures, "empty cells": sum(int((table == 0).sum()) for table in tables)}


@register(
    "categorical_nb", CLASSIFY, "Bayes classifiers", "Categorical naive Bayes",
    symbols={
        "π": ("Prior probability of a class.",), "n": ("Number of training points of a class.",),
    },
    synonyms=("discrete naive Bayes", "multinomial naive Bayes", "Laplace smoothing"),
)  # fmt: skip
class CategoricalNaiveBayes(NaiveBayesModel[CategoricalNbState]):
    r"""Estimates the probability of each category in each class from counts, and assumes that the features
    are independent given the class. Numbers are divided into bins, or are Gaussian in each class.

    .. math::
        \ln p(k \mid x) = \ln \pi_k + \sum_{j} \ln p(x_j \mid k) + \mathrm{const}
        p(x_j \mid k) = \frac{\mathrm{count}(x_j, k) + \epsilon}{n_k + \epsilon B_j}
        B_j = \text{number of categories, or of bins with points}
    """

    numbers: str = choice(
        "bins", ("bins", "gaussian"), labels={"bins": "bins", "gaussian": "Gaussian"},
        help="Distribution of a numeric feature in a class: frequencies of bins, or a Gaussian density.",
    )  # fmt: skip
    bins: int = integer(
        8, 2, 50, symbol="B", when={"numbers": ("bins",)},
        help="Number of bins of equal width for each numeric feature.",
    )  # fmt: skip
    smoothing: float = real(
        1.0, 0.0, 100.0, symbol="\\epsilon",
        help="Additive smoothing of the counts. 1 is Laplace smoothing; 0 gives empty bins probability zero.",
    )  # fmt: skip
    priors: str = CLASS_PRIORS

    takes_categories = True

    def estimate(self, data: TrainingData, priors: Floats, codes: Ints) -> CategoricalNbState:
        counts = np.bincount(codes).tolist()
        equal = f"1/{len(counts)}"
        fractions = [equal if self.priors == "equal" else f"{count}/{len(data)}" for count in counts]
        return CategoricalNbState(
            classes=data.present, priors=priors, prior_texts=tuple(fractions), used=0, names=data.class_names,
            points=len(data), distributions=tuple(self._distributions(data, codes)),
        )  # fmt: skip

    def _distributions(self, data: TrainingData, codes: Ints) -> list[FeatureDistribution]:
        """Estimate the distribution of each feature."""
        categories = data.categories or ((),) * len(data.columns)
        numeric = [not names for names in categories]
        added = WIDTH * (float(data.X[:, numeric].var(axis=0).max(initial=0.0)) or 1.0)
        found: list[FeatureDistribution] = []
        for name, values, names in zip(data.columns, data.X.T, categories):
            if self.numbers == "gaussian" and not names:
                found.append(Normals.of(values, codes, added, name=name, classes=data.class_names))
            else:
                found.append(
                    Frequencies.of(
                        values, codes, names, self.bins, self.smoothing, name=name, classes=data.class_names
                    )
                )
        return found

    def describe(self, data: TrainingData, state: CategoricalNbState, feature: int) -> str:
        return state.distributions[feature].description()


def bins(view: View[CategoricalNbState]) -> Mark:
    """Return the edges of the bins of the numbers on the axes, as lines across the whole view."""
    edges = [np.empty((0, 2, 2))]
    for axis, feature in used_features(view):
        found = view.state.distributions[feature]
        if isinstance(found, Frequencies) and not found.categories:
            ends = upright_ends(found.edges[1:-1])
            edges.append(np.flip(ends, axis=2) if axis else ends)
    return Segments(layer="Bins", ends=np.concatenate(edges), ink="muted", opacity=0.5, legend="bin edge")
