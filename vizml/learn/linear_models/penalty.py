"""Penalties on coefficients b: RSS + lam |b|^2, or RSS / 2n + lam (mix |b|_1 + (1 - mix) / 2 |b|^2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vizml.learn.linear_models.active import least
from vizml.learn.linear_models.sums import Sums
from vizml.learn.state import Floats

LOWEST, HIGHEST = 1e-9, 1e9
"""Between these lie all strengths that are tried."""
COUNT = 60
DEPTH = 1e-4
"""The weakest penalty on |b| that is tried, as a share of the one that leaves nothing."""
WEAK, STRONG = 1e-7, 1e2
"""The same for a penalty on |b|^2, as shares of n: from next to nothing to next to no slope."""


@dataclass(frozen=True)
class Penalty:
    """Its share on |b|_1; `plain` is the one on |b|^2 alone whose strength is not relative to n."""

    mix: float
    plain: bool = False

    def prices(self, sums: Sums, lam: float) -> tuple[Floats, Floats]:
        """What |b_j| and b_j^2 / 2 of each slope cost, in units of the sums."""
        if self.plain:
            return np.zeros(sums.size), lam / sums.n * sums.price**2
        return lam * self.mix * sums.price / sums.spread, lam * (1 - self.mix) * sums.price**2

    def objective(self, sums: Sums, slopes: Floats, lam: float) -> Floats:
        """What is made least, in data units, at slopes (..., p)."""
        linear, square = self.prices(sums, lam)
        cost = np.abs(slopes) @ linear + 0.5 * slopes**2 @ square
        unit = sums.spread**2 * (2 * sums.n if self.plain else 1.0)
        return np.asarray(unit * (sums.half_error(slopes) + sums.rest + cost))

    def minimum(self, sums: Sums, lam: float, start: Floats | None = None) -> Floats:
        """The slopes (p,) at which the objective is least."""
        linear, square = self.prices(sums, lam)
        if not linear.any():
            return np.asarray(sums.damping(square) @ sums.answer)
        return least(sums.gram, sums.pull, linear, square, start)

    def path(self, sums: Sums, lams: Floats) -> Floats:
        """The slopes (L, p) for each of falling strengths."""
        if self.plain or self.mix == 0:
            square = np.stack([self.prices(sums, float(lam))[1] for lam in lams])
            return np.asarray(sums.damping(square) @ sums.answer)
        slopes, found = np.zeros(sums.size), []
        for lam in lams:
            slopes = self.minimum(sums, float(lam), slopes)
            found.append(slopes)
        return np.stack(found)

    def strengths(self, sums: Sums) -> Floats:
        """From one that leaves (next to) nothing of all slopes down to one that hardly matters."""
        if self.plain or self.mix < 0.05:
            most = (sums.n if self.plain else 1.0) / float((sums.price**2).min())
            least_ = (sums.n if self.plain else 1.0) / float((sums.price**2).max())
            high, low = STRONG * most, WEAK * least_
        else:
            high = float((np.abs(sums.pull) / sums.price).max()) * sums.spread / self.mix or 1.0
            low = DEPTH * high
        high = float(np.clip(high, 1e3 * LOWEST, HIGHEST))
        return np.geomspace(high, float(np.clip(low, LOWEST, high / 10)), COUNT)
