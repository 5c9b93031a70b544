"""How large the nodes of a diagram are where they have all the room they want."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vizml.data.dataset import Floats
from vizml.paint.pens import SMALL, font, measure
from vizml.scene import Node

LINE, PAD_X, PAD_Y = 15.0, 8.0, 4.0
"""Height of a line of text in a box, and the air around it."""
CIRCLE, DOT, PICTURE, BARE = 30.0, 5.0, 84.0, 12.0
"""Sizes of nodes in pixels; BARE is that of a box without its texts."""


def room_of(node: Node, texts: tuple[str, ...], k: float) -> Floats:
    """What a node takes at its full size, with the words below a picture."""
    below = LINE * k if node.shape == "picture" and texts else 0.0
    return np.asarray(natural(node, texts, k) + np.array([0.0, below]))


def natural(node: Node, texts: tuple[str, ...], k: float) -> Floats:
    """Width and height of a node at its full size, in pixels."""
    if node.shape == "dot":
        return np.full(2, DOT * k)
    if node.shape == "circle":
        return np.full(2, CIRCLE * k)
    if node.shape == "picture":
        shape = node.picture.shape if node.picture is not None else (1, 1)
        longest = max(shape[:2])
        return np.array([shape[1] / longest, shape[0] / longest]) * PICTURE * k
    if not texts:
        return np.full(2, BARE * k)
    return np.array([width_of(texts, k) + 2 * PAD_X * k, (len(texts) * LINE + 2 * PAD_Y) * k])


@lru_cache(maxsize=4096)
def width_of(texts: tuple[str, ...], k: float) -> float:
    """The width of the longest line."""
    metrics = measure(font(SMALL, k))
    return max(metrics.horizontalAdvance(text) for text in texts)
