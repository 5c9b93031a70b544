"""What a mixture of Gaussians can be set to, and its run, whether it is to part points or to be a density."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from vizml.data.params import Value
from vizml.learn import Model, choice, real
from vizml.learn.clusters.placed import (
    PLACED,
    anchors,
    continued,
    count_parameter,
    put,
    start_parameter,
    starts_parameter,
)
from vizml.learn.frame import Frame
from vizml.learn.mixtures.em import Expectation, Half, at_places, em, free_parameters, started
from vizml.learn.mixtures.gaussians import SIGMAS, Gaussians
from vizml.learn.state import Anchor, Floats
from vizml.learn.telling import counted, fewer
from vizml.scene import Ink, Mark, Path

LABELS = {
    "full": "full: each its own ellipse",
    "tied": "tied: one ellipse for all",
    "diag": "diagonal: ellipses along the axes",
    "spherical": "spherical: circles",
}
WAYS = {"kmeans": "clusters of k-means", "random": "random points"}
TRAILS = "Trails"
SURE = 0.9
"""Below this largest responsibility a point is shared."""


def covariance_parameter() -> Any:
    """The kind of the covariances, as a dataclass field."""
    return choice(
        "full", tuple(LABELS), labels=LABELS, help="which shapes the Gaussians may have", symbol="\\Sigma"
    )


def variance_parameter() -> Any:
    """What is added to each variance, as a dataclass field."""
    return real(
        1e-6,
        1e-12,
        1e3,
        log=True,
        help="variance that is added to each, in squared units of the data: none can shrink to a point",
        title="added variance",
    )


def tolerance_parameter() -> Any:
    """When rounds end, as a dataclass field."""
    return real(
        1e-4,
        1e-12,
        1.0,
        log=True,
        help="a round that gains less log-likelihood for each point is the last",
        title="tolerance",
    )


@dataclass(frozen=True)
class MixtureModel(Model):
    k: int = count_parameter("Gaussians", "components", WAYS)
    covariance: str = covariance_parameter()
    init: str = start_parameter(
        "kmeans", WAYS, "where the Gaussians are at the start: on clusters, at any points"
    )
    starts: str = starts_parameter("first means", "where the first means are: drag one on the canvas")
    reg: float = variance_parameter()
    tol: float = tolerance_parameter()

    def moments(self, points: Floats, rng: Generator) -> Iterator[Moment]:
        """The run, half-step by half-step."""
        frame = Frame.of(points)
        task = Expectation(frame.inside(points), frame, self.covariance, self.reg)
        placed = put(self.init, self.starts)
        if len(placed):
            start, why = at_places(task, frame.inside(placed)), ""
        else:
            start = started(task, self.k, self.init, rng)
            why = fewer(self.k, len(start), "components")
        if self.init == PLACED and not len(placed):
            why += " (no mean is placed: k-means chose)"
        trail: list[Floats] = []
        before = -np.inf
        for half in em(task, start, self.tol):
            if half.kind != "E":
                trail.append(half.mixture.centres)
            before, told = half.likelihood, _told(half, before) + why
            if half.kind != "E" or half.done:
                told += task.troubles(half.mixture)
            yield Moment(
                half=half,
                trail=tuple(trail),
                note=told,
                kind=self.covariance,
                progress=1.0 if half.done else half.turn / (half.turn + 10.0),
            )


@dataclass(frozen=True, eq=False, kw_only=True)
class Moment:
    """A half-step as both kinds of state tell it."""

    half: Half
    trail: tuple[Floats, ...]
    """Where the means have been, in the frame."""
    note: str
    kind: str
    progress: float

    def marks(self, sigmas: tuple[float, ...] = SIGMAS) -> tuple[Mark, ...]:
        """Ellipses, means, and the ways of the means."""
        mixture = self.half.mixture
        inks: tuple[Ink, ...] = tuple(range(len(mixture)))
        found = [*mixture.ellipses(inks, sigmas)]
        if len(self.trail) > 1:
            lines = mixture.frame.outside(np.stack(self.trail, axis=1))
            found.extend(
                Path(layer=TRAILS, lines=(line,), ink=ink, opacity=0.7) for line, ink in zip(lines, inks)
            )
        return (*found, mixture.dots(inks))

    def anchors(self) -> tuple[Anchor, ...]:
        """The means."""
        return anchors("mean", self.half.mixture.means)

    def moved(self, anchor: str, at: Floats) -> Mapping[str, Value]:
        """The start at these means, of which one has been put elsewhere."""
        return continued(self.anchors(), anchor, at)

    def metrics(self) -> Mapping[str, float]:
        """log L, and what it is worth after the free numbers are paid for."""
        L, n, k = self.half.likelihood, len(self.half.shares), len(self.half.mixture)
        free = free_parameters(k, self.kind)
        return {
            "log-likelihood": L,
            "BIC": free * float(np.log(n)) - 2 * L,
            "AIC": 2.0 * free - 2 * L,
            "components": float(k),
            "rounds": float(self.half.turn),
        }

    def facts(self) -> dict[str, Any]:
        """What a state of this moment is made of."""
        loss = -self.half.likelihood
        return {"moment": self, "note": self.note, "loss": loss, "progress": self.progress}


@dataclass(frozen=True, eq=False, kw_only=True)
class OfMixture:
    """What both kinds of state have from their moment; it comes before the kind among their bases."""

    moment: Moment

    @property
    def mixture(self) -> Gaussians:
        """Its Gaussians."""
        return self.moment.half.mixture

    def anchors(self) -> tuple[Anchor, ...]:
        return self.moment.anchors()

    def moved(self, anchor: str, at: Floats) -> Mapping[str, Value]:
        return self.moment.moved(anchor, at)

    def metrics(self) -> Mapping[str, float]:
        return self.moment.metrics()


def _told(half: Half, before: float) -> str:
    L = half.likelihood
    if half.kind == "start":
        return f"start: {counted(len(half.mixture), 'Gaussian')}, log-likelihood {L:.5g}"
    if half.held:
        return f"round {half.turn}: the added variance allows no more, log-likelihood {L:.5g}: done"
    if half.kind == "E":
        shared = int((half.shares.max(axis=1) < SURE).sum())
        shares = f"responsibilities, {counted(shared, 'point')} shared"
        return f"round {half.turn}, E: {shares}, log-likelihood {L:.5g}"
    told = f"round {half.turn}, M: means, shapes and weights, log-likelihood {before:.5g} → {L:.5g}"
    return f"{told}: done" if half.done else told
