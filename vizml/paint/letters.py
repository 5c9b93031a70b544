"""How words with figures are set: real minus signs, raised powers, a space before percent."""

from __future__ import annotations

import re
from functools import lru_cache

from vizml.paint.ticks import RAISED

NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?)0*(\d+)(?![\w.])")
SIGN = re.compile(r"(?<![\w)\]])-(?=\.?\d)")
POWER = re.compile(r"(?<=[A-Za-z)])\^(-?\d+)(?!\.)")
PERCENT = re.compile(r"(?<=\d)%")
MINUS, NARROW = "\N{MINUS SIGN}", "\N{NARROW NO-BREAK SPACE}"


@lru_cache(maxsize=4096)
def typeset(words: str) -> str:
    """Words as a book would print them; what people copy stays as it is."""
    words = NUMBER.sub(_decimal, words)
    words = POWER.sub(lambda found: found[1].translate(RAISED), words)
    return PERCENT.sub(f"{NARROW}%", SIGN.sub(MINUS, words))


def _decimal(found: re.Match[str]) -> str:
    mantissa, sign, power = found.groups()
    raised = "10" + f"{sign.strip('+')}{power}".translate(RAISED)
    return raised if mantissa == "1" else f"{mantissa}×{raised}"
