"""Linear discriminant analysis: Gaussians with one covariance, so that the squares of x cancel."""

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
    "lda",
    task=CLASSIFY,
    family="Bayes",
    title="Linear discriminant analysis",
    about="Takes the classes for Gaussians of one shape and asks which of them a place is likeliest from.",
    formula=(
        r"\delta_k(x) = x^T \Sigma^{-1} \mu_k - \tfrac{1}{2} \mu_k^T \Sigma^{-1} \mu_k + \ln \pi_k",
        r"p(k \mid x) = \frac{e^{\delta_k(x)}}{\sum_{j} e^{\delta_j(x)}}",
        r"\Sigma = \sum_{k} \frac{\pi_k}{n_k} \sum_{i:\, y_i = k} (x_i - \mu_k)(x_i - \mu_k)^T",
    ),
)
@dataclass(frozen=True)
class LinearDiscriminant(Model):
    priors: str = class_priors("; the shared covariance weighs the classes by it too")
    shrinkage: float = settings.shrinkage("the covariance")
    unbiased: bool = settings.unbiased("n - K")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[GaussianClasses]:
        del rng
        moments = Moments.of(data)
        priors, classes = prior_shares(moments.counts, self.priors), len(data.present)
        names = [data.name(int(label)) for label in data.present]
        for seen in range(classes + 1):
            means = np.where(np.arange(classes)[:, None] < seen, moments.means, moments.mean)
            shared = self._shared(moments, priors, means)
            note = _told(names[seen - 1] if seen else "", moments, seen)
            if singular(shared):
                shared, words = widened(shared, moments.covariance)
                note += f" is {words}:"
            covariances = np.tile(shared, (classes, 1, 1))
            yield GaussianClasses(
                classes=data.present, priors=priors, means=means, covariances=covariances, points=len(data),
                loss=moments.surprise(priors, means, covariances),
                note=f"{note} {spread(shared)}", progress=seen / classes,
            )  # fmt: skip

    def _shared(self, moments: Moments, priors: Floats, means: Floats) -> Floats:
        """The covariance within the classes of a population that has these priors."""
        within = np.tensordot(priors, moments.about(means), axes=1)
        if self.unbiased:
            n = moments.counts.sum()
            within *= n / max(n - len(priors), 1.0)
        return shrunk(within, self.shrinkage)


def _told(name: str, moments: Moments, seen: int) -> str:
    """All of a note but the shared covariance."""
    if not seen:
        x, y = moments.mean
        return f"start: every class at the mean of all, ({x:.4g}, {y:.4g}); the shared shape"
    return f"{moments.told(name, seen - 1)}; the shared shape"
