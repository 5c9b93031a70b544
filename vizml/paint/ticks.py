"""Ticks of an axis and their labels: steps of 1, 2 or 5, with short labels at any magnitude."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats

GLYPHS = 5
"""Most digits and signs of a label; a decimal point is half as wide and does not count."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, eq=False)
class Ticks:
    """Tick values in data units, their labels, and the factor or offset that all labels share."""

    values: Floats
    labels: tuple[str, ...]
    scale: str = ""


def ticks(low: float, high: float, most: int) -> Ticks:
    """Return at most so many ticks within an interval, at multiples of 1, 2 or 5 times a power of ten."""
    step = _step(high - low, most)
    if not (math.isfinite(step) and step > 0):
        return Ticks(np.empty(0), ())
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    whole = np.arange(first, last + 1, dtype=np.float64)
    values = np.unique(np.clip(whole * step, low, high))
    return _named(values, step)


def log_ticks(low: float, high: float, most: int) -> Ticks:
    """Return ticks of a logarithmic axis (in powers of ten): at these, and between them if few."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return Ticks(np.empty(0), ())
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    every = max(math.ceil((last - first + 1) / max(most, 1)), 1)
    for nices in ((1, 2, 5), (1, 3), (1,)):
        found = [
            (nice, power) for power in range(first - 1, last + 1) for nice in nices if power % every == 0
        ]
        found = [pair for pair in found if low - 1e-9 <= math.log10(pair[0]) + pair[1] <= high + 1e-9]
        if 2 <= len(found) <= max(most, 2):
            return Ticks(np.array([math.log10(nice) + power for nice, power in found]), _decimals(found))
    even = ticks(10.0**low, 10.0**high, most)
    return Ticks(np.log10(even.values), even.labels, even.scale)


def _decimals(pairs: list[tuple[int, int]]) -> tuple[str, ...]:
    """Return labels of multiples of powers of ten, as plain numbers where all of them are short."""
    if all(-4 <= power <= 4 for _, power in pairs):
        return tuple(f"{nice * 10.0**power:.{max(-power, 0)}f}" for nice, power in pairs)
    return tuple(_raised(power) if nice == 1 else f"{nice}×{_raised(power)}" for nice, power in pairs)


def _step(span: float, most: int) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that divides a span into at most so many parts."""
    least = span / max(most, 1)
    if not 0 < least < math.inf:
        return math.nan
    power = 10.0 ** math.floor(math.log10(least))
    return next(nice * power for nice in (1, 2, 5, 10) if nice * power >= least * (1 - 1e-9))


def _named(values: Floats, step: float) -> Ticks:
    """Label values as they are or in units of a power of ten; subtract an offset where that is not short."""
    if not len(values):
        return Ticks(values, ())
    labels, times = _written(values, step)
    if _short(labels):
        return Ticks(values, tuple(labels), times)
    base = _base(float(values[0]), float(values[-1]), step)
    labels, times = _written(values - base, step)
    return Ticks(values, tuple(labels), f"{times}  {_signed(base)}".strip())


def _written(values: Floats, step: float) -> tuple[list[str], str]:
    """Plain numbers where they are short, else in units of a power of ten, and that unit."""
    plain = _numbers(values, step)
    if _short(plain):
        return plain, ""
    power = _power(np.abs(values).max())
    return _numbers(values / 10.0**power, step / 10.0**power), f"×{_raised(power)}"


def _base(first: float, last: float, step: float) -> float:
    """Return the roundest number among the ticks; where none is round, the round number below them."""
    coarse = _power(last - first + step) + 1
    for power in range(_power(max(abs(first), abs(last))), coarse - 1, -1):
        round_one = math.ceil(first / 10.0**power) * 10.0**power
        if round_one <= last:
            return round_one
    return math.floor(first / 10.0**coarse) * 10.0**coarse


def _numbers(values: Floats, step: float) -> list[str]:
    """Format values with as many decimals as the step has, and a real minus sign."""
    decimals = max(-_power(step), 0)
    if decimals > GLYPHS:
        return ["0" * (GLYPHS + 1)] * len(values)
    exact = np.where(np.abs(values) < step / 1000, 0.0, values)  # rounding errors would show as -0
    return [f"{value + 0.0:.{decimals}f}".replace("-", "−") for value in exact]


def _short(labels: list[str]) -> bool:
    return all(len(label.replace(".", "")) <= GLYPHS for label in labels)


def _power(value: float) -> int:
    """Return the exponent of a value's leading digit, tolerant of rounding errors."""
    return math.floor(math.log10(value) + 1e-9) if value > 0 else 0


def _raised(power: int) -> str:
    return "10" + str(power).translate(RAISED)


def _signed(base: float) -> str:
    """Format an offset: + 1.5×10¹²."""
    sign, size = ("−" if base < 0 else "+"), abs(base)
    power = _power(size)
    if -3 <= power <= 6:
        return f"{sign} {size:.15g}"
    mantissa = f"{size / 10.0**power:.12g}"
    times = "" if mantissa == "1" else f"{mantissa}×"
    return f"{sign} {times}{_raised(power)}"
