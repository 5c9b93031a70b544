"""Kernel density: p(x) = 1 / (n h^2) sum_i K((x - x_i) / h), a bump on each point."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn import DENSITY, Model, choice, real, register
from vizml.learn.densities.bandwidth import LeftOut, scott, search, silverman
from vizml.learn.densities.kernels import KERNELS, LABELS, Kernel
from vizml.learn.densities.masses import SummedDensity, masses_parameter
from vizml.learn.mixtures.gaussians import CIRCLE
from vizml.learn.state import Floats
from vizml.learn.telling import counted
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Mark, Path, Rule, Series, Words

FEW = 32
"""Up to so many bumps are drawn one by one."""
RULES = {"scott": scott, "silverman": silverman}


@dataclass(frozen=True, eq=False, kw_only=True)
class Trial:
    """Bandwidths that were tried, and the mean log density of points left out."""

    widths: tuple[float, ...]
    found: tuple[float, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Bumps(SummedDensity):
    """Bumps on the points that have been taken in so far."""

    centres: Floats
    kernel: Kernel
    trial: Trial | None = None

    @property
    def _log_weight(self) -> float:
        return -math.log(len(self.centres)) - self.kernel.log_volume

    def log_density(self, X: ArrayLike) -> Floats:
        return self.kernel.sums(np.asarray(X, dtype=np.float64), self.centres) + self._log_weight

    def field(self, raster: Raster) -> Field:
        plane = self.kernel.plane(raster, self.centres)
        plane += np.float32(self._log_weight)
        return plane[None]

    @property
    def reach(self) -> float:
        return self.kernel.reach * self.kernel.h

    def marks(self) -> tuple[Mark, ...]:
        if len(self.centres) > FEW:
            return self.contours()
        lines = tuple(centre + self.kernel.h * CIRCLE for centre in self.centres)
        bumps = Path(
            layer="Bumps", lines=lines, closed=True, ink="muted", width=1.0, legend="h around a point"
        )
        return (bumps, *self.contours())

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        density = math.exp(float(self.log_density(point[None])[0]))
        edge = Path(
            layer="Window", lines=(point + self.kernel.h * CIRCLE,), closed=True, ink="muted", width=1.0
        )
        return (edge, Words(layer="Window", points=point[None], texts=(f"density {density:.3g}",)))

    def charts(self) -> tuple[Chart, ...]:
        if self.trial is None:
            return ()
        widths, found = (np.array(each) for each in (self.trial.widths, self.trial.found))
        order = np.argsort(widths)
        return (
            Chart(
                title="Likelihood of points left out",
                x=Axis(title="bandwidth", log=True),
                y=Axis(title="mean log density"),
                series=(Series(name="left out", x=widths[order], y=found[order]),),
                rules=(Rule(name=f"h = {self.kernel.h:.3g}", x=self.kernel.h),),
                note="each point's density by the bumps of all the others",
                sets=("bandwidth",),
                choices=(tuple(widths[order].tolist()),),
            ),
        )

    def metrics(self) -> Mapping[str, float]:
        figures = {"bandwidth": self.kernel.h, "points": float(len(self.centres))}
        if self.trial is not None:
            figures["left-out log density"] = max(self.trial.found)
        return figures


@register(
    "kde",
    task=DENSITY,
    family="Densities",
    title="Kernel density (Parzen)",
    about="Lays a bump on each point; where many pile up the density is high.",
    formula=(
        r"p(x) = \frac{1}{n h^2} \sum_{i=1}^{n} K\!( \frac{x - x_i}{h} )",
        r"h_{\mathrm{Scott}} = s\, n^{-1/6}",
    ),
)
@dataclass(frozen=True)
class KernelDensity(Model):
    kernel: str = choice("gaussian", tuple(LABELS), labels=LABELS, symbol="K", help="the shape of a bump")
    bandwidth: float | str = real(
        "scott",
        1e-6,
        1e6,
        log=True,
        words=("scott", "silverman", "loo"),
        labels={"scott": "Scott", "silverman": "Silverman", "loo": "leave one out"},
        symbol="h",
        help="how wide a bump is; 'scott' follows the spread, 'silverman' its quartiles, "
        "'loo' (leave one out) makes points that are left out likeliest",
    )
    mass: str = masses_parameter()

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Bumps]:
        points = data.points
        if self.bandwidth == "loo" and len(points) > 1:
            yield from self._searched(points, rng)
            return
        h = self.bandwidth if isinstance(self.bandwidth, float) else _by_rule(self.bandwidth, points)
        order = rng.permutation(len(points))
        taken = 1
        while True:
            whole = taken == len(points)
            told = f"{counted(taken, 'bump')} of bandwidth {h:.4g}"
            yield self._bumps(
                points,
                points if whole else points[order[:taken]],
                h,
                note=told if whole else f"{told}, of {len(points):,}",
                progress=taken / len(points),
            )
            if whole:
                return
            taken = min(2 * taken, len(points))

    def _bumps(self, points: Floats, centres: Floats, h: float, **more: object) -> Bumps:
        kernel = KERNELS[self.kernel](h)
        return Bumps(extent=points, mass=self.mass, centres=centres, kernel=kernel, **more)  # type: ignore[arg-type]

    def _searched(self, points: Floats, rng: Generator) -> Iterator[Bumps]:
        """The bandwidth under which points are likeliest by all the others."""
        likelihood = LeftOut(points, KERNELS[self.kernel], rng)
        widths: list[float] = []
        found: list[float] = []
        for h, value in search(likelihood, scott(points)):
            widths.append(h)
            found.append(value)
            told = f"bandwidth {h:.4g}: a point left out has log density {value:.4g} on average"
            yield self._bumps(points, points, h, note=told, loss=-max(found))
        best = int(np.argmax(found))
        trial = Trial(widths=tuple(widths), found=tuple(found))
        edge = ", the narrowest tried: some points coincide" if widths[best] <= min(widths) * 1.001 else ""
        told = f"bandwidth {widths[best]:.4g} is best{edge}: log density {found[best]:.4g} of points left out"
        yield self._bumps(
            points, points, widths[best], note=told, loss=-found[best], trial=trial, progress=1.0
        )


def _by_rule(name: str, points: Floats) -> float:
    return RULES.get(name, scott)(points)
