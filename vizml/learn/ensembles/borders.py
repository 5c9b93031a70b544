"""Where the class changes in one tree that splits x, y, x + y and x - y: pieces of the lines of its splits.

On a line every feature is a + b s. The line of each split, cut to its cell, is sent down on one side of the
split and then on the other, and falls into pieces on the way; those with two classes are the boundary.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import LEAF, Mask, Tree

FAR = 10.0
"""Lines go on beyond the points for so many times their extent."""
CONSTANT = np.array([[1, 0, 1, 1], [0, 1, 1, -1], [0, 1, 1, -1], [0, -1, -1, 1]], dtype=np.float64)
SLOPE = np.array([[0, 1, 1, -1], [1, 0, 1, 1], [1, -1, 0, 2], [1, 1, 2, 0]], dtype=np.float64)
"""Along a split at t of each feature (rows), each feature (columns) is CONSTANT t + SLOPE s."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces of lines a + b s, and the nodes that they have come to."""

    a: Floats
    b: Floats
    """Of all features (m, 4)."""
    start: Floats
    stop: Floats
    node: Ints
    mark: Ints
    """Their split, or the leaf on its first side once that is known."""

    def take(self, which: Mask) -> Pieces:
        """Some of them."""
        return Pieces(*(column[which] for column in vars(self).values()))

    def and_(self, more: Pieces) -> Pieces:
        """They and others."""
        columns = zip(vars(self).values(), vars(more).values())
        return Pieces(*(np.concatenate(both) for both in columns))


def borders(tree: Tree, splits: Ints, wins: Ints, points: Floats) -> Floats:
    """The segments (m, 2, 2) between leaves of different classes, along some splits of four features.

    `wins` is the class of each node, `points` (n, 2) tell how far lines go.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    reach = FAR * np.where(high > low, high - low, 1.0)
    pieces = _lines(tree, splits, low - reach, high + reach)
    first = _sent(tree, pieces)
    both = _sent(tree, replace(first, node=tree.right[first.mark], mark=first.node))
    edge = both.take(wins[both.mark] != wins[both.node])
    ends = [edge.a[:, :2] + edge.b[:, :2] * s[:, None] for s in (edge.start, edge.stop)]
    return np.stack(ends, axis=1)


def _lines(tree: Tree, splits: Ints, low: Floats, high: Floats) -> Pieces:
    """The line of each split within its cell and between low and high (2,), on its way to the left."""
    feature, threshold = tree.feature[splits], tree.threshold[splits]
    a, b = CONSTANT[feature] * threshold[:, None], SLOPE[feature]
    axis = np.where(feature == 0, 1, 0)
    near, far = ((tree.box[splits][:, :, side] - a) / np.where(b == 0, np.nan, b) for side in (0, 1))
    start = np.fmax(low[axis], np.fmax.reduce(np.where(b > 0, near, far), axis=1))
    stop = np.fmin(high[axis], np.fmin.reduce(np.where(b > 0, far, near), axis=1))
    pieces = Pieces(a, b, start, stop, tree.left[splits], splits)
    return pieces.take(start < stop)


def _sent(tree: Tree, pieces: Pieces) -> Pieces:
    """Pieces of pieces, each in a leaf."""
    done = pieces.take(np.zeros(len(pieces.node), dtype=np.bool_))
    while len(pieces.node):
        leaf = tree.feature[pieces.node] == LEAF
        done, pieces = done.and_(pieces.take(leaf)), _cut(tree, pieces.take(~leaf))
        a, b = _along(tree, pieces)
        low = a + b * (pieces.start + pieces.stop) / 2 <= tree.threshold[pieces.node]
        pieces = replace(pieces, node=np.where(low, tree.left[pieces.node], tree.right[pieces.node]))
    return done


def _cut(tree: Tree, pieces: Pieces) -> Pieces:
    """Pieces in two where the split of their node crosses them."""
    a, b = _along(tree, pieces)
    at = (tree.threshold[pieces.node] - a) / np.where(b == 0, np.nan, b)
    crossed = (pieces.start < at) & (at < pieces.stop)
    rest = pieces.take(crossed)
    shorter = replace(pieces, stop=np.where(crossed, at, pieces.stop))
    return shorter.and_(replace(rest, start=at[crossed]))


def _along(tree: Tree, pieces: Pieces) -> tuple[Floats, Floats]:
    """The a and b of the feature that the node of each piece splits."""
    row, feature = np.arange(len(pieces.node)), tree.feature[pieces.node]
    return pieces.a[row, feature], pieces.b[row, feature]
