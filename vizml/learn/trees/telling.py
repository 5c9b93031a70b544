"""A tree's growth, validation and pruning as states with notes: what each split gains and each link costs."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial

import numpy as np

from vizml.data import Dataset
from vizml.learn.state import Floats, Ints
from vizml.learn.trees.crossval import best_alpha
from vizml.learn.trees.grower import Grower
from vizml.learn.trees.pruning import PruningPath
from vizml.learn.trees.pruning_chart import Validation
from vizml.learn.trees.shown import Grown, TreeState

ROUNDING = 1e-12
WORDS = {"gini": "Gini", "entropy": "entropy", "error": "error"}


def growing(data: Dataset, grower: Grower) -> TreeState:
    """All splits of the levels so far, while deeper ones are looked for."""
    tree = grower.tree()
    grown = Grown(data, tree, np.flatnonzero(tree.splits))
    note = f"looking for splits: {len(grown.order):,} in {grower.depth} levels so far"
    return TreeState(classes=data.present, grown=grown, shown=len(grown.order), note=note)


def split_by_split(classes: Ints, grown: Grown, criterion: str) -> Iterator[TreeState]:
    """First the root alone, then one more split in each state."""
    state = partial(TreeState, classes=classes, grown=grown)
    tree, total, word = grown.tree, len(grown.order), WORDS[criterion]
    n, mixed = int(tree.count[0]), float(tree.impurity[0])
    yield state(shown=0, loss=mixed / n, progress=0.0, note=_start(grown, mixed / n, word))
    gain = tree.gain.tolist()
    before = (tree.impurity / tree.count).tolist()
    after = ((tree.impurity - tree.gain) / tree.count).tolist()
    for t, node in enumerate(grown.order.tolist(), start=1):
        mixed -= gain[node]
        change = f"{word} {before[node]:.3g} → {after[node]:.3g}, {tree.count[node]:,} points"
        note = f"split {t}: {grown.rule(node)}, {change}"
        yield state(shown=t, loss=mixed / n if mixed > ROUNDING * n else 0.0, note=note, progress=t / total)


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


def _start(grown: Grown, mixed: float, word: str) -> str:
    note = f"start: all {grown.tree.count[0]:,} points in one box, {word} {mixed:.3g}"
    return note if len(grown.order) else note + "; no split separates them within the limits"
