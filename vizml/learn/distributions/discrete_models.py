"""Models of counts, categories and points: Bernoulli, binomial, Poisson, multinomial, and others."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.distribution import (
    BinomialDistribution,
    CategoricalDistribution,
    DegenerateDistribution,
    Distribution,
    EmpiricalDistribution,
    PoissonDistribution,
)
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

LARGEST_COUNT = 1_000_000
"""Largest count of events."""


def _logarithm(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


class SuccessModel(WholeNumbersModel):
    """A number of successes in m trials with probability θ; the conjugate prior is a beta distribution."""

    theta: float
    prior_a: float
    prior_b: float

    @property
    def draws(self) -> int:
        """The number of trials m of each sample."""
        return 1

    @property
    def range(self) -> tuple[float, float]:
        return 0, self.draws

    def typed(self) -> Distribution:
        return BinomialDistribution(self.theta, self.draws)

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        total, trials = x.sum(), self.draws * len(x)
        theta = float(total / trials)
        yield (
            BinomialDistribution(theta, self.draws),
            f"θ = {total:.6g}/{trials} = {theta:.4g}, the share of successes",
        )

    def posterior_mode(self, x: Floats) -> Estimate:
        a, b, total, trials = self.prior_a, self.prior_b, float(x.sum()), self.draws * len(x)
        theta = min(max((total + a - 1) / (trials + a + b - 2), 0.0), 1.0) if trials + a + b > 2 else 0.5
        note = f"MAP: θ = ({total:.6g} + {a:g} − 1)/({trials} + {a:g} + {b:g} − 2) = {theta:.4g}"
        return BinomialDistribution(theta, self.draws), note

    def log_prior(self, distribution: Distribution) -> float:
        theta = distribution.values["theta"]
        parts = ((self.prior_a, theta), (self.prior_b, 1 - theta))
        return sum((shape - 1) * _logarithm(x) for shape, x in parts if shape != 1)


THETA = real(0.5, 0.0, 1.0, symbol=r"\theta", when=FIXED, help="Success probability.")
PRIOR_A = real(2.0, 1.0, 1000.0, symbol="a", when=MAP, title="prior a", help="First shape of the beta prior.")
PRIOR_B = real(
    2.0, 1.0, 1000.0, symbol="b", when=MAP, title="prior b", help="Second shape of the beta prior."
)


@register(
    "bernoulli", DISTRIBUTE, FAMILY, "Bernoulli",
    symbols={"θ": ("Success probability.", "Probabilities")},
    synonyms=("coin flips", "MLE Bernoulli", "binary variable", "beta-Bernoulli"),
)  # fmt: skip
class Bernoulli(SuccessModel):
    r"""Describes a variable that is 1 with probability θ and 0 otherwise, such as a coin flip.

    .. math::
        P(x) = \theta^{x} (1 - \theta)^{1 - x}
        \hat\theta = \frac{1}{n} \sum_{i} x_i
        \theta_{\mathrm{MAP}} = \frac{\sum_{i} x_i + a - 1}{n + a + b - 2}
    """

    support = "0 and 1"
    estimate: str = estimate_choice(prior=True)
    theta: float = THETA
    prior_a: float = PRIOR_A
    prior_b: float = PRIOR_B


@register(
    "binomial", DISTRIBUTE, FAMILY, "Binomial",
    symbols={"θ": ("Success probability.", "Probabilities")},
    synonyms=("number of successes", "number of heads"),
)  # fmt: skip
class Binomial(SuccessModel):
    r"""Describes the number of successes in m independent trials with success probability θ.

    .. math::
        P(k) = \binom{m}{k} \theta^{k} (1 - \theta)^{m - k}
        \hat\theta = \frac{1}{n m} \sum_{i} k_i
    """

    estimate: str = estimate_choice(prior=True)
    trials: int = integer(10, 1, 1000, log=True, symbol="m", help="Number of trials of each sample.")
    theta: float = THETA
    prior_a: float = PRIOR_A
    prior_b: float = PRIOR_B

    @property
    def draws(self) -> int:
        return self.trials

    @property
    def support(self) -> str:  # type: ignore[override]
        """The numbers of successes."""
        return f"0 to {self.trials}"


@register(
    "poisson", DISTRIBUTE, FAMILY, "Poisson",
    symbols={"λ": ("Rate: mean and variance of the count.", "Mean")},
    synonyms=("rare events", "arrivals", "counts"),
)  # fmt: skip
class Poisson(WholeNumbersModel):
    r"""Describes the number of independent events that occur at a constant rate.

    .. math::
        P(k) = \frac{\lambda^{k} e^{-\lambda}}{k!}
        \hat\lambda = \frac{1}{n} \sum_{i} k_i
        \lambda_{\mathrm{MAP}} = \frac{\sum_{i} k_i + a - 1}{n + b}
    """

    support = "0, 1, 2, ..."
    estimate: str = estimate_choice(prior=True)
    rate: float = real(3.0, 1e-3, 1e6, log=True, symbol=r"\lambda", when=FIXED, help="Rate: the mean count.")
    prior_shape: float = real(2.0, 1.0, 1e4, log=True, symbol="a", when=MAP, help="Shape of the gamma prior.")
    prior_rate: float = real(1.0, 1e-3, 1e4, log=True, symbol="b", when=MAP, help="Rate of the gamma prior.")

    @property
    def range(self) -> tuple[float, float]:
        return 0, LARGEST_COUNT

    def typed(self) -> Distribution:
        return PoissonDistribution(self.rate)

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        rate = float(x.mean())
        yield PoissonDistribution(rate), f"λ = {x.sum():.6g}/{len(x)} = {rate:.4g}, the mean"

    def posterior_mode(self, x: Floats) -> Estimate:
        a, b = self.prior_shape, self.prior_rate
        rate = float((x.sum() + a - 1) / (len(x) + b))
        note = f"MAP: λ = ({x.sum():.6g} + {a:g} − 1)/({len(x)} + {b:g}) = {rate:.4g}"
        return PoissonDistribution(rate), note

    def log_prior(self, distribution: Distribution) -> float:
        rate, power = distribution.values["rate"], self.prior_shape - 1
        return (power * _logarithm(rate) if power else 0.0) - self.prior_rate * rate


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
        6, 2, MOST_CATEGORIES, symbol="K", when={"estimate": ("likelihood", "map")},
        help="Number of categories.",
    )  # fmt: skip
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
