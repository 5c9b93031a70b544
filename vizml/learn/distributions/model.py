"""Models of distributions: parameters as typed, of maximum likelihood, or of maximum posterior density."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.random import Generator

from vizml.data.params import Condition
from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.learn.distributions.distribution import Distribution
from vizml.learn.distributions.state import DistributionState
from vizml.learn.model import Model
from vizml.learn.params import choice
from vizml.learn.training_data import CannotLearn, TrainingData

FAMILY = "Distributions"
FIXED: Condition = {"estimate": ("fixed",)}
MAP: Condition = {"estimate": ("map",)}
LABELS = {"likelihood": "Maximum likelihood", "map": "Maximum a posteriori", "fixed": "Fixed values"}
Estimate: TypeAlias = tuple[Distribution, str]
"""A distribution, and how its parameters were found."""


def estimate_choice(*, prior: bool = False) -> Any:
    """Declare how parameters are found, also with a conjugate prior where there is one."""
    found = ("likelihood", "map", "fixed") if prior else ("likelihood", "fixed")
    text = "Estimation of the parameters: maximum likelihood (MLE), {}or fixed values."
    return choice(
        "likelihood", found, labels={name: LABELS[name] for name in found},
        help=text.format("maximum a posteriori (MAP) with a conjugate prior, " if prior else ""),
        synonyms=("MLE", "MAP estimate"),
    )  # fmt: skip


class DistributionModel(Model):
    """A distribution whose parameters are estimated from samples of the first input, or typed."""

    estimate: str
    takes_categories = True
    support: ClassVar[str] = ""
    """Values that can be observed, where these are not all numbers."""

    @abstractmethod
    def typed(self) -> Distribution:
        """Return the distribution with the values of the parameters."""

    @abstractmethod
    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        """Yield distributions of increasing likelihood; the last one has the highest."""

    def posterior_mode(self, x: Floats) -> Estimate:
        """Return the distribution of highest posterior density."""
        raise NotImplementedError

    def log_prior(self, distribution: Distribution) -> float:
        """Return the logarithm of the prior density, up to a constant."""
        return 0.0

    def nearest(self, x: Floats) -> Floats:
        """Return the nearest values that can be observed."""
        return x

    def observable(self, x: Floats) -> Floats:
        """Return the values that can be observed."""
        return x

    def landing(self, places: Floats) -> Floats:
        return np.column_stack([self.nearest(places[:, 0]), places[:, 1:]])

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[DistributionState]:
        if any(data.categories):
            raise CannotLearn(f"{data.columns[0]} has categories: a distribution needs a column of numbers")
        given = data.X[:, 0]
        sample = self.observable(self.nearest(given))
        remark, before = self._remark(given, sample), math.nan
        estimates = list(self._estimates(sample))
        for number, (distribution, found) in enumerate(estimates, start=1):
            likelihood = distribution.log_likelihood(sample)
            objective = likelihood + (self.log_prior(distribution) if self.estimate == "map" else 0.0)
            change = f"{before:.5g} → " if math.isfinite(before) else ""
            value = f"{likelihood:.5g}" if math.isfinite(likelihood) else "−∞"
            yield DistributionState(
                distribution=distribution, sample=sample,
                note=f"{found}; log-likelihood {change}{value}{remark}",
                loss=-objective if math.isfinite(objective) else math.nan, progress=number / len(estimates),
            )  # fmt: skip
            before = likelihood

    def _estimates(self, sample: Floats) -> Iterator[Estimate]:
        if self.estimate == "fixed" or not len(sample):
            distribution = self.typed()
            yield distribution, f"fixed values: {distribution.text}"
            return
        yield from self.likeliest(sample)
        if self.estimate == "map":
            yield self.posterior_mode(sample)

    def _remark(self, given: Floats, sample: Floats) -> str:
        """Say how many samples are left out or rounded."""
        if not len(sample):
            return f". No sample lies in the support ({self.support})"
        if out := len(given) - len(sample):
            return f". {plural(out, 'sample')} outside the support ({self.support}) left out"
        moved = int((given != sample).sum())
        return f". {plural(moved, 'sample')} rounded to the nearest of {self.support}" if moved else ""


class WholeNumbersModel(DistributionModel):
    """A distribution on whole numbers, to which samples are rounded."""

    @property
    @abstractmethod
    def range(self) -> tuple[float, float]:
        """The least and the largest number."""

    def nearest(self, x: Floats) -> Floats:
        return np.clip(np.rint(x), *self.range)
