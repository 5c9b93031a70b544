"""Drawing that ensembles share: boundaries and thumbnails of members, the tree of a round, and charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, evenly_spaced
from vizml.learn.ensembles.out_of_bag import VarianceDecomposition
from vizml.learn.ensembles.tree_batch import TreeBatch
from vizml.learn.trees.structure import LEAF, Tree
from vizml.learn.trees.views import cell_borders, tree_diagram
from vizml.scene import CLASSES, Axis, Chart, Diagram, Ink, Node, Series
from vizml.scene.typesetting import without_rounding

THUMBNAIL = 72, 54
"""Width and height of a member's thumbnail in pixels."""
THUMBNAILS_PER_ROW, MAX_THUMBNAILS = 12, 24
"""Thumbnails in a row of a diagram, and in all of it."""
MAX_MEMBERS_DRAWN = 25
"""Number of members, the latest, whose boundaries or curves are drawn on the canvas."""
MAX_STEPS_DRAWN = 2000
"""Most steps of a member's curve that are drawn each: more than a canvas has columns of pixels."""
THUMBNAIL_OPACITY = 0.75
"""Opacity of a thumbnail where its winner is certain."""
THUMBNAIL_MARGIN = 0.1, 0.08
"""Margins around the points in thumbnails of planes and of curves, as shares of their extent."""
VARIANCE_TERM = "ρσ² + (1 − ρ)σ²/B"
POINT_COLOUR, POINT_ALPHA = (128, 128, 128), 90
"""Colour and opacity of the points in a thumbnail of a curve."""


def axis_aligned_boundary(batch: TreeBatch, tree: int, winners: Ints) -> Floats:
    """Segments (m, 2, 2) where the class of a tree on two features changes; infinite at the outside.

    `winners` is the class of each node.
    """
    boxes, _ = batch.boxes(tree, tree + 1)
    winners = winners[batch.leaves_of(tree, tree + 1)]
    x, y = np.unique(boxes[:, 0]), np.unique(boxes[:, 1])
    cells = np.empty((len(y) - 1, len(x) - 1), dtype=np.int64)
    columns, rows = np.searchsorted(x, boxes[:, 0]).tolist(), np.searchsorted(y, boxes[:, 1]).tolist()
    for (left, right), (bottom, top), winner in zip(columns, rows, winners.tolist(), strict=True):
        cells[bottom:top, left:right] = winner
    return cell_borders(np.pad(cells, 1, mode="edge"), x, y)


def shown_members(members: int) -> list[int]:
    """Numbers of the members with a thumbnail: all of them, or evenly spaced ones with the last."""
    return list(map(int, evenly_spaced(members, MAX_THUMBNAILS)))


def thumbnail_raster(X: Floats) -> Raster:
    """Coarse raster around some points."""
    low, high = X.min(axis=0), X.max(axis=0)
    margin = THUMBNAIL_MARGIN[0] * np.where(high > low, high - low, 1.0)
    (left, bottom), (right, top) = low - margin, high + margin
    return Raster.over((left, right, bottom, top), *THUMBNAIL)


def region_thumbnail(shares: Field, classes: Ints) -> NDArray[np.uint8]:
    """Image (H, W, 4) of class shares (K, H, W): the winner's colour, fainter where its lead is small."""
    winner = shares.argmax(axis=0)
    colours = np.array([CLASSES[int(label) % len(CLASSES)].colour for label in classes], dtype=np.uint8)
    best = np.sort(shares, axis=0)
    lead = best[-1] - best[-2] if len(best) > 1 else np.ones_like(best[0])
    image = np.empty((*winner.shape, 4), dtype=np.uint8)
    image[..., :3] = colours[winner]
    image[..., 3] = np.round(255 * THUMBNAIL_OPACITY * np.clip(lead, 0.0, 1.0))
    return image


def thumbnail_columns(x: Floats) -> Floats:
    """Input value of each column of a curve's thumbnail."""
    return np.linspace(float(x.min()), float(x.max()), THUMBNAIL[0])


def curve_thumbnail(heights: Floats, x: Floats, y: Floats) -> NDArray[np.uint8]:
    """Image (H, W, 4), row 0 lowest, of a curve by its heights at `thumbnail_columns` over the points."""
    width, height = THUMBNAIL
    image = np.zeros((height, width, 4), dtype=np.uint8)
    left, right = float(x.min()), float(x.max())
    column = np.rint((x - left) / ((right - left) or 1.0) * (width - 1)).astype(np.int64)
    image[_thumbnail_rows(y, y), column] = (*POINT_COLOUR, POINT_ALPHA)
    rows = _thumbnail_rows(heights, y)
    before = np.concatenate([rows[:1], rows[:-1]])
    low, high = np.minimum(rows, before), np.maximum(rows, before)
    at = np.arange(height)[:, None]
    image[(low <= at) & (at <= high)] = (*CLASSES[0].colour, 255)
    return image


def _thumbnail_rows(heights: Floats, y: Floats) -> Ints:
    """Row of each height in a thumbnail of points with these y, limited to the image."""
    low, high = float(y.min()), float(y.max())
    margin = THUMBNAIL_MARGIN[1] * ((high - low) or 1.0)
    share, rows = (heights - low + margin) / (high - low + 2 * margin), THUMBNAIL[1]
    return np.clip(np.rint(share * (rows - 1)), 0, rows - 1).astype(np.int64)


def thumbnail_diagram(
    title: str, labels: Sequence[str], numbers: Sequence[int], images: Sequence[NDArray[np.uint8]]
) -> Diagram:
    """Thumbnails of members side by side; the id of a node is the number of its member."""
    across = min(THUMBNAILS_PER_ROW, max(len(numbers), 1))
    down = -(-len(numbers) // across)
    nodes = []
    for place, (number, label, image) in enumerate(zip(numbers, labels, images, strict=True)):
        x, y = (place % across + 0.5) / across, 1.0 - (place // across + 0.5) / down
        nodes.append(Node(id=str(number), x=x, y=y, texts=(label,), shape="picture", picture=image))
    return Diagram(title=title, nodes=tuple(nodes))


@dataclass(frozen=True, eq=False)
class RoundTree:
    """One tree of an ensemble as a diagram: the gain of each split and the value of each leaf."""

    tree: Tree
    values: Floats
    names: tuple[str, ...]
    """Names of the features."""
    title: str
    inks: tuple[Ink, Ink]
    """Inks of leaves with negative and with positive values."""
    rate: float | None = None
    """Learning rate, the factor of leaf values, where `sums` are H and G of second-order boosting."""

    def diagram(self) -> Diagram:
        """Splits with their gains above leaves with their values."""
        return tree_diagram(self.tree, self.tree.splits, self._texts, self._tint, self.title)

    def _texts(self, node: int) -> tuple[str, ...]:
        tree, points = self.tree, plural(self.tree.count[node], "point")
        if tree.feature[node] == LEAF:
            value = self.values[node]
            if self.rate is None:
                return f"{value:+.3g}", points
            H, G = without_rounding(tree.sums[node], tree.sums.reshape(1, -1))
            parts = f"v = {value / self.rate:+.3g} before η", f"G = {G:.3g}, H = {H:.3g}"
            return f"{value:+.3g}", *parts, points
        rule = f"{self.names[tree.feature[node]]} ≤ {tree.threshold[node]:.4g}"
        return rule, f"gain {max(tree.gain[node], 0.0):.3g}", points

    def _tint(self, node: int) -> tuple[Ink, float]:
        if self.tree.feature[node] != LEAF:
            return "muted", 0.0
        largest, value = float(np.abs(self.values).max()) or 1.0, float(self.values[node])
        return self.inks[value > 0], abs(value) / largest


def variance_chart(variance: VarianceDecomposition) -> Chart:
    """Variance of the members' mean, measured and as rho and sigma^2 predict it."""
    at = np.arange(1.0, len(variance.rho) + 1)
    series = (
        Series(name="measured", x=at, y=variance.measured),
        Series(name=VARIANCE_TERM, x=at, y=variance.predicted, ink="text", stroke="dash"),
        Series(name="ρσ²", x=at, y=variance.rho * variance.sigma2, ink="muted", stroke="dot"),
    )
    x, y = Axis(title="members", low=1), Axis(title="variance of the error", low=0)
    note = (
        f"ρ = {variance.rho[-1]:.3f}, σ² = {variance.sigma2[-1]:.4f}; a point is out of bag of "
        f"{variance.voters:.2g} of {plural(len(at), 'member')}: with few of them, measured and formula differ"
    )
    return Chart(title="Variance of the ensemble", x=x, y=y, series=series, note=note)


def loss_chart(losses: Floats, name: str) -> Chart:
    """Training and held-out loss (rounds + 1, 2) against rounds."""
    at = np.arange(len(losses), dtype=np.float64)
    series = [Series(name="training", x=at, y=losses[:, 0].copy())]
    if np.isfinite(losses[:, 1]).any():
        series.append(Series(name="held-out", x=at, y=losses[:, 1].copy(), ink="text", stroke="dash"))
    choices = tuple(max(int(t), 1) for t in at)
    return Chart(
        title="Loss by round", x=Axis(title="rounds", low=0), y=Axis(title=name), series=tuple(series),
        sets=("rounds",), choices=(choices,),
    )  # fmt: skip
