"""Lines of TeX set as outlines: SVG, and where a line would become too small it is broken after a comma."""

from __future__ import annotations

import logging
import re
import warnings
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

log = logging.getLogger(__name__)
CRAMPED = 0.8
"""A line that would be made smaller than this is broken after a comma, where it has one."""
BREAK = re.compile(r"(?<=,)\s*\\q?quad\s*")
TALLEST = 6
"""Times the type's size; what is taller has been set wrongly."""


@dataclass(frozen=True)
class Line:
    """A line as it was written, and its outlines with their width; none where it cannot be set."""

    tex: str
    svg: bytes = b""
    width: float = 0.0

    def scale(self, room: float) -> float:
        """How much of its own size it may have in some room."""
        return min(1.0, room / max(self.width, 1.0))


def broken(tex: str, ink: str, size: int, room: float) -> tuple[Line, ...]:
    """A line in as many pieces as it takes to be read."""
    line = set_line(tex, ink, size)
    if line.scale(room) >= CRAMPED:
        return (line,)
    parts = BREAK.split(tex)
    for count in range(len(parts) - 1, 0, -1):
        first = set_line(r" \quad ".join(parts[:count]), ink, size)
        if count == 1 or first.scale(room) >= 1.0:
            return first, *broken(r" \quad ".join(parts[count:]), ink, size, room)
    return (line,)


@lru_cache(maxsize=256)
def set_line(tex: str, ink: str, size: int) -> Line:
    """A line in an ink, its letters of some size."""
    try:
        formula = _setter()(tex, size=size, color=ink)
        _, height = formula.getsize()
        svg = formula.svg()
        width = float(svg.split('width="', 1)[1].split('"', 1)[0])
    except Exception:  # a formula of another package may hold anything; the card shows its text
        log.exception("The formula cannot be set: %s", tex)
        return Line(tex)
    return Line(tex, svg.encode(), width) if height <= TALLEST * size else Line(tex)


@cache
def _setter() -> Any:
    """What sets formulas, loaded when the first one is wanted: that takes a while."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it finds its font in an old way
        from ziamath.config import config
        from ziamath.zmath import Latex
    config.svg2 = False  # its other kind of SVG consists of symbols, which Qt does not draw
    return Latex
