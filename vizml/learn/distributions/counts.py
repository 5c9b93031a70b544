"""Models of counts: Bernoulli, binomial and Poisson distributions."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vizml.field.arrays import Floats
from vizml.learn.distributions.discrete import BinomialDistribution, PoissonDistribution
from vizml.learn.distributions.distribution import Distribution
from vizml.learn.distributions.model import FAMILY, FIXED, MAP, Estimate, WholeNumbersModel, estimate_choice
from vizml.learn.params import integer, real
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
        rate, log = distribution.mean, _logarithm(distribution.mean)
        return (
            (self.prior_shape - 1) * log - self.prior_rate * rate
            if self.prior_shape != 1
            else -self.prior_rate * rate
        )
