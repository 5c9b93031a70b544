"""Gaussian naive Bayes: p(x | k) = N(x_1; mu_k1, s_k1^2) N(x_2; mu_k2, s_k2^2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.random import Generator

from vizml.learn import CLASSIFY, Model, real, register
from vizml.learn.bayes.ellipses import ellipses
from vizml.learn.bayes.naive import NaiveClasses, class_shares, listed, log_loss
from vizml.learn.priors import class_priors
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData
from vizml.scene import Mark, Path, Profile

SPIKE = 1e-2
"""A class this much narrower than the widest does not set the height of the densities that are drawn."""
REACH = 4.0
"""How many standard deviations of a density are drawn."""
AXES: tuple[Literal["x", "y"], ...] = ("x", "y")


@dataclass(frozen=True, eq=False, kw_only=True)
class AxisGaussians(NaiveClasses):
    """A mean (K, 2) and a variance (K, 2) for each class along each axis."""

    means: Floats
    variances: Floats
    points: int

    def log_likelihoods(self, axis: int, values: Floats) -> Floats:
        mean, variance = self.means[:, axis, None], self.variances[:, axis, None]
        return np.asarray(-0.5 * ((values - mean) ** 2 / variance + np.log(variance)))

    def marks(self) -> tuple[Mark, ...]:
        densities = [mark for axis in range(self.axes) for mark in self._densities(axis)]
        return (*densities, *(self._rings() if self.axes > 1 else ()))

    def metrics(self) -> Mapping[str, float]:
        return {"log-loss": self.loss, "log-loss per point": self.loss / self.points}

    def _densities(self, axis: int) -> Iterator[Mark]:
        """pi_k p_k along an axis, clipped where one class is a spike among hills."""
        widths = np.sqrt(self.variances[:, axis])
        tops = self.priors / (np.sqrt(2 * np.pi) * widths)
        peak = float(tops[widths >= SPIKE * widths.max()].max())
        for place, label in enumerate(self.classes):
            away = np.linspace(-REACH, REACH, 129)
            heights = np.minimum(tops[place] * np.exp(-0.5 * away**2), peak)
            yield Profile(
                layer="Densities", axis=AXES[axis], at=self.means[place, axis] + widths[place] * away,
                heights=heights, peak=peak, ink=int(label),
                legend="" if place or axis else "density on an axis",
            )  # fmt: skip

    def _rings(self) -> Iterator[Mark]:
        for place, label in enumerate(self.classes):
            yield Path(
                layer="Ellipses", lines=ellipses(self.means[place], np.diag(self.variances[place])),
                closed=True, ink=int(label), width=1.0, legend="" if place else "1, 2 and 3 σ",
            )  # fmt: skip


@register(
    "gaussian_nb",
    task=CLASSIFY,
    family="Bayes",
    title="Gaussian naive Bayes",
    about="Multiplies a bell curve along x with one along y for each class, as if x told nothing about y.",
    formula=(
        r"p(k \mid x) \propto \pi_k \prod_{j=1}^{2} p(x_j \mid k)",
        r"p(x_j \mid k) = \frac{1}{\sqrt{2 \pi}\, \sigma_{kj}} e^{-(x_j - \mu_{kj})^2 / 2 \sigma_{kj}^2}",
    ),
)
@dataclass(frozen=True)
class GaussianNaiveBayes(Model):
    priors: str = class_priors()
    smoothing: float = real(
        1e-9, 1e-12, 1.0, log=True, symbol="\\epsilon",
        help="added to every variance, as a share of the largest variance of x and y",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[AxisGaussians]:
        del rng
        groups = [data.points[data.labels == label] for label in data.present]
        own = np.array([group.var(axis=0) for group in groups])
        added = self.smoothing * (float(data.points.var(axis=0).max()) or 1.0)
        priors = class_shares(data, self.priors)
        start = AxisGaussians(
            classes=data.present, priors=priors, axes=0, points=len(data),
            means=np.array([group.mean(axis=0) for group in groups]), variances=own + added,
        )  # fmt: skip
        for axes in range(3):
            state = replace(start, axes=axes)
            loss = log_loss(state, data)
            note = f"start: only how common the classes are, {listed(data, priors)}"
            if axes:
                note = _told(data, start, axes - 1) + _flat(data, own[:, axes - 1], added)
            yield replace(state, loss=loss, note=f"{note}; log-loss {loss:.4g}", progress=axes / 2)


def _told(data: TrainingData, state: AxisGaussians, axis: int) -> str:
    each = (
        f"{data.name(int(label))} {mean:.3g} ± {np.sqrt(variance):.2g}"
        for label, mean, variance in zip(state.classes, state.means[:, axis], state.variances[:, axis])
    )
    return f"axis {data.axes[axis]}: {', '.join(each)}"


def _flat(data: TrainingData, own: Floats, added: float) -> str:
    """Which classes have one value only along an axis."""
    names = [data.name(int(label)) for label, variance in zip(data.present, own) if not variance > 0]
    return f"; {', '.join(names)} without spread: σ {np.sqrt(added):.2g} from smoothing" if names else ""
