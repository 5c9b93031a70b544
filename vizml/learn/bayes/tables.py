"""Tables of counts of categories by class, and Laplace's shares of them."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats, Ints

RULED_OUT = -700.0
"""Stands for ln 0: far below any share of a count, and still a number."""


def counted(categories: Ints, codes: Ints, size: int, classes: int) -> Ints:
    """How often each of `size` categories (n,) comes with each class (K, size)."""
    cells = np.bincount(codes * size + categories, minlength=classes * size)
    return cells.reshape(classes, size)


def log_shares(counts: Ints, smoothing: float) -> Floats:
    """ln (count + eps) / (n_k + eps size): no category is impossible for eps > 0, however rare."""
    rows, size = counts.sum(axis=1, keepdims=True), counts.shape[1]
    with np.errstate(divide="ignore"):
        logs = np.log(counts + smoothing) - np.log(rows + smoothing * size)
    return np.asarray(np.maximum(logs, RULED_OUT))
