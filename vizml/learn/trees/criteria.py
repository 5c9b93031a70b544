"""How mixed a node is, out of its sums: class counts for Gini, entropy, error; (w, wy, wy^2) for variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats

Denominator = Callable[[Floats, Floats | None], Floats]
"""From the weights of nodes to what the squares of their sums are divided by; the second says where to."""
Impurity = Callable[[Floats], Floats]
"""From sums (C, ...) over the points of nodes to weight x impurity (...): what a split is to lower."""

CRITERION_LABELS = {"gini": "Gini impurity", "entropy": "entropy", "error": "misclassification"}
PURE = 1e-14
"""An impurity so much smaller than the roots' is rounding."""
_LEAST = np.finfo(np.float64).tiny


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """An impurity, and which splits are worth making by it."""

    impurity: Impurity | None = None
    """None where `denominator` says all of it."""
    ties_by_gini: bool = False
    """Whether equal costs are common, so that Gini decides among them."""
    pure: float = PURE
    """Nodes of no more than this share of the roots' impurity stay whole; -inf: none does."""
    gain: float = -np.inf
    """What a split must gain at least."""
    weight: float = 0.0
    """What the first sum must come to on both sides of a split."""
    denominator: Denominator | None = None
    """What the impurity is (sum w y)^2 divided by, up to what no split changes."""
    single: bool = False
    """Whether it is taken in single precision."""
    last: bool = False
    """Whether the last of equally good places is taken, not the first."""

    def __call__(self, sums: Floats) -> Floats:
        return self.impurity(sums) if self.impurity else self.fall(sums)

    def fall(self, sums: Floats) -> Floats:
        """The impurity up to what no split changes: enough to compare splits by."""
        if self.denominator is None:
            return self(sums)
        return self.rounded(sums[1] * sums[1] / self.denominator(sums[0], None))

    def rounded(self, impurity: Floats) -> Floats:
        """In the precision that it is compared in."""
        return impurity.astype(np.float32) if self.single else impurity

    def denominators(self, n: int) -> Floats | None:
        """The denominators of 0 to n points of weight 1, where there is a denominator."""
        return self.denominator(np.arange(n + 1.0), None) if self.denominator else None

    def cost(self, left: Floats, right: Floats, whole: Floats) -> Floats:
        """The impurity that splits leave on both sides; infinite where they are not worth it."""
        both = self.sides(left, right)
        if self.gain > -np.inf:
            both[self(whole) - both <= self.gain] = np.inf
        return both

    def sides(self, left: Floats, right: Floats) -> Floats:
        """The same, whatever splits gain."""
        both = self.fall(left) + self.fall(right)
        if self.ties_by_gini:
            both += 0.5 * (gini(left) + gini(right)) / (left + right).sum(axis=0)
        if self.weight > 0:
            both[np.minimum(left[0], right[0]) < self.weight] = np.inf
        return both


def gini(sums: Floats) -> Floats:
    """n (1 - sum_c p_c^2)."""
    total = sums.sum(axis=0)
    out: Floats = total - (sums * sums).sum(axis=0) / np.maximum(total, _LEAST)
    return out


def entropy(sums: Floats) -> Floats:
    """-n sum_c p_c log2 p_c."""
    total = sums.sum(axis=0)
    out: Floats = np.maximum(_n_log2(total) - _n_log2(sums).sum(axis=0), 0.0)
    return out


def error(sums: Floats) -> Floats:
    """n (1 - max_c p_c)."""
    out: Floats = sums.sum(axis=0) - sums.max(axis=0)
    return out


def variance(sums: Floats) -> Floats:
    """sum w y^2 - (sum w y)^2 / sum w: the squared deviations from the mean."""
    weight, first, second = sums
    out: Floats = np.maximum(second - first * first / np.maximum(weight, _LEAST), 0.0)
    return out


def negated(weight: Floats, out: Floats | None = None) -> Floats:
    """-sum w, and never 0."""
    denominator: Floats = np.subtract(-_LEAST, weight, out=out)
    return denominator


def second_order(lam: float, min_weight: float, least_gain: float = 0.5e-6) -> Criterion:
    """-1/2 G^2 / (H + lambda), from sums (H, G): what a leaf takes from a loss with these derivatives.

    In single precision, as XGBoost has it: what differs by less is a tie there, and the last one is taken.
    """
    lam = max(lam, _LEAST)

    def denominator(bend: Floats, out: Floats | None) -> Floats:
        denominator = np.add(bend, lam, out=out)
        denominator *= -2.0
        return denominator

    return Criterion(
        denominator=denominator, single=True, pure=-np.inf, gain=least_gain, weight=min_weight, last=True
    )


CRITERIA: Mapping[str, Criterion] = {
    "gini": Criterion(impurity=gini),
    "entropy": Criterion(impurity=entropy),
    "error": Criterion(impurity=error, ties_by_gini=True),
    "variance": Criterion(impurity=variance, denominator=negated),
}


def _n_log2(n: Floats) -> Floats:
    out: Floats = n * np.log2(np.maximum(n, _LEAST))
    return out
