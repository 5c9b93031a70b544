"""Bootstrap samples, out-of-bag errors, and Var = rho sigma^2 + (1 - rho) / B sigma^2 of their mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints, Mask


def bootstrap_counts(n: int, share: float, members: int, rng: Generator) -> Ints:
    """Number of times that each of n points is drawn with replacement for each member (members, n)."""
    size = max(round(share * n), 1)
    drawn = rng.integers(0, n, size=(members, size))
    drawn += n * np.arange(members)[:, None]
    return np.bincount(drawn.ravel(), minlength=members * n).reshape(members, n)


@dataclass(frozen=True, eq=False, kw_only=True)
class OutOfBag:
    """Out-of-bag points and errors of consecutive members (T,)."""

    mask: Mask
    """Points that are not in the sample of each member (T, n)."""
    residuals: NDArray[np.float32]
    """1 minus the share of the true class, or y minus the prediction (T, n); 0 in the bag."""
    errors: Floats
    """Out-of-bag error of all members up to each (T,)."""
    voted: Ints
    """Number of points with an out-of-bag prediction by then (T,)."""


class OutOfBagVotes:
    """Accumulates out-of-bag votes for classes while members join."""

    def __init__(self, truth: Ints, classes: int) -> None:
        self._truth, self._votes = truth, np.zeros((len(truth), classes))
        self._voters = np.zeros(len(truth), dtype=np.int64)

    def add(self, mask: Mask, shares: Floats) -> OutOfBag:
        """Add class shares (T, n, K) of more members where the points are out of their bags (T, n)."""
        shares = np.where(mask[:, :, None], shares, 0.0)
        votes = self._votes + shares.cumsum(axis=0)
        voters = self._voters + mask.cumsum(axis=0)
        self._votes, self._voters = votes[-1], voters[-1]
        wrong = (votes.argmax(axis=2) != self._truth) & (voters > 0)
        right = np.take_along_axis(shares, self._truth[None, :, None], axis=2)[:, :, 0]
        return _out_of_bag(mask, 1.0 - right, np.count_nonzero(wrong, axis=1), voters)


class OutOfBagMeans:
    """Accumulates out-of-bag means of predicted numbers while members join."""

    def __init__(self, y: Floats) -> None:
        self._y, self._sums = y, np.zeros(len(y))
        self._voters = np.zeros(len(y), dtype=np.int64)

    def add(self, mask: Mask, predictions: Floats) -> OutOfBag:
        """Add predictions (T, n) of more members where the points are out of their bags (T, n)."""
        sums = self._sums + np.where(mask, predictions, 0.0).cumsum(axis=0)
        voters = self._voters + mask.cumsum(axis=0)
        self._sums, self._voters = sums[-1], voters[-1]
        residuals = np.where(voters > 0, self._y - sums / np.maximum(voters, 1), 0.0)
        return _out_of_bag(mask, self._y - predictions, (residuals * residuals).sum(axis=1), voters)


def _out_of_bag(mask: Mask, residuals: Floats, losses: Floats | Ints, voters: Ints) -> OutOfBag:
    voted = np.count_nonzero(voters, axis=1)
    return OutOfBag(
        mask=mask, residuals=np.where(mask, residuals, 0.0).astype(np.float32),
        errors=np.where(voted, losses / np.maximum(voted, 1), np.nan), voted=voted,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class VarianceDecomposition:
    """Variance of the error of the first 1, 2, ..., T members and of their mean."""

    sigma2: Floats
    """Variance of a single member's error."""
    rho: Floats
    """Correlation of the errors of two members."""
    measured: Floats
    """Variance of the mean of the members that are out of bag at a point."""
    predicted: Floats
    """rho sigma^2 + (1 - rho) / B sigma^2, with the number B of members at each point."""
    voters: float
    """Mean number of members that are out of bag at a point."""


def decompose_variance(bags: Sequence[OutOfBag], members: int) -> VarianceDecomposition:
    """Decompose the variance of the out-of-bag errors of the first members about their mean."""
    mask = np.concatenate([bag.mask for bag in bags])[:members]
    off = np.concatenate([bag.residuals for bag in bags])[:members].astype(np.float64)
    off -= off.sum() / max(np.count_nonzero(mask), 1)
    off[~mask] = 0.0
    voters, sums = mask.cumsum(axis=0), off.cumsum(axis=0)
    squares = np.cumsum((off * off).sum(axis=1))
    seen = np.cumsum(np.count_nonzero(mask, axis=1))
    pairs = (voters * voters).sum(axis=1) - seen
    sigma2 = squares / np.maximum(seen, 1)
    covariance = ((sums * sums).sum(axis=1) - squares) / np.maximum(pairs, 1)
    points = np.maximum(np.count_nonzero(voters, axis=1), 1)
    each = 1.0 / np.maximum(voters, 1)
    measured = ((sums * each) ** 2).sum(axis=1) / points
    alone = np.where(voters, each, 0.0).sum(axis=1) / points
    rho = np.where(sigma2 > 0, covariance / np.where(sigma2 > 0, sigma2, 1.0), 0.0)
    predicted = sigma2 * (rho + (1 - rho) * alone)
    return VarianceDecomposition(sigma2, rho, measured, predicted, float(voters[-1].mean()))
