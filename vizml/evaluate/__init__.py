"""How good it is, and would it hold: metrics, curves, validation, search, resampling."""

from vizml.evaluate.confusion import Confusion, confusion, scores
from vizml.evaluate.folds import bootstraps, fold_numbers, kfold
from vizml.evaluate.judging import accuracy, r2, score
from vizml.evaluate.partitions import ari, nmi, silhouette
from vizml.evaluate.ranking import best_threshold, brier, calibration, log_loss, pr, roc
from vizml.evaluate.resampling import bias_variance, bootstrap, resampled
from vizml.evaluate.search import grid_search, random_searches
from vizml.evaluate.validation import cross_validate, learning_curve, validation_curve

__all__ = [
    "Confusion",
    "accuracy",
    "ari",
    "best_threshold",
    "bias_variance",
    "bootstrap",
    "bootstraps",
    "brier",
    "calibration",
    "confusion",
    "cross_validate",
    "fold_numbers",
    "grid_search",
    "kfold",
    "learning_curve",
    "log_loss",
    "nmi",
    "pr",
    "r2",
    "random_searches",
    "resampled",
    "roc",
    "score",
    "scores",
    "silhouette",
    "validation_curve",
]
