"""What is known from the points that a member has not seen: out-of-bag error, variance and correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import Mask
from vizml.scene import Axis, Chart, Series

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Bag:
    """For some members in a row, the points out of their bags, and how far each is off the truth there."""

    out: Mask
    """(T, n)"""
    off: NDArray[np.float32]
    """1 - the share of the true class, or y less what it says (T, n); 0 in the bag."""
    errors: Floats
    """The out-of-bag error of all members up to each (T,)."""
    voted: Ints
    """How many points have been out of a bag by then (T,)."""


class Ballot:
    """The out-of-bag votes so far, while members join."""

    def __init__(self, truth: Ints, classes: int) -> None:
        self._truth, self._votes = truth, np.zeros((len(truth), classes))
        self._voters = np.zeros(len(truth), dtype=np.int64)

    def add(self, out: Mask, shares: Floats) -> Bag:
        """Count the votes (T, n, K) of more members, which hold where they are `out` (T, n)."""
        shares = np.where(out[:, :, None], shares, 0.0)
        votes = self._votes + shares.cumsum(axis=0)
        voters = self._voters + out.cumsum(axis=0)
        self._votes, self._voters = votes[-1], voters[-1]
        wrong = (votes.argmax(axis=2) != self._truth) & (voters > 0)
        voted = np.count_nonzero(voters, axis=1)
        right = np.take_along_axis(shares, self._truth[None, :, None], axis=2)[:, :, 0]
        return Bag(
            out=out,
            off=np.where(out, 1.0 - right, 0.0).astype(np.float32),
            errors=np.where(voted, np.count_nonzero(wrong, axis=1) / np.maximum(voted, 1), np.nan),
            voted=voted,
        )


class Tally:
    """The out-of-bag means so far of what members say of a number, while they join."""

    def __init__(self, truth: Floats) -> None:
        self._truth, self._sums = truth, np.zeros(len(truth))
        self._voters = np.zeros(len(truth), dtype=np.int64)

    def add(self, out: Mask, said: Floats) -> Bag:
        """Count what more members say (T, n), which holds where they are `out` (T, n)."""
        sums = self._sums + np.where(out, said, 0.0).cumsum(axis=0)
        voters = self._voters + out.cumsum(axis=0)
        self._sums, self._voters = sums[-1], voters[-1]
        voted = np.count_nonzero(voters, axis=1)
        apart = np.where(voters > 0, self._truth - sums / np.maximum(voters, 1), 0.0)
        squares = (apart * apart).sum(axis=1)
        return Bag(
            out=out,
            off=np.where(out, self._truth - said, 0.0).astype(np.float32),
            errors=np.where(voted, squares / np.maximum(voted, 1), np.nan),
            voted=voted,
        )


def bootstrap(n: int, share: float, members: int, rng: Generator) -> Counts:
    """How often each point is drawn for each member (members, n), with replacement."""
    size = max(round(share * n), 1)
    drawn = rng.integers(0, n, size=(members, size))
    drawn += n * np.arange(members)[:, None]
    return np.bincount(drawn.ravel(), minlength=members * n).reshape(members, n)


@dataclass(frozen=True, eq=False)
class Spread:
    """Variance sigma^2 of a member's error, correlation rho of two, variance of their mean, for 1..T."""

    sigma2: Floats
    rho: Floats
    mean: Floats
    """The variance of the mean of those out-of-bag at a point, as measured."""
    told: Floats
    """The same as rho sigma^2 + (1 - rho) / B sigma^2 says, for as many as there are at each point."""

    def named(self, error: float) -> dict[str, float]:
        """Its last figures for the readout, beside an out-of-bag error."""
        return {
            "OOB error": error,
            "ρ": float(self.rho[-1]),
            "σ²": float(self.sigma2[-1]),
            "variance of the vote": float(self.mean[-1]),
            "ρσ² + (1 − ρ)σ²/B": float(self.told[-1]),
        }


def spread(bags: Sequence[Bag], members: int) -> Spread:
    """Figures of the errors of members where they are out-of-bag, about their mean."""
    out = np.concatenate([bag.out for bag in bags])[:members]
    off = np.concatenate([bag.off for bag in bags])[:members].astype(np.float64)
    off -= off.sum() / max(np.count_nonzero(out), 1)
    off[~out] = 0.0
    voters, sums = out.cumsum(axis=0), off.cumsum(axis=0)
    squares = np.cumsum((off * off).sum(axis=1))
    seen = np.cumsum(np.count_nonzero(out, axis=1))
    pairs = (voters * voters).sum(axis=1) - seen
    sigma2 = squares / np.maximum(seen, 1)
    shared = ((sums * sums).sum(axis=1) - squares) / np.maximum(pairs, 1)
    points = np.maximum(np.count_nonzero(voters, axis=1), 1)
    each = 1.0 / np.maximum(voters, 1)
    mean = ((sums * each) ** 2).sum(axis=1) / points
    alone = np.where(voters, each, 0.0).sum(axis=1) / points
    rho = np.where(sigma2 > 0, shared / np.where(sigma2 > 0, sigma2, 1.0), 0.0)
    return Spread(sigma2, rho, mean, sigma2 * (rho + (1 - rho) * alone))


def out_of_bag_chart(
    bags: Sequence[Bag], members: int, sets: str, *, stepwise: bool = True, share: bool = True
) -> Chart:
    """OOB error against the number of members: a share of the points, or a mean square."""
    errors = np.concatenate([bag.errors for bag in bags])
    last = float(errors[members - 1])
    figure = f"{last:.1%}" if share else f"{last:.4g}"
    at = np.arange(1, len(errors) + 1)
    return Chart(
        title="Out-of-bag error",
        x=Axis(title="members", low=1),
        y=Axis(title="error" if share else "mean square", low=0),
        series=(Series(name="out-of-bag", x=at.astype(float), y=errors),),
        note=f"{figure} with {members}" if np.isfinite(last) else "",
        cursor="step" if stepwise else "",
        sets=(sets,),
        choices=(tuple(at.tolist()),),
    )


def variance_chart(figures: Spread) -> Chart:
    """The variance of the members' mean as measured, beside what rho and sigma^2 say of it."""
    at = np.arange(1.0, len(figures.rho) + 1)
    return Chart(
        title="Variance of the vote",
        x=Axis(title="members", low=1),
        y=Axis(title="variance of the error", low=0),
        series=(
            Series(name="measured", x=at, y=figures.mean),
            Series(name="ρσ² + (1 − ρ)σ²/B", x=at, y=figures.told, ink="text", stroke="dash"),
            Series(name="ρσ²", x=at, y=figures.rho * figures.sigma2, ink="muted", stroke="dot"),
        ),
        note=f"ρ = {figures.rho[-1]:.3f}, σ² = {figures.sigma2[-1]:.4f}",
    )
