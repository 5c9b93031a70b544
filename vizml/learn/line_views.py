"""Views over one axis: posteriors, decision values, memberships or a density as curves of the input."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.field.arrays import Floats
from vizml.learn.view import LineView, calculation_labels
from vizml.scene import CurveLens, Ink, Lens, Mark, Ordinate, Segments, TextLabels
from vizml.scene.marks import upright_ends
from vizml.scene.shading import Scale

if TYPE_CHECKING:
    from vizml.learn.state import Classifier, Clusterer, Density

C = TypeVar("C", bound="Classifier")
G = TypeVar("G", bound="Clusterer")
D = TypeVar("D", bound="Density")
Real = TypeVar("Real", np.float32, np.float64)
SAMPLE = 2000
"""Training points at which the range of a quantity is looked for."""
BETWEEN = 200
"""Places between training points at which the peak of a density is looked for as well."""
SIDES = np.array([-1.0, 1.0])
"""Directions of the ends of an interval around a place."""
PROBABILITIES = (Scale.SHARE, Scale.LOGIT)


class ClassLineView(LineView[C]):
    """Posteriors or decision values of classes, with their log-odds as a lens."""

    @property
    def inks(self) -> tuple[Ink, ...]:
        return self.state.shading.inks

    @property
    def paired(self) -> bool:
        """Whether there are two classes: the curve of the first follows from that of the second."""
        return len(self.state.classes) == 2

    @property
    def tie(self) -> float:
        """Value on the vertical axis at which two classes have equal scores, where it is no probability."""
        return 0.0

    @property
    def has_threshold(self) -> bool:
        """Whether a threshold of the second of two classes is a height."""
        return self.paired and self.state.scale is not Scale.RANK

    def ordinate(self, data: Dataset) -> Ordinate:
        if self.state.scale in PROBABILITIES:
            name = data.name(int(self.state.classes[1])) if self.paired else "each class"
            return Ordinate(f"probability of {name}")
        if self.state.scale is Scale.RANK:
            return Ordinate("predicted class")
        reach = self.state.reach
        if self.paired:
            return Ordinate("decision value f(x)", -reach / 2, reach / 2)
        return Ordinate("lead over the other classes", -reach, reach)

    def heights(self, x: Floats, ordinate: Ordinate) -> Floats:
        scores = self.curves(x)
        if self.state.scale in PROBABILITIES:
            return probabilities(scores, self.state.scale)
        if self.state.scale is Scale.RANK:
            return winners(scores)
        return np.asarray((1.0 + leads(scores) / self.state.reach) / 2)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        return (*calculation_labels(self, point), *super().probe(point))

    def lenses(self) -> tuple[Lens, ...]:
        if not self.state.has_proba or len(self.state.classes) < 2:
            return ()
        reach = max(float(np.abs(self._log_odds(sampled(self))).max(initial=1.0)), 1.0)
        inks = self.inks[1:] if self.paired else self.inks
        curves = self._log_odds
        return (CurveLens(name="Log-odds", curves=curves, inks=inks, low=-reach, high=reach),)

    def _log_odds(self, x: Floats) -> Floats:
        """Return ln p / (1 - p) of each class, of the second one alone where there are two."""
        scores = self.curves(x)
        if self.state.scale is Scale.SHARE:
            scores = np.log(np.maximum(scores, np.finfo(float).tiny))
        if self.paired:
            return scores[:, 1:] - scores[:, :1]
        others = (np.delete(scores, k, axis=1) for k in range(scores.shape[1]))
        return np.asarray(scores - np.column_stack([np.logaddexp.reduce(each, axis=1) for each in others]))


class JointLineView(ClassLineView[C]):
    """Posteriors by Bayes' rule, with the density of each class times its prior as a lens."""

    @abstractmethod
    def joint(self, X: Floats) -> Floats:
        """Return the densities (m, K) of the classes times their priors."""

    @property
    @abstractmethod
    def peaks(self) -> Floats:
        """Inputs (m, d) at which these are highest."""

    def lenses(self) -> tuple[Lens, ...]:
        joint = CurveLens(
            name="Prior times class density", curves=self._joint, inks=self.inks, low=0.0,
            high=float(self.joint(self.peaks).max()), density=True,
        )  # fmt: skip
        return (joint, *super().lenses())

    def _joint(self, x: Floats) -> Floats:
        return self.joint(self.section.lift(x[:, None]))


class ClusterLineView(LineView[G]):
    """Probabilities of clusters, or membership in them."""

    @property
    def inks(self) -> tuple[Ink, ...]:
        return self.state.shading.inks

    def ordinate(self, data: Dataset) -> Ordinate:
        soft = self.state.scale in PROBABILITIES
        return Ordinate("probability of each cluster" if soft else "membership in each cluster")

    def heights(self, x: Floats, ordinate: Ordinate) -> Floats:
        scores, scale = self.curves(x), self.state.scale
        soft = scale in PROBABILITIES
        return probabilities(scores, scale) if soft else winners(scores, self.state.floor)


class DensityLineView(LineView[D]):
    """A density, filled down to 0."""

    filled = True

    @cached_property
    def peak(self) -> float:
        """The highest density at training points and between them, at the height 1 of the canvas."""
        x = sampled(self)
        between = np.linspace(x.min(), x.max(), BETWEEN) if len(x) else x
        return float(np.exp(self.curves(np.append(x, between)).max(initial=-np.inf))) or 1.0

    def ordinate(self, data: Dataset) -> Ordinate:
        return Ordinate("density", 0.0, self.peak)

    def heights(self, x: Floats, ordinate: Ordinate) -> Floats:
        return np.asarray(np.exp(self.curves(x)) / ordinate.high)


def interval_marks(layer: str, point: Floats, ends: Floats, text: str) -> tuple[Mark, ...]:
    """Return the finite ends of an interval as vertical lines, and a text at the pointer."""
    return (
        Segments(layer=layer, ends=upright_ends(ends[np.isfinite(ends)]), ink="accent", stroke="dot"),
        TextLabels(layer=layer, points=point[None], texts=(text,)),
    )


def sampled(view: LineView[Any]) -> Floats:
    """Return the coordinates (m,) of some training points on a line view."""
    X = view.state.space.X
    return view.section.project(X[:: len(X) // SAMPLE + 1])[0][:, 0]


def probabilities(scores: Floats, scale: Scale) -> Floats:
    """Return the probabilities that scores are, or the logarithms of whose multiples they are."""
    return scores if scale is Scale.SHARE else softmax(scores)


def winners(scores: Floats, floor: float = -np.inf) -> Floats:
    """Return 1 for the highest score of each row, if it is above a floor, and 0 for the others."""
    first = np.arange(scores.shape[1]) == scores.argmax(axis=1)[:, None]
    return np.asarray(first & (scores > floor), dtype=np.float64)


def leads(scores: Floats) -> Floats:
    """Return the lead (m, K) of each score over the best of the others."""
    if scores.shape[1] < 2:
        return np.zeros_like(scores)
    ranked = np.sort(scores, axis=1)
    best, second = ranked[:, -1:], ranked[:, -2:-1]
    return scores - np.where(scores == best, second, best)


def softmax(scores: NDArray[Real]) -> NDArray[Real]:
    """Return exp(s_k) / sum_j exp(s_j) along the last axis, without overflow."""
    raised: NDArray[Real] = np.exp(scores - scores.max(axis=-1, keepdims=True))
    raised /= raised.sum(axis=-1, keepdims=True)
    return raised
