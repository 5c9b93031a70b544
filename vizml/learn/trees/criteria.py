"""How mixed a node is, out of its sums: class counts for Gini, entropy, error; (w, wy, wy^2) for variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats

Impurity = Callable[[Floats], Floats]
"""From sums (C, ...) over the points of nodes to weight x impurity (...): what a split is to lower."""

LABELS = {"gini": "Gini impurity", "entropy": "entropy", "error": "misclassification"}
PURE = 1e-14
"""An impurity so much smaller than the roots' is rounding."""
_LEAST = np.finfo(np.float64).tiny


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """An impurity, and which splits are worth making by it."""

    impurity: Impurity
    ties_by_gini: bool = False
    """Whether equal costs are common, so that Gini decides among them."""
    pure: float = PURE
    """Nodes of no more than this share of the roots' impurity stay whole; -inf: none does."""
    gain: float = -np.inf
    """What a split must gain at least."""
    weight: float = 0.0
    """What the second sum must come to on both sides of a split."""
    fall: Impurity | None = None
    """What the impurity is a difference from that no split changes: enough to compare splits by."""
    last: bool = False
    """Whether the last of equally good places is taken, not the first."""

    def __call__(self, sums: Floats) -> Floats:
        return self.impurity(sums)

    def cost(self, left: Floats, right: Floats, whole: Floats) -> Floats:
        """The impurity that splits leave on both sides; infinite where they are not worth it."""
        both = self.sides(left, right)
        if self.gain > -np.inf:
            both[self.impurity(whole) - both <= self.gain] = np.inf
        return both

    def sides(self, left: Floats, right: Floats) -> Floats:
        """The same, whatever splits gain."""
        side = self.fall or self.impurity
        both = side(left) + side(right)
        if self.ties_by_gini:
            both += 0.5 * (gini(left) + gini(right)) / (left + right).sum(axis=0)
        if self.weight > 0:
            both[np.minimum(left[1], right[1]) < self.weight] = np.inf
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


def explained(sums: Floats) -> Floats:
    """-(sum w y)^2 / sum w: the variance without the squares, which are the same on both sides together."""
    weight, first = sums[0], sums[1]
    out: Floats = first * first / -np.maximum(weight, _LEAST)
    return out


def second_order(lam: float, min_weight: float, least_gain: float = 0.5e-6) -> Criterion:
    """-1/2 G^2 / (H + lambda), from sums (G, H): what a leaf takes from a loss with these derivatives.

    In single precision, as XGBoost has it: what differs by less is a tie there, and the last one is taken.
    """

    def impurity(sums: Floats) -> Floats:
        slope, bend = sums
        gain = slope * slope
        gain /= bend + lam if lam > 0 else np.maximum(bend, _LEAST)
        out: Floats = np.multiply(-0.5, gain, dtype=np.float32, casting="same_kind")
        return out

    return Criterion(impurity=impurity, pure=-np.inf, gain=least_gain, weight=min_weight, last=True)


CRITERIA: Mapping[str, Criterion] = {
    "gini": Criterion(impurity=gini),
    "entropy": Criterion(impurity=entropy),
    "error": Criterion(impurity=error, ties_by_gini=True),
    "variance": Criterion(impurity=variance, fall=explained),
}


def _n_log2(n: Floats) -> Floats:
    out: Floats = n * np.log2(np.maximum(n, _LEAST))
    return out
