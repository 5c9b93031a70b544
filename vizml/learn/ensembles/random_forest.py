"""Random forests (bootstrap samples, m candidate features per split) and extra trees (random thresholds)."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any, ClassVar

from numpy.random import Generator

from vizml.learn import CLASSIFY, REGRESS, Model, choice, create, flag, integer, register, varied
from vizml.learn.ensembles import common
from vizml.learn.ensembles.forest_solver import ForestOptions
from vizml.learn.ensembles.forest_state import forest_states
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.tree import CRITERION_LABELS, LOSS_LABELS

MEAN_SHARES = r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)"
MEAN_VALUES = r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)"


class ForestModel(common.EnsembleModel):
    """Model that averages trees; `rule` is their criterion or their loss."""

    depends_on_scale = False
    trees: int
    max_depth: int
    min_leaf: int
    derived: bool = False
    extra: ClassVar[bool] = False
    """Whether thresholds are random."""
    bootstrap: bool = True
    rule: ClassVar[str]
    """Parameter with the criterion of splits or the loss of leaves."""

    @property
    def single(self) -> Model:
        rule = {self.rule: getattr(self, self.rule)}
        return create("tree", self.task, max_depth=self.max_depth, min_leaf=self.min_leaf, **rule)

    def drawn(self, inputs: int) -> int:
        """Return the number of features that are drawn for each split; 0: all."""
        del inputs
        return 0

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        drawn = self.drawn(data.X.shape[1])
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf, features=drawn)
        options = ForestOptions(
            trees=self.trees, limits=limits, sample=float(self.bootstrap), random_thresholds=self.extra,
            rule=getattr(self, self.rule), diagonals=self.derived,
        )  # fmt: skip
        return forest_states(options, data, rng, every=every)


TREES: Any = integer(100, 1, 1000, log=True, symbol="B", synonyms=("n_estimators",), help="Number of trees.")
MAX_DEPTH: Any = integer(0, 0, 50, zero="no limit", help="Maximum depth of the trees. 0 means no limit.")
MIN_LEAF: Any = varied(common.MIN_LEAF, help="Minimum number of distinct points in a leaf.")


@register(
    "random_forest", CLASSIFY, "Ensembles", "Random forest",
    symbols={
        "p": ("Class probabilities of a tree and their mean.", "Members"),
        "ρ": ("Correlation between trees.",), "σ": ("Standard deviation of a tree.",),
    },
    synonyms=("RF", "out-of-bag error", "OOB"),
)  # fmt: skip
class RandomForest(ForestModel):
    """Averages the class shares of decision trees, each trained on a bootstrap sample with a random subset of
    features at each split.
    """

    formula = (MEAN_SHARES, common.VARIANCE_FORMULA)
    rule = "criterion"
    depends_on_scale = True  # diagonal splits are sums of inputs

    trees: int = TREES
    m: int = integer(
        0, 0, 50, zero="√d", symbol="m",
        help="Number of features drawn at random for each split. 0 means the square root of the number of"
        " inputs.",
    )  # fmt: skip
    derived: bool = flag(False, title="diagonals", help="Split the sums and differences of the inputs.")
    max_depth: int = MAX_DEPTH
    min_leaf: int = MIN_LEAF
    criterion: str = choice(
        "gini", tuple(CRITERION_LABELS), labels=CRITERION_LABELS, symbol="I",
        help="Impurity measure that splits minimise.",
    )  # fmt: skip

    def drawn(self, inputs: int) -> int:
        return self.m or isqrt(inputs)


@register(
    "extra_trees", CLASSIFY, "Ensembles", "Extra trees",
    symbols={
        "p": ("Class probabilities of a tree and their mean.", "Members"),
        "t": ("Threshold of a split, drawn at random.",),
    },
    synonyms=("extremely randomised trees", "ERT"),
)  # fmt: skip
class ExtraTrees(RandomForest):
    """Averages the class shares of decision trees whose thresholds are drawn at random; each split takes the
    best of the candidate features.
    """

    formula = (r"t_j \sim \mathcal{U}( \min_i x_{ij},\, \max_i x_{ij} )", MEAN_SHARES)
    extra = True
    bootstrap: bool = flag(
        False, help="Train each tree on a bootstrap sample, which gives an out-of-bag error."
    )


@register(
    "random_forest", REGRESS, "Ensembles", "Random forest",
    symbols={
        "y": ("Prediction of a tree and their mean.", "Members"), "ρ": ("Correlation between trees.",),
        "σ": ("Standard deviation of a tree.",),
    },
    synonyms=("RF", "random forest regressor"),
)  # fmt: skip
class RandomForestRegression(ForestModel):
    """Averages regression trees, each trained on a bootstrap sample of the points."""

    formula = (MEAN_VALUES, common.VARIANCE_FORMULA)
    rule = "loss"

    trees: int = TREES
    max_depth: int = MAX_DEPTH
    min_leaf: int = MIN_LEAF
    loss: str = choice(
        "squared", tuple(LOSS_LABELS), labels=LOSS_LABELS,
        help="Loss that the values of leaves minimise: means or medians of their points.",
    )  # fmt: skip


@register(
    "extra_trees", REGRESS, "Ensembles", "Extra trees",
    symbols={
        "y": ("Prediction of a tree and their mean.", "Members"),
        "t": ("Threshold of a split, drawn at random.",),
    },
    synonyms=("extremely randomised trees",),
)  # fmt: skip
class ExtraTreesRegression(RandomForestRegression):
    """Averages regression trees whose thresholds are drawn at random."""

    formula = (r"t \sim \mathcal{U}( \min_i x_i,\, \max_i x_i )", MEAN_VALUES)
    extra = True
    bootstrap = False
