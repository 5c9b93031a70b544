"""How good probabilities of classes are: their log-loss and their Brier score, for any number of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]
TINY = float(np.finfo(np.float64).eps)
SLACK = 1e-9
"""By how much a sum of shares may miss 1 for its last digits."""


def shares_log_loss(y: ArrayLike, shares: ArrayLike, classes: ArrayLike) -> float:
    """The mean of -log p of the class that it was; one that the shares do not know has an epsilon."""
    hot, given = _checked(y, shares, classes)
    own = np.where(hot, given, 0.0).sum(axis=1)
    return float(-np.mean(np.log(np.clip(own, TINY, 1.0))))


def shares_brier(y: ArrayLike, shares: ArrayLike, classes: ArrayLike) -> float:
    """The mean squared distance of all shares from what came: from 0 to 2, of two classes half as much."""
    hot, given = _checked(y, shares, classes)
    unknown = 1.0 - hot.sum(axis=1)  # a class that the shares do not know has the share 0
    found = float(np.mean(((given - hot) ** 2).sum(axis=1) + unknown))
    return found / 2 if hot.shape[1] == 2 else found


def _checked(y: ArrayLike, shares: ArrayLike, classes: ArrayLike) -> tuple[NDArray[np.bool_], Floats]:
    truth, known, given = np.asarray(y), np.asarray(classes), np.asarray(shares, dtype=np.float64)
    if given.shape != (len(truth), len(known)) or not len(truth):
        wanted = f"{len(truth)} points and {len(known)} classes"
        raise ValueError(f"{wanted} need as many shares, not {given.shape}")
    if not ((given >= -SLACK) & (given <= 1 + SLACK)).all():
        raise ValueError("shares of classes are probabilities: they must lie from 0 to 1")
    return truth[:, None] == known[None, :], np.clip(given, 0.0, 1.0)
