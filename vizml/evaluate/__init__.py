"""Evaluation: metrics, ranking curves, validation, resampling, search, and the diagnostics of the window."""

from vizml.evaluate.bayes import bayes
from vizml.evaluate.metrics import Confusion, accuracy, confusion, r2, score, scores
from vizml.evaluate.partitions import ari, nmi, silhouette
from vizml.evaluate.ranking import best_threshold, brier, calibration, log_loss, pr, roc
from vizml.evaluate.resampling import (
    bias_variance,
    bootstrap,
    bootstrap_sampler,
    bootstraps,
    fold_numbers,
    kfold,
)
from vizml.evaluate.validation import (
    cross_validate,
    grid_search,
    learning_curve,
    random_searches,
    validation_curve,
)

__all__ = [
    "Confusion", "accuracy", "ari", "bayes", "best_threshold", "bias_variance", "bootstrap",
    "bootstrap_sampler", "bootstraps", "brier", "calibration", "confusion", "cross_validate", "fold_numbers",
    "grid_search",
    "kfold", "learning_curve", "log_loss", "nmi", "pr", "r2", "random_searches", "roc", "score", "scores",
    "silhouette", "validation_curve",
]  # fmt: skip
