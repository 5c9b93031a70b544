"""What there is to see of an ensemble's members: their boundaries, and a strip of small pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field, Raster
from vizml.learn.ensembles.stand import Stand
from vizml.learn.state import Floats, Ints
from vizml.scene import CLASSES, Diagram, Lens, Node

WIDE, HIGH = 72, 54
"""Pixels of a small picture."""
ACROSS, MOST = 12, 24
"""Pictures in a row of the strip, and in all of it."""
FAINT = 25
"""So many members' boundaries are drawn, the latest."""
TINT = 0.75


def boundaries(stand: Stand, tree: int, wins: Ints) -> Floats:
    """The segments (m, 2, 2) where the class of a tree with two features changes; infinite at the outside.

    `wins` is the class of each node.
    """
    boxes, _ = stand.boxes(tree, tree + 1)
    wins = wins[stand.leaves_of(tree, tree + 1)]
    x, y = (np.unique(boxes[:, side : side + 2]) for side in (0, 2))
    cells = np.empty((len(y) - 1, len(x) - 1), dtype=np.int64)
    columns, rows = np.searchsorted(x, boxes[:, :2]).tolist(), np.searchsorted(y, boxes[:, 2:]).tolist()
    for (left, right), (bottom, top), win in zip(columns, rows, wins.tolist(), strict=True):
        cells[bottom:top, left:right] = win
    row, column = np.nonzero(cells[:, 1:] != cells[:, :-1])
    upright = np.stack([x[column + 1], y[row], x[column + 1], y[row + 1]], axis=1)
    row, column = np.nonzero(cells[1:] != cells[:-1])
    level = np.stack([x[column], y[row + 1], x[column + 1], y[row + 1]], axis=1)
    return np.concatenate([upright, level]).reshape(-1, 2, 2)


def small_raster(points: Floats) -> Raster:
    """The plane around some points, coarsely."""
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.1 * np.where(high > low, high - low, 1.0)
    (left, bottom), (right, top) = low - margin, high + margin
    return Raster.over((left, right, bottom, top), WIDE, HIGH)


def picture(shares: Field, classes: Ints) -> NDArray[np.uint8]:
    """The image (H, W, 4) of shares (K, H, W): the winner's colour, the paler the nearer the next is."""
    winner = shares.argmax(axis=0)
    inks = np.array([CLASSES[int(label) % len(CLASSES)].colour for label in classes], dtype=np.uint8)
    best = np.sort(shares, axis=0)
    lead = best[-1] - best[-2] if len(best) > 1 else np.ones_like(best[0])
    image = np.empty((*winner.shape, 4), dtype=np.uint8)
    image[..., :3] = inks[winner]
    image[..., 3] = np.round(255 * TINT * np.clip(lead, 0.0, 1.0))
    return image


def chosen(members: int) -> list[int]:
    """The members that the strip shows: all, or so many evenly picked."""
    return sorted({int(i) for i in np.linspace(0, members - 1, min(members, MOST)).round()})


def strip(
    title: str,
    texts: Sequence[tuple[str, ...]],
    numbers: Sequence[int],
    pictures: Sequence[NDArray[np.uint8]],
) -> Diagram:
    """Small pictures of members side by side; a node's id is the number of its member."""
    across = min(ACROSS, max(len(numbers), 1))
    down = -(-len(numbers) // across)
    nodes = tuple(
        Node(
            id=str(number),
            x=(place % across + 0.5) / across,
            y=1.0 - (place // across + 0.5) / down,
            texts=words,
            shape="picture",
            picture=image,
        )
        for place, (number, words, image) in enumerate(zip(numbers, texts, pictures, strict=True))
    )
    return Diagram(title=title, nodes=nodes)


def share_lens(name: str, plane: Callable[[Raster], NDArray[np.float32]], of: str) -> Lens:
    """A share from 0 to 1 as a lens, its tie as a line."""
    return Lens(
        name=name, plane=plane, low=0.0, high=1.0, unit=f"share of {of}", diverging=True, levels=(0.5,)
    )
