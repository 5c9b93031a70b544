"""Boosting by second order: a leaf takes -G / (H + lambda), a split gains by the same sums of both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vizml.learn.ensembles.boosting import Boosting
from vizml.learn.ensembles.leaves import Leaves
from vizml.learn.ensembles.losses import FLAT, Loss, Rows
from vizml.learn.state import Floats
from vizml.learn.trees.criteria import Criterion, second_order
from vizml.learn.trees.grower_1d import TREE_BORDER, Splits1D, TreeGrower1D, tree_from_splits
from vizml.learn.trees.structure import Mask, Tree, remove_splits


@dataclass(frozen=True, kw_only=True)
class SecondOrder(Boosting):
    """Rounds as XGBoost runs them."""

    lam: float = 1.0
    gamma: float = 0.0
    min_child_weight: float = 1.0
    bends: float = 1.0
    """What second derivatives are multiplied with."""

    def start(self, loss: Loss) -> Floats:
        return np.zeros_like(loss.start())

    def criterion(self) -> Criterion:
        return second_order(self.lam, self.min_child_weight)

    def sums(self, slope: Floats, bend: Floats) -> Floats:
        sums = np.empty((2, len(slope)))
        np.multiply(self.bends, bend, out=sums[0])
        np.negative(slope, out=sums[1])
        return sums

    def leaves(
        self, loss: Loss, leaves: Leaves, slope: Floats, bend: Floats, rows: Rows, F: Floats
    ) -> Floats:
        del loss, rows, F
        bent = self.bends * leaves.sums(bend)
        light = bent < max(self.min_child_weight, FLAT)
        bent += self.lam
        steps = leaves.sums(slope)
        steps /= np.maximum(bent, FLAT)
        steps[light] = 0.0
        return steps

    def pruned(self, tree: Tree) -> Tree:
        if self.gamma <= 0 or not tree.splits.any():
            return tree
        gone = cheap(tree, self.gamma)
        return remove_splits(tree, gone)[0] if gone.any() else tree

    def pruned_cuts(self, grower: TreeGrower1D, cuts: Splits1D) -> Splits1D:
        if self.gamma <= 0:
            return cuts
        tree = self.pruned(tree_from_splits(grower, cuts))
        stays = np.isin(grower.thresholds[cuts.edges], tree.threshold) | (cuts.level == TREE_BORDER)
        return Splits1D(cuts.edges[stays], cuts.level[stays])


def cheap(tree: Tree, gamma: float) -> Mask:
    """Splits between two leaves that gain less than gamma / 2, from the bottom up.

    Half, as XGBoost compares gamma with [GL^2/(HL + lam) + GR^2/(HR + lam) - G^2/(H + lam)] without the
    one half that the formula of the gain has.
    """
    splits, gain = tree.splits.copy(), tree.gain
    for depth in range(int(tree.depth[-1]), -1, -1):
        at = np.flatnonzero((tree.depth == depth) & splits)
        ends = ~splits[tree.left[at]] & ~splits[tree.right[at]]
        splits[at[ends & (gain[at] < gamma / 2)]] = False
    return tree.splits & ~splits
