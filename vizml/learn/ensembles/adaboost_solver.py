"""AdaBoost for K classes (SAMME, Zhu et al. 2009); for two classes it is that of Freund and Schapire.

Round t fits a tree h_t to the weighted points, with the weighted error and the vote

    epsilon_t = sum_i w_i [h_t(x_i) != y_i],    alpha_t = ln((1 - epsilon_t) / epsilon_t) + ln(K - 1),

and raises the weights of the points that it gets wrong: w_i <- w_i exp(alpha_t [h_t(x_i) != y_i]) / norm.
The mean exponential loss of the vote is the product of the Z_t; it bounds the training error of two classes,
where Z_t = 2 sqrt(epsilon_t (1 - epsilon_t)).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, one_hot
from vizml.learn.trees.structure import Tree

MIN_WEIGHT = float(np.finfo(np.float64).eps)
"""Lower limit of the weights: a weight of 0 could not rise again."""


@dataclass(frozen=True, eq=False)
class AdaBoostRound:
    """A tree and its vote; `last` where no further round can help."""

    tree: Tree
    votes: Floats
    """Vote (nodes, K) of each leaf: alpha for its class, -alpha / (K - 1) for the others."""
    weights: Floats
    """Weights of the points that the tree was fitted to."""
    epsilon: float
    alpha: float
    Z: float
    training_error: float
    """Share of the points that all trees so far get wrong."""
    last: bool


def adaboost(
    X: Floats, y: Ints, classes: int, rounds: int = 50, max_depth: int = 1, rate: float = 1.0
) -> Iterator[AdaBoostRound]:
    """Fit trees one after the other to X (n, d) with class codes y; `rate` scales every alpha.

    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), np.array([0, 0, 1, 0, 1])
    >>> first, second, *_ = adaboost(X, y, classes=2)
    >>> print(f"{first.epsilon:.2f} {first.alpha:.3f} {first.Z:.2f}")  # the stump errs on x = 3 alone
    0.20 1.386 0.80
    >>> second.weights.round(3).tolist()  # which then weighs as much as the others together
    [0.125, 0.125, 0.125, 0.5, 0.125]
    """
    n, K = len(X), classes
    weights, F = np.full(n, 1 / n), np.zeros((n, K))
    samples, indicators = TreeSamples.all(X), one_hot(y, np.arange(K))
    for t in range(rounds):
        grower = TreeGrower(samples, indicators * weights, "gini", GrowthLimits(max_depth=max_depth))
        tree = grower.grow()
        h, leaf = tree.sums.argmax(axis=1), grower.sample_nodes
        wrong = h[leaf] != y
        epsilon = float(weights[wrong].sum())
        last = epsilon <= 0 or epsilon >= 1 - 1 / K
        if last:
            alpha = 1.0 if epsilon <= 0 or t == 0 else 0.0
        else:
            alpha = rate * (math.log((1 - epsilon) / epsilon) + math.log(K - 1))
        votes = np.full((len(tree), K), -alpha / (K - 1))
        votes[np.arange(len(tree)), h] = alpha
        F += votes[leaf]
        Z = (1 - epsilon) * math.exp(-alpha * (K - 1) / K) + epsilon * math.exp(alpha / K)
        error = float((F.argmax(axis=1) != y).mean())
        yield AdaBoostRound(tree, votes, weights, epsilon, alpha, Z, error, last or t == rounds - 1)
        if last:
            return
        weights = reweighted(weights, wrong, alpha)


def reweighted(weights: Floats, wrong: Mask, alpha: float) -> Floats:
    """Multiply the weights of the points that are wrong by e^alpha and normalise their sum to 1."""
    raised = np.maximum(np.where(wrong, weights * np.exp(alpha), weights), MIN_WEIGHT)
    after: Floats = raised / raised.sum()
    return after
