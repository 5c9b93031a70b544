"""The posterior over a view: what is made of mean and variance, in tiles in which it is a polynomial."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from vizml.field.lattice import Ints, Mask
from vizml.field.mosaic import Part, Recipe
from vizml.field.tiles import PLACES
from vizml.learn.gaussian_processes.averaged import averaged
from vizml.learn.gaussian_processes.moments import Moments
from vizml.learn.gaussian_processes.sums import REACH
from vizml.learn.state import Floats

OFF = 1e-4
"""How far each approximation may move a probability: a fortieth of a shade of 8 bits."""
PIXEL = 0.25
"""How far it may move a boundary, in pixels."""
FLOOR = 4e-7
"""What single precision does to probabilities anyway."""
SMOOTH, ROUGH = 0.5, 2.0
"""The last coefficients that go with an error of 1: of rough functions more coefficients follow them."""
SLOWED = np.pi / 8
"""The probability is about that of f / (1 + pi/8 variance)^1/2."""
WIDE, CLOSE = 2.5, {"rbf": 2.5, "matern52": 2.5, "matern32": 1.75}
"""A tile of so many lengths may hide the bump of a point between its nodes; bumps are wider farther away."""
CREASE = {"rbf": (0.0, 1), "matern32": (8e-4, 3), "matern52": (2.5e-5, 5)}
"""A bump of height 1 is told with an error of this, times this power of the lengths that a tile is wide."""
BY_MEAN, BY_VARIANCE = 0.2, 0.03
"""How much a probability follows them: at the most a quarter, and 0.044."""
FAINT = OFF / 10
"""Bumps whose creases are as faint may still be many in one place: they too are told apart."""
BESIDE, AROUND = 0.05, 0.35
"""So near to a tile, as a share of it, a bump counts as one within, and so near it is told apart."""


class Posteriors(Recipe):
    """Of processes in groups that have points and covariance in common: for each its sums."""

    def __init__(self, groups: Sequence[Moments]) -> None:
        self.groups = groups
        self.parts = [Told(self, group) for group in groups]

    def moments(self, known: Floats) -> tuple[Floats, Floats]:
        """Mean and variance (t, K, b, a) of each process."""
        planes = np.split(known.swapaxes(0, 1), np.cumsum([part.planes for part in self.parts])[:-1])
        means, variances = zip(*(group.told(own) for group, own in zip(self.groups, planes)))
        return np.concatenate(means).swapaxes(0, 1), np.concatenate(variances).swapaxes(0, 1)

    @abstractmethod
    def slopes(self, known: Floats) -> tuple[Floats, Floats]:
        """How much what is shown follows mean and variance of each process at the most (t, K)."""

    def of_group(self, slopes: Floats, group: Moments) -> Floats:
        """Those of its processes."""
        start = 0
        for each in self.groups:
            if each is group:
                break
            start += len(each.processes)
        return slopes[:, start : start + len(group.processes)]

    def hides(self, x: Floats, y: Floats) -> Mask:
        return np.asarray(np.any([_hides(group, x, y) for group in self.groups], axis=0))


class Chances(Posteriors):
    """The probability of each class; of two the second."""

    def show(self, known: Floats) -> Floats:
        chances = averaged(*self.moments(known))
        return chances if chances.shape[1] == 1 else np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def allowed(self, shown: Floats, size: int) -> Floats:
        return np.clip(_steady(shown, size), FLOOR, OFF)

    def slopes(self, known: Floats) -> tuple[Floats, Floats]:
        mean, variance = self.moments(known)
        slowed = 1.0 + SLOWED * variance
        z = mean / np.sqrt(slowed)
        chances = 0.5 + 0.5 * np.tanh(0.5 * z)
        total = chances.sum(axis=1, keepdims=True) if chances.shape[1] > 1 else 1.0
        follows = chances * (1.0 - chances) / total
        by_mean = (follows / np.sqrt(slowed)).max(axis=(2, 3))
        return by_mean, (follows * np.abs(z) * (0.5 * SLOWED) / slowed).max(axis=(2, 3))


class Deviation(Posteriors):
    """The standard deviation of one process."""

    def show(self, known: Floats) -> Floats:
        return np.sqrt(self.moments(known)[1])

    def allowed(self, shown: Floats, size: int) -> Floats:
        return np.full(len(shown), OFF * 5 * np.sqrt(self.groups[0].variance))

    def slopes(self, known: Floats) -> tuple[Floats, Floats]:
        by_variance = 0.5 / np.maximum(self.show(known).min(axis=(2, 3)), 0.01)
        return np.zeros_like(by_variance), by_variance


class Told(Part):
    """The sums of a group: means, and what the points tell of the variances."""

    bumpy = True

    def __init__(self, of: Posteriors, group: Moments) -> None:
        self.of, self.group = of, group
        self.planes = group.sums.planes

    def values(self, x: Floats, y: Floats) -> Floats:
        return self.group.sums.on(x, y).astype(np.float64, copy=False)

    def exact(self, known: Floats, allowed: Floats) -> Floats:
        by_mean, by_variance = (self.of.of_group(s, self.group) for s in self.of.slopes(known))
        slopes = np.concatenate([by_mean] + [by_variance] * (1 + self.group.sums.creased), axis=1)
        share = np.full(self.planes, SMOOTH)
        if self.group.covariance.kind != "rbf":
            share[self.group.sums.weights.shape[1] :] = ROUGH
        return np.asarray(share * allowed[:, None] / np.maximum(slopes, 1e-9))

    def creased(self, x: Floats, y: Floats) -> Mask:
        return np.asarray(self._sharp(x, y, BESIDE, OFF)[1].any(axis=1))

    def bumps(self, x: Floats, y: Floats, ends: tuple[Floats, Floats]) -> Floats | float:
        sharp, within = self._sharp(*ends, AROUND, FAINT)
        some = np.flatnonzero(within.any(axis=1))
        if not len(some):
            return 0.0
        some = some[np.argsort(within[some].sum(axis=1))]
        first = np.argsort(~within[some], axis=1, kind="stable")[:, : int(within[some[-1]].sum())]
        there = np.take_along_axis(within[some], first, axis=1)
        found = np.zeros((len(x), self.planes, y.shape[1], x.shape[1]))
        found[some] = self.group.sums.bumps(x[some], y[some], sharp[first], there)
        return found

    def _sharp(self, x: Floats, y: Floats, beside: float, off: float) -> tuple[Ints, Mask]:
        """Points whose creases put tiles with these ends so far off, and which of them each has (t, m)."""
        covariance, points = self.group.covariance, self.group.points
        factor, power = CREASE[covariance.kind]
        wide = float(max(np.ptp(x, axis=1).max(initial=0.0), np.ptp(y, axis=1).max(initial=0.0)))
        sharp = np.flatnonzero(self._creases * factor * (wide / covariance.length) ** power > off)
        within = np.ones((len(x), len(sharp)), dtype=bool)
        for ends, places in zip((x, y), points[sharp].T):
            low, high = ends.min(axis=1)[:, None] - beside * wide, ends.max(axis=1)[:, None] + beside * wide
            within &= (low < places) & (places < high)
        return sharp, within

    @cached_property
    def _creases(self) -> Floats:
        """How high a bump the probability has at each point, at the most."""
        count = len(self.group.processes)
        weights = np.abs(self.group.sums.weights)
        mean = BY_MEAN * weights[:, :count].max(axis=1)
        rest = BY_VARIANCE * weights[:, count:].max(axis=1, initial=0.0)
        return np.asarray(np.maximum(mean, rest) * self.group.variance)


def _steady(shown: Floats, size: int) -> Floats:
    """How far probabilities may be off in each tile (t,) that no boundary moves by more, and none appears."""
    ranked = np.sort(shown, axis=1) if shown.shape[1] > 1 else np.concatenate([1.0 - shown, shown], axis=1)
    lead = np.abs(ranked[:, -1] - ranked[:, -2])
    first = shown.argmax(axis=1) if shown.shape[1] > 1 else shown[:, 0] > 0.5
    least, crossed = np.full(len(shown), np.inf), np.zeros(len(shown), dtype=bool)
    for winner, by in ((first, lead), (first.swapaxes(1, 2), lead.swapaxes(1, 2))):
        change = winner[:, 1:] != winner[:, :-1]
        slope = (by[:, 1:] + by[:, :-1]) / (size / 2 * -np.diff(PLACES)[:, None])
        least = np.minimum(least, np.where(change, slope, np.inf).min(axis=(1, 2)))
        crossed |= change.any(axis=(1, 2))
    return np.asarray(0.5 * np.where(crossed, PIXEL * least, lead.min(axis=(1, 2))))


def _hides(group: Moments, x: Floats, y: Floats) -> Mask:
    """Tiles that are wide for the bumps of the points in them, or beside them."""
    covariance, points = group.covariance, group.points
    wide = np.maximum(np.ptp(x, axis=1), np.ptp(y, axis=1)) / covariance.length
    if wide.max(initial=0.0) <= CLOSE[covariance.kind]:
        return np.zeros(len(x), dtype=bool)
    (left, right), (bottom, top) = np.sort(x).T[:, :, None], np.sort(y).T[:, :, None]
    across = np.maximum(left - points[:, 0], points[:, 0] - right)
    down = np.maximum(bottom - points[:, 1], points[:, 1] - top)
    away = np.maximum(np.maximum(across, down).min(axis=1), 0.0) / covariance.length
    hidden = (away < REACH[covariance.kind]) & (wide > WIDE * (1.0 + np.sqrt(away)))
    return np.asarray(hidden | ((away < 0.3) & (wide > CLOSE[covariance.kind])))
