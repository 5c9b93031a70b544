"""Distributions of one feature in each class, as naive Bayes multiplies them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import Self

import numpy as np

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn.learned import Learned
from vizml.scene import Axis, Chart, HeatMap, Series

IMPOSSIBLE = -700.0
"""Stands for ln 0: far below the log of any relative frequency, and still a number."""
LOWEST = -1e30
"""Least logarithm of a density, up to a constant: fields are computed in single precision."""
EXTENT = 4.0
"""Standard deviations of a density that are drawn."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FeatureDistribution(ABC):
    """The distribution p(x_j | k) of a feature in each of K classes."""

    name: str
    classes: tuple[str, ...]
    """Names of the classes."""

    @abstractmethod
    def learned(self) -> Learned:
        """Return the parameters for each class."""

    @property
    def axes(self) -> tuple[Sequence[str], ...]:
        """Names of the positions along the axes of each parameter."""
        return (self.classes,)

    @abstractmethod
    def logs(self, values: Floats) -> Floats:
        """Return ln p(x_j | k) (K, n) for values of the feature."""

    @abstractmethod
    def factor(self, k: int, value: float) -> str:
        """Return p(x_j | k) as a factor of a product: a fraction of counts, or a density."""

    @abstractmethod
    def chart(self, inks: Ints) -> Chart:
        """Return the distribution as a chart, in the inks of the classes."""

    @abstractmethod
    def description(self) -> str:
        """Describe the distribution in each class in one line."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Frequencies(FeatureDistribution):
    """Smoothed relative frequencies (count + eps) / (n_k + eps B) of categories, or of bins of a number."""

    edges: Floats
    """Edges of the bins; the outer bins are unbounded."""
    counts: Ints
    """Counts (K, bins)."""
    categories: tuple[str, ...]
    smoothing: float

    @classmethod
    def of(
        cls, values: Floats, codes: Ints, categories: tuple[str, ...], bins: int, smoothing: float,
        **names: object,
    ) -> Self:  # fmt: skip
        """Count the values (n,) of a feature in each class."""
        edges = np.histogram_bin_edges(values, bins)
        if categories:
            edges = np.arange(len(categories) + 1) - 0.5
        counts = contingency(bins_of(values, edges), codes, len(edges) - 1, int(codes.max()) + 1)
        return cls(edges=edges, counts=counts, categories=categories, smoothing=smoothing, **names)  # type: ignore[arg-type]

    @property
    def size(self) -> int:
        """Number B of categories that are declared, or of bins with points."""
        return len(self.categories) or int(self.counts.any(axis=0).sum())

    @cached_property
    def _log_table(self) -> Floats:
        return log_frequencies(self.counts, self.size, self.smoothing)

    def learned(self) -> Learned:
        return {f"p({self.name} | k)": np.exp(self._log_table)}

    @property
    def columns(self) -> tuple[str, ...]:
        """The categories, or the ranges of the bins."""
        return self.categories or tuple(f"{low:.3g} to {high:.3g}" for low, high in pairwise(self.edges))

    @property
    def axes(self) -> tuple[Sequence[str], ...]:
        return self.classes, self.columns

    def logs(self, values: Floats) -> Floats:
        return self._log_table[:, bins_of(values, self.edges)]

    def factor(self, k: int, value: float) -> str:
        count = self.counts[k, bins_of(np.array([value]), self.edges)[0]]
        return f"{count + self.smoothing:g}/{self.counts[k].sum() + self.smoothing * self.size:g}"

    def chart(self, inks: Ints) -> Chart:
        texts = tuple(tuple(map(str, row)) for row in self.counts.tolist())
        nouns = ("category", "categories") if self.categories else ("bin with points", "bins with points")
        bins = plural(self.size, *nouns)
        values = self.counts.astype(np.float64)
        return Chart(
            title=f"Counts of {self.name} by class", x=Axis(title=self.name), y=Axis(title="class"),
            heat=HeatMap(values=values, rows=self.classes, columns=self.columns, texts=texts),
            note=f"P = (count + {self.smoothing:g}) / (row sum + {self.smoothing:g} × {bins})",
        )  # fmt: skip

    def description(self) -> str:
        rows = (zip_longest(row, self.categories, fillvalue="") for row in self.counts.tolist())
        texts = (", ".join(f"{count} {category}".strip() for count, category in row) for row in rows)
        each = ", ".join(f"{name} ({text})" for name, text in zip(self.classes, texts))
        empty = int((self.counts == 0).sum()) if not self.smoothing else 0
        bins = "" if self.categories else f", bins of {self.edges[1] - self.edges[0]:.3g}"
        note = f"{bins}: {each}"
        return f"{note}; {empty} zero counts have probability zero" if empty else note


@dataclass(frozen=True, eq=False, kw_only=True)
class Normals(FeatureDistribution):
    """A Gaussian density of a number in each class."""

    means: Floats
    """Means (K,)."""
    widths: Floats
    """Standard deviations (K,)."""

    @classmethod
    def of(cls, values: Floats, codes: Ints, added: float, **names: object) -> Self:
        """Estimate the densities from values (n,) of a number, with an addition to each variance."""
        groups = [values[codes == k] for k in range(int(codes.max()) + 1)]
        means = np.array([group.mean() for group in groups])
        widths = np.sqrt([group.var() + added for group in groups])
        return cls(means=means, widths=widths, **names)  # type: ignore[arg-type]

    def learned(self) -> Learned:
        return {f"mu of {self.name}": self.means, f"sigma of {self.name}": self.widths}

    def logs(self, values: Floats) -> Floats:
        away = (values - self.means[:, None]) / self.widths[:, None]
        peaks = -np.log(np.sqrt(2 * np.pi) * self.widths[:, None])
        return np.asarray(peaks + np.maximum(-0.5 * away**2, LOWEST))

    def factor(self, k: int, value: float) -> str:
        return f"{np.exp(self.logs(np.array([value]))[k, 0]):.3g}"

    def chart(self, inks: Ints) -> Chart:
        x = np.unique(self.means[:, None] + self.widths[:, None] * np.linspace(-EXTENT, EXTENT, 65))
        densities = zip(self.classes, inks.tolist(), np.exp(self.logs(x)))
        return Chart(
            title=f"Density of {self.name} by class", x=Axis(title=self.name), y=Axis(title="density", low=0),
            series=tuple(Series(name=name, x=x, y=heights, ink=ink) for name, ink, heights in densities),
        )  # fmt: skip

    def description(self) -> str:
        figures = zip(self.classes, self.means, self.widths)
        return ": " + ", ".join(f"{name} {mean:.3g} ± {width:.2g}" for name, mean, width in figures)


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
