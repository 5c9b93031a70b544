"""States of trees on numbers and categories, which also predict for inputs with missing values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vizml.field.arrays import Floats
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.mixed_tree import MixedTree
from vizml.learn.trees.mixed_views import MixedTreeView, RegressionMixedTreeMapView
from vizml.learn.trees.tree_state import DecisionTreeState, RegressionTreeState
from vizml.learn.view import FittedCurveView


class _TakesMissing:
    """Part of a state whose tree has rules for missing values."""

    def known(self, X: Floats) -> Floats:
        """X itself."""
        return X


@dataclass(frozen=True, eq=False, kw_only=True)
class MixedTreeState(_TakesMissing, DecisionTreeState):
    """A classification tree; rows without a value go where the tests of its nodes send them."""

    plane_view_class = MixedTreeView

    def scores(self, X: ArrayLike) -> Floats:
        given, tree = np.asarray(X, dtype=np.float64), self.tree
        if not isinstance(tree, MixedTree) or not np.isnan(given).any():
            return super().scores(given)
        row, leaf, weight = tree.spread(given, self.splits)
        parts = self.grown.outputs[leaf] * weight[:, None]
        return np.stack([np.bincount(row, part, len(given)) for part in parts.T], axis=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionMixedTreeState(_TakesMissing, RegressionTreeState):
    """A regression tree; rows without a value go where surrogate splits send them."""

    curve_view_class = FittedCurveView
    plane_view_class = RegressionMixedTreeMapView


def needs_mixed_tree(data: TrainingData) -> bool:
    """Whether inputs are categories or have missing values."""
    return any(data.categories) or data.incomplete
