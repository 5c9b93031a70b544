"""Models of categories and points: multinomial, empirical and degenerate distributions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.discrete import (
    CategoricalDistribution,
    DegenerateDistribution,
    EmpiricalDistribution,
)
from vizml.learn.distributions.distribution import Distribution
from vizml.learn.distributions.model import (
    FAMILY,
    FIXED,
    MAP,
    DistributionModel,
    Estimate,
    WholeNumbersModel,
    estimate_choice,
)
from vizml.learn.params import integer, real, text
from vizml.learn.registry import register
from vizml.learn.tasks.distribute import DISTRIBUTE

MOST_CATEGORIES = 20


def parse_weights(text: str) -> tuple[float, ...]:
    """Parse '1, 2, 3' as weights of categories; ValueError unless they are positive numbers."""
    weights = tuple(float(part) for part in text.split(","))
    if not np.isfinite(weights).all() or min(weights) <= 0 or len(weights) > MOST_CATEGORIES:
        raise ValueError
    return weights


@register(
    "multinomial", DISTRIBUTE, FAMILY, "Multinomial",
    symbols={"p": ("Probability of a category.", "Probabilities")},
    synonyms=("multinoulli", "categorical distribution", "Dirichlet prior", "dice", "die"),
)  # fmt: skip
class Multinomial(WholeNumbersModel):
    r"""Describes draws of one of K categories, numbered from 1. The counts of n draws are multinomial.

    .. math::
        P(n_1, \dots, n_K) = \frac{n!}{n_1! \cdots n_K!} \prod_{k} p_k^{n_k}
        \hat{p}_k = \frac{n_k}{n}
        p_{k, \mathrm{MAP}} = \frac{n_k + \alpha - 1}{n + K (\alpha - 1)}
    """

    estimate: str = estimate_choice(prior=True)
    categories: int = integer(
        6,
        2,
        MOST_CATEGORIES,
        symbol="K",
        when={"estimate": ("likelihood", "map")},
        help="Number of categories.",
    )
    weights: str = text(
        "1,1,1,1,1,1", check=parse_weights, when=FIXED, title="probabilities",
        help="Probabilities of the categories, or weights that are in proportion to them.",
        allowed="up to 20 positive numbers separated by commas, such as '0.2,0.3,0.5'",
    )  # fmt: skip
    prior_alpha: float = real(
        2.0, 1.0, 1000.0, log=True, symbol=r"\alpha", when=MAP, title="prior alpha",
        help="Parameter of the symmetric Dirichlet prior.",
    )  # fmt: skip

    @property
    def count(self) -> int:
        """The number of categories K."""
        return len(parse_weights(self.weights)) if self.estimate == "fixed" else self.categories

    @property
    def range(self) -> tuple[float, float]:
        return 1, self.count

    @property
    def support(self) -> str:  # type: ignore[override]
        """The numbers of the categories."""
        return f"1 to {self.count}"

    def typed(self) -> Distribution:
        return self._of(np.array(parse_weights(self.weights)))

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        yield self._of(self._counts(x)), f"p = counts/{len(x)}, with counts {self._listed(x)}"

    def posterior_mode(self, x: Floats) -> Estimate:
        more = self.prior_alpha - 1
        note = f"MAP: {more:g} added to each of the counts {self._listed(x)}"
        return self._of(self._counts(x) + more), note

    def log_prior(self, distribution: Distribution) -> float:
        if self.prior_alpha == 1:
            return 0.0
        logs = [np.log(p) for p in distribution.values.values() if p > 0]
        return (self.prior_alpha - 1) * float(np.sum(logs)) if len(logs) == self.count else -np.inf

    def _counts(self, x: Floats) -> Floats:
        return np.bincount(x.astype(np.int64) - 1, minlength=self.count).astype(np.float64)

    def _listed(self, x: Floats) -> str:
        return ", ".join(f"{count:.0f}" for count in self._counts(x).tolist())

    @staticmethod
    def _of(weights: Floats) -> CategoricalDistribution:
        return CategoricalDistribution(tuple((weights / weights.sum()).tolist()))


@register(
    "empirical", DISTRIBUTE, FAMILY, "Empirical",
    symbols={"δ": ("Unit mass at a sample.", "Probabilities")},
    synonyms=("empirical CDF", "ECDF"),
)  # fmt: skip
class Empirical(DistributionModel):
    r"""Puts the same probability on each sample. Its CDF is a step function.

    .. math::
        P(x) = \frac{1}{n} \sum_{i} \delta_{x_i}(x)
    """

    estimate = "likelihood"

    def typed(self) -> Distribution:
        return EmpiricalDistribution(np.zeros(1))

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        yield EmpiricalDistribution(x), f"1/{len(x)} at each sample"


@register(
    "degenerate", DISTRIBUTE, FAMILY, "Degenerate",
    symbols={"a": ("Location of all mass.", "Probabilities")},
    synonyms=("delta function", "Dirac", "point mass", "degenerate pdf"),
)  # fmt: skip
class Degenerate(DistributionModel):
    r"""Puts all probability on one value a. Its entropy is 0.

    .. math::
        P(X = a) = 1
    """

    estimate: str = estimate_choice()
    a: float = real(0.0, -1e6, 1e6, symbol="a", when=FIXED, help="Location of all probability mass.")

    def typed(self) -> Distribution:
        return DegenerateDistribution(self.a)

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        values, counts = np.unique(x, return_counts=True)
        a, most = float(values[counts.argmax()]), int(counts.max())
        found = f"a = {a:.4g}, the most frequent value: {most} of {len(x)}"
        yield DegenerateDistribution(a), found if most < len(x) else f"a = {a:.4g}, the only value"
