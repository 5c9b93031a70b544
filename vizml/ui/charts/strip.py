"""Small pictures without links: in as many columns as make them largest, close together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF

from vizml.scene import Diagram
from vizml.ui.charts.sizes import natural, room_of, width_of

AIR = 16.0
"""Pixels between pictures side by side, at most, and between their words."""


def arranged(diagram: Diagram, room: QRectF, k: float) -> Diagram:
    """A strip of pictures anew for a rectangle, in the same order; any other diagram as it is."""
    nodes = diagram.nodes
    if not nodes or diagram.links or any(node.shape != "picture" for node in nodes):
        return diagram
    cell = np.max([room_of(node, node.texts, k) for node in nodes], axis=0)
    across, size = _columns(len(nodes), cell, room, k)
    down = -(-len(nodes) // across)
    words = max(width_of(node.texts, k) if node.texts else 0.0 for node in nodes)
    wide = max(natural(nodes[0], (), k)[0] * size, words) + AIR * k
    pitch = min(wide, room.width() / across) / max(room.width(), 1.0)
    places = [(place % across - (across - 1) / 2, place // across) for place in range(len(nodes))]
    moved = (
        replace(node, x=0.5 + column * pitch, y=1.0 - (row + 0.5) / down)
        for node, (column, row) in zip(nodes, places, strict=True)
    )
    return replace(diagram, nodes=tuple(moved))


def _columns(count: int, cell: np.ndarray, room: QRectF, k: float) -> tuple[int, float]:
    """How many columns let pictures be the largest, and their scale then."""
    best = 1, 0.0
    for across in range(1, count + 1):
        each = np.array([room.width() / across, room.height() / -(-count // across)])
        size = min(float(((each - AIR / 2 * k) / cell).min()), 1.0)
        if size > best[1] + 1e-9 or size >= 1.0:
            best = across, size
    return best
