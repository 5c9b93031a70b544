"""Gaussian process classifier: f ~ N(0, K), p(y = 1 | f) = 1 / (1 + e^-f), by Laplace's approximation."""

from __future__ import annotations

from collections.abc import Generator as Steps
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import mean

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster, pointwise
from vizml.field.raster import BandCache
from vizml.learn import CLASSIFY, Classifier, Model, choice, flag, real, register
from vizml.learn.gaussian_processes.covariance import LABELS, SHAPES, Covariance
from vizml.learn.gaussian_processes.fitting import against, ascent, few, fitted, spread, targets
from vizml.learn.gaussian_processes.moments import grouped
from vizml.learn.gaussian_processes.posterior import Process
from vizml.learn.gaussian_processes.recipes import Chances, Deviation
from vizml.learn.gaussian_processes.spanned import Span, newton_in_span
from vizml.learn.gaussian_processes.surface import Surface, Surfaces
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.scene import Lens

CLOSE = 1e-3
"""Means of less may have their probability rounded to the other side."""
ALL = -1
"""Where a process has its number: the probabilities that all of them make."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Posterior(Classifier):
    """One process for two classes, whose f speaks for the second; else one for each against the rest."""

    processes: tuple[Process, ...]
    names: tuple[str, ...]
    count: int
    """How many points they learned from."""
    evidence: float
    """The log marginal likelihood; of several processes the mean."""

    def scores(self, X: ArrayLike) -> Floats:
        places = np.asarray(X, dtype=np.float64).reshape(-1, 2)
        chances = np.stack([process.chances(places) for process in self.processes], axis=1)
        if len(self.processes) == 1:
            return np.concatenate([1.0 - chances, chances], axis=1)
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def predict(self, X: ArrayLike) -> Ints:
        """Of two classes by the mean of f: but for rounding the probability is on the same side of a half."""
        if len(self.processes) > 1:
            return super().predict(X)
        places = np.asarray(X, dtype=np.float64).reshape(-1, 2)
        means = self.processes[0].means(places)
        winners: Ints = self.classes[(means > 0.0).astype(np.intp)]
        close = np.abs(means) < CLOSE
        if close.any():
            winners[close] = super().predict(places[close])
        return winners

    def field(self, raster: Raster) -> Field:
        return self._band_cache.band(raster, len(self.classes), self._painted)

    def _painted(self, raster: Raster) -> Field:
        surface = self._surface(ALL, raster.whole)
        if surface is None:
            return pointwise(self.scores, raster, len(self.classes))
        planes = surface.planes(raster)
        return planes if len(planes) > 1 else np.concatenate([1.0 - planes, planes])

    def lenses(self) -> tuple[Lens, ...]:
        if len(self.processes) == 1:
            return self._probability(1, self.names[1]), self._deviation(0, "")
        return tuple(
            lens
            for k, name in enumerate(self.names)
            for lens in (self._probability(k, name), self._deviation(k, f" about {name}"))
        )

    def metrics(self) -> Mapping[str, float]:
        figures = {"log marginal likelihood": self.evidence, "points": float(self.count)}
        for name, process in zip(self.names[-len(self.processes) :], self.processes, strict=True):
            of = "" if len(self.processes) == 1 else f" ({name})"
            figures |= {
                f"length{of}": process.covariance.length,
                f"variance{of}": process.covariance.variance,
            }
        return figures

    def _probability(self, k: int, name: str) -> Lens:
        return Lens(
            name=f"Mean probability of {name}", plane=partial(self._plane, k=k), low=0.0, high=1.0,
            diverging=True, levels=(0.25, 0.5, 0.75),
        )  # fmt: skip

    def _deviation(self, k: int, about: str) -> Lens:
        high = float(np.sqrt(self.processes[k].covariance.variance))
        plane = partial(self._spread, k=k)
        return Lens(name=f"Uncertainty{about}", plane=plane, low=0.0, high=high, unit="deviation of f")

    def _plane(self, raster: Raster, *, k: int) -> Field:
        plane: Field = self.field(raster)[k]
        return plane

    def _spread(self, raster: Raster, *, k: int) -> Field:
        surface = self._surface(k, raster.whole)
        if surface is not None:
            plane: Field = surface.planes(raster)[0]
            return plane
        each: Field = pointwise(lambda X: np.sqrt(self.processes[k].moments(X)[1])[:, None], raster, 1)[0]
        return each

    def _surface(self, shown: int, raster: Raster) -> Surface | None:
        """The probabilities of all over a view, or the deviation of one process."""
        known = self._surfaces.get(shown)
        if known is None:
            every = shown == ALL
            groups = grouped(self.processes if every else [self.processes[shown]])
            known = self._surfaces[shown] = Surfaces(Chances(groups) if every else Deviation(groups))
        return known.over(raster)

    @cached_property
    def _surfaces(self) -> dict[int, Surfaces]:
        return {}

    @cached_property
    def _band_cache(self) -> BandCache:
        return BandCache()


@register(
    "gp",
    task=CLASSIFY,
    family="Kernels",
    title="Gaussian process",
    about="Takes the log-odds for a random smooth function, and averages over all that fit the labels.",
    formula=(
        r"f \sim \mathcal{N}(0, K), \quad K_{ij} = k(x_i, x_j), \quad p(y = 1 \mid f) = \frac{1}{1 + e^{-f}}",
        r"\hat f = \arg\max_{f} \; \ln p(y \mid f) - \tfrac{1}{2} f^{\top} K^{-1} f",
        r"p(y = 1 \mid x) = \int \frac{1}{1 + e^{-f}} \, \mathcal{N}(f \mid \mu(x), \sigma^2(x)) \, df",
    ),
)
@dataclass(frozen=True)
class GaussianProcess(Model):
    kernel: str = choice(
        "rbf",
        tuple(SHAPES),
        labels=LABELS,
        symbol="k",
        help="how alike f is at two places: Gaussian is smooth, Matérn rougher",
    )
    length: float | str = real(
        "scale",
        1e-6,
        1e6,
        log=True,
        words=("scale",),
        symbol="ℓ",
        help="over what distance f may change; 'scale' takes half the spread of the points",
    )
    variance: float = real(
        10.0, 1e-3, 1e5, log=True, symbol="v", help="how far f may go from 0: more makes it surer of itself"
    )
    optimise: bool = flag(
        False, title="optimise length and variance",
        help="climbs to the length and the variance with the highest marginal likelihood",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Posterior]:
        names = tuple(data.name(int(label)) for label in data.present)
        shown = few(data, rng)
        length = spread(data.points) / 2 if isinstance(self.length, str) else self.length
        covariance = Covariance(self.kernel, length, self.variance)
        span = None
        if len(shown) < len(data) and not self.optimise:
            span = yield from _searched(data, covariance)
        told = _fitted(shown, covariance, optimise=self.optimise) if span is None else _in_span(data, span)
        preface = _preface(len(shown), len(data)) if span is None else _spanning(span)
        for processes, evidence, note, progress in told:
            yield Posterior(
                classes=data.present,
                processes=processes,
                names=names,
                count=len(shown) if span is None else len(data),
                evidence=evidence,
                loss=-evidence,
                note=preface + note,
                progress=progress,
            )


def _searched(data: TrainingData, covariance: Covariance) -> Steps[Posterior, None, Span | None]:
    """The span of many points, and on the way states that know nothing yet."""
    names = tuple(data.name(int(label)) for label in data.present)
    blank = Process(covariance, data.points[:1], np.zeros(1), np.zeros(1))
    search = Span.search(covariance, data.points)
    while True:
        try:
            count = next(search)
        except StopIteration as end:
            found: Span | None = end.value
            return found
        yield Posterior(
            classes=data.present,
            processes=(blank,) * len(against(data)),
            names=names,
            count=0,
            evidence=-len(data) * np.log(2.0),
            note=f"looking for the few points that tell of all {len(data):,}: {count} so far",
        )


Told = tuple[tuple[Process, ...], float, str, float | None]
"""Processes, their mean evidence, a note, the progress."""


def _fitted(data: TrainingData, covariance: Covariance, *, optimise: bool) -> Iterator[Told]:
    """By all of the points."""
    for moment in fitted(data, covariance, optimise=optimise):
        pairs = zip(moment.covariances, moment.modes, strict=True)
        processes = tuple(Process(kernel, data.points, mode.a, mode.roots) for kernel, mode in pairs)
        yield processes, mean([mode.evidence for mode in moment.modes]), moment.note, moment.progress


def _in_span(data: TrainingData, span: Span) -> Iterator[Told]:
    """By the few points that span the others."""
    paths = [newton_in_span(span, target) for target in targets(data)]
    for modes, note, progress in ascent(paths, apart=len(paths) > 1):
        yield tuple(mode.process() for mode in modes), mean([mode.evidence for mode in modes]), note, progress


def _preface(shown: int, points: int) -> str:
    if shown == points:
        return ""
    return f"from {shown:,} of {points:,} points, as the cost grows with their cube; "


def _spanning(span: Span) -> str:
    points, few = span.features.shape
    return f"from all {points:,} points, whose covariances {few} of them tell to 7 digits; "
