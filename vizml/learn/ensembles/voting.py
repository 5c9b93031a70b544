"""Voting: different models on the same points, and the class with the most votes, sum_m w_m [h_m(x) = k]."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn import CLASSIFY, CannotLearn, Classifier, Model, choice, register, text
from vizml.learn.ensembles.committee import Assembly, Committee
from vizml.learn.ensembles.members import parse_members, parse_weights, training
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData

ASKED = 500
"""Points that the notes' figures are about, at the most: members may be slow to ask."""


@register(
    "voting",
    task=CLASSIFY,
    family="Ensembles",
    title="Voting",
    about="Trains different models on the same points and lets them vote.",
    formula=(
        r"\hat y(x) = \arg\max_k \sum_m w_m\, [ h_m(x) = k ] \quad \mathrm{(hard)}",
        r"\hat y(x) = \arg\max_k \sum_m w_m\, \hat p_m(k \mid x) \quad \mathrm{(soft)}",
    ),
)
@dataclass(frozen=True)
class Voting(Model):
    members: str = text(
        "logistic,knn,tree", parse_members, "classifiers between commas, such as svm(C=10),knn,tree",
        help="the models that vote, each with its parameters in brackets",
    )  # fmt: skip
    vote: str = choice(
        "soft",
        ("hard", "soft"),
        labels={"hard": "hard: one vote each", "soft": "soft: by probability"},
        help="whether a member's doubt counts; one with margins is certain where it leads by 2",
    )
    weights: str = text(
        "", parse_weights, "numbers from 0 on with commas between them, such as 2,1,1, or nothing",
        help="what the vote of each member counts; nothing means that all count the same",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Committee]:
        models = parse_members(self.members)
        weights = self._weights(len(models))
        assembly = Assembly(data, tuple(model.title for model in models), weights, hard=self.vote == "hard")
        for model in models:
            assembly.join((yield from training(model, data, rng, assembly.tell)))
            alone = _wrong(assembly.members[-1], data)
            note = f"{model.title} errs on {alone:.1%} of {min(len(data), ASKED):,} points"
            if assembly.members[1:]:
                note += f", the vote so far on {_wrong(assembly.state(), data):.1%}"
            yield assembly.state(note)

    def _weights(self, members: int) -> Floats:
        weights = parse_weights(self.weights)
        if weights and len(weights) != members:
            raise CannotLearn(
                f"weights names {len(weights)} numbers for {members} members: give one for each"
            )
        return np.array(weights) if weights else np.ones(members)


def _wrong(state: Classifier, data: TrainingData) -> float:
    """The share of some points that it gets wrong."""
    asked = np.linspace(0, len(data) - 1, min(len(data), ASKED)).astype(np.int64)
    return float((state.predict(data.points[asked]) != data.labels[asked]).mean())
