"""Initial centroids or means placed by hand: a text parameter, set by dragging anchors on the canvas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from vizml.data.params import Value
from vizml.field.arrays import Floats
from vizml.learn.model import CannotLearn
from vizml.learn.params import choice, integer, text
from vizml.learn.view import Anchor

PLACED = "placed"
"""Value of the parameter `init` that takes the positions from the parameter `starts`."""
MAX_POSITIONS = 20
"""Bound on the number of positions, so that each anchor can be told from the others on the canvas."""


def count_parameter(nouns: str, title: str, methods: Mapping[str, str]) -> Any:
    """Declare the number of clusters, relevant for the initialisation methods that choose positions."""
    return integer(
        3, 1, MAX_POSITIONS, help=f"Number of {nouns}.", symbol="K", title=title,
        when={"init": tuple(methods)},
    )  # fmt: skip


def init_parameter(default: str, methods: Mapping[str, str], help: str) -> Any:
    """Declare the initialisation method: one of `methods` (id to label), or placed by hand."""
    labels = {**methods, PLACED: "placed by hand"}
    return choice(default, tuple(labels), labels=labels, help=help, title="initialisation")


def starts_parameter(nouns: str) -> Any:
    """Declare the positions placed by hand."""
    return text(
        "",
        check=parse_positions,
        allowed="positions such as '0.1,0.2;1.5,2': two numbers each, separated by semicolons",
        help=f"Initial {nouns} as x,y pairs separated by semicolons. Dragging one on the canvas sets them.",
        title=f"initial {nouns}",
        when={"init": (PLACED,)},
    )


def parse_positions(starts: str) -> Floats:
    """Parse '0.1,0.2;1.5,2' as positions (k, 2); raise ValueError if one is not a pair of finite numbers."""
    pairs = [[float(number) for number in pair.split(",")] for pair in starts.split(";") if pair.strip()]
    positions = np.array(pairs, dtype=np.float64).reshape(len(pairs), 2)
    if not np.isfinite(positions).all() or len(positions) > MAX_POSITIONS:
        raise ValueError
    return positions


def format_positions(positions: Floats) -> str:
    """Format positions as the text that `parse_positions` reads, without loss of digits."""
    return ";".join(f"{x!r},{y!r}" for x, y in positions.tolist())


def placed_positions(init: str, starts: str, d: int) -> Floats:
    """Positions placed by hand for d inputs; none (0, d) if another initialisation method is chosen."""
    positions = parse_positions(starts if init == PLACED else "")
    if len(positions) and d != 2:
        raise CannotLearn(f"initial positions have two coordinates, but the data have {d} inputs")
    return positions.reshape(-1, d)


def numbered_anchors(noun: str, positions: Floats) -> tuple[Anchor, ...]:
    """Anchors 'mean 1', 'mean 2', ... in the colours of their clusters."""
    return tuple(Anchor(f"{noun} {k + 1}", (x, y), k) for k, (x, y) in enumerate(positions.tolist()))


def restart_parameters(anchors: tuple[Anchor, ...], name: str, at: ArrayLike) -> Mapping[str, Value]:
    """Parameters that restart from all anchors with one of them moved; raise KeyError for an unknown name."""
    positions = {anchor.name: anchor.at for anchor in anchors}
    positions[name]
    x, y = np.asarray(at, dtype=np.float64).tolist()
    moved = positions | {name: (x, y)}
    return {"init": PLACED, "starts": format_positions(np.array([*moved.values()]))}
