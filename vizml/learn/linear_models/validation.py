"""K-fold cross-validation of the strength of a penalty: each fold is predicted by a fit to all others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn.linear_models.basis import Basis
from vizml.learn.linear_models.penalty import Penalty
from vizml.learn.linear_models.sums import Sums
from vizml.learn.state import Floats, Ints


@dataclass(frozen=True, eq=False)
class Validation:
    """The mean squared error (folds, L) of each fold so far at each strength."""

    lams: Floats
    errors: Floats
    planned: int

    @property
    def mean(self) -> Floats:
        """The mean over folds."""
        return np.asarray(self.errors.mean(axis=0))

    @property
    def deviation(self) -> Floats:
        """The standard error of that mean."""
        folds = len(self.errors)
        return np.asarray(self.errors.std(axis=0, ddof=1) / math.sqrt(folds) if folds > 1 else 0 * self.lams)

    @property
    def best(self) -> float:
        """The strength of the least mean error, of equals the strongest."""
        return float(self.lams[int(self.mean.argmin())])

    @property
    def simplest(self) -> float:
        """The strongest within one standard error of the best."""
        mean, least = self.mean, int(self.mean.argmin())
        return float(self.lams[int(np.argmax(mean <= mean[least] + self.deviation[least]))])

    @property
    def note(self) -> str:
        """What the last fold showed."""
        count = len(self.errors)
        return f"fold {count} of {self.planned}: error least at λ = {self.best:.3g}, {self.mean.min():.4g}"


def dealt(n: int, folds: int, rng: Generator) -> Ints:
    """The fold of each of n points, as even as can be."""
    return np.asarray(rng.permutation(np.arange(n) % folds), dtype=np.int64)


def validated(
    penalty: Penalty, sums: Sums, basis: Basis, x: Floats, y: Floats, fold: Ints, *, standardise: bool
) -> Iterator[Validation]:
    """The errors as fold after fold is left out; terms are standardised without it."""
    lams, errors, planned = penalty.strengths(sums), [], int(fold.max()) + 1
    for k in range(planned):
        out = fold == k
        kept = Sums.over(basis, x[~out], y[~out], standardise=standardise)
        slopes = kept.spread * penalty.path(kept, lams)
        guess = kept.mean + kept.terms.columns(x[out]) @ slopes.T
        errors.append(((y[out][:, None] - guess) ** 2).mean(axis=0))
        yield Validation(lams, np.stack(errors), planned)
