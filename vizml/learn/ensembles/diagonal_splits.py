"""Decision boundary of one tree that splits x, y, x + y and x - y, as segments along the lines of its splits.

Along a line a + b s every feature is linear in s. The line of each split, clipped to the cell of its node, is
sent down the tree on one side of the split and then on the other, and is cut where it meets other splits;
pieces whose two leaves predict different classes are the boundary.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.trees.structure import LEAF, Tree

REACH = 10.0
"""Lines end at this multiple of the points' extent beyond the points."""
OFFSETS = np.array([[1, 0, 1, 1], [0, 1, 1, -1], [0, 1, 1, -1], [0, -1, -1, 1]], dtype=np.float64)
SLOPES = np.array([[0, 1, 1, -1], [1, 0, 1, 1], [1, -1, 0, 2], [1, 1, 2, 0]], dtype=np.float64)
"""Along a split at t of each feature (rows), each feature (columns) is OFFSETS t + SLOPES s."""


@dataclass(frozen=True, eq=False)
class LinePieces:
    """LinePieces of lines a + b s, and the nodes that they have reached."""

    a: Floats
    b: Floats
    """Of all features (m, 4)."""
    start: Floats
    stop: Floats
    node: Ints
    mark: Ints
    """The split of a piece, or the leaf on its first side once that is known."""

    def take(self, mask: Mask) -> LinePieces:
        """Select some of the pieces."""
        return LinePieces(*(column[mask] for column in vars(self).values()))

    def append(self, more: LinePieces) -> LinePieces:
        """Append other pieces."""
        columns = zip(vars(self).values(), vars(more).values())
        return LinePieces(*(np.concatenate(both) for both in columns))


def diagonal_boundary(tree: Tree, splits: Ints, wins: Ints, points: Floats) -> Floats:
    """Segments (m, 2, 2) between leaves of different classes along some splits of four features.

    `wins` is the class of each node; the extent of the points (n, 2) limits the lines.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    reach = REACH * np.where(high > low, high - low, 1.0)
    pieces = _lines(tree, splits, low - reach, high + reach)
    first = _descend(tree, pieces)
    both = _descend(tree, replace(first, node=tree.right[first.mark], mark=first.node))
    edge = both.take(wins[both.mark] != wins[both.node])
    ends = [edge.a[:, :2] + edge.b[:, :2] * s[:, None] for s in (edge.start, edge.stop)]
    return np.stack(ends, axis=1)


def _lines(tree: Tree, splits: Ints, low: Floats, high: Floats) -> LinePieces:
    """Line of each split, clipped to its cell and to low and high (2,), at its left child."""
    feature, threshold = tree.feature[splits], tree.threshold[splits]
    a, b = OFFSETS[feature] * threshold[:, None], SLOPES[feature]
    axis = np.where(feature == 0, 1, 0)
    near, far = ((tree.box[splits][:, :, side] - a) / np.where(b == 0, np.nan, b) for side in (0, 1))
    start = np.fmax(low[axis], np.fmax.reduce(np.where(b > 0, near, far), axis=1))
    stop = np.fmin(high[axis], np.fmin.reduce(np.where(b > 0, far, near), axis=1))
    pieces = LinePieces(a, b, start, stop, tree.left[splits], splits)
    return pieces.take(start < stop)


def _descend(tree: Tree, pieces: LinePieces) -> LinePieces:
    """Send pieces down the tree to their leaves; splits on the way cut them."""
    done = pieces.take(np.zeros(len(pieces.node), dtype=np.bool_))
    while len(pieces.node):
        leaf = tree.feature[pieces.node] == LEAF
        done, pieces = done.append(pieces.take(leaf)), _cut(tree, pieces.take(~leaf))
        a, b = _along(tree, pieces)
        low = a + b * (pieces.start + pieces.stop) / 2 <= tree.threshold[pieces.node]
        pieces = replace(pieces, node=np.where(low, tree.left[pieces.node], tree.right[pieces.node]))
    return done


def _cut(tree: Tree, pieces: LinePieces) -> LinePieces:
    """Cut pieces in two where the split of their node crosses them."""
    a, b = _along(tree, pieces)
    at = (tree.threshold[pieces.node] - a) / np.where(b == 0, np.nan, b)
    crossed = (pieces.start < at) & (at < pieces.stop)
    rest = pieces.take(crossed)
    shorter = replace(pieces, stop=np.where(crossed, at, pieces.stop))
    return shorter.append(replace(rest, start=at[crossed]))


def _along(tree: Tree, pieces: LinePieces) -> tuple[Floats, Floats]:
    """Coefficients a and b of the feature that the node of each piece splits."""
    row, feature = np.arange(len(pieces.node)), tree.feature[pieces.node]
    return pieces.a[row, feature], pieces.b[row, feature]
