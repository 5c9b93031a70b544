"""Networks, trees and dendrograms without saying how they are drawn: nodes on a unit square, and links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.scene.chart import Value
from vizml.scene.palette import Ink

Shape: TypeAlias = Literal["box", "circle", "dot", "picture"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Node:
    """A place in a diagram, x and y from 0 to 1, y upwards; pointing at it asks the state for its `focus`."""

    id: str
    x: float
    y: float
    texts: tuple[str, ...] = ()
    shape: Shape = "box"
    ink: Ink = "text"
    fill: float = 0.15
    """How much of its ink fills it."""
    picture: NDArray[np.uint8] | None = None
    """A thumbnail (H, W, 4), row 0 at the bottom, for the shape 'picture'."""


@dataclass(frozen=True, kw_only=True)
class Link:
    """A line between two nodes; `bent` makes it a right-angled one, as dendrograms have."""

    start: str
    end: str
    width: float = 1.0
    ink: Ink = "muted"
    opacity: float = 1.0
    text: str = ""
    bent: bool = False


@dataclass(frozen=True, kw_only=True)
class CutLine:
    """A horizontal line across a diagram; dragging it sets a parameter to the value at its height."""

    sets: str
    y: float
    low: float
    high: float
    """The values of the parameter at y = 0 and y = 1."""
    also: tuple[tuple[str, Value], ...] = ()
    """Other parameters that dragging it sets, with their values: what makes the cut count."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Diagram:
    """Structure of a model: a tree, a network or a dendrogram."""

    title: str
    nodes: tuple[Node, ...]
    links: tuple[Link, ...] = ()
    cut: CutLine | None = None
    note: str = ""
