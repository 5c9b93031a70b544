"""A network drawn: weights as links, each neuron with a picture of what it makes of the plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.learn.networks.plan import Plan
from vizml.learn.state import Floats
from vizml.scene import Diagram, Ink, Link, Mark, Node, Rings

Picture: TypeAlias = NDArray[np.uint8]
THUMBNAIL = 32
HELD = "Points held back"
NEGATIVE, POSITIVE = 0, 1
"""Inks of negative and positive weights and values: the classes that two-class scores so signed speak for."""
COLOURS = np.array([[0x00, 0x72, 0xB2], [0xD5, 0x5E, 0x00]], dtype=np.uint8)
THINNEST, THICKEST = 0.4, 4.0
FEW, ASIDE = 6, 0.025
"""So many neurons stand in one column; more of them this far to its sides."""


def node_id(layer: int, unit: int) -> str:
    """What a neuron is called: '1.3' is the third of the first hidden layer; layer 0 are the inputs."""
    return f"{layer}.{unit + 1}"


def place(node: str, sizes: Sequence[int]) -> tuple[int, int] | None:
    """Layer and unit of a node's id, where there is one."""
    layer, _, unit = node.partition(".")
    if not (layer.isdecimal() and unit.isdecimal() and int(layer) < len(sizes)):
        return None
    return (int(layer), int(unit) - 1) if 1 <= int(unit) <= sizes[int(layer)] else None


def network_diagram(
    plan: Plan,
    theta: Floats,
    pictures: Sequence[Sequence[Picture]],
    names: tuple[Sequence[str], Sequence[str]],
    inks: Sequence[Ink],
) -> Diagram:
    """Layers from left to right; names are those of the inputs and of the outputs, inks the outputs'."""
    last = len(plan.sizes) - 1
    texts = {0: names[0], last: names[1]}
    nodes = tuple(
        Node(
            id=node_id(layer, unit),
            x=layer / last + _aside(unit, units),
            y=1.0 - (unit + 0.5) / units,
            texts=(texts[layer][unit],) if layer in texts else (),
            shape="picture",
            ink=inks[unit] if layer == last else "text",
            picture=pictures[layer][unit],
        )
        for layer, units in enumerate(plan.sizes)
        for unit in range(units)
    )
    note = "a line is a weight: the wider the larger, orange for positive, blue for negative"
    return Diagram(title="Network", nodes=nodes, links=_links(plan, theta), note=note)


def _aside(unit: int, units: int) -> float:
    """Many neurons stand in two columns, to left and right in turn, so that each has room for its picture."""
    return 0.0 if units <= FEW else ASIDE * (-1) ** (unit + 1)


def _links(plan: Plan, theta: Floats) -> tuple[Link, ...]:
    largest = float(np.abs(theta * plan.weighing).max(initial=0.0)) or 1.0
    return tuple(
        _link(node_id(layer, before), node_id(layer + 1, after), float(matrix[after, before]), largest)
        for layer, matrix in enumerate(plan.matrices(theta))
        for after in range(len(matrix))
        for before in range(matrix.shape[1] - 1)
    )


def _link(start: str, end: str, weight: float, largest: float) -> Link:
    share = abs(weight) / largest
    return Link(
        start=start,
        end=end,
        width=THINNEST + (THICKEST - THINNEST) * share,
        ink=POSITIVE if weight > 0 else NEGATIVE,
        opacity=0.25 + 0.75 * share,
    )


def held_rings(points: Floats) -> tuple[Mark, ...]:
    """Around the points held back, where there are any."""
    if not len(points):
        return ()
    radii = np.full(len(points), 8.0)
    legend = "held back for early stopping"
    return (Rings(layer=HELD, points=points, radii=radii, width=1.0, ink="muted", legend=legend),)


def thumbnail(plane: NDArray[np.floating], low: float, high: float) -> Picture:
    """A plane (H, W) as a picture: blue below the middle of its range, orange above, clear in between."""
    half = (high - low) / 2 or 1.0
    share = np.clip((plane - (low + high) / 2) / half, -1.0, 1.0)
    out = np.empty((*plane.shape, 4), dtype=np.uint8)
    out[..., :3] = COLOURS[(share > 0).astype(int)]
    out[..., 3] = np.round(255 * np.abs(share))
    return out


def span(values: NDArray[np.floating], activation: str) -> tuple[float, float]:
    """The range of what a neuron puts out, its neutral value in the middle."""
    if activation == "sigmoid":
        return 0.0, 1.0
    if activation == "tanh":
        return -1.0, 1.0
    reach = float(np.abs(values).max(initial=0.0)) or 1.0
    return -reach, reach
