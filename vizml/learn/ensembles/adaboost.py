"""AdaBoost (SAMME): trees mind most what those before got wrong, w_i <- w_i exp(alpha [h(x_i) != y_i])."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn import CLASSIFY, Model, integer, real, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.boosting import rounds_at_once
from vizml.learn.ensembles.stand import Stand, joined, stand
from vizml.learn.ensembles.weighted import HISTORY, Round, Weighted
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, one_hot
from vizml.learn.trees.samples import TreeSamples
from vizml.learn.trees.structure import Mask, Tree, descend

PERFECT = "it gets every point right, so nothing is left to mind more"
USELESS = "it is no better than guessing, so it is the last"
LEAST = float(np.finfo(np.float64).eps)
"""Weights do not fall below this, as they could not rise again."""


@register(
    "adaboost",
    task=CLASSIFY,
    family="Ensembles",
    title="AdaBoost",
    about="Adds small trees that vote by how good they are, each trained on the points that were got wrong.",
    formula=(
        r"\alpha_m = \ln \frac{1 - \varepsilon_m}{\varepsilon_m} + \ln(K - 1)",
        r"w_i \leftarrow w_i\, e^{\alpha_m [h_m(x_i) \neq y_i]} \,/\, \sum_j w_j",
        r"\mathrm{error} \leq \prod_m Z_m, \quad Z_m = 2 \sqrt{\varepsilon_m (1 - \varepsilon_m)}",
    ),
)
@dataclass(frozen=True)
class AdaBoost(Model):
    rounds: int = settings.rounds(50)
    max_depth: int = integer(1, 1, 10, help="the most splits on the way to a leaf; 1 makes stumps")
    rate: float = real(
        1.0, 0.01, 2.0, log=True, symbol="η", title="learning rate", help="what each α is multiplied with"
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Weighted]:
        del rng
        run = _Run(self, data)
        while not run.over:
            rounds = run.some(rounds_at_once(len(data), 1, self.max_depth))
            yield from run.told(rounds)


class _Run:
    """The weights and trees so far."""

    def __init__(self, model: AdaBoost, data: TrainingData) -> None:
        self._model, self._data = model, data
        self._truth = np.searchsorted(data.present, data.labels)
        self._single = one_hot(data.labels, data.present)
        self._entries = TreeSamples.all(data.points)
        self._weights = np.full(len(data), 1 / len(data))
        self._votes = np.zeros((len(data), len(data.present)))
        self._stands: tuple[Stand, ...] = ()
        self._history = np.empty((model.rounds, len(HISTORY)))
        self._done = 0
        self.over = False

    def some(self, count: int) -> list[Round]:
        """Up to so many more rounds."""
        rounds: list[Round] = []
        while len(rounds) < count and not self.over:
            rounds.append(self._round())
            self._done += 1
            self.over |= self._done == self._model.rounds
        self._stands = (*self._stands, joined([each.grown for each in rounds]))
        return rounds

    def told(self, rounds: list[Round]) -> Iterator[Weighted]:
        """A state for each of the latest rounds."""
        for number, each in enumerate(rounds, start=self._done - len(rounds) + 1):
            yield Weighted.after(
                each, number, self._data, self._stands, self._history[:number], self._model.rounds
            )

    def _round(self) -> Round:
        weights, several = self._weights, len(self._data.present) - 1
        tree, own = self._grown(weights)
        wins = tree.sums.argmax(axis=1)
        wrong = wins[own] != self._truth
        error = float(weights[wrong].sum())
        alpha, end = self._alpha(error, several)
        values = np.full((len(tree), several + 1), -alpha / several)
        values[np.arange(len(tree)), wins] = alpha
        self._votes += values[own]
        self._weights = reweighted(weights, wrong, alpha)
        self._history[self._done] = self._figures(error, alpha)
        self.over = bool(end)
        grown = stand(tree, values[:, 1:] if several == 1 else values, self._data.points)
        return Round(grown=grown, weights=weights.astype(np.float32), end=end)

    def _grown(self, weights: Floats) -> tuple[Tree, Ints]:
        """The next tree, and the leaf of each point."""
        limits = GrowthLimits(max_depth=self._model.max_depth)
        points, sums = self._data.points, self._single * weights
        grower = TreeGrower(self._entries, sums, "gini", limits)
        while grower.level():
            pass
        tree = grower.tree()
        return tree, descend(tree, points, tree.splits)

    def _alpha(self, error: float, several: int) -> tuple[float, str]:
        """What a tree's vote counts, and why it is the last one, if it is."""
        if error <= 0:
            return 1.0, PERFECT
        if error >= 1 - 1 / (several + 1):
            return (0.0 if self._done else 1.0), USELESS
        return self._model.rate * (math.log((1 - error) / error) + math.log(several)), ""

    def _figures(self, error: float, alpha: float) -> tuple[float, float, float, float]:
        """What HISTORY names, after a round."""
        classes = self._votes.shape[1]
        own = self._votes[np.arange(len(self._truth)), self._truth]
        loss = np.exp(-own * (classes - 1) / classes).mean()
        wrong = self._votes.argmax(axis=1) != self._truth
        return error, alpha, float(wrong.mean()), float(loss)


def reweighted(weights: Floats, wrong: Mask, alpha: float) -> Floats:
    """The weights of the next round: of those that were wrong e^alpha times as much, 1 together."""
    raised = np.maximum(np.where(wrong, weights * np.exp(alpha), weights), LEAST)
    after: Floats = raised / raised.sum()
    return after
