"""A tree's growth, validation and pruning as states with notes: what each split gains and each link costs."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.crossval import best_alpha
from vizml.learn.trees.grower import TreeGrower
from vizml.learn.trees.pruning import PruningPath
from vizml.learn.trees.pruning_chart import Validation
from vizml.learn.trees.shown import Grown, TreeState

ROUNDING = 1e-12
WORDS = {"gini": "Gini", "entropy": "entropy", "error": "error"}


def growing(data: TrainingData, grower: TreeGrower) -> TreeState:
    """All splits of the levels so far, while deeper ones are looked for."""
    tree = grower.tree()
    grown = Grown(data, tree, np.flatnonzero(tree.splits))
    note = f"looking for splits: {len(grown.order):,} in {grower.depth} levels so far"
    return TreeState(classes=data.present, grown=grown, shown=len(grown.order), note=note)


def split_by_split(classes: Ints, grown: Grown, criterion: str) -> Iterator[TreeState]:
    """First the root alone, then one more split in each state."""
    tree, total, word = grown.tree, len(grown.order), WORDS[criterion]
    n, mixed = int(tree.count[0]), float(tree.impurity[0])
    note = _start(grown, mixed / n, word)
    blank = TreeState(classes=classes, grown=grown, shown=0, loss=mixed / n, progress=0.0, note=note)
    yield blank.later()
    left_over = mixed - np.cumsum(tree.gain[grown.order])
    losses = np.where(left_over > ROUNDING * n, left_over / n, 0.0)
    said = partial(_split, word)
    for t, loss in enumerate(losses.tolist(), start=1):
        yield blank.later(shown=t, loss=loss, note=said, progress=t / total)


def fold_by_fold(
    last: TreeState, alphas: Floats, errors: Iterator[Ints], n: int
) -> Generator[TreeState, None, tuple[float, Validation]]:
    """Says how the folds fare; gives the alpha that they choose, and their errors."""
    total = np.zeros(len(alphas), dtype=np.int64)
    for fold, wrong in enumerate(errors, start=1):
        total += wrong
        best = best_alpha(total)
        note = (
            f"fold {fold}: best so far is α {alphas[best]:.3g} with {total[best]:,} wrong on held-out points"
        )
        yield _again(last, note, last.loss, 0)
    best = best_alpha(total)
    note = f"cross-validation chooses α {alphas[best]:.3g}: {total[best] / n:.1%} wrong on held-out points"
    yield _again(last, note, last.loss, 0)
    return float(alphas[best]), Validation(alphas, total / n)


def collapse_by_collapse(last: TreeState, path: PruningPath, alpha: float) -> Iterator[TreeState]:
    """Each weakest link that costs at most alpha a leaf is taken back."""
    grown, loss, leaves = last.grown, last.loss, len(last.leaves)
    end = path.until(alpha)
    if not end:
        weakest = f"the weakest link gains {path.alpha[0]:.3g} a leaf, more than α {alpha:.3g}"
        yield _again(last, f"nothing to prune: {weakest}", loss, 0)
    for t in range(end):
        fewer = int(path.leaves[t])
        loss += float(path.alpha[t]) * (leaves - fewer)
        change = f"{leaves} → {fewer} leaves, {path.alpha[t]:.3g} a leaf"
        note = f"pruned {grown.rule(int(path.node[t]))}: {change}, α {alpha:.3g}"
        yield _again(last, note, loss, t + 1)
        leaves = fewer


def _again(last: TreeState, note: str, loss: float, collapsed: int) -> TreeState:
    return TreeState(
        classes=last.classes,
        grown=last.grown,
        shown=last.shown,
        collapsed=collapsed,
        loss=loss,
        note=note,
        progress=1.0,
    )


def _split(word: str, state: TreeState) -> str:
    grown, tree = state.grown, state.tree
    node = int(grown.order[state.shown - 1])
    sides = tree.impurity[tree.left[node]] + tree.impurity[tree.right[node]]
    before, after = tree.impurity[node] / tree.count[node], sides / tree.count[node]
    change = f"{word} {before:.3g} → {after:.3g}, {tree.count[node]:,} points"
    return f"split {state.shown}: {grown.rule(node)}, {change}"


def _start(grown: Grown, mixed: float, word: str) -> str:
    note = f"start: all {grown.tree.count[0]:,} points in one box, {word} {mixed:.3g}"
    return note if len(grown.order) else note + "; no split separates them within the limits"
