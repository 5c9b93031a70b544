"""How mixed a node is, out of its sums: class counts for Gini, entropy, error; (w, wy, wy^2) for variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from vizml.learn.state import Floats

Criterion = Callable[[Floats], Floats]
"""From sums (C, ...) over the points of nodes to weight x impurity (...): what a split is to lower."""

LABELS = {"gini": "Gini impurity", "entropy": "entropy", "error": "misclassification"}


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


_LEAST = np.finfo(np.float64).tiny
CRITERIA: Mapping[str, Criterion] = {"gini": gini, "entropy": entropy, "error": error, "variance": variance}


def cost(name: str, left: Floats, right: Floats) -> Floats:
    """What is left of the impurity after splits; of those with equal error, as many are, Gini decides."""
    criterion = CRITERIA[name]
    both = criterion(left) + criterion(right)
    if name == "error":
        both += 0.5 * (gini(left) + gini(right)) / (left + right).sum(axis=0)
    return both


def _n_log2(n: Floats) -> Floats:
    out: Floats = n * np.log2(np.maximum(n, _LEAST))
    return out
