"""Places put by hand, where learning is to start: written as a parameter, dragged as anchors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from vizml.data.params import Value
from vizml.learn.params import choice, integer, text
from vizml.learn.state import Anchor, Floats

PLACED = "placed"
"""The start that takes these places."""
MOST = 20
"""Places that can be put by hand."""


def count_parameter(what: str, title: str, ways: Mapping[str, str]) -> Any:
    """How many there are to be, as a dataclass field: it is asked where one of the ways puts them."""
    return integer(
        3, 1, MOST, help=f"number of {what}", symbol="K", title=title, when={"init": tuple(ways)}
    )  # fmt: skip


def start_parameter(usual: str, ways: Mapping[str, str], help: str) -> Any:
    """Which way puts them at the start, as a dataclass field: the hand is one more."""
    labels = {**ways, PLACED: "placed by hand"}
    return choice(usual, tuple(labels), labels=labels, help=f"{help}, or where you say", title="start")


def starts_parameter(title: str, help: str) -> Any:
    """The places as a dataclass field, for a model whose `init` may be `PLACED`."""
    return text(
        "",
        check=parsed,
        allowed="places such as '0.1,0.2;1.5,2': two numbers each, with semicolons between them",
        help=help,
        title=title,
        when={"init": (PLACED,)},
    )


def parsed(starts: str) -> Floats:
    """'0.1,0.2;1.5,2' as places (k, 2); ValueError where a place is not two numbers."""
    places = [[float(each) for each in place.split(",")] for place in starts.split(";") if place.strip()]
    found = np.array(places, dtype=np.float64).reshape(len(places), 2)
    if not np.isfinite(found).all() or len(found) > MOST:
        raise ValueError
    return found


def put(init: str, starts: str) -> Floats:
    """The places put by hand, none (0, 2) where another way puts them."""
    return parsed(starts if init == PLACED else "")


def written(places: Floats) -> str:
    """Places as the text that `parsed` reads."""
    return ";".join(f"{x!r},{y!r}" for x, y in places.tolist())


def anchors(kind: str, places: Floats) -> tuple[Anchor, ...]:
    """'centroid 1', 'centroid 2', ... in the colours of their clusters."""
    return tuple(Anchor(f"{kind} {k + 1}", (x, y), k) for k, (x, y) in enumerate(places.tolist()))


def continued(held: tuple[Anchor, ...], name: str, at: ArrayLike) -> Mapping[str, Value]:
    """The start at all anchors, of which one has been put elsewhere; KeyError where none has that name."""
    places = {anchor.name: anchor.at for anchor in held}
    places[name]
    x, y = np.asarray(at, dtype=np.float64).tolist()
    return {"init": PLACED, "starts": written(np.array([*(places | {name: (x, y)}).values()]))}
