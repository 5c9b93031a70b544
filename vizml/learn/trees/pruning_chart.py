"""The pruning path as a chart: what the trees on it get wrong, against their leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.pruning import PruningPath
from vizml.learn.trees.structure import Tree
from vizml.scene import Axis, Chart, Handle, Offer, Rule, Series

LARGEST = 5000
"""Nodes of a tree whose path is still looked for only to be shown."""


@dataclass(frozen=True, eq=False)
class Validation:
    """What the pruned trees of the other folds get wrong on unseen points, on average, at some alphas."""

    alphas: Floats
    errors: Floats

    @property
    def best(self) -> float:
        """The alpha with the fewest errors, the largest of equals: the smallest tree."""
        fewest: Ints = np.flatnonzero(self.errors == self.errors.min())
        return float(self.alphas[fewest[-1]])


def on_path(path: PruningPath, tree: Tree, own: Floats) -> Floats:
    """The sum over the leaves of what each node has of its `own`, before and after each collapse.

    A node is a leaf from the collapse that takes its split to the one that takes its parent's.
    """
    born = path.cut + 1
    gone = path.cut[tree.parent] + 1
    change: Floats = np.bincount(born, own, minlength=len(path.node) + 2).astype(np.float64)
    change -= np.bincount(gone[1:], own[1:], minlength=len(path.node) + 2)
    along: Floats = np.cumsum(change)
    return along[: len(path.node) + 1]


def pruning_chart(
    tree: Tree,
    path: PruningPath,
    own: Floats,
    *,
    collapsed: int,
    prune: str,
    title: str = "error",
    validation: Validation | None = None,
    held: Floats | None = None,
) -> Chart:
    """Training, cross-validated and held-out errors against leaves; a handle, or an offer, sets alpha.

    `held` is what each node has of the mean error of held-out points, if it were a leaf.
    """
    n = int(tree.count[0])
    leaves = np.concatenate([[np.count_nonzero(~tree.splits)], path.leaves]).astype(np.float64)
    alphas = np.concatenate([[0.0], np.maximum.accumulate(path.alpha)])
    error = on_path(path, tree, own) / n
    now = min(collapsed, len(leaves) - 1)
    at = len(leaves) - 1 - now
    series = [Series(name="training", x=leaves[::-1].copy(), y=error[::-1].copy())]
    offers: tuple[Offer, ...] = ()
    if validation is not None:
        tried = leaves[[path.until(float(alpha)) for alpha in validation.alphas]]
        errors = validation.errors[::-1]
        series.append(Series(name="cross-validated", x=tried[::-1], y=errors, ink="text", stroke="dash"))
    if held is not None:
        unseen = on_path(path, tree, held)[::-1].copy()
        series.append(Series(name="held-out", x=leaves[::-1].copy(), y=unseen, ink="text"))
    if prune != "alpha":
        tip = "turns pruning by alpha on, where this chart has a handle to drag"
        best = _offered(alphas, validation, prune)
        offers = (Offer(words=f"Prune by α {best:.3g}", tip=tip, values={"prune": "alpha", "alpha": best}),)
    return Chart(
        title="Pruning path",
        x=Axis(title="leaves", log=True),
        y=Axis(title=title, low=0),
        series=tuple(series),
        rules=(Rule(name="now", x=float(leaves[now])),),
        note=f"{leaves[now]:g} leaves, α from {alphas[now]:.3g}",
        handle=Handle(series=0, values=alphas[::-1].copy(), at=at, sets="alpha")
        if prune == "alpha"
        else None,
        offers=offers,
    )


def _offered(alphas: Floats, validation: Validation | None, prune: str) -> float:
    """The alpha of the fewest cross-validated errors, or the one half-way along the path."""
    if validation is not None and (validation.best > 0 or prune == "cv"):
        return validation.best
    return float(alphas[len(alphas) // 2])
