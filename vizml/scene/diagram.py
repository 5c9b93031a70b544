"""Diagrams of networks, trees and dendrograms as plain data: nodes on a unit square, and links."""

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
    """A node at x and y from 0 to 1, y upwards; the pointer over it shows the view's `focus`."""

    id: str
    x: float
    y: float
    texts: tuple[str, ...] = ()
    shape: Shape = "box"
    ink: Ink = "text"
    fill: float = 0.15
    """Opacity of its inside."""
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
    """Values of the parameter at y = 0 and y = 1."""
    also: tuple[tuple[str, Value], ...] = ()
    """Other parameters that dragging it sets, without which the cut would have no effect."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Diagram:
    """Structure of a model: a tree, a network or a dendrogram."""

    title: str
    nodes: tuple[Node, ...]
    links: tuple[Link, ...] = ()
    cut: CutLine | None = None
    note: str = ""
