"""What a model of p coefficients is worth: adjusted R2, AIC, BIC, Mallows' Cp, cross-validation."""

from __future__ import annotations

import math

LABELS = {
    "adjr2": "adjusted R²",
    "aic": "AIC",
    "bic": "BIC",
    "cp": "Mallows' Cp",
    "cv": "cross-validation",
}
AXES = LABELS | {"adjr2": "1 − adjusted R²", "cv": "mean squared error"}
PERFECT = 1e-24
"""An error below this share of the variance is rounding: a likelihood has no bound there."""


def score(criterion: str, n: int, share: float, p: int, noise: float) -> float:
    """Lower is better: 1 - adjusted R2, AIC or BIC without constants, or Cp.

    `share` is RSS / TSS, `noise` what the full model leaves: its RSS / TSS times n / (n - p).
    """
    if criterion == "adjr2":
        return share * (n - 1) / (n - p) if n > p else math.inf
    if criterion == "cp":
        return n * share / noise - n + 2 * p
    deviance = n * math.log(max(share, PERFECT))
    return deviance + (2 if criterion == "aic" else math.log(n)) * p


def mallows(rss: float, n: int, p: int, noise: float) -> float:
    """Cp = RSS / s^2 - n + 2 p, about p where nothing is missing; s^2 is the full model's noise variance."""
    return rss / noise - n + 2 * p if noise > 0 else math.nan


def told(criterion: str, value: float) -> str:
    """A score in words."""
    return f"adjusted R² {1 - value:.4g}" if criterion == "adjr2" else f"{LABELS[criterion]} {value:.5g}"
