"""Split criteria: the impurity of nodes as a function of sums over their samples.

The sums (C, ...) are class counts for Gini, entropy and error, (w, w y, w y^2) for the variance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats, Ints

Impurity = Callable[[Floats], Floats]
"""From sums (C, ...) over the samples of nodes to weight times impurity (...)."""
WeightedSums = Floats | tuple[Ints | Floats, Floats]
"""Sums (w, w y) over the samples of nodes, which may broadcast."""
PURE = 1e-14
"""Share of the roots' impurity below which an impurity is rounding."""
ROUNDING = 1e-12
"""Gains up to this number of bits are rounding."""
_LEAST = np.finfo(np.float64).tiny


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """An impurity measure and the conditions under which a split is made."""

    impurity: Impurity | None = None
    """None: impurities are only compared."""
    factor: float = 0.0
    """Factor of (sum w y)^2 / (sum w + lam) in the impurity, beside terms that no split changes; else 0."""
    lam: float = _LEAST
    ties_by_gini: bool = False
    """Whether the Gini impurity decides between splits of equal cost."""
    pure: float = PURE
    """Nodes of at most this share of the roots' impurity are not split; -inf disables the check."""
    gain: float = -np.inf
    """Minimum impurity decrease of a split."""
    weight: float = 0.0
    """Minimum of the first sum in both children."""
    single: bool = False
    """Whether impurities are compared in single precision."""
    last: bool = False
    """Whether the last of equally good splits is made instead of the first."""

    def __call__(self, sums: Floats) -> Floats:
        return self.impurity(sums) if self.impurity else self.relative(sums)

    def relative(self, sums: Floats) -> Floats:
        """The impurity up to a term that no split changes, enough to compare splits."""
        return self.factor * self._squares(sums) if self.factor else self(sums)

    def _squares(self, sums: WeightedSums) -> Floats:
        """(sum w y)^2 / (sum w + lam), in the precision in which impurities are compared."""
        squares: Floats = sums[1] * sums[1]
        squares /= sums[0] + self.lam
        return self.rounded(squares)

    def rounded(self, impurity: Floats) -> Floats:
        """Convert to the precision in which impurities are compared."""
        return impurity.astype(np.float32) if self.single else impurity

    def weighted_children(self, left: WeightedSums, right: WeightedSums) -> Floats:
        """The impurity of both children from their weights and weighted sums alone."""
        both = self._squares(left)
        both += self._squares(right)
        both *= self.factor
        if self.weight > 0:
            np.copyto(both, np.inf, where=np.minimum(left[0], right[0]) < self.weight)
        return both

    def children(self, left: Floats, right: Floats) -> Floats:
        """The impurity of both children; infinite where one has too little weight."""
        if self.factor:
            return self.weighted_children(left, right)
        both = self(left) + self(right)
        if self.ties_by_gini:
            both += 0.5 * (gini(left) + gini(right)) / (left + right).sum(axis=0)
        return both


def running_sums(sums: Floats, order: Ints, counts: Ints) -> Floats:
    """Sums (C, features, positions) over the samples of each node up to each position of their order.

    The nodes with these `counts` of samples follow each other.
    """
    starts = np.add.accumulate(counts) - counts
    left = sums.take(order, axis=1, mode="clip")
    np.add.accumulate(left, axis=2, out=left)
    if len(starts) > 1:
        earlier = left.take(starts - 1, axis=2)
        earlier[:, :, 0] = 0.0
        left -= earlier.repeat(counts, axis=2)
    return left


def gini(sums: Floats) -> Floats:
    """Gini impurity: n (1 - sum_c p_c^2)."""
    total = sums.sum(axis=0)
    out: Floats = total - (sums * sums).sum(axis=0) / np.maximum(total, _LEAST)
    return out


def entropy(sums: Floats) -> Floats:
    """Entropy in bits: -n sum_c p_c log2 p_c."""
    total = sums.sum(axis=0)
    out: Floats = np.maximum(_n_log2(total) - _n_log2(sums).sum(axis=0), 0.0)
    return out


def error(sums: Floats) -> Floats:
    """Misclassification error: n (1 - max_c p_c)."""
    out: Floats = sums.sum(axis=0) - sums.max(axis=0)
    return out


def variance(sums: Floats) -> Floats:
    """Squared deviations from the mean: sum w y^2 - (sum w y)^2 / sum w."""
    weight, first, second = sums
    out: Floats = np.maximum(second - first * first / np.maximum(weight, _LEAST), 0.0)
    return out


def second_order(lam: float, min_weight: float, min_gain: float = 0.5e-6) -> Criterion:
    """XGBoost's objective -1/2 G^2 / (H + lambda) from sums (H, G) of second and first derivatives.

    As in XGBoost it is compared in single precision, and the last of equally good splits is made.
    """
    return Criterion(
        factor=-0.5, lam=max(lam, _LEAST), single=True, pure=-np.inf, gain=min_gain, weight=min_weight,
        last=True,
    )  # fmt: skip


def _n_log2(n: Floats) -> Floats:
    out: Floats = n * np.log2(np.maximum(n, _LEAST))
    return out


CRITERIA: Mapping[str, Criterion] = {
    "gini": Criterion(impurity=gini),
    "entropy": Criterion(impurity=entropy),
    "error": Criterion(impurity=error, ties_by_gini=True),
    "variance": Criterion(impurity=variance, factor=-1.0),
}
