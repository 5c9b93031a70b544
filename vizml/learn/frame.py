"""The coordinates that learning happens in, whatever units the data have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Frame:
    """Middle at 0, spread 1, both axes alike."""

    centre: Floats
    spread: float

    @classmethod
    def of(cls, points: Floats) -> Frame:
        """That of some points; all equal, they spread over 1."""
        centre = points.mean(axis=0)
        centre.flags.writeable = False
        spread = float(np.abs(points - centre).max())
        return cls(centre=centre, spread=spread if spread > 0 else 1.0)

    def inside(self, points: Floats) -> Floats:
        """Points in these coordinates."""
        return (points - self.centre) / self.spread

    def outside(self, points: Floats) -> Floats:
        """Points in data units."""
        return points * self.spread + self.centre
