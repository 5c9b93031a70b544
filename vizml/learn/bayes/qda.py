"""Quadratic discriminant analysis: a Gaussian with a covariance of its own for each class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn import CLASSIFY, Model, register
from vizml.learn.bayes import settings
from vizml.learn.bayes.gaussians import GaussianClasses
from vizml.learn.bayes.moments import Moments, shrunk, singular, spread, widened
from vizml.learn.priors import class_priors, prior_shares
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData


@register(
    "qda",
    task=CLASSIFY,
    family="Bayes",
    title="Quadratic discriminant analysis",
    about="Takes the classes for Gaussians of their own shapes and asks which one a place is likeliest from.",
    formula=(
        r"\delta_k(x) = \ln \pi_k - \tfrac{1}{2} \ln |\Sigma_k| - \tfrac{1}{2} d_k^2",
        r"d_k^2 = (x - \mu_k)^T \Sigma_k^{-1} (x - \mu_k)",
        r"p(k \mid x) = \frac{e^{\delta_k(x)}}{\sum_{j} e^{\delta_j(x)}}",
    ),
)
@dataclass(frozen=True)
class QuadraticDiscriminant(Model):
    priors: str = class_priors()
    shrinkage: float = settings.shrinkage("each covariance")
    unbiased: bool = settings.unbiased("n - 1")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[GaussianClasses]:
        del rng
        moments = Moments.of(data)
        priors, classes = prior_shares(moments.counts, self.priors), len(data.present)
        whole = moments.covariance
        if singular(whole):
            whole, _ = widened(whole, whole)
        means, covariances = np.tile(moments.mean, (classes, 1)), np.tile(whole, (classes, 1, 1))
        x, y = moments.mean
        note = f"start: every class as one Gaussian of all points, mean ({x:.4g}, {y:.4g}), {spread(whole)}"
        for seen in range(classes + 1):
            if seen:
                means[seen - 1] = moments.means[seen - 1]
                covariances[seen - 1], stand_in = self._own(moments, seen - 1)
                told = moments.told(data.name(int(data.present[seen - 1])), seen - 1)
                note = f"{told}, {spread(covariances[seen - 1])}{stand_in}"
            yield GaussianClasses(
                classes=data.present, priors=priors, means=means.copy(), covariances=covariances.copy(),
                points=len(data), loss=moments.surprise(priors, means, covariances),
                note=note, progress=seen / classes,
            )  # fmt: skip

    def _own(self, moments: Moments, k: int) -> tuple[Floats, str]:
        """The covariance of a class, and in words what stands in for one that has no width."""
        counts = moments.counts
        if not singular(own := self._estimate(moments.covariances[k], counts[k], 1.0)):
            return own, ""
        within = np.tensordot(counts / counts.sum(), moments.covariances, axes=1)
        shared = self._estimate(within, counts.sum(), len(counts))
        line = "its points lie on a line" if own.any() else "its points lie in one place"
        why = "1 point has no shape" if counts[k] == 1 else line
        if singular(shared):
            shared, words = widened(shared, moments.covariance)
            return shared, f"; {why}, and what the classes share is {words}"
        return shared, f"; {why}: it takes the shape that the classes share"

    def _estimate(self, covariance: Floats, count: float, means: float) -> Floats:
        """Of a mean of squares around so many means of the same points."""
        scale = count / max(count - means, 1.0) if self.unbiased else 1.0
        return shrunk(scale * covariance, self.shrinkage)
