"""The way of a number along a slider: where a value lies, which round value lies where, how it reads."""

from __future__ import annotations

import math
from dataclasses import dataclass

ZERO = 0.04
"""The share of a logarithmic track that stands for zero, where its range begins there."""
FLOOR = 1e-6
"""Of such a track's upper end: where the logarithm begins."""


@dataclass(frozen=True)
class Track:
    """A range from lo to hi; positions run from 0 to 1."""

    lo: float
    hi: float
    log: bool = False
    whole: bool = False
    grain: float = 0.0
    """The distance of neighbouring values on a linear track; without one it is found from the range."""

    def position(self, value: float) -> float:
        """Where a value lies."""
        clipped = min(max(value, self.lo), self.hi)
        if self.hi <= self.lo:
            return 0.0
        if not self.log:
            return (clipped - self.lo) / (self.hi - self.lo)
        if clipped < self._floor:
            return 0.0
        return self._start + (1 - self._start) * math.log(clipped / self._floor) / self._decades

    def value(self, position: float) -> float:
        """The round value nearest to a position."""
        if position <= 0:
            return self._typed(self.lo)
        if position >= 1:
            return self._typed(self.hi)
        if not self.log:
            return self._round(self.lo + position * (self.hi - self.lo))
        if position < self._start:
            return self._typed(self.lo if position < self._start / 2 else self._floor)
        share = (position - self._start) / (1 - self._start)
        return self._round(self._floor * math.exp(share * self._decades))

    def moved(self, value: float, steps: int) -> float:
        """The round value some steps of a key or the wheel away."""
        if not self.log:
            return self._round(value + steps * self.step)
        if value < self._floor:
            return self._typed(self._floor if steps > 0 else self.lo)
        goal = max(value, self._floor) * 10 ** (steps / 10)
        if goal < self._floor:
            return self._typed(self.lo)
        if self.whole and abs(goal - value) < abs(steps):
            goal = value + steps
        return self._round(goal)

    @property
    def step(self) -> float:
        """The distance of neighbouring values on a linear track: 1, 2 or 5 times a power of ten."""
        if self.whole or self.grain:
            return self.grain or 1.0
        rough = (self.hi - self.lo) / 200
        power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
        return next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9))

    def text(self, value: float) -> str:
        """A value as the panel writes it: no figure is lost, and no exponent where none is needed."""
        if self.whole:
            return str(int(value)) if abs(value) < 1e7 else _plain(f"{value:.6g}")
        if not self.log:
            places = max(0, -math.floor(math.log10(self.step) + 1e-9))
            fixed = f"{value:.{places}f}"
            if math.isclose(float(fixed), value, rel_tol=1e-9, abs_tol=1e-15):
                return fixed
        elif 0.01 <= abs(value) < 1000:
            fixed = f"{value:#.3g}".rstrip(".") if abs(value) >= 1 else f"{value:.2f}"
            if math.isclose(float(fixed), value, rel_tol=1e-9):
                return fixed
        return _plain(f"{value:.6g}")

    @property
    def _floor(self) -> float:
        least = 1.0 if self.whole else self.hi * FLOOR
        return self.lo if self.lo > 0 else least

    @property
    def _start(self) -> float:
        return 0.0 if self.lo > 0 else ZERO

    @property
    def _decades(self) -> float:
        return math.log(self.hi / self._floor)

    def _round(self, value: float) -> float:
        if self.whole or not self.log:
            digits = value / self.step
            rounded = round(digits) * self.step
        else:
            rounded = value
        if self.log and (not self.whole or value >= 100):
            rounded = float(f"{value:.{2 if self._decades > 3 * math.log(10) else 3}g}")
        return self._typed(min(max(rounded, self.lo), self.hi))

    def _typed(self, value: float) -> float:
        return int(value) if self.whole else float(f"{value:.12g}")


def _plain(text: str) -> str:
    """1e-05 as 1e-5."""
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if mark else text
