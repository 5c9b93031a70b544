"""Typesetting of numbers in text: minus signs, powers of ten, percentages, and 0 for rounding errors."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from vizml.field.arrays import Floats

NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?)0*(\d+)(?!\w|\.\d)")
SUBNORMAL = re.compile(r"(?<![\w.])-?\d(?:\.\d+)?e-3(?:09|[12]\d)(?!\w|\.\d)")
"""Numbers below the smallest normal one, such as scores that stand for a tie with the second class."""
NEGATIVE_ZERO = re.compile(r"(?<![\w)\]])-(?=0(?:\.0*)?(?![\d.e]))")
SIGN = re.compile(r"(?<![\w)\]])-(?=\.?\d)")
POWER = re.compile(r"(?<=[A-Za-z)])\^(-?\d+)(?!\.)")
PERCENT = re.compile(r"(?<=\d)%")
MINUS, NARROW = "\N{MINUS SIGN}", "\N{NARROW NO-BREAK SPACE}"
ROUNDING = 1e-14
"""Relative size of differences that are but rounding errors."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@lru_cache(maxsize=4096)
def typeset(words: str) -> str:
    """Return text for display with real minus signs, none before 0, raised powers, a space before percent."""
    words = NUMBER.sub(_decimal, NEGATIVE_ZERO.sub("", SUBNORMAL.sub("0", words)))
    words = POWER.sub(lambda found: found[1].translate(RAISED), words)
    return PERCENT.sub(f"{NARROW}%", SIGN.sub(MINUS, words))


def _decimal(found: re.Match[str]) -> str:
    mantissa, sign, power = found.groups()
    raised = "10" + f"{sign.strip('+')}{power}".translate(RAISED)
    return raised if mantissa == "1" else f"{mantissa}×{raised}"


def without_rounding(values: Floats, sizes: Floats) -> Floats:
    """Return values with 0 in place of those that are rounding errors beside the largest of `sizes`.

    Sizes (n, m) have a row for each value: the terms that it is the sum of.
    """
    return np.where(np.abs(values) <= ROUNDING * np.abs(sizes).max(axis=-1, initial=0.0), 0.0, values)
